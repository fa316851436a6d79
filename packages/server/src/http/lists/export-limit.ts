/** Limits how often a person may export a list as a file, and records each export in the audit log. */
import type { FastifyRequest } from 'fastify';
import { recordAct } from '../../base/audit/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Database } from '../../base/pg/index.ts';
import type { Clock } from '../../base/time/clock.ts';

type Request = Pick<FastifyRequest, 'id' | 'url'>;

interface ExportLimit {
  db: Database;
  clock: Clock;
  ids: IdSource;
  limits: { take(group: 'exports', key: string): Promise<void> };
  /** The person or the key that made the request. */
  actorOf: (request: Request) => string;
}

/** Counts and records one export before the file is sent. Throws `rate_limited` if the limit is reached. */
export const exportLimit =
  ({ db, clock, ids, limits, actorOf }: ExportLimit) =>
  async (request: Request): Promise<void> => {
    const actor = actorOf(request);
    await limits.take('exports', actor);
    const [path = '', query = ''] = request.url.split('?');
    const given = new URLSearchParams(query);
    // A file does not heed them, and what they hold was not checked.
    for (const name of ['limit', 'page']) given.delete(name);
    const filter = Object.fromEntries(given);
    await recordAct(db, { clock, ids }, { actor, action: 'export.csv', target: path, after: { filter } });
  };
