import type { FastifyRequest } from 'fastify';
import type { AdminDeps } from './deps.ts';
import { actorOf } from './request.ts';

/** Counts a whole list that somebody takes as a file. Throws `rate_limited` where it is one too many. */
export const exportLimit =
  ({ limits }: Pick<AdminDeps, 'limits'>) =>
  (request: Pick<FastifyRequest, 'id'>): Promise<void> =>
    limits.take('exports', actorOf(request));
