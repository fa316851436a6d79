/** Health, readiness and metrics of a process, whatever its role (H-24), and where they are served. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { checkKeys } from '../base/keys/index.ts';
import { checkVersion, sql } from '../base/pg/index.ts';
import { ConfigError } from '../config.ts';
import { createHealth, type Health } from '../http/health-routes.ts';
import { createHttp } from '../http/server.ts';
import type { Shared } from './shared.ts';

/** Something that has figures for Prometheus. */
export interface Metered {
  register(registry: Registry): void;
}

/** The checks and figures of this process. */
export function createProcessHealth({ db, box, limiter }: Shared, metered: readonly Metered[]): Health {
  const health = createHealth({
    checks: {
      database: async () => {
        await db.query(sql`SELECT 1`);
      },
      migrations: () => checkVersion(db),
      'secret keys': () => checkKeys(db, box),
      limiter: () => limiter.ready(),
    },
  });
  for (const each of metered) each.register(health.registry);
  return health;
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
export async function startOps({ config, log, ids }: Shared, health: Health): Promise<OpsListener | null> {
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
  const url = await app.listen({ host, port: ops_port }).catch(refuseTakenPort(ops_port));
  log.info({ url }, 'health and metrics for operators');
  return { url, stop: () => app.close() };
}

const refuseTakenPort =
  (port: number) =>
  (error: unknown): never => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new ConfigError('PAYDESK_OPS_PORT', `names port ${port}, which is in use: set it to another port.`);
  };
