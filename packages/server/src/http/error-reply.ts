import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import { writeJson } from '../base/input/json.ts';

export const jsonType = 'application/json; charset=utf-8';

/** The one place where an error becomes an answer (D-019, R-368, R-372, H-13, H-16). */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asAppError(error);
  request.error_code = known.code;
  if (known.status >= 500) request.log.error({ err: rootOf(error) }, 'request failed');
  setRetryAfter(reply, known);
  if (known.status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', challenge(request));
  }
  if (known.detail.scope !== undefined) {
    reply.header('www-authenticate', `Bearer error="${known.code}", scope="${known.detail.scope}"`);
  }
  if (known.status === 413 || known.status === 408) reply.header('connection', 'close');
  return reply.code(known.status).type(jsonType).send(writeJson(known.body()));
}

/** What the framework itself refuses, and what nobody expected, in the contract's words. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_media_type');
    if (error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH') {
      return new AppError('not_found');
    }
  }
  return new AppError('server_error');
}

function rootOf(error: unknown): unknown {
  return error instanceof AppError && error.cause !== undefined ? error.cause : error;
}

/** Sets `Retry-After` where an answer has to have one, and says how many seconds that is (H-16). */
export function setRetryAfter(reply: FastifyReply, { status, detail }: AppError): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = Math.max(1, Math.ceil(detail.retry_after_s ?? (status === 429 ? 1 : 5)));
  reply.header('retry-after', String(seconds));
  return seconds;
}

/** `error` only where a token was sent: without one there is nothing that could be wrong with it (RFC 6750). */
function challenge(request: FastifyRequest): string {
  const sent = /^bearer\s+\S/i.test(request.headers.authorization ?? '');
  return sent ? 'Bearer realm="api", error="invalid_token"' : 'Bearer realm="api"';
}

/** Answers what is no HTTP request, straight on the socket. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const refusal = new AppError(
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_request',
  );
  const reason = refusal.status === 408 ? 'Request Timeout' : 'Bad Request';
  const body = writeJson(refusal.body());
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${reason}`,
      `Content-Type: ${jsonType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
