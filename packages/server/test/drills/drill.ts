/** What a drill is, and the rule that says whether one has passed. */

/** What a drill has counted. An order is acknowledged when its creation or its payment was answered with success. */
export interface DrillResult {
  /** Orders whose creation was answered. */
  acknowledged: number;
  /** What was acknowledged, or paid at the provider, and is not there at the end. */
  lost: number;
  /** What happened twice: an order, a payment, a movement of money. */
  doubled: number;
  /** Requests that had no answer or an answer from 500 on. */
  failed: number;
  /** The longest time in which requests of one kind waited or failed, and none succeeded. */
  longest_outage_ms: number;
  /** Facts in words that the drill prints, one line each. */
  told: readonly string[];
  /** What else is wrong, in words. One of them fails the drill. */
  problems?: readonly string[];
}

/** The figures that may have a bar. */
export type Figure = 'lost' | 'doubled' | 'failed' | 'longest_outage_ms';

export interface DrillOptions {
  /** Decides what clients do and when faults come; what meets what is up to the machine. */
  seed: number;
  /** The folder that gets the logs of the drill's processes: it stays if the drill fails. */
  logs: string;
  /** Told in a line how it goes. */
  log: (line: string) => void;
}

/** One drill: a fault that operators meet, injected under load. It needs at most three minutes. */
export interface Drill {
  name: string;
  /** The largest figures with which it passes. `lost` and `doubled` have the bar 0 unless they are named. */
  bars: Partial<Record<Figure, number>>;
  run(options: DrillOptions): Promise<DrillResult>;
}

const figures: readonly Figure[] = ['lost', 'doubled', 'failed', 'longest_outage_ms'];

/**
 * Compares the figures with the bars.
 *
 * @returns each figure beyond its bar and each problem, in words; empty if the drill has passed
 */
export function verdictOf({ bars }: Pick<Drill, 'bars'>, result: DrillResult): string[] {
  const all: Drill['bars'] = { lost: 0, doubled: 0, ...bars };
  const beyond = figures.flatMap((figure) => {
    const bar = all[figure];
    if (bar === undefined || result[figure] <= bar) return [];
    return [`${figure} is ${Math.round(result[figure])}, more than ${bar}`];
  });
  // A drill under which nothing succeeded shows nothing.
  const idle = result.acknowledged > 0 ? [] : ['nothing was acknowledged'];
  return [...beyond, ...idle, ...(result.problems ?? [])];
}

/** The five figures as they are printed, one line each. */
export const figuresOf = ({
  acknowledged,
  lost,
  doubled,
  failed,
  longest_outage_ms,
}: DrillResult): string[] => [
  `acknowledged: ${acknowledged}`,
  `lost: ${lost}`,
  `doubled: ${doubled}`,
  `failed: ${failed}`,
  `longest outage: ${(longest_outage_ms / 1_000).toFixed(1)} s`,
];
