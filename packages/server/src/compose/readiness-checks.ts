/** What readiness looks at in a process, and its figures, whatever its role (H-24). */
import type { Registry } from 'prom-client';
import { checkKeys, WrongKeyError } from '../base/keys/index.ts';
import { checkVersion, SchemaError, sql } from '../base/pg/index.ts';
import type { TrafficHold } from '../base/traffic/traffic-hold.ts';
import { createHealth, type Health } from '../http/health/health-routes.ts';
import { NotReadyError } from '../http/health/readiness.ts';
import { heldWords } from './hold-traffic.ts';
import type { Shared } from './shared.ts';

/** Something that has figures for Prometheus. */
export interface Metered {
  register(registry: Registry): void;
}

/** What else of a process readiness looks at. */
export interface Watched {
  /** The names of background loops whose pass does not end. */
  stuck(): string[];
}

/** A clock that is off by more shows a machine without a working time service, so its process is not ready. */
const mostOff_s = 30;

/** The checks and figures of this process: readiness tests what requests use (docs/operating/readiness.md). */
export function createProcessHealth(
  { db, box, limiter, timekeeper, hold }: Shared,
  watched: readonly Watched[],
  metered: readonly Metered[],
  metrics?: () => Promise<string>,
): Health {
  const health = createHealth({
    metrics,
    checks: {
      pool: async () => {
        const [row] = await db.query<{ writes: boolean }>(
          sql`SELECT current_setting('transaction_read_only') = 'off' AS writes`,
        );
        // A standby, or a database that its host made read-only because its disk is full (D-643).
        if (row?.writes !== true) throw new NotReadyError('the database takes no writes');
        return 'the database answers';
      },
      'look-up lanes': () => db.checkLookups(),
      listener: () => db.checkListeners(),
      loops: () => checkLoops(watched),
      schema: () => checkVersion(db).then(() => 'its migrations fit this release', tellIf(SchemaError)),
      'secret keys': () =>
        checkKeys(db, box).then(() => 'they open the key canary', tellIf(WrongKeyError, wrongKey)),
      clock: () => checkClock(timekeeper.offset_ms() / 1_000),
      limiter: () => limiter.ready().then(() => 'it answers'),
      'traffic hold': () => checkHold(hold),
    },
  });
  for (const each of metered) each.register(health.registry);
  return health;
}

const wrongKey = 'PAYDESK_SECRET_KEY does not open the key canary of this database';

/** Tells an error of this kind to all who ask, in its own words or in these. */
const tellIf =
  (kind: new (message: string) => Error, words?: string) =>
  (cause: unknown): never => {
    throw cause instanceof kind ? new NotReadyError(words ?? cause.message, { cause }) : cause;
  };

function checkHold(hold: TrafficHold): Promise<string> {
  const held = hold.current();
  if (held === null) return Promise.resolve('traffic flows');
  return Promise.reject(new NotReadyError(heldWords(held)));
}

async function checkLoops(watched: readonly Watched[]): Promise<string> {
  const stuck = watched.flatMap((one) => one.stuck());
  if (stuck.length > 0) throw new NotReadyError(`a pass does not end: ${stuck.join(', ')}`);
  return Promise.resolve('every pass ends');
}

/** @param offset_s the time of the database minus the local clock */
function checkClock(offset_s: number): Promise<string> {
  const off = `${Math.abs(offset_s).toFixed(3)} s ${offset_s > 0 ? 'behind' : 'ahead of'} the database`;
  if (Math.abs(offset_s) <= mostOff_s) return Promise.resolve(off);
  return Promise.reject(new NotReadyError(`${off}, more than ${mostOff_s} s`));
}
