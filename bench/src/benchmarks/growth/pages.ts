/** The pages of the consoles that `growth` measures: those that read most, and every other one that needs no more than a merchant. */
import type { Bench } from '../../bench.ts';
import { BenchError } from '../../bench-error.ts';
import { percentile } from '../../load/percentile.ts';
import type { Service } from '../../processes/service.ts';
import type { Books } from '../../setup/books.ts';
import { type Platform, signIn } from '../../setup/platform.ts';

/** Pages that must be computed each time: none is cached, because each is for another time zone. */
const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
const rounds = 40;

/** A page: its name, and its address for a merchant and a time zone. */
type Page = readonly [name: string, path: (merchant_no: string, zone: string) => string];

const ofMerchant = (path: string) => (merchant_no: string, zone: string) =>
  `/console/v1/merchants/${merchant_no}${path}${path.includes('?') ? '&' : '?'}time_zone=${encodeURIComponent(zone)}`;

/** The pages that read most. */
export const pages: readonly Page[] = [
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
  ['search', ofMerchant('/search?q=000000007A')],
  ['merchant-figures', () => '/admin/v1/merchant-figures'],
];

/** The page of a long list that is measured beside its first one. */
const deepPage = 50;

type Ask = (address: string) => Promise<{ status: number; body: string }>;

/** Calls a page: of the administration with its key, others as the owner. */
export async function askerOf(service: Service, platform: Platform): Promise<Ask> {
  const cookie = await signIn(service, platform.owner);
  return async (address) => {
    const headers = address.startsWith('/admin/')
      ? { authorization: `Bearer ${service.admin_key}` }
      : { cookie };
    const answer = await fetch(service.url + address, { headers });
    return { status: answer.status, body: await answer.text() };
  };
}

/**
 * The p95 of each page in milliseconds, by name, and of the fiftieth page of each list, or of its last one. A page that the
 * service gives up has the time until it did.
 */
export async function measurePages(
  bench: Bench,
  service: Service,
  { platform }: Books,
): Promise<Map<string, number>> {
  const ask = await askerOf(service, platform);
  const [merchant_no = ''] = platform.merchants;
  const times = new Map<string, number>();
  /** The rounds of one page, each at its own address; the first one warms up. Returns its last answer. */
  async function measure(name: string, addresses: readonly string[]): Promise<string> {
    const taken: number[] = [];
    let last = '';
    for (const [i, address] of addresses.entries()) {
      const start = performance.now();
      const { status, body } = await ask(address);
      if (status === 503) {
        // Its statement lasts longer than the service allows: a fact, and not a failed run. It counts as long as it took.
        times.set(name, performance.now() - start);
        bench.say(`growth: ${name}: 503`);
        return '';
      }
      if (status !== 200) throw new BenchError(`GET ${address}: ${status} ${body.slice(0, 300)}`);
      if (i > 0) taken.push(performance.now() - start);
      last = body;
    }
    const p95_ms = percentile(
      taken.sort((a, b) => a - b),
      0.95,
    );
    times.set(name, p95_ms);
    bench.say(`growth: ${name}: p95 ${p95_ms.toFixed(1)} ms`);
    return last;
  }
  for (const [name, path] of [...pages, ...(await otherPages(service))]) {
    const addresses = Array.from({ length: rounds + 1 }, (_, i) => path(merchant_no, zones[i] ?? 'Etc/UTC'));
    const deep = await followed(ask, path(merchant_no, 'Etc/UTC'), await measure(name, addresses));
    if (deep !== null)
      await measure(
        `${name}.page-${deep.page}`,
        addresses.map(() => deep.address),
      );
  }
  return times;
}

/** Calls that are no pages: one runs a check of the books, and one sets the clock of tests. */
const notPages = new Set(['/admin/v1/ledger/verification', '/admin/v1/test-clock']);

interface Document {
  paths: Record<string, { get?: { parameters?: { name: string; required?: boolean }[] } }>;
}

/** Every other page of the two consoles that needs no more than a merchant, as the documents of the API tell. */
async function otherPages(service: Service): Promise<Page[]> {
  const documents = await Promise.all(
    ['/openapi.json', '/openapi-admin.json'].map(
      async (path) => (await (await fetch(service.url + path)).json()) as Document,
    ),
  );
  const known = new Set(pages.map(([, path]) => path('{merchant_no}', '').replace(/\?.*/, '')));
  return documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, { get }]): Page[] => {
      if (get === undefined || known.has(path) || notPages.has(path)) return [];
      const needed = (get.parameters ?? []).filter(({ required }) => required).map(({ name }) => name);
      if (!/^\/(admin|console)\/v1\/[^.]*$/.test(path) || needed.some((name) => name !== 'merchant_no'))
        return [];
      const name = path.replace(/^\/|v1\/|\/?\{merchant_no\}/g, '').replaceAll('/', '.');
      return [[name, (merchant_no) => path.replace('{merchant_no}', merchant_no)]];
    }),
  );
}

/** The fiftieth page of a list, or its last one; null if there is only one. */
async function followed(
  ask: Ask,
  address: string,
  first: string,
): Promise<{ page: number; address: string } | null> {
  let [page, last, body] = [1, address, first];
  while (page < deepPage && body !== '') {
    const { next_cursor } = JSON.parse(body) as { next_cursor?: string | null };
    if (typeof next_cursor !== 'string') break;
    last = `${address}${address.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(next_cursor)}`;
    ({ body } = await ask(last));
    page++;
  }
  return page === 1 ? null : { page, address: last };
}
