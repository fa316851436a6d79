/**
 * `products`: searches per second in 100,000 products of one merchant, most of them for new texts; and the
 * latencies at half of that rate.
 */
import { type Bench, checkpoint, connections, measureInClosedLoop, warm_up_s } from '../bench.ts';
import { type Callers, createCallers } from '../setup/callers.ts';
import type { Figure } from '../figures.ts';
import type { Pace } from '../load/plan.ts';
import type { Measurement } from '../load/run-load.ts';
import { addUser } from '../setup/platform.ts';
import { fillProducts, searchOf } from '../setup/products.ts';
import { routeAt, routeCpu, routeRate } from './route.ts';

const productCount = 100_000;

/** Creates a merchant with all the products, and clients that can read them. */
async function setUpBigShop(bench: Bench): Promise<Callers> {
  await bench.platform();
  const service = await bench.service();
  const db = await bench.database();
  const { user_id } = await addUser(service.admin, 'keeper');
  const { merchant_no } = await service.admin<{ merchant_no: string }>('POST', '/merchants', {
    name: 'The big shop',
    owner_user_id: user_id,
  });
  const { gd_no } = await service.admin<{ gd_no: string }>('POST', `/merchants/${merchant_no}/products`, {
    gd_name: 'Pattern of all others',
    currency: 'USD',
    actual_price: 999_000_000,
    in_stock: 25,
    wholesale_price_cnf: ['5=9.00'],
  });
  await fillProducts(db, gd_no, productCount);
  return createCallers({
    service,
    db,
    load: bench.load,
    merchants: [merchant_no],
    scopes: ['products.read'],
  });
}

/** Searches for new texts at a pace. No run repeats a text of an earlier run. */
function searching(bench: Bench, callers: Callers) {
  let searches = 0;
  return async (pace: Pace, count: number): Promise<Measurement> => {
    const readers = await callers.forReads(count, false);
    const rows = readers.map(({ token }) => [encodeURIComponent(searchOf(searches++, productCount)), token]);
    return bench.load(await bench.service(), {
      connections,
      pace,
      template: {
        method: 'GET',
        path: '/openapi/v1/products?search_value={0}',
        headers: { authorization: 'Bearer {1}' },
      },
      rows,
      repeat: false,
      expect: 200,
      keep: [],
    });
  };
}

export async function benchProducts(bench: Bench): Promise<Figure[]> {
  const { seconds } = bench;
  const http = await routeRate(bench);
  const httpCpu = await routeCpu(bench);
  bench.say(`products: storing ${productCount} products`);
  const search = searching(bench, await setUpBigShop(bench));
  await checkpoint(bench);

  bench.say('products: warming up');
  const probe = await search({ kind: 'closed', warm_up_s, seconds: 2 }, 10_000);
  bench.say('products: searches per second');
  const most = await measureInClosedLoop(bench, probe.rate, search);
  const per_second = most.rate / 2;
  bench.say('products: latencies at half of that rate');
  const half = await search(
    { kind: 'constant', per_second, warm_up_s, seconds },
    Math.ceil(per_second * (warm_up_s + seconds)) + 1,
  );
  const bare = await routeAt(bench, per_second);

  const byRoute = 'bare Fastify route at the same rate';
  return [
    {
      name: 'products.rate',
      what: `searches in ${productCount.toLocaleString('en')} products, ${connections} clients`,
      value: most.rate,
      unit: 'per second',
      reference: http,
    },
    {
      name: 'products.cpu',
      what: 'CPU time of the service per search',
      value: most.cpu_ms,
      unit: 'ms',
      reference: httpCpu,
    },
    {
      name: 'products.p50',
      what: 'median at half of the rate',
      value: half.p50_ms,
      unit: 'ms',
      reference: { what: byRoute, value: bare.p50_ms },
    },
    {
      name: 'products.p99',
      what: 'p99 at half of the rate',
      value: half.p99_ms,
      unit: 'ms',
      reference: { what: byRoute, value: bare.p99_ms },
    },
  ];
}
