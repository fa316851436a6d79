import { describe, expect, test } from 'vitest';
import { openSeeds, patience_ms } from './seeds.ts';

const seeds = openSeeds();

describe('whatever happens in whatever order, and wherever a process dies, in other seeds', () => {
  test.each([301, 401, 551])(
    'R-142, R-144, R-145, R-146, R-147, R-178, R-195, R-228, D-177, D-178, D-1376, D-1377, D-1461 every promise holds, seeds from %i on',
    { timeout: patience_ms },
    (from) => seeds.hold(from),
  );

  test('everything was reached', () => {
    expect(seeds.missed()).toEqual([]);
  });

  // In none of them two actors wait for one row: PostgreSQL would decide which goes first (scheduler.ts).
  test.each([12, 15, 17, 52, 65])(
    'seed %i tells the same story each time',
    { timeout: patience_ms },
    (seed) => seeds.repeats(seed),
  );
});
