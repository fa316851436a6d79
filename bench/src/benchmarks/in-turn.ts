/** Measures the same requests on two services in turn, so that the speed of the machine affects both alike. */
import {
  type Bench,
  createOrders,
  meanOf,
  measureInClosedLoop,
  measureInTurns,
  warm_up_s,
} from '../bench.ts';
import type { Figure } from '../figures.ts';
import type { Pace } from '../load/plan.ts';
import type { Measurement } from '../load/run-load.ts';
import { creatingOrders } from './create.ts';
import { buyersOf, payingOrders } from './ptk.ts';
import { readingOrders } from './read.ts';

/** Sends so many prepared requests at a pace. */
type Measure = (pace: Pace, count: number) => Promise<Measurement>;

/** How many orders are read in turn. */
const readCount = 1_000;

export const hotPaths: readonly [name: string, what: string, measureOn: (on: Bench) => Promise<Measure>][] = [
  ['create', 'orders created', (on) => Promise.resolve(creatingOrders(on))],
  [
    'read',
    'orders read, cached token',
    async (on) => readingOrders(on, await createOrders(on, await on.callers(), readCount), false),
  ],
  [
    'ptk',
    'PTK payments',
    async (on) => {
      await buyersOf(on);
      return payingOrders(on, await on.callers());
    },
  ],
];

/**
 * Creation, reading and payment on one service, each with the rate on another as its reference.
 *
 * @param said the first part of each figure's name, on what the one runs, and what the reference is
 */
export async function comparePaths(
  [one, other]: readonly [Bench, Bench],
  said: { name: string; where: string; reference: string },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, what, measureOn] of hotPaths) {
    const described = {
      name: `${said.name}.${name}`,
      what: `${what}, ${said.where}`,
      reference: said.reference,
    };
    figures.push(await compareInTurn(other, described, [await measureOn(one), await measureOn(other)]));
  }
  return figures;
}

/**
 * The rate of one, with that of the other as its reference. Both run all the time.
 *
 * @param what the name of the figure, and what it and its reference are
 */
async function compareInTurn(
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
