/** Receives notifications in Express, and in other servers with `(request, response, next)`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRawBody } from '../raw-body.ts';
import { bodyIsParsed, bytesOf, type NotificationOptions, receive } from './receive.ts';

export type { NotificationOptions } from './receive.ts';

/** The parts of a request that matter here; body parsers add `body` and, if asked, `rawBody`. */
export type NodeRequest = IncomingMessage & { body?: unknown; rawBody?: unknown };

/**
 * A handler for one route: `app.post('/paydesk', notificationHandler({ secrets, handle }))`. It reads the body itself, or
 * takes the bytes of `express.raw({ type: 'application/json' })`. If `express.json()` ran before, the bytes are gone, and
 * the error says so; errors go to `next`.
 */
export const notificationHandler =
  (options: NotificationOptions) =>
  (request: NodeRequest, response: ServerResponse, next: (error?: unknown) => void): void => {
    rawBodyOf(request)
      .then((raw_body) => receive(options, request.headers, raw_body))
      .then((answer) => {
        send(response, answer);
      })
      .catch(next);
  };

/** The bytes of the body, wherever they are. Rejects if a parser has consumed them. */
export async function rawBodyOf(
  request: NodeRequest,
  remedy = "Register this route before express.json(), or put express.raw({ type: 'application/json' }) before it.",
): Promise<Uint8Array | string> {
  const bytes = bytesOf(request.rawBody) ?? bytesOf(request.body);
  if (bytes !== undefined) return bytes;
  if (request.readableDidRead) throw bodyIsParsed(remedy);
  return readRawBody(request);
}

/** Sends the answer without the help of a framework. */
export function send(response: ServerResponse, answer: Awaited<ReturnType<typeof receive>>): void {
  response.statusCode = answer.status;
  if (answer.status === 204) {
    response.end();
    return;
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer.body));
}
