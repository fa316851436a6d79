/**
 * `token`: access tokens issued per second by the client-credentials grant, against the authorization library alone
 * with its store in memory, and against the rate at which orders are created.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bench, connections, measureInClosedLoop, warm_up_s } from '../bench.ts';
import { newToken } from '../setup/callers.ts';
import { freePort, type Server, startServer } from '../processes/children.ts';
import type { Figure } from '../figures.ts';
import type { Pace } from '../load/plan.ts';
import type { Measurement, Target } from '../load/run-load.ts';
import { creatingOrders } from './create.ts';

const program = fileURLToPath(new URL('../processes/token-server.js', import.meta.url));

/** Requests tokens at a pace. Each row has a client’s id and secret. */
type Credentials = readonly [client_id: string, client_secret: string];

const clientCount = 50;

export async function benchToken(bench: Bench): Promise<Figure[]> {
  const { clients, ...alone } = await startLibraryAlone(bench);
  const known = await (await bench.callers()).credentials(clientCount);
  const service = await bench.service();
  const bare = (pace: Pace): Promise<Measurement> => issuingTokens(bench, alone, '/token', clients, pace);
  const issued = (pace: Pace): Promise<Measurement> =>
    issuingTokens(bench, service, '/oauth/token', known, pace);
  const half = { kind: 'closed', warm_up_s, seconds: Math.max(2, bench.seconds / 2) } as const;

  bench.say('token: tokens and orders, between two halves of the library alone');
  const before = await bare(half);
  const first = await issued(half);
  const probe = await creatingOrders(bench)({ kind: 'closed', warm_up_s, seconds: 2 }, 9_000);
  const orders = await measureInClosedLoop(bench, probe.rate, creatingOrders(bench));
  const second = await issued(half);
  const after = await bare(half);

  const library = 'oidc-provider alone, store in memory';
  type Of = 'rate' | 'p50_ms' | 'p99_ms' | 'cpu_ms';
  const tokens = (of: Of): number => (first[of] + second[of]) / 2;
  const mean = (of: Of) => ({ what: library, value: (before[of] + after[of]) / 2 });
  return [
    {
      name: 'token.rate',
      what: `access tokens issued, ${connections} clients`,
      value: tokens('rate'),
      unit: 'per second',
      reference: mean('rate'),
    },
    {
      name: 'token.rate.orders',
      what: 'the same, against orders created',
      value: tokens('rate'),
      unit: 'per second',
      reference: { what: `orders created, ${connections} clients`, value: orders.rate },
    },
    {
      name: 'token.p50',
      what: 'median at the full rate',
      value: tokens('p50_ms'),
      unit: 'ms',
      reference: mean('p50_ms'),
    },
    {
      name: 'token.cpu',
      what: 'CPU time of the service per token',
      value: tokens('cpu_ms'),
      unit: 'ms',
      reference: mean('cpu_ms'),
    },
    {
      name: 'token.cpu.orders',
      what: 'the same, against an order created',
      value: tokens('cpu_ms'),
      unit: 'ms',
      reference: { what: 'CPU time of the service per order', value: orders.cpu_ms },
    },
    { name: 'token.p99', what: 'p99 at the full rate', value: tokens('p99_ms'), unit: 'ms', reference: null },
  ];
}

const issuingTokens = (
  bench: Bench,
  target: Target & { url: string },
  path: string,
  clients: readonly Credentials[],
  pace: Pace,
): Promise<Measurement> =>
  bench.load(target, {
    connections,
    pace,
    template: { ...newToken, path },
    rows: clients,
    repeat: true,
    expect: 200,
    keep: [],
  });

/** Starts the library in a process of its own, with the same number of clients. */
async function startLibraryAlone(bench: Bench): Promise<Server & { clients: Credentials[] }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const secret = randomBytes(32).toString('base64url');
  const clients = Array.from({ length: clientCount }, (_, i): Credentials => [
    `client-${i}`,
    `${secret}${i}`,
  ]);
  const server = await bench.startOnce('the library alone', () =>
    startServer({
      name: 'The library alone',
      args: [program, String(port), secret, String(clientCount)],
      env: { PATH: process.env.PATH ?? '' },
      log_file: join(bench.dir, 'library.log'),
      url,
      ready_path: '/.well-known/openid-configuration',
      signal: bench.signal,
    }),
  );
  return { ...server, clients };
}
