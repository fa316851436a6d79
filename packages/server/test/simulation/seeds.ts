import { afterAll, beforeAll, expect } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/servers/database.ts';
import { openSimulation, type Report, type Simulation, tally } from './simulate.ts';

/** How many steps each seed takes in the tests. */
const steps = 30;
/** How many seeds one test runs. */
export const batch = 50;
/** For a batch, on a slow machine. */
export const patience_ms = 1_200_000;

/**
 * Events that happen in less than one of thirty seeds, such as a lost dispute about a delivered order. The additional seeds
 * reach them.
 */
export const rare = [
  ...[
    'catalog order completed chargeback',
    'catalog order completed refunded',
    'catalog order cancelled refunded',
    'attempt absent',
    'P4d',
    'P6b',
  ],
];

/** Events that must happen somewhere in 150 seeds: an event that never happens proves nothing. */
const wanted = [
  ...['P1', 'P2', 'P3', 'P4a', 'P4b', 'P4c', 'P6a', 'P7', 'P7p', 'P8', 'P10', 'P10r', 'P11'],
  ...['P12', 'P13', 'P13r', 'P13s', 'P14i', 'P20i', 'P21', 'P22'],
  ...['chargeback', 'expired', 'paid', 'refunded'].map((status) => `order ${status}`),
  ...['paid', 'completed', 'cancelled'].map((state) => `catalog order ${state}`),
  ...rare,
  ...['closed', 'failed', 'paid', 'paid_late', 'rejected'].map((state) => `attempt ${state}`),
];

/** A simulation for the tests of one file, on a database of its own. */
export interface Seeds {
  /** Every promise holds in a batch of seeds. */
  hold(from: number): Promise<void>;
  /** One seed gives the same story twice. */
  repeats(seed: number): Promise<void>;
  /** Events that earlier batches have not reached, without the optional ones. */
  missed(apart?: readonly string[]): string[];
}

export function openSeeds(): Seeds {
  let database: TestDatabase;
  let simulation: Simulation;
  const reached = new Map<string, number>();
  beforeAll(async () => {
    database = await freshDatabase();
    simulation = await openSimulation(database.url);
  });
  afterAll(async () => {
    await simulation.close();
    await database.drop();
  });
  return {
    async hold(from) {
      const broken: Report[] = [];
      for (let seed = from; seed < from + batch; seed++) {
        const report = await simulation.run(seed, steps);
        tally(reached, report);
        if (report.problems.length > 0) broken.push(report);
      }
      expect(broken).toEqual([]);
    },
    async repeats(seed) {
      const [one, other] = [await simulation.run(seed, steps), await simulation.run(seed, steps)];
      expect(other).toEqual(one);
    },
    missed: (apart = []) => wanted.filter((what) => !reached.has(what) && !apart.includes(what)),
  };
}
