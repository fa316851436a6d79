/** `growth`: every kind of page of the consoles and the hot paths on ten thousand orders, and on as many as `--orders` says. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../../bench.ts';
import { BenchError } from '../../bench-error.ts';
import type { Figure } from '../../figures.ts';
import { percentile } from '../../load/percentile.ts';
import type { Service } from '../../processes/service.ts';
import {
  type Books,
  makeBooksBesideKept,
  makeOrKeepBooks,
  runUntilDone,
  serveBooks,
} from '../../setup/books.ts';
import { explainAll, loggedDuring, sizesOf, stopExplaining } from '../../database/explain.ts';
import { type Platform, signIn } from '../../setup/platform.ts';
import { measureLife, verifyOnce, weigh } from './life.ts';
import { benchOn, chores, measurePaths } from './paths.ts';
import { hotPaths } from '../in-turn.ts';

const few = 10_000;
/** The orders are of so many days, as many as a home page compares. */
const days = 60;
/** Pages that must be computed each time: none is cached, because each is for another time zone. */
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
  ['search', ofMerchant('/search?q=000000007A')],
  ['merchant-figures', () => '/admin/v1/merchant-figures'],
];

/** The lists whose fiftieth page is measured as well. */
const deep = ['orders', 'notifications', 'statement', 'entries', 'all-orders'];
const deepPage = 50;

/** Tables with less for each order are settings, marks and sums. */
const fewBytes = 10;

/** The pages of the merchant with half of the orders and of the platform, the hot paths, and what an order takes on disk. */
export async function benchGrowth(bench: Bench): Promise<Figure[]> {
  // The hot paths add orders, so the few are created again for each run.
  const small = await makeBooksBesideKept(bench, few, days);
  const large = await makeOrKeepBooks(bench, bench.orders, days);
  const [onFew, onMany] = [await measureAllPages(bench, small), await measureAllPages(bench, large)];
  const times = [...onFew.keys()].map((name) => ({
    name: `growth.${name}.p95`,
    what: `p95 on ${bench.orders} orders`,
    value: onMany.get(name) ?? NaN,
    unit: 'ms' as const,
    reference: { what: `on ${few}`, value: onFew.get(name) ?? NaN },
  }));
  const bytes = (await sizesOf(large.database))
    .map((table) => ({ ...table, each: (table.rows + table.indexes) / bench.orders }))
    .filter(({ each }) => each >= fewBytes)
    .map(({ name, each, indexes }) => ({
      name: `growth.bytes.${name}`,
      what: `bytes for each order, ${Math.round(indexes / bench.orders)} of them in indexes`,
      value: Math.round(each),
      unit: 'plain' as const,
      reference: null,
    }));
  if (bench.keep !== null) await writePlans(bench, large, bench.keep);
  await verifyOnce(bench, { books: small });
  await verifyOnce(bench, { books: large });
  const before = await weigh(large.database);
  const paths = await serveBooks(bench, small, (ofFew) =>
    serveBooks(bench, large, async (ofMany) => {
      const grown = [
        { books: small, service: ofFew, orders: few },
        { books: large, service: ofMany, orders: bench.orders },
      ] as const;
      return [...(await measurePaths(bench, ...grown)), ...(await measureLife(bench, ...grown, before))];
    }),
  );
  return [...times, ...paths, ...bytes];
}

const measureAllPages = (bench: Bench, books: Books): Promise<Map<string, number>> =>
  serveBooks(bench, books, async (service) => {
    // The kept sums are made by a worker.
    await runUntilDone(service, 'keep-sums');
    await books.database.query('VACUUM (ANALYZE)');
    return measurePages(bench, service, books);
  });

async function writePlans(bench: Bench, books: Books, keep: string): Promise<void> {
  await explainAll(books.database);
  const file = join(keep, `plans-${bench.orders}.txt`);
  try {
    await writeFile(file, await serveBooks(bench, books, (service) => plansOf(bench, keep, service, books)));
    bench.say(`growth: the plans are in ${file}`);
  } finally {
    await stopExplaining(books.database);
  }
}

/** How often a hot path runs for its plans. */
const runs = 2;

/** The plan of every statement of every page and of every hot path. */
async function plansOf(bench: Bench, keep: string, service: Service, books: Books): Promise<string> {
  const { platform } = books;
  const ask = await askerOf(service, platform);
  const logs = join(keep, 'postgresql', 'logs');
  const parts: string[] = [];
  const note = async (name: string, run: () => Promise<unknown>): Promise<void> => {
    parts.push(`== ${name}\n\n${await loggedDuring(logs, run)}`);
  };
  for (const [name, path] of pages) {
    const address = path(platform.merchants[0] ?? '', 'Etc/UTC');
    await note(`${name}: GET ${address}`, () => ask(address));
  }
  const on = benchOn(bench, { books, service, orders: bench.orders });
  for (const [name, what, measureOn] of hotPaths) {
    const measure = await measureOn(on);
    await note(`${name}: ${what}, with what they need`, () => measure({ kind: 'all' }, runs));
  }
  for (const { name, what, job, prepare } of chores) {
    await prepare(on, runs);
    await note(`${name}: ${what}`, () => runUntilDone(service, job));
  }
  return parts.join('\n');
}

/** Calls a page: of the administration with its key, others as the owner. */
async function askerOf(
  service: Service,
  platform: Platform,
): Promise<(address: string) => Promise<{ status: number; body: string }>> {
  const cookie = await signIn(service, platform.owner);
  return async (address) => {
    const headers = address.startsWith('/admin/')
      ? { authorization: `Bearer ${service.admin_key}` }
      : { cookie };
    const answer = await fetch(service.url + address, { headers });
    return { status: answer.status, body: await answer.text() };
  };
}

async function measurePages(
  bench: Bench,
  service: Service,
  { platform }: Books,
): Promise<Map<string, number>> {
  const ask = await askerOf(service, platform);
  const [merchant_no = ''] = platform.merchants;
  const times = new Map<string, number>();
  /** The rounds of one page, each at its own address; the first one warms up. */
  async function measure(name: string, addresses: readonly string[]): Promise<void> {
    const taken: number[] = [];
    for (const [i, address] of addresses.entries()) {
      const start = performance.now();
      const { status, body } = await ask(address);
      if (status === 503) {
        // Its statement lasts longer than the service allows: a fact, and not a failed run.
        bench.say(`growth: ${name}: 503`);
        return;
      }
      if (status !== 200) throw new BenchError(`GET ${address}: ${status} ${body.slice(0, 300)}`);
      if (i > 0) taken.push(performance.now() - start);
    }
    const sorted = taken.sort((a, b) => a - b);
    times.set(name, percentile(sorted, 0.95));
    bench.say(`growth: ${name}: p95 ${percentile(sorted, 0.95).toFixed(1)} ms`);
  }
  for (const [name, path] of pages) {
    const addresses = Array.from({ length: rounds + 1 }, (_, i) => path(merchant_no, zones[i] ?? 'Etc/UTC'));
    await measure(name, addresses);
    if (!deep.includes(name)) continue;
    const address = await followedTo(deepPage, path(merchant_no, 'Etc/UTC'), ask);
    await measure(`${name}.page-${deepPage}`, Array<string>(rounds + 1).fill(address));
  }
  return times;
}

/** The address of a later page of a list. */
async function followedTo(
  page: number,
  address: string,
  ask: (address: string) => Promise<{ status: number; body: string }>,
): Promise<string> {
  let last = address;
  for (let i = 1; i < page; i++) {
    const { next_cursor } = JSON.parse((await ask(last)).body) as { next_cursor?: string };
    if (next_cursor === undefined) throw new BenchError(`GET ${address}: it has only ${i} pages`);
    last = `${address}${address.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(next_cursor)}`;
  }
  return last;
}
