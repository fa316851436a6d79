/** Where health and metrics are served: on the main listener, and on one for operators. */
import type { FastifyInstance } from 'fastify';
import { ConfigError } from '../config.ts';
import type { Health } from '../http/health/health-routes.ts';
import { createHttp } from '../http/server.ts';
import type { Shared } from './shared.ts';

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
