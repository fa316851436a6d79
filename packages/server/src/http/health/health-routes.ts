/** Health checks and metrics of a process, and the HTTP routes that show them. */
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '../../base/errors.ts';
import { causeOf, setRetryAfter } from '../error-reply.ts';
import { type Check, type CheckResult, NotReadyError, reportOf, shownReadiness } from './readiness.ts';
import { release } from '../../base/release.ts';
import { callerOfRoute } from '../request/caller-class.ts';

export interface HealthDeps {
  /** The parts that readiness depends on, by name. */
  checks: Readonly<Record<string, Check>>;
  /** How long a check may take; default 1.2 s. */
  limit_ms?: number;
  /** The text of `/metrics`, where it covers more than this process. */
  metrics?: (() => Promise<string>) | undefined;
}

/** The state of one process. Several listeners may show it. */
export interface Health {
  readonly registry: Registry;
  /** Makes all checks. */
  readiness(): Promise<CheckResult[]>;
  /** Measures how long the requests of a server take. */
  measure(app: FastifyInstance): void;
  /**
   * Registers `/healthz` (the process runs; `?proxy=1` shows what a proxy added) and `/readyz` (it can serve) (H-24).
   * `/readyz?verbose=1` lists all checks as text.
   */
  healthRoutes(app: FastifyInstance): void;
  /** Registers `/metrics` for Prometheus. */
  metricsRoute(app: FastifyInstance): void;
}

export function createHealth(deps: HealthDeps): Health {
  const registry = new Registry();
  const readiness = shownReadiness(deps.checks, registry, deps.limit_ms);
  const tellChanges = createTeller();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'paydesk_http_request_duration_seconds',
    help: 'How long requests took, by template of the route, method, status, and class of caller.',
    labelNames: ['method', 'route', 'status', 'status_class', 'caller'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'paydesk_build_info',
    help: 'Always 1; the labels name the release and the version of Node.js.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version: release, node: process.versions.node }, 1);
  const { metrics = () => registry.metrics() } = deps;
  return {
    registry,
    readiness,
    measure(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const { method } = request;
        const route = request.routeOptions.url ?? 'none';
        const status = String(reply.statusCode);
        const labels = {
          method,
          route,
          status,
          status_class: `${status[0] ?? ''}xx`,
          caller: callerOfRoute(route),
        };
        durations.observe(labels, reply.elapsedTime / 1_000);
        done();
      });
    },
    healthRoutes(app) {
      app.get('/healthz', (request) => {
        const { proxy } = request.query as Record<string, unknown>;
        return { status: 'ok', ...(proxy === '1' ? { proxy: proxySeen(request) } : {}) };
      });

      app.get('/readyz', async (request, reply) => {
        const results = await readiness();
        const failed = results.filter(({ error }) => error !== null);
        tellChanges(results, request.log);
        const [first] = failed;
        const refusal =
          first === undefined
            ? null
            : new AppError('service_unavailable', {
                description: `Not ready: ${first.name}.`,
                retry_after_s: 1,
              });
        if (refusal !== null) setRefusal(request, reply, refusal);
        if (isVerbose(request)) return reply.type('text/plain; charset=utf-8').send(reportOf(results));
        return refusal === null ? { status: 'ready' } : refusal.body();
      });
    },
    metricsRoute(app) {
      app.get('/metrics', async (_request, reply) => {
        const text = await metrics();
        // For the next scrape, which shows how they went (D-1019): checks at the same time would wait for connections, and the figures of the pool show that.
        void readiness();
        return reply.type(registry.contentType).send(text);
      });
    },
  };
}

const proxyHeaders = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-prefix',
  'forwarded',
];

/** What came with a request that a proxy adds, for `paydesk doctor`. It tells a sender only about its own request. */
function proxySeen({ headers, client_address, is_proxied }: FastifyRequest) {
  return {
    headers: proxyHeaders.filter((name) => headers[name] !== undefined),
    /** Whether `X-Forwarded-For` counts, because the peer is a trusted proxy. */
    believed: is_proxied,
    client_address,
  };
}

/**
 * Tells the log when a part stops being ready, and when it is ready again, and not at each request. Only unexpected errors
 * have their stack there.
 */
function createTeller(): (results: readonly CheckResult[], log: FastifyBaseLogger) => void {
  const failing = new Set<string>();
  return (results, log) => {
    for (const { name, error } of results) {
      if (error === null) {
        if (failing.delete(name)) log.warn({ check: name }, 'ready again');
      } else if (!failing.has(name)) {
        failing.add(name);
        // Its cause may name what not everyone may read, such as the requested key.
        const why =
          error instanceof NotReadyError
            ? { why: ((error.cause ?? error) as Error).message }
            : { err: causeOf(error) };
        log.warn({ check: name, ...why }, 'not ready');
      }
    }
  };
}

/** `?verbose`, with any value but 0 and false. */
function isVerbose({ query }: FastifyRequest): boolean {
  const { verbose } = query as Record<string, unknown>;
  return verbose !== undefined && verbose !== '0' && verbose !== 'false';
}

/** Sets the head of a refusal. It is not thrown, because then each would be logged. */
function setRefusal(request: FastifyRequest, reply: FastifyReply, refusal: AppError): void {
  request.error_code = refusal.code;
  setRetryAfter(reply, refusal);
  reply.code(refusal.status);
}
