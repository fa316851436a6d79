/** `growth`: every kind of page of the consoles on ten thousand orders, and on as many as `--orders` says. */
import type { Bench } from '../bench.ts';
import { BenchError } from '../bench-error.ts';
import type { Figure } from '../figures.ts';
import { percentile } from '../load/percentile.ts';
import { type Service, startService } from '../processes/service.ts';
import { type Books, makeOrKeepBooks } from '../setup/books.ts';
import { signIn } from '../setup/platform.ts';

const few = 10_000;
/** The orders are of so many days, as many as a home page compares. */
const days = 60;
/** Pages that have to be made anew: none is cached, as each is of another time zone. */
const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
const rounds = 40;

/** A page: its name, and its address for a merchant and a time zone. */
type Page = readonly [name: string, path: (merchant_no: string, zone: string) => string];

const ofMerchant = (path: string) => (merchant_no: string, zone: string) =>
  `/console/v1/merchants/${merchant_no}${path}${path.includes('?') ? '&' : '?'}time_zone=${encodeURIComponent(zone)}`;

const pages: readonly Page[] = [
  ['home', ofMerchant('/home')],
  ['sales', ofMerchant('/sales')],
  ['wallet', ofMerchant('/wallet')],
  ['releases', ofMerchant('/wallet/releases')],
  ['statement', ofMerchant('/wallet/statement')],
  ['statement-rare', ofMerchant('/wallet/statement?account=recovery')],
  ['orders', ofMerchant('/collection-orders')],
  ['order-count', ofMerchant('/collection-order-count')],
  ['orders-review', ofMerchant('/collection-orders?status=review')],
  ['notifications', ofMerchant('/notifications')],
  ['overview', (_, zone) => `/admin/v1/overview?time_zone=${encodeURIComponent(zone)}`],
  ['accounts', (merchant_no) => `/admin/v1/ledger/accounts?book=${merchant_no}`],
  ['entries', (merchant_no) => `/admin/v1/ledger/entries?book=${merchant_no}`],
  ['all-orders', () => '/admin/v1/collection-orders'],
  ['merchant-figures', () => '/admin/v1/merchant-figures'],
];

/** The pages of the merchant with half of the orders, and of the platform. */
export async function benchGrowth(bench: Bench): Promise<Figure[]> {
  const small = await measure(bench, few);
  const large = await measure(bench, bench.orders);
  return pages.flatMap(([name]) => [
    {
      name: `growth.${name}.p95`,
      what: `p95 on ${bench.orders} orders`,
      value: large.get(name) ?? NaN,
      unit: 'ms' as const,
      reference: { what: `on ${few}`, value: small.get(name) ?? NaN },
    },
  ]);
}

async function measure(bench: Bench, orders: number): Promise<Map<string, number>> {
  const books = await makeOrKeepBooks(bench, orders, days);
  const { cert_file } = await bench.certificate();
  const service = await startService({
    ...{ database_url: books.database.url, dir: bench.dir, cpu_prof: null, signal: bench.signal },
    // The worker's part is run by hand: the notifications of the copies stay where they are.
    ...{ secret_key: books.secret_key, receivers_ca: cert_file, role: 'web', test_clock: true },
  });
  try {
    return await measurePages(bench, service, books);
  } finally {
    await service.stop();
  }
}

async function measurePages(
  bench: Bench,
  service: Service,
  { platform }: Books,
): Promise<Map<string, number>> {
  const cookie = await signIn(service, platform.owner);
  const [merchant_no = ''] = platform.merchants;
  const times = new Map<string, number>();
  for (const [name, path] of pages) {
    const taken: number[] = [];
    for (let i = 0; i <= rounds; i++) {
      const address = path(merchant_no, zones[i] ?? 'Etc/UTC');
      const start = performance.now();
      const headers = address.startsWith('/admin/')
        ? { authorization: `Bearer ${service.admin_key}` }
        : { cookie };
      const answer = await fetch(service.url + address, { headers });
      const body = await answer.text();
      if (answer.status !== 200)
        throw new BenchError(`GET ${address}: ${answer.status} ${body.slice(0, 300)}`);
      // The first one warms up.
      if (i > 0) taken.push(performance.now() - start);
    }
    const p95 = percentile(
      taken.sort((a, b) => a - b),
      0.95,
    );
    times.set(name, p95);
    bench.say(`growth: ${name}: p95 ${p95.toFixed(1)} ms`);
  }
  return times;
}
