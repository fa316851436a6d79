/** The hot paths of `growth`: creation, reading, payment, expiry and delivery on few orders and on many, in turn. */
import { type Bench, connections, createOrders, meanOf, measureInTurns } from '../../bench.ts';
import type { Figure } from '../../figures.ts';
import type { Service } from '../../processes/service.ts';
import { type Books, runUntilDone } from '../../setup/books.ts';
import { createCallers } from '../../setup/callers.ts';
import { notifyingCreation, notifyingRow } from '../../setup/events.ts';
import { logBytesSince, logPosition } from '../../database/explain.ts';
import { comparePaths } from '../in-turn.ts';

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
/** How many notifications of a merchant are delivered at once. */
const dueCount = 1_000;

/** What benchmarks work with, on these books and for the merchant with half of their orders. */
export function benchOn(bench: Bench, { books, service }: Grown): Bench {
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

/** Work of a worker: it is made due, and a job then does all of it. */
interface Chore {
  name: string;
  what: string;
  count: number;
  job: string;
  /** Makes `count` of it due. */
  prepare: (on: Bench, count: number) => Promise<void>;
}

export const chores: readonly Chore[] = [
  {
    ...{ name: 'sweep', what: 'overdue orders expired', count: overdueCount, job: 'sweep' },
    prepare: async (on, count) => {
      await createOrders(on, await on.callers(), count);
      await (await on.service()).admin('PUT', '/test-clock', { advance_seconds: pastTheEnd_s });
    },
  },
  {
    ...{ name: 'deliver', what: 'notifications delivered', count: dueCount, job: 'deliver' },
    // Each order has one. They are made by the service, so that the books stay in order.
    prepare: async (on, count) => {
      const [{ healthy }, callers] = [await on.receivers(), await (await on.callers()).forCreations(count)];
      await on.load(await on.service(), {
        ...{
          connections,
          pace: { kind: 'all' },
          template: notifyingCreation,
          repeat: false,
          expect: 201,
          keep: [],
        },
        rows: callers.map((caller, i) => notifyingRow(caller, healthy[i % healthy.length] ?? '')),
      });
    },
  },
];

/** Does what earlier paths have left, such as orders that expire: it would count as a part of the first slice. */
async function clearChores(on: Bench): Promise<void> {
  const service = await on.service();
  await service.admin('PUT', '/test-clock', { advance_seconds: pastTheEnd_s });
  for (const { job } of chores) await runUntilDone(service, job);
}

interface Slice {
  /** Per second. */
  rate: number;
  /** Bytes that the server wrote to its log for each. */
  log: number;
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
  for (const on of both) await clearChores(on);
  for (const { name, what, count, job, prepare } of chores) {
    bench.say(`growth.${name}: per second, in turn`);
    const doing = (on: Bench) => async (): Promise<Slice> => {
      await prepare(on, count);
      const database = await on.database();
      const from = await logPosition(database);
      const start = performance.now();
      await runUntilDone(await on.service(), job);
      const rate = (count * 1_000) / (performance.now() - start);
      return { rate, log: (await logBytesSince(database, from)) / count };
    };
    const [ofMany, ofFew] = await measureInTurns<[Slice, Slice]>(onMany, [doing(onMany), doing(onFew)]);
    for (const [part, unit, what_of] of [
      ['rate', 'per second', `${what} on ${many.orders} orders`],
      ['log', 'plain', 'bytes of the database’s log for each'],
    ] as const) {
      const mean = (slices: readonly Slice[]): number => meanOf(slices, (slice) => slice[part]);
      const [value, against] = [mean(ofMany), mean(ofFew)];
      const full_name = part === 'rate' ? `growth.${name}` : `growth.${name}.${part}`;
      bench.say(`${full_name}: ${value.toFixed(0)} ${reference}: ${against.toFixed(0)}`);
      figures.push({
        name: full_name,
        what: what_of,
        value,
        unit,
        reference: { what: reference, value: against },
      });
    }
  }
  return figures;
}
