import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { checkVersion, sql } from '../base/pg/index.ts';
import { healthRoutes } from '../http/health-routes.ts';
import type { Shared } from './shared.ts';

/** Something that has figures for Prometheus. */
export interface Metered {
  register(registry: Registry): void;
}

/** Health, readiness and metrics: in every process, whatever its role (H-24). */
export function registerHealth(
  app: FastifyInstance,
  { db, limiter }: Shared,
  metered: readonly Metered[],
): void {
  const registry = healthRoutes(app, {
    checks: {
      database: async () => {
        await db.query(sql`SELECT 1`);
      },
      migrations: () => checkVersion(db),
      limiter: () => limiter.ready(),
    },
  });
  for (const each of metered) each.register(registry);
}
