import { expect, test } from 'vitest';
import { sumByProject, tableOf } from './project-times.js';

const moduleOf = (name, tests, duration, moduleId = '/test/unit/some.test.ts') => ({
  project: { name },
  moduleId,
  children: { allTests: () => Array.from({ length: tests }) },
  diagnostic: () => ({
    environmentSetupDuration: 1,
    prepareDuration: 2,
    collectDuration: 3,
    setupDuration: 4,
    duration,
  }),
});

test('every file counts with its imports and its setup, for its project', () => {
  expect(sumByProject([moduleOf('unit', 3, 10), moduleOf('crash', 1, 90), moduleOf('unit', 2, 70)])).toEqual(
    new Map([
      ['unit', { files: 2, tests: 5, ms: 100 }],
      ['crash', { files: 1, tests: 1, ms: 100 }],
    ]),
  );
});

test('what runs in a browser counts by itself, and so does the simulation', () => {
  const modules = [
    moduleOf('scenarios', 1, 0),
    moduleOf('scenarios', 1, 0, '/packages/server/test/browser/docs.test.ts'),
    moduleOf('scenarios', 1, 0, '/packages/server/test/simulation/first-seeds.test.ts'),
  ];
  expect([...sumByProject(modules).keys()]).toEqual(['scenarios', 'browser', 'simulation']);
});

test('the slowest project comes first, the sum last', () => {
  const sums = sumByProject([moduleOf('unit', 12, 1_490), moduleOf('crash', 1, 89_990)]);
  expect(tableOf(sums)).toEqual([
    'project                  files  tests  seconds',
    'crash                        1      1     90.0',
    'unit                         1     12      1.5',
    'all, several at a time       2     13     91.5',
  ]);
});
