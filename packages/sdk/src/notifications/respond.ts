/** Receives a notification as a Fetch `Request` and gives the `Response`. */
import { readRawBody } from '../raw-body.ts';
import { bodyIsParsed, type NotificationOptions, receive } from './receive.ts';

/** @param read gives the bytes where a framework has kept them */
export async function respond(
  options: NotificationOptions,
  request: Request,
  read?: () => Promise<ArrayBuffer>,
): Promise<Response> {
  if (read === undefined && request.bodyUsed) {
    throw bodyIsParsed('Let this handler read the body: call request.json() nowhere before it.');
  }
  const answer = await receive(options, request.headers, await bytesFrom(request, read));
  return answer.status === 204
    ? new Response(null, { status: 204 })
    : Response.json(answer.body, { status: answer.status });
}

async function bytesFrom(request: Request, read?: () => Promise<ArrayBuffer>): Promise<Uint8Array> {
  if (read !== undefined) return new Uint8Array(await read());
  return request.body === null ? new Uint8Array() : readRawBody(request.body);
}
