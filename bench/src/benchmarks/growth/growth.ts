/** `growth`: every kind of page of the consoles and the hot paths on ten thousand orders, and on as many as `--orders` says. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../../bench.ts';
import type { Figure } from '../../figures.ts';
import type { Service } from '../../processes/service.ts';
import {
  type Books,
  makeBooksBesideKept,
  makeOrKeepBooks,
  runUntilDone,
  serveBooks,
} from '../../setup/books.ts';
import { explainAll, loggedDuring, sizesOf, stopExplaining } from '../../database/explain.ts';
import { measureLife, verifyOnce, weigh } from './life.ts';
import { askerOf, measurePages, pages } from './pages.ts';
import { benchOn, chores, measurePaths } from './paths.ts';
import { hotPaths } from '../in-turn.ts';

const few = 10_000;
/** The orders are of so many days, as many as a home page compares. */
const days = 60;

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
  const slowest: Figure = {
    name: 'growth.pages.p95',
    what: 'the slowest page: its p95',
    value: Math.max(...onMany.values()),
    unit: 'ms',
    reference: { what: `the slowest on ${few}`, value: Math.max(...onFew.values()) },
  };
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
  return [...times, slowest, ...paths, ...bytes];
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
