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

/** Seeds that run at a time: one alone waits for its database, or for time to pass, for a third of the time. */
const atOnce = 2;

/** Simulations for the tests of one file, on databases of their own. */
export interface Seeds {
  /** Every promise holds in a batch of seeds. */
  hold(from: number): Promise<void>;
  /** One seed gives the same story twice. */
  repeats(seed: number): Promise<void>;
  /** Events that earlier batches have not reached, without the optional ones. */
  missed(apart?: readonly string[]): string[];
}

export function openSeeds(): Seeds {
  const databases: TestDatabase[] = [];
  const simulations: Simulation[] = [];
  const reached = new Map<string, number>();
  beforeAll(async () => {
    for (let i = 0; i < atOnce; i++) {
      const database = await freshDatabase();
      databases.push(database);
      simulations.push(await openSimulation(database.url));
    }
  });
  afterAll(async () => {
    for (const simulation of simulations) await simulation.close();
    for (const database of databases) await database.drop();
  });
  return {
    async hold(from) {
      const seeds = Array.from({ length: batch }, (_, i) => from + i).values();
      const broken: Report[] = [];
      const runSeeds = async (simulation: Simulation): Promise<void> => {
        for (const seed of seeds) {
          const report = await simulation.run(seed, steps);
          tally(reached, report);
          if (report.problems.length > 0) broken.push(report);
          if (report.hung === true) return;
        }
      };
      await Promise.all(simulations.map(runSeeds));
      expect(broken).toEqual([]);
    },
    async repeats(seed) {
      const [one, ...others] = await Promise.all(
        simulations.map((simulation) => simulation.run(seed, steps)),
      );
      for (const other of others) expect(other).toEqual(one);
    },
    missed: (apart = []) => wanted.filter((what) => !reached.has(what) && !apart.includes(what)),
  };
}
