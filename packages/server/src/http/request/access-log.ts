/** The access log: one line for each request, without tokens and keys. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { traceMembers } from '../../base/tracing/tracing.ts';

/**
 * The requested path with the prefix, without the query and without the keys of payment links and webhooks (D-934, D-1421),
 * also where a proxy has taken the prefix away, or has put one before it (D-1387).
 */
export function requestedPath({ originalUrl, server }: FastifyRequest): string {
  const path = originalUrl.split('?', 1)[0]?.slice(0, 512) ?? '';
  const { base_path } = server.site;
  const start = path.startsWith(`${base_path}/`) ? base_path.length : 0;
  return (
    path.slice(0, start) + path.slice(start).replace(/\/(pay|webhooks\/cardprov|payment-links)\/.+/, '/$1/-')
  );
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** Logs one line per request. The path has no query, which may contain a token (R-034, D-192). */
export function logAccess(request: FastifyRequest, reply: FastifyReply): void {
  request.server.log.info(
    {
      request_id: request.id,
      method: request.method,
      path: requestedPath(request),
      status: reply.statusCode,
      client_id: request.client_id,
      duration_ms: tenths(reply.elapsedTime),
      ...(request.span === null ? {} : traceMembers(request.span)),
    },
    'request',
  );
}
