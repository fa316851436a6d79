/** What `growth` measures after the hot paths: the jobs of the next day, the check of the books, and how the sizes of the tables have changed. */
import type { Bench } from '../../bench.ts';
import { sizesOf } from '../../database/explain.ts';
import type { Database } from '../../database/database.ts';
import type { Figure } from '../../figures.ts';
import { runUntilDone } from '../../setup/books.ts';
import type { Grown } from './paths.ts';
import { runVerification } from '../verify.ts';

const day_s = 86_400;

/** What the workers of a platform do within a day, in the order of the figures. */
const jobs = ['sweep', 'release-holds', 'keep-sums', 'seal', 'deliver', 'purge'];

/** The size of a database, and how many rows its orders have changed. */
interface Weight {
  orders: number;
  bytes: number;
  /** By table: updates, and those of them that touched no index. */
  updates: Map<string, { all: number; hot: number }>;
}

export async function weigh(database: Database): Promise<Weight> {
  const [{ orders } = { orders: '0' }] = await database.query<{ orders: string }>(
    'SELECT count(*) AS orders FROM collection_orders',
  );
  const tables = await sizesOf(database);
  const changed = await database.query<{ name: string; every: string; hot: string }>(
    `SELECT relname AS name, n_tup_upd AS every, n_tup_hot_upd AS hot FROM pg_stat_user_tables`,
  );
  return {
    orders: Number(orders),
    bytes: tables.reduce((sum, { rows, indexes }) => sum + rows + indexes, 0),
    updates: new Map(changed.map(({ name, every, hot }) => [name, { all: Number(every), hot: Number(hot) }])),
  };
}

/**
 * Lets a day pass and runs the jobs once each; then checks the books from where the last check ended.
 *
 * @param before the weight of the many before the hot paths
 */
export async function measureLife(bench: Bench, few: Grown, many: Grown, before: Weight): Promise<Figure[]> {
  const figures: Figure[] = [];
  const reference = `on ${few.orders}`;
  const [ofFew, ofMany] = [await runJobs(bench, few), await runJobs(bench, many)];
  for (const job of jobs) {
    figures.push({
      name: `growth.job.${job}`,
      what: `the job ${job} a day after the hot paths, on ${many.orders} orders`,
      value: ofMany.get(job) ?? NaN,
      unit: 'ms',
      reference: { what: reference, value: ofFew.get(job) ?? NaN },
    });
  }
  figures.push(...spaceOf(before, await weigh(many.books.database)));
  bench.say('growth: checking the books');
  const [checkedFew, checkedMany] = [await check(few), await check(many)];
  figures.push({
    name: 'growth.verify.since-last',
    what: `verify-ledger --since-last after the hot paths, on ${many.orders} orders`,
    value: checkedMany,
    unit: 'ms',
    reference: { what: reference, value: checkedFew },
  });
  return figures;
}

/** How long each job takes, until nothing is left for it. */
async function runJobs(bench: Bench, { service, orders }: Grown): Promise<Map<string, number>> {
  await service.admin('PUT', '/test-clock', { advance_seconds: day_s });
  const times = new Map<string, number>();
  for (const job of jobs) {
    const start = performance.now();
    await runUntilDone(service, job);
    const taken = performance.now() - start;
    times.set(job, taken);
    bench.say(`growth.job.${job} on ${orders} orders: ${taken.toFixed(0)} ms`);
  }
  return times;
}

async function check({ books }: Grown): Promise<number> {
  const { time_ms } = await runVerification(books.database, '--since-last');
  return time_ms;
}

/** The first check of the books looks at everything. Kept books remember theirs. */
export async function verifyOnce(bench: Bench, { books }: Pick<Grown, 'books'>): Promise<void> {
  const [known] = await books.database.query('SELECT 1 AS one FROM ledger_verifications LIMIT 1');
  if (known !== undefined) return;
  bench.say('growth: checking all of the books');
  await runVerification(books.database);
}

/** Tables whose rows change in the life of an order. */
const changing = ['collection_orders', 'payment_holds', 'ledger_balances', 'notifications', 'user_wallets'];

function spaceOf(before: Weight, after: Weight): Figure[] {
  const added = after.orders - before.orders;
  const shares = changing.map((table) => {
    const [old, now] = [before.updates.get(table), after.updates.get(table)];
    const all = (now?.all ?? 0) - (old?.all ?? 0);
    return {
      name: `growth.hot.${table}`,
      what: 'updates that touch no index, of all',
      value: (now?.hot ?? 0) - (old?.hot ?? 0),
      unit: 'plain' as const,
      reference: { what: 'updates', value: all },
    };
  });
  return [
    {
      name: 'growth.bytes.lived',
      what: 'bytes for each order that the hot paths and a day of jobs have added, dead rows included',
      value: Math.round((after.bytes - before.bytes) / added),
      unit: 'plain',
      reference: {
        what: 'for each copy, which nothing has changed',
        value: Math.round(before.bytes / before.orders),
      },
    },
    ...shares,
  ];
}
