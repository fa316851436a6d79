/** Health checks and metrics of a process, and the HTTP routes that show them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '../base/errors.ts';
import { release } from '../base/release.ts';

export interface HealthDeps {
  /** The parts that readiness depends on, by name. Each check throws while its part is not ready. */
  checks: Record<string, () => Promise<void>>;
  /** How long a check may take; default 1.5 s. */
  limit_ms?: number;
}

/** A part that takes longer is not ready: `/readyz` answers within two seconds (H-24). */
const readyWithin_ms = 1_500;

/** The state of one process. Several listeners may show it. */
export interface Health {
  readonly registry: Registry;
  /** Measures how long the requests of a server take. */
  measure(app: FastifyInstance): void;
  /** Registers `/healthz` (the process runs) and `/readyz` (it can serve) (H-24). */
  healthRoutes(app: FastifyInstance): void;
  /** Registers `/metrics` for Prometheus. */
  metricsRoute(app: FastifyInstance): void;
}

export function createHealth(deps: HealthDeps): Health {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'paydesk_http_request_duration_seconds',
    help: 'How long requests took, by route, method and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'paydesk_build_info',
    help: 'Always 1; the labels name the release and the version of Node.js.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version: release, node: process.versions.node }, 1);
  return {
    registry,
    measure(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const { method } = request;
        const route = request.routeOptions.url ?? 'none';
        durations.observe({ method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1_000);
        done();
      });
    },
    healthRoutes(app) {
      app.get('/healthz', () => ({ status: 'ok' }));

      app.get('/readyz', async (request) => {
        const failed = await firstFailure(deps.checks, deps.limit_ms ?? readyWithin_ms);
        if (failed === null) return { status: 'ready' };
        const { name, error } = failed;
        request.log.warn({ err: error, check: name }, 'not ready');
        throw new AppError('service_unavailable', { description: `Not ready: ${name}.`, retry_after_s: 1 });
      });
    },
    metricsRoute(app) {
      app.get('/metrics', async (_request, reply) =>
        reply.type(registry.contentType).send(await registry.metrics()),
      );
    },
  };
}

/** Makes all checks at once; the first in their order that fails or takes too long. */
async function firstFailure(
  checks: HealthDeps['checks'],
  limit_ms: number,
): Promise<{ name: string; error: unknown } | null> {
  const stop = new AbortController();
  const late = pause(limit_ms, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`no answer within ${limit_ms} ms`);
  });
  late.catch(() => undefined);
  const results = await Promise.allSettled(
    Object.values(checks).map((check) => Promise.race([check(), late])),
  );
  stop.abort();
  for (const [i, name] of Object.keys(checks).entries()) {
    const result = results[i];
    if (result?.status === 'rejected') return { name, error: result.reason };
  }
  return null;
}
