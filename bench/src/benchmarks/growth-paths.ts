/** The hot paths of `growth`: creation, reading, payment and expiry on few orders and on many, in turn. */
import { type Bench, createOrders, meanOf, measureInTurns } from '../bench.ts';
import type { Figure } from '../figures.ts';
import type { Service } from '../processes/service.ts';
import { type Books, runUntilDone } from '../setup/books.ts';
import { createCallers } from '../setup/callers.ts';
import { comparePaths } from './in-turn.ts';

/** A service on books. */
export interface Grown {
  books: Books;
  service: Service;
  orders: number;
}

/** How many orders of a merchant expire at once. */
const overdueCount = 600;
/** Longer than orders of the benchmark are open. */
const pastTheEnd_s = 7_300;

/** What benchmarks work with, on these books and for the merchant with half of their orders. */
function benchOn(bench: Bench, { books, service }: Grown): Bench {
  const made = new Map<string, Promise<unknown>>();
  const merchants = books.platform.merchants.slice(0, 1);
  const callers = createCallers({ service, db: books.database, load: bench.load, merchants });
  return {
    ...bench,
    service: () => Promise.resolve(service),
    database: () => Promise.resolve(books.database),
    platform: () => Promise.resolve(books.platform),
    callers: () => Promise.resolve(callers),
    once: <T>(key: string, make: () => Promise<T>): Promise<T> => {
      const known = (made.get(key) as Promise<T> | undefined) ?? make();
      made.set(key, known);
      return known;
    },
  };
}

/** The rates on many orders, each with that on few as its reference. */
export async function measurePaths(bench: Bench, few: Grown, many: Grown): Promise<Figure[]> {
  const both = [benchOn(bench, many), benchOn(bench, few)] as const;
  const [onMany, onFew] = both;
  const reference = `on ${few.orders}`;
  const figures = await comparePaths(both, {
    name: 'growth',
    where: `on ${many.orders} orders, of which one merchant has half`,
    reference,
  });
  bench.say('growth.sweep: per second, in turn');
  const sweeping = (on: Bench) => async (): Promise<number> => {
    await createOrders(on, await on.callers(), overdueCount);
    const service = await on.service();
    await service.admin('PUT', '/test-clock', { advance_seconds: pastTheEnd_s });
    const start = performance.now();
    await runUntilDone(service, 'sweep');
    return (overdueCount * 1_000) / (performance.now() - start);
  };
  const [ofMany, ofFew] = await measureInTurns<[number, number]>(onMany, [sweeping(onMany), sweeping(onFew)]);
  const rate = (slices: readonly number[]): number => meanOf(slices, (slice) => slice);
  figures.push({
    name: 'growth.sweep',
    what: `overdue orders expired on ${many.orders} orders`,
    value: rate(ofMany),
    unit: 'per second',
    reference: { what: reference, value: rate(ofFew) },
  });
  return figures;
}
