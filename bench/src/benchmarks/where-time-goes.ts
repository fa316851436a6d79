/** Where the time of a measurement goes: what the service did with its core, and how long its event loop stood still. */
import { type Bench, meanOf } from '../bench.ts';
import type { Figure } from '../figures.ts';
import type { CoreUse } from '../load/core-use.ts';
import type { Measurement } from '../load/run-load.ts';

const shares: readonly [of: keyof CoreUse, what: string][] = [
  ['ran', 'share of the time in which the main thread of the service ran'],
  ['waited', 'share of the time in which it waited for a core'],
  ['idle', 'share of the time in which the cores had nothing to do'],
];

/** The shares of a measurement, or of its slices, as figures below `name`. */
export const useOf = (name: string, slices: readonly Pick<Measurement, 'use'>[]): Figure[] =>
  shares.map(([of, what]) => ({
    name: `${name}.${of}`,
    what,
    value: meanOf(slices, ({ use }) => use[of]),
    unit: 'plain',
    reference: null,
  }));

/** Measures the service, with the longest delay of its event loop meanwhile as a figure. */
export async function withLoopDelay(
  bench: Bench,
  name: string,
  measure: () => Promise<Measurement>,
): Promise<{ measured: Measurement; figures: Figure[] }> {
  const service = await bench.service();
  await service.loopDelay();
  const measured = await measure();
  const loop: Figure = {
    name: `${name}.loop`,
    what: 'longest delay of the event loop meanwhile',
    value: await service.loopDelay(),
    unit: 'ms',
    reference: null,
  };
  return { measured, figures: [loop, ...useOf(name, [measured])] };
}
