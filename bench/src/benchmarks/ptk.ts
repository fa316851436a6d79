/**
 * `ptk`: PTK payments per second of many buyers to many merchants, against pgbench’s TPC-B-like transactions, of 8 clients
 * and of 32; and of the same buyers to one merchant, with and without a hold, against the payments to many merchants.
 * All are measured in turns.
 */
import {
  type Bench,
  checkpoint,
  createOrders,
  measureInTurns,
  measureInClosedLoop,
  meanOf,
  warm_up_s,
} from '../bench.ts';
import type { Callers } from '../setup/callers.ts';
import type { Database } from '../database/database.ts';
import type { Figure } from '../figures.ts';
import type { Pace } from '../load/plan.ts';
import type { Measurement } from '../load/run-load.ts';
import type { Order } from '../setup/orders.ts';
import type { Measured } from '../database/pgbench.ts';
import { addUser, type Session, signIn } from '../setup/platform.ts';
import { routeAt, routeCpu } from './route.ts';
import { useOf, withLoopDelay } from './where-time-goes.ts';

const clients = 8;
/** As many as create orders: with more payments under way, the service waits less for the database. */
const manyClients = 32;
const buyerCount = 64;
/** The PTK of each buyer, with 8 decimals: more than a buyer can spend. */
const buyer_ptk = '100000000000000000';
/** Payment starts per minute that the limit allows to one address. */
const starts_per_address = 30;

/** The session cookies of signed-in people with PTK, created once. */
export function buyersOf(bench: Bench): Promise<Session[]> {
  return bench.once('buyers', async () => {
    bench.say(`ptk: signing in ${buyerCount} buyers`);
    const service = await bench.service();
    await bench.platform();
    const sessions: Session[] = [];
    for (let i = 0; i < buyerCount; i++) {
      const person = await addUser(service.admin, `buyer${i}`);
      // Kept databases know the references of earlier runs.
      const topUp = { amount_ptk: buyer_ptk, reference: `bench-${person.user_id}`, reason: 'to pay with' };
      await service.admin('POST', `/users/${person.user_id}/ptk-top-ups`, topUp);
      sessions.push(await signIn(service, person));
    }
    return sessions;
  });
}

/** The PTK method of each order, by order number. */
async function methodsOf(db: Database, orders: readonly Order[]): Promise<Map<string, string>> {
  const rows = await db.query<{ order_no: string; method_id: string }>(
    `SELECT order_no, method_id FROM payment_quotes WHERE provider = 'ptk' AND order_no = ANY($1)`,
    [orders.map(({ order_no }) => order_no)],
  );
  return new Map(rows.map(({ order_no, method_id }) => [order_no, method_id]));
}

/**
 * Returns addresses of a private network. Each is used for as many starts as the limit of a minute allows,
 * and never again.
 */
function createAddresses(): () => string {
  let starts = 0;
  return () => {
    const n = Math.floor(starts++ / starts_per_address) + 1;
    return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  };
}

/** Creates orders and pays each from the next buyer’s wallet, at a pace. */
export const payingOrders =
  (bench: Bench, callers: Callers, { connections = clients, service: at = bench.service() } = {}) =>
  async (pace: Pace, count: number): Promise<Measurement> => {
    const service = await at;
    const buyers = await buyersOf(bench);
    const orders = await createOrders(bench, callers, count);
    const methods = await methodsOf(await bench.database(), orders);
    const address = await bench.once('addresses', () => Promise.resolve(createAddresses()));
    await checkpoint(bench);
    return bench.load(service, {
      connections,
      pace,
      template: {
        method: 'POST',
        path: '/checkout/api/{0}/payments',
        headers: {
          'x-checkout-token': '{1}',
          cookie: '{2}',
          'x-forwarded-for': '{3}',
          origin: service.url,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ method_id: '{4}' }),
      },
      rows: orders.map(({ order_no, checkout_token }, i) => [
        order_no,
        checkout_token,
        buyers[i % buyers.length] ?? '',
        address(),
        methods.get(order_no) ?? '',
      ]),
      repeat: false,
      expect: 200,
      keep: [],
    });
  };

/** The p99 of payments that arrive at a constant rate, beside the bare route's and by itself. */
async function measureLatencies(bench: Bench, callers: Callers, per_second: number): Promise<Figure[]> {
  bench.say('ptk: latencies at half of that rate');
  const { seconds } = bench;
  const { measured, figures } = await withLoopDelay(bench, 'ptk.half', () =>
    payingOrders(bench, callers)(
      { kind: 'constant', per_second, warm_up_s, seconds },
      Math.ceil(per_second * (warm_up_s + seconds)) + 1,
    ),
  );
  const { p99_ms } = measured;
  const bare = await routeAt(bench, per_second);
  const figure = { what: 'p99 at half of the rate', value: p99_ms, unit: 'ms' } as const;
  const reference = { what: 'bare Fastify route at the same rate', value: bare.p99_ms };
  return [
    { ...figure, name: 'ptk.half.p99', reference },
    { ...figure, name: 'ptk.half.p99.limit', reference: null },
    ...figures,
  ];
}

const rate = (slices: readonly { rate: number }[]): number => meanOf(slices, (slice) => slice.rate);

/** The rate of more clients, against the reference with as many, in turns. */
async function measureMoreClients(bench: Bench, callers: Callers, tpcb: Database): Promise<Figure[]> {
  bench.say(`ptk: ${manyClients} clients, and the reference with as many, in turns`);
  const pgbench = await bench.pgbench();
  const paying = payingOrders(bench, callers, { connections: manyClients });
  const probe = await paying({ kind: 'closed', warm_up_s, seconds: 1 }, 4_000);
  const [reference, payments] = await measureInTurns<[Measured, Measurement]>(bench, [
    (seconds) => pgbench.measure(tpcb.connection, { builtin: 'tpcb-like' }, manyClients, seconds, 'simple'),
    (seconds) => measureInClosedLoop(bench, probe.rate, paying, seconds),
  ]);
  return [
    {
      name: 'ptk.more-clients.rate',
      what: `PTK payments to many merchants, ${manyClients} clients`,
      value: rate(payments),
      unit: 'per second',
      reference: { what: `pgbench TPC-B-like, ${manyClients} clients`, value: rate(reference) },
    },
    ...useOf('ptk.more-clients', payments),
  ];
}

export async function benchPtk(bench: Bench): Promise<Figure[]> {
  const pgbench = await bench.pgbench();
  const tpcb = await (await bench.databases()).create('tpcb');
  await pgbench.initialise(tpcb.connection, 10);
  const many = await bench.callers();
  const one = await bench.callersOfOne();
  const withoutHold = await bench.callersOfOne('merchant_without_hold');
  await buyersOf(bench);
  bench.say('ptk: warming up');
  const probe = await payingOrders(bench, many)({ kind: 'closed', warm_up_s, seconds: 1 }, 3_000);
  bench.say('ptk: payments to many merchants and to one, and the reference, in turns');
  const reference = (protocol: 'simple' | 'prepared') => (seconds: number) =>
    pgbench.measure(tpcb.connection, { builtin: 'tpcb-like' }, clients, seconds, protocol);
  const payments = (callers: Callers) => (seconds: number) =>
    measureInClosedLoop(bench, probe.rate, payingOrders(bench, callers), seconds);
  const [simple, toMany, prepared, toOne, toOneWithoutHold] = await measureInTurns<
    [Measured, Measurement, Measured, Measurement, Measurement]
  >(bench, [
    reference('simple'),
    payments(many),
    reference('prepared'),
    payments(one),
    payments(withoutHold),
  ]);

  const like = `pgbench TPC-B-like, ${clients} clients`;
  return [
    {
      name: 'ptk.rate',
      what: `PTK payments to many merchants, ${clients} clients`,
      value: rate(toMany),
      unit: 'per second',
      reference: { what: like, value: rate(simple) },
    },
    {
      name: 'ptk.rate.prepared',
      what: 'the same',
      value: rate(toMany),
      unit: 'per second',
      reference: { what: `${like}, with prepared statements`, value: rate(prepared) },
    },
    {
      name: 'ptk.p50',
      what: 'median',
      value: meanOf(toMany, ({ p50_ms }) => p50_ms),
      unit: 'ms',
      reference: { what: `${like}, on average`, value: meanOf(simple, ({ latency_ms }) => latency_ms) },
    },
    {
      name: 'ptk.cpu',
      what: 'CPU time of the service per payment',
      value: meanOf(toMany, ({ cpu_ms }) => cpu_ms),
      unit: 'ms',
      reference: await routeCpu(bench),
    },
    {
      name: 'ptk.p99',
      what: 'p99 of the worst slice',
      value: Math.max(...toMany.map(({ p99_ms }) => p99_ms)),
      unit: 'ms',
      reference: null,
    },
    ...useOf('ptk', toMany),
    ...(await measureMoreClients(bench, many, tpcb)),
    ...(await measureLatencies(bench, many, rate(toMany) / 2)),
    ...ofOneMerchant(rate(toMany), rate(toOne), rate(toOneWithoutHold)),
  ];
}

/** The rates to one merchant, with those to many as the reference. */
function ofOneMerchant(toMany: number, withHold: number, withoutHold: number): Figure[] {
  const reference = { what: 'payments to many merchants', value: toMany };
  const unit = 'per second';
  return [
    {
      name: 'ptk.one-merchant.rate',
      what: 'PTK payments to one merchant, hold of a day',
      value: withHold,
      unit,
      reference,
    },
    {
      name: 'ptk.one-merchant.no-hold.rate',
      what: 'the same without a hold: each adds to one balance',
      value: withoutHold,
      unit,
      reference,
    },
  ];
}
