/** The rest of the platform: what stirs background work, and what it waits for (docs/adr/0054-a-platform-at-rest.md). */
import type { Answered } from '../http/server.ts';
import { countShards, findNextDue } from '../jobs/next-due.ts';
import { PlatformRest, type Rest } from '../jobs/rest.ts';
import { isAuditUnsealed } from '../seals/index.ts';
import { type ServiceOptions, usualTimings } from './options.ts';
import type { Shared } from './shared.ts';

/** Requests that make no work due: requests of balancers and monitors, and requests without a route. */
const idleRoutes = new Set(['', '/healthz', '/readyz', '/metrics']);

/** Whether a request may have made work due. Reads may: a read of an order after its deadline moves the order. */
export const mayHaveWritten = ({ route }: Answered): boolean => !idleRoutes.has(route);

export function createPlatformRest(
  { db, clock, ids, mailer }: Shared,
  { role, timings }: ServiceOptions,
): Rest {
  const nextDue = async (): Promise<Date | null> =>
    (await isAuditUnsealed(db, clock.now())) ? clock.now() : findNextDue(db, mailer !== null);
  return new PlatformRest({
    ...{ db, clock, process_id: ids.uuid(), countShards: () => countShards(db) },
    nextDue: role === 'web' ? null : nextDue,
    awake_ms: timings?.awake_ms ?? usualTimings.awake_ms,
  });
}
