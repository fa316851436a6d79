/** Sends files that the build has compressed. */
import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { acceptedEncoding } from './accepted-encoding.ts';

/** A file in memory as it is, and compressed; null where that saves nothing or was not built. */
export interface StoredFile {
  content_type: string;
  bytes: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

/** The same of a file on the disk: paths. */
export interface BuiltFile {
  content_type: string;
  path: string;
  br: string | null;
  gzip: string | null;
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

/**
 * Sends a file of a build, whose name contains a hash of its content, in the form that the caller accepts.
 *
 * @throws {AppError} `not_found` if the build is no longer there, as after an upgrade in its place
 */
export async function sendBuilt(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
): Promise<FastifyReply> {
  const accepted = acceptedEncoding(headers['accept-encoding']);
  const compressed = accepted === null ? null : file[accepted];
  const bytes = await readBuilt(compressed ?? file.path);
  reply.type(file.content_type).header('cache-control', immutable).header('vary', 'accept-encoding');
  if (compressed !== null) reply.header('content-encoding', accepted);
  return reply.send(bytes);
}

/**
 * Reads a file of a build.
 *
 * @throws {AppError} `not_found` if the build is no longer there, as after an upgrade in its place
 */
export const readBuilt = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new AppError('not_found') : error;
  });
