import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { openSimulation, type Report, type Simulation, tally } from './simulate.ts';

let database: TestDatabase;
let simulation: Simulation;

beforeAll(async () => {
  database = await freshDatabase();
  simulation = await openSimulation(database.url);
});

afterAll(async () => {
  await simulation.close();
  await database.drop();
});

const steps = 30;
const batch = 50;
const reached = new Map<string, number>();

describe('whatever happens in whatever order, and wherever a process dies', () => {
  test.each([1, 51, 101, 151, 201, 251])(
    'R-142, R-144, R-145, R-146, R-147, R-178, R-195, R-228, D-177, D-178 every promise holds, seeds from %i on',
    { timeout: 300_000 },
    async (from) => {
      const broken: Report[] = [];
      for (let seed = from; seed < from + batch; seed++) {
        const report = await simulation.run(seed, steps);
        tally(reached, report);
        if (report.problems.length > 0) broken.push(report);
      }
      expect(broken).toEqual([]);
    },
  );

  test('a seed tells the same story each time', { timeout: 60_000 }, async () => {
    for (const seed of [52, 89, 113]) {
      const [one, other] = [await simulation.run(seed, steps), await simulation.run(seed, steps)];
      expect(other).toEqual(one);
    }
  });

  test('everything was reached: what never happens proves nothing', () => {
    const wanted = [
      ...[
        'P1',
        'P2',
        'P3',
        'P4a',
        'P4b',
        'P4c',
        'P6a',
        'P6b',
        'P7',
        'P7p',
        'P8',
        'P12',
        'P13',
        'P13r',
        'P13s',
        'P14i',
        'P20i',
      ],
      ...['chargeback', 'expired', 'paid', 'refunded'].map((status) => `order ${status}`),
      ...[
        'paid',
        'completed',
        'cancelled',
        'cancelled refunded',
        'completed refunded',
        'completed chargeback',
      ].map((state) => `catalog order ${state}`),
      ...['absent', 'closed', 'failed', 'paid', 'rejected'].map((state) => `attempt ${state}`),
    ];
    expect(wanted.filter((what) => !reached.has(what))).toEqual([]);
  });
});
