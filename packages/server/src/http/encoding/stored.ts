/** Sends files that the build has compressed. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding } from './accepted-encoding.ts';

/** A file as it is, and compressed; null where that saves nothing or was not built. */
export interface StoredFile {
  content_type: string;
  bytes: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

/** One year: a changed file has another name. */
const immutable = 'public, max-age=31536000, immutable';

/**
 * Sends a file in the form that the caller accepts.
 *
 * @param caching how long caches keep it; by default a year, for a file whose name contains a hash of its content
 */
export function sendStored(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  caching = immutable,
): FastifyReply {
  const accepted = acceptedEncoding(headers['accept-encoding']);
  const compressed = accepted === null ? null : file[accepted];
  reply.type(file.content_type).header('cache-control', caching).header('vary', 'accept-encoding');
  if (compressed === null) return reply.send(file.bytes);
  return reply.header('content-encoding', accepted).send(compressed);
}
