/**
 * `read`: single orders read per second, each with an uncached token, against pgbench reading the same table
 * by primary key and against pgbench’s select-only; then the same with cached tokens.
 */
import {
  measureBetweenReferences,
  type Bench,
  connections,
  createOrders,
  measureInClosedLoop,
  merchantsOf,
  warm_up_s,
} from '../bench.ts';
import { BenchError } from '../bench-error.ts';
import type { Figure } from '../figures.ts';
import type { Pace } from '../load/plan.ts';
import type { Measurement } from '../load/run-load.ts';
import type { Order } from '../setup/orders.ts';
import { fillStatement, selectScript } from '../database/reference-rows.ts';
import { routeCpu, routeRate } from './route.ts';

const orderCount = 6_000;

/** Reads orders of the reader’s own merchant in turn, at a pace. With `fresh`, no token is used twice. */
export const readingOrders =
  (bench: Bench, orders: readonly Order[], fresh: boolean, service = bench.service()) =>
  async (pace: Pace, count: number): Promise<Measurement> => {
    const byMerchant = new Map<string, Order[]>();
    for (const order of orders) {
      const own = byMerchant.get(order.caller.merchant_no);
      if (own === undefined) byMerchant.set(order.caller.merchant_no, [order]);
      else own.push(order);
    }
    const readers = await (await bench.callers()).forReads(count, fresh);
    // A few orders are of a few merchants.
    const rows = readers.flatMap(({ merchant_no, token }, i) => {
      const own = byMerchant.get(merchant_no) ?? [];
      const order = own[i % own.length];
      return order === undefined ? [] : [[order.order_no, token]];
    });
    return bench.load(await service, {
      connections,
      pace,
      template: {
        method: 'GET',
        path: '/openapi/v1/merchant-payments/{0}',
        headers: { authorization: 'Bearer {1}' },
      },
      rows,
      repeat: false,
      expect: 200,
      keep: [],
    });
  };

export async function benchRead(bench: Bench): Promise<Figure[]> {
  const { seconds } = bench;
  const { database, rows } = await bench.reference();
  const pgbench = await bench.pgbench();
  const [pattern] = rows;
  if (pattern === undefined) throw new BenchError('The pattern order has no rows.');
  const merchants = await merchantsOf(bench);
  const http = await routeRate(bench);
  const httpCpu = await routeCpu(bench);

  bench.say(`read: creating ${orderCount} orders`);
  const orders = await createOrders(bench, await bench.callers(), orderCount);
  await database.query('TRUNCATE collection_orders, payment_quotes, notifications');
  await database.query(fillStatement(pattern, merchants), [orderCount]);
  await database.query('VACUUM ANALYZE collection_orders');
  await (await bench.database()).query('VACUUM ANALYZE collection_orders');
  await pgbench.initialise(database.connection, 1);

  bench.say('read: warming up');
  const probe = await readingOrders(bench, orders, true)({ kind: 'closed', warm_up_s, seconds: 2 }, 20_000);
  bench.say('read: orders per second, between two halves of the reference');
  const select = selectScript(pattern, merchants, orderCount);
  const { result: uncached, reference } = await measureBetweenReferences(
    bench,
    (half) => pgbench.measure(database.connection, select, connections, half),
    () => measureInClosedLoop(bench, probe.rate, readingOrders(bench, orders, true)),
  );
  bench.say('read: with known tokens, and the select-only of pgbench');
  const half = Math.max(2, seconds / 2);
  const cached = await measureInClosedLoop(bench, uncached.rate * 1.5, readingOrders(bench, orders, false));
  const builtin = await pgbench.measure(database.connection, { builtin: 'select-only' }, connections, half);

  const selectOnly = { what: `pgbench select-only (-S), ${connections} clients`, value: builtin.rate };
  const byKey = `pgbench, the same row by primary key, ${connections} clients`;
  return [
    {
      name: 'read.rate',
      what: `orders read, uncached token, ${connections} clients`,
      value: uncached.rate,
      unit: 'per second',
      reference: selectOnly,
    },
    {
      name: 'read.rate.same-row',
      what: 'the same, against the same table',
      value: uncached.rate,
      unit: 'per second',
      reference: { what: byKey, value: reference.rate },
    },
    {
      name: 'read.rate.http',
      what: 'the same, against HTTP alone',
      value: uncached.rate,
      unit: 'per second',
      reference: http,
    },
    {
      name: 'read.p50',
      what: 'median at the full rate',
      value: uncached.p50_ms,
      unit: 'ms',
      reference: { what: `${byKey}, on average`, value: reference.latency_ms },
    },
    {
      name: 'read.cpu',
      what: 'CPU time of the service per order',
      value: uncached.cpu_ms,
      unit: 'ms',
      reference: httpCpu,
    },
    { name: 'read.p99', what: 'p99 at the full rate', value: uncached.p99_ms, unit: 'ms', reference: null },
    {
      name: 'read.cached.rate',
      what: `orders read, cached token, ${connections} clients`,
      value: cached.rate,
      unit: 'per second',
      reference: selectOnly,
    },
  ];
}
