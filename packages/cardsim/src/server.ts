/** Starts a simulator: its state, its HTTP server and its clock. */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { accountOf, isSecretKey } from './api/account.ts';
import { registerApi } from './api/api.ts';
import { createClock } from './simulator/clock.ts';
import { isWebhookUrl } from './control/control-body.ts';
import { registerControl } from './control/control.ts';
import { createFaults } from './simulator/faults.ts';
import { forgetOldKeys } from './api/idempotency.ts';
import { createIds } from './records/ids.ts';
import { registerPages } from './page/page-routes.ts';
import { passTime } from './operations/payments.ts';
import { createRequestLog } from './simulator/request-log.ts';
import type { Sim } from './simulator/sim.ts';
import { emptyStore, fileStore, loadStore, memoryOnly } from './records/store.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

export type WebhookConfig = {
  url: string;
  secret: string;
  /** A secret key: only events of objects created with this key. Absent: events of all keys. */
  account?: string;
};

export type CardsimOptions = {
  /** Default `127.0.0.1`. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  webhooks?: readonly WebhookConfig[];
  /** A JSON file that keeps the state over a restart. Absent: memory only. */
  stateFile?: string;
  /** Origin and path prefix of the payment pages, as the payer’s browser reaches them. */
  publicUrl?: string;
  /** Allows other machines to use the control API. */
  allowRemoteControl?: boolean;
  /** Returns the real time in milliseconds. */
  now?: () => number;
  /** False: time passes at the simulator only when it gets a request. Default true: once a second as well. */
  ticks?: boolean;
  /** Returns random bytes for identifiers. */
  random?: (size: number) => Uint8Array;
  webhookRetryDelaysMs?: readonly number[];
  webhookTimeoutMs?: number;
};

export type Cardsim = {
  /** The address of the API, the control API and the pages, without a trailing slash. */
  url: string;
  port: number;
  /** Adds a webhook target, or replaces the one with the same address. */
  registerWebhook: (webhook: WebhookConfig) => Promise<void>;
  /** Stops immediately: closes open connections, drops pending webhook retries and saves the state. */
  close: () => Promise<void>;
};

const default_retry_delays_ms = [500, 1000, 2000, 4000, 8000];

/**
 * Starts a simulator.
 *
 * @throws Error if the state file, a webhook or the port (`EADDRINUSE`) cannot be used
 */
export async function startCardsim(options: CardsimOptions = {}): Promise<Cardsim> {
  const host = options.host ?? '127.0.0.1';
  const closing = new AbortController();
  let public_url = options.publicUrl?.replace(/\/+$/, '');
  const sim = createSim(options, closing.signal, () => public_url ?? '');
  for (const webhook of options.webhooks ?? []) addTarget(sim, webhook);

  const app = createApp(sim, options.allowRemoteControl ?? false);
  await app.listen({ host, port: options.port ?? 0 });
  const port = (app.server.address() as AddressInfo).port;
  const url = `http://${reachableHost(host)}:${port}`;
  public_url ??= url;

  // Sessions expire on time without requests too.
  const ticker = options.ticks === false ? undefined : setInterval(() => void tick(sim), 1000);
  ticker?.unref();
  return {
    url,
    port,
    registerWebhook: async (webhook) => {
      addTarget(sim, webhook);
      await sim.persistence.save();
    },
    close: async () => {
      clearInterval(ticker);
      closing.abort();
      await Promise.all([app.close(), sim.webhooks.close()]);
      await sim.persistence.save();
    },
  };
}

function createSim(options: CardsimOptions, closing: AbortSignal, publicUrl: () => string): Sim {
  const { stateFile } = options;
  const store = stateFile === undefined ? emptyStore() : loadStore(stateFile);
  const persistence = stateFile === undefined ? memoryOnly : fileStore(store, stateFile);
  const clock = createClock(options.now ?? Date.now, store.offset_seconds);
  const delivery = {
    retry_delays_ms: options.webhookRetryDelaysMs ?? default_retry_delays_ms,
    timeout_ms: options.webhookTimeoutMs ?? 10_000,
  };
  return {
    clock,
    newId: createIds(options.random ?? randomBytes),
    store,
    persistence,
    faults: createFaults(),
    webhooks: createWebhooks(store, clock, delivery, () => void saveQuietly(persistence.save)),
    requests: createRequestLog(),
    methods: new Map(),
    publicUrl,
    early_webhooks: new Map(),
    ticked_at: 0,
    closing,
  };
}

function createApp(sim: Sim, allow_remote_control: boolean): FastifyInstance {
  // Without this option, connections with withheld answers would keep the server from closing.
  const app = fastify({ forceCloseConnections: true });
  app.addHook('onRequest', async () => {
    await tick(sim);
  });
  app.get('/healthz', () => ({ status: 'ok' }));
  app.register(
    (scope, _options, done) => {
      registerApi(scope, sim);
      done();
    },
    { prefix: '/v1' },
  );
  app.register(
    (scope, _options, done) => {
      registerControl(scope, sim, allow_remote_control);
      done();
    },
    { prefix: '/_sim' },
  );
  app.register((scope, _options, done) => {
    registerPages(scope, sim);
    done();
  });
  return app;
}

/** Applies the time that has passed since the last call, at most once a second. */
async function tick(sim: Sim): Promise<void> {
  const now = sim.clock.seconds();
  if (now === sim.ticked_at) return;
  sim.ticked_at = now;
  const events = passTime(sim);
  forgetOldKeys(sim.store, now);
  if (events.length === 0) return;
  void sim.webhooks.send(events);
  await saveQuietly(sim.persistence.save);
}

/** Saves a change that no caller waits for. A failure, such as a full disk, must not stop the simulator. */
async function saveQuietly(save: () => Promise<void>): Promise<void> {
  try {
    await save();
  } catch (error) {
    process.stderr.write(
      `The state could not be saved: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}

function addTarget(sim: Sim, { url, secret, account }: WebhookConfig): void {
  if (!isWebhookUrl(url)) throw new Error(`The webhook address ${url} is not an http or https address`);
  if (secret === '') throw new Error(`The webhook ${url} needs a signing secret`);
  if (account !== undefined && !isSecretKey(account)) {
    throw new Error(`The account of webhook ${url} must be a secret key (sk_…)`);
  }
  sim.store.targets.set(url, { url, secret, account: account === undefined ? null : accountOf(account).id });
}

/** An address that a browser on this machine can open, even if the server listens on all addresses. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
