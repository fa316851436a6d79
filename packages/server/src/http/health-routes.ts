/** The HTTP routes for health checks and metrics. */
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { AppError } from '../base/errors.ts';

export interface HealthDeps {
  /** The parts that readiness depends on, by name. Each check throws while its part is not ready. */
  checks: Record<string, () => Promise<void>>;
}

/** Registers `/healthz` (the process runs), `/readyz` (it can serve) and `/metrics` for Prometheus (H-24). */
export function healthRoutes(app: FastifyInstance, deps: HealthDeps): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'paydesk_http_request_duration_seconds',
    help: 'How long requests took, by route, method and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    durations.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1_000,
    );
    done();
  });

  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/readyz', async (request) => {
    for (const [name, check] of Object.entries(deps.checks)) {
      try {
        await check();
      } catch (error) {
        request.log.warn({ err: error, check: name }, 'not ready');
        throw new AppError('service_unavailable', { description: `Not ready: ${name}.`, retry_after_s: 1 });
      }
    }
    return { status: 'ready' };
  });

  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
  return registry;
}
