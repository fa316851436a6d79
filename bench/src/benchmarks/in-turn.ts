/** Measures the same requests on two services in turn, so that the speed of the machine affects both alike. */
import { type Bench, meanOf, measureInClosedLoop, measureInTurns, warm_up_s } from '../bench.ts';
import type { Figure } from '../figures.ts';
import type { Pace } from '../load/plan.ts';
import type { Measurement } from '../load/run-load.ts';

/** Sends so many prepared requests at a pace. */
export type Measure = (pace: Pace, count: number) => Promise<Measurement>;

/**
 * The rate of one, with that of the other as its reference. Both run all the time.
 *
 * @param what the name of the figure, and what it and its reference are
 */
export async function compareInTurn(
  bench: Bench,
  { name, what, reference }: { name: string; what: string; reference: string },
  [one, other]: readonly [Measure, Measure],
): Promise<Figure> {
  bench.say(`${name}: warming up`);
  const warm = { kind: 'closed', warm_up_s, seconds: 2 } as const;
  const [first, second] = [await one(warm, 6_000), await other(warm, 6_000)];
  bench.say(`${name}: per second, in turn`);
  const [ofOne, ofOther] = await measureInTurns<[Measurement, Measurement]>(bench, [
    (seconds) => measureInClosedLoop(bench, first.rate, one, seconds),
    (seconds) => measureInClosedLoop(bench, second.rate, other, seconds),
  ]);
  const rate = ({ rate: per_second }: Measurement): number => per_second;
  const [value, against] = [meanOf(ofOne, rate), meanOf(ofOther, rate)];
  bench.say(`${name}: ${Math.round(value)} against ${Math.round(against)}`);
  return { name, what, value, unit: 'per second', reference: { what: reference, value: against } };
}
