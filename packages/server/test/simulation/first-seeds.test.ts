import { describe, expect, test } from 'vitest';
import { openSeeds, patience_ms, rare } from './seeds.ts';

const seeds = openSeeds();

describe('whatever happens in whatever order, and wherever a process dies', () => {
  test.each([51, 101, 201])(
    'R-142, R-144, R-145, R-146, R-147, R-178, R-195, R-228, D-177, D-178, D-1376, D-1377, D-1461 every promise holds, seeds from %i on',
    { timeout: patience_ms },
    (from) => seeds.hold(from),
  );

  test('everything was reached that is not rare', () => {
    expect(seeds.missed(rare)).toEqual([]);
  });
});
