/** Starts a process of Paydesk, and stops it. */
import type { FastifyInstance } from 'fastify';
import { failingExportsOfAll } from '../console/exports/failing-exports.ts';
import { seconds } from '../base/time/clock.ts';
import { type Answered, createHttp } from '../http/server.ts';
import { webhookMetrics } from '../payments/webhooks/index.ts';
import { auditBacklog, auditMetrics, sealMetrics } from '../seals/index.ts';
import { booksMetrics } from '../verification/index.ts';
import { createBackground } from './background.ts';
import { refuseWhileHeld } from './hold-traffic.ts';
import { refuseUnknownHost, registerHealth, startOps } from './ops-listener.ts';
import { createProcessHealth, type Metered } from './readiness-checks.ts';
import type { Health } from '../http/health/health-routes.ts';
import { logMetrics } from './log-metrics.ts';
import { type ServiceOptions, usualTimings } from './options.ts';
import { createOrders } from './orders.ts';
import { createPlatformRest, mayHaveWritten } from './platform-rest.ts';
import { letNewObjectsGrow } from './new-objects.ts';
import { createOpenings, createRequestNotes } from './notes.ts';
import { closeShared, openShared, type Shared } from './shared.ts';
import { registerRoutes } from './web.ts';
import { workMetrics } from './work-metrics.ts';

export type { Role, ServiceOptions } from './options.ts';

/** A running Paydesk process. */
export interface Service {
  app: FastifyInstance;
  /** Where it listens. */
  url: string;
  /** Where operators find health and metrics; null without a separate listener. */
  ops_url: string | null;
  /** Its checks and figures. */
  health: Health;
  /**
   * Accepts no more connections, and tells each client in its next answer to open another. Resolves when all have moved, or
   * after a few seconds.
   */
  leave(): Promise<void>;
  /** Stops accepting, finishes what runs, gives up leases: within 10 seconds (H-24). */
  stop(): Promise<void>;
}

/** How long the clients of a process that is replaced have for their next request. */
const leave_ms = seconds(5);

/** Builds the whole service by plain functions and starts it. The database must have been migrated. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, role, log } = options;
  const timings = { ...usualTimings, ...options.timings };
  const shared = await openShared(options);
  const orders = createOrders(shared, timings);
  const rest = createPlatformRest(shared, options);
  const background = createBackground(shared, orders, rest, timings);
  const requests = createRequestNotes(shared);
  const openings = createOpenings(shared);
  const cardWebhooks = webhookMetrics();

  const onAnswered = (answered: Answered): void => {
    requests.note(answered);
    if (mayHaveWritten(answered)) rest.stir();
  };
  const grace_ms = usualTimings.stop_ms - timings.linger_ms;
  const app = createHttp({ config, log, ids: shared.ids, onAnswered, grace_ms });
  refuseWhileHeld(app, shared.hold);
  const seals = sealMetrics({ db: shared.db, clock: shared.clock, sink: shared.sealSink });
  const health = createProcessHealth(
    shared,
    [background, requests, openings],
    [
      background.metrics,
      shared.timekeeper,
      requests,
      cardWebhooks,
      seals,
      auditMetrics({ db: shared.db, clock: shared.clock, sink: shared.auditSink }),
      booksMetrics(shared),
      logMetrics(log),
      background.passes,
      ...sharedMetrics(shared, role),
      ...(options.tracing ? [options.tracing] : []),
    ],
    options.family?.metrics,
  );
  registerHealth(app, shared, health);
  if (role !== 'worker') {
    const { demo_shop = null } = options;
    registerRoutes(app, { shared, orders, background, openings, cardWebhooks, demo_shop });
  }
  let ops: Awaited<ReturnType<typeof startOps>> = null;
  try {
    // The first process of several has the one listener for operators.
    if (options.family === undefined) ops = await startOps(shared, health);
    if (options.family?.listens === false) await app.ready();
    else await app.listen({ host: config.host, port: config.port }).catch(refuseUnknownHost(config.host));
  } catch (error) {
    await ops?.stop();
    await app.close();
    await closeShared(shared);
    throw error;
  }
  await rest.start();
  requests.start();
  openings.start();
  if (role !== 'web') background.start();
  const stopWatchingHeap = letNewObjectsGrow();
  return {
    app,
    url: addressOf(app),
    ops_url: ops?.url ?? null,
    health,
    leave: () => app.leave(leave_ms),
    async stop() {
      const cut = setTimeout(() => {
        shared.db.abort();
      }, timings.stop_ms);
      const answered = app.leave(timings.linger_ms).then(() => app.close());
      await Promise.all([answered, background.stop(), requests.stop(), openings.stop(), rest.stop()]);
      await Promise.all([requests.flushLast(), openings.flushLast()]);
      await background.waitForLastCalls();
      await ops?.stop();
      await closeShared(shared);
      stopWatchingHeap();
      clearTimeout(cut);
    },
  };
}

/** The figures of the database, and of what waits in it. */
const sharedMetrics = (
  { db, clock, limiter, auditSink, poolMetrics }: Shared,
  role: ServiceOptions['role'],
): Metered[] => [
  {
    register(registry) {
      poolMetrics.register(registry, db);
    },
  },
  // Some twenty statements at once, which would delay the requests of a web process with a small pool.
  ...(role === 'web'
    ? []
    : [
        workMetrics({
          db,
          clock,
          limiterReady: () => limiter.ready(),
          auditBacklog: () => auditBacklog({ db, sink: auditSink }),
          failingExports: () => failingExportsOfAll(db),
        }),
      ]),
];

function addressOf(app: FastifyInstance): string {
  const address = app.server.address();
  return typeof address === 'object' && address !== null
    ? `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
    : '';
}
