/**
 * `webhook`: signed webhooks accepted per second, while their processing waits for a provider that never
 * answers, against a bare route that stores one row for each request.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bench, connections, measureInClosedLoop, warm_up_s } from '../bench.ts';
import { freePort, type Server, startServer } from '../processes/children.ts';
import type { Figure } from '../figures.ts';
import type { Pace } from '../load/plan.ts';
import type { Measurement, Target } from '../load/run-load.ts';

const program = fileURLToPath(new URL('../processes/storing-server.js', import.meta.url));

export async function benchWebhook(bench: Bench): Promise<Figure[]> {
  const provider = await startHangingProvider(bench);
  const secret = `whsec_${randomBytes(16).toString('hex')}`;
  const path = await addChannel(bench, provider, secret);
  const service = await bench.service();
  const bare = await startStoringServer(bench);
  const intake = (pace: Pace, count: number): Promise<Measurement> =>
    sendWebhooks(bench, service, path, secret, pace, count);
  const storing = (pace: Pace, count: number): Promise<Measurement> =>
    sendWebhooks(bench, bare, '/store', secret, pace, count);

  bench.say('webhook: between two halves of a bare route that stores');
  const trial = { kind: 'closed', warm_up_s, seconds: 2 } as const;
  const bareTrial = await storing(trial, 20_000);
  const before = await measureInClosedLoop(bench, 2 * bareTrial.rate, storing);
  const { rate: expected } = await intake(trial, 20_000);
  const taken = await measureInClosedLoop(bench, 2 * expected, intake);
  const after = await measureInClosedLoop(bench, 2 * bareTrial.rate, storing);
  return [
    {
      name: 'webhook.rate',
      what: 'signed webhooks accepted while their processing waits',
      value: taken.rate,
      unit: 'per second',
      reference: { what: 'bare route that stores one row', value: (before.rate + after.rate) / 2 },
    },
    {
      name: 'webhook.cpu',
      what: 'CPU time of the service per webhook, including its processing',
      value: taken.cpu_ms,
      unit: 'ms',
      reference: { what: 'bare route that stores one row', value: (before.cpu_ms + after.cpu_ms) / 2 },
    },
  ];
}

/** Starts a provider that accepts requests and never answers. */
function startHangingProvider(bench: Bench): Promise<string> {
  return bench.once('a provider that hangs', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume());
    server.unref();
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
}

/** Creates a card channel and returns the path for its webhooks. */
async function addChannel(bench: Bench, api_base: string, webhook_secret: string): Promise<string> {
  await bench.platform();
  const none = { fixed_minor: 0, percent_ppm: 0 };
  const { webhook_url } = await (
    await bench.service()
  ).admin<{ webhook_url: string }>('POST', '/channels', {
    owner: 'platform',
    provider: 'cardprov',
    name: 'Card that hangs',
    currency: 'USD',
    supported_currencies: ['USD'],
    fees: [{ currency: 'USD', buyer: none, merchant: none }],
    config: { api_base, secret_key: 'sk_live_hangs', webhook_secret },
  });
  return new URL(webhook_url).pathname;
}

async function startStoringServer(bench: Bench): Promise<Server> {
  const database = await (await bench.databases()).create('stored');
  await database.query(
    'CREATE TABLE stored (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body bytea NOT NULL)',
  );
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return bench.startOnce('the bare route that stores', () =>
    startServer({
      name: 'The bare route that stores',
      args: [program, String(port), database.url],
      env: { PATH: process.env.PATH ?? '' },
      log_file: join(bench.dir, 'storing.log'),
      url,
      ready_path: '/ready',
      signal: bench.signal,
    }),
  );
}

/** Sends signed webhooks about refunds. Both targets get the same kind of bytes. */
function sendWebhooks(
  bench: Bench,
  target: Target & { url: string },
  path: string,
  secret: string,
  pace: Pace,
  count: number,
): Promise<Measurement> {
  const at = Math.floor(Date.now() / 1_000);
  const rows = Array.from({ length: count }, () => {
    const id = randomBytes(12).toString('hex');
    const body = JSON.stringify({
      id: `evt_${id}`,
      object: 'event',
      type: 'refund.updated',
      created: at,
      livemode: true,
      data: {
        object: { id: `re_${id}`, object: 'refund', payment_intent: `pi_${id}`, note: 'x'.repeat(700) },
      },
    });
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    return [`t=${at},v1=${signature}`, body];
  });
  return bench.load(target, {
    connections,
    pace,
    template: {
      method: 'POST',
      path,
      headers: { 'stripe-signature': '{0}', 'content-type': 'application/json' },
      body: '{1}',
    },
    rows,
    repeat: false,
    expect: 200,
    keep: [],
  });
}
