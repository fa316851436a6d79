/** Turns errors into HTTP answers. */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import { writeJson } from '../base/input/json.ts';

/** The type of all answers except pages; `Accept` is ignored (H-12). */
export const jsonType = 'application/json; charset=utf-8';

/**
 * Answers a request with an error (R-368, R-372, D-019, H-13, H-16), which names its parameter, without the
 * help of the database (H-25).
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asAppError(error);
  request.error_code = known.code;
  request.error_field = known.detail.field ?? null;
  if (known.status >= 500) request.log.error({ err: causeOf(error) }, 'request failed');
  setRetryAfter(reply, known);
  if (known.status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', challenge(request));
  }
  if (known.detail.scope !== undefined) {
    reply.header('www-authenticate', `Bearer error="${known.code}", scope="${known.detail.scope}"`);
  }
  if (known.status === 413 || known.status === 408) reply.header('connection', 'close');
  // A list that failed before its first bytes were sent has announced them compressed.
  reply.removeHeader('content-encoding');
  return reply.code(known.status).type(jsonType).send(writeJson(known.body()));
}

/** Maps errors of the framework to codes of the contract, and unexpected errors to `server_error`. */
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

/** What a refusal for an outage was made from; the log has that (D-1472). */
export function causeOf(error: unknown): unknown {
  return error instanceof AppError && error.cause !== undefined ? error.cause : error;
}

/** Sets `Retry-After` on answers with 429 and 503 (R-371, H-16). Returns its seconds. */
export function setRetryAfter(reply: FastifyReply, { status, detail }: AppError): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = Math.max(1, Math.ceil(detail.retry_after_s ?? (status === 429 ? 1 : 5)));
  reply.header('retry-after', String(seconds));
  return seconds;
}

/** The challenge has an `error` only if a token was sent (RFC 6750). */
function challenge(request: FastifyRequest): string {
  const sent = /^bearer\s+\S/i.test(request.headers.authorization ?? '');
  return sent ? 'Bearer realm="api", error="invalid_token"' : 'Bearer realm="api"';
}

/** Time to receive a refusal. An end before it could take the refusal away from a caller that still sends. */
const goodbye_ms = 1_000;

/** Answers on the socket if the request is not valid HTTP or does not arrive in time, and ends the connection. */
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
  // The other end may leave its half open.
  setTimeout(() => {
    socket.destroy();
  }, goodbye_ms).unref();
}
