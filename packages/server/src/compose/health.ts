/** Health, readiness and metrics of a process, whatever its role (H-24), and where they are served. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { checkKeys, WrongKeyError } from '../base/keys/index.ts';
import { checkVersion, SchemaError, sql } from '../base/pg/index.ts';
import type { TrafficHold } from '../base/traffic/traffic-hold.ts';
import { ConfigError } from '../config.ts';
import { createHealth, type Health } from '../http/health/health-routes.ts';
import { NotReadyError } from '../http/health/readiness.ts';
import { createHttp } from '../http/server.ts';
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

/**
 * Registers the routes of health on the main listener. Metrics tell strangers about the business, so they are there only
 * if the public address is a loopback address.
 */
export function registerHealth(app: FastifyInstance, { config }: Shared, health: Health): void {
  health.measure(app);
  health.healthRoutes(app);
  if (config.is_local) health.metricsRoute(app);
}

/** The listener for operators. */
export interface OpsListener {
  url: string;
  stop(): Promise<void>;
}

/** Starts the listener for operators, without the path prefix. Null where `PAYDESK_OPS_PORT` is not set. */
export async function startOps(
  { config, log, ids }: Pick<Shared, 'config' | 'log' | 'ids'>,
  health: Health,
): Promise<OpsListener | null> {
  const { host, ops_port, public_url, trusted_proxies } = config;
  if (ops_port === null) {
    if (!config.is_local) log.info('metrics are not served: PAYDESK_OPS_PORT is not set');
    return null;
  }
  const app = createHttp({
    config: { public_url, trusted_proxies, base_path: '' },
    log,
    ids,
    grace_ms: 1_000,
  });
  health.healthRoutes(app);
  health.metricsRoute(app);
  const url = await app
    .listen({ host, port: ops_port })
    .catch(refuseTakenPort(ops_port))
    .catch(refuseUnknownHost(host));
  log.info({ url }, 'health and metrics for operators');
  return { url, stop: () => app.close() };
}

/** @throws ConfigError where `host` is neither an address nor a host name */
export const refuseUnknownHost =
  (host: string) =>
  (error: unknown): never => {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOTFOUND', 'EAI_AGAIN'].includes(code)) throw error;
    throw new ConfigError(
      'HOST',
      `must be an address of this machine, or a name of one: "${host}" is neither.`,
    );
  };

const refuseTakenPort =
  (port: number) =>
  (error: unknown): never => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new ConfigError('PAYDESK_OPS_PORT', `names port ${port}, which is in use: set it to another port.`);
  };
