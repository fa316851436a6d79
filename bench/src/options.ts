/** Reads the command line of `npm run bench`. */
import { parseArgs } from 'node:util';
import { BenchError } from './bench-error.ts';

export interface Options {
  /** The benchmarks to run, in the order of the list of all benchmarks. */
  only: string[];
  /** Duration of each measurement in seconds. */
  seconds: number;
  /** The number of orders of `growth`. */
  orders: number;
  /** The directory that keeps the databases of `growth` for the next run; null: none. */
  keep: string | null;
  /** The file for all figures as JSON; null: none. */
  json: string | null;
  /** The file of an earlier run to show beside this one; null: none. */
  compare: string | null;
  /** Another built checkout, to measure in turn with this one; null: none. */
  against: string | null;
  /** The directory for a CPU profile of the service; null: none. */
  cpu_prof: string | null;
  help: boolean;
}

/** They run only when they are named: filling the database of `growth` takes minutes, and `cluster` and `checkouts` need one. */
const byNameOnly = ['growth', 'cluster', 'checkouts'];

export const usage = (names: readonly string[]): string => `Usage: npm run bench -- [options]

  --only NAMES    run these benchmarks, with commas between or several times: ${names.join(', ')}
  --seconds N     seconds of each measurement (default 10)
  --orders N      orders of the larger database of growth (default 1000000)
  --keep DIR      keep the databases of growth in DIR, and use those that an earlier run left there
  --json FILE     write all figures, references and ratios to FILE
  --compare FILE  show this run beside an earlier one of this machine, which --json wrote to FILE
  --against DIR   measure this checkout and the built one in DIR in turn: checkouts alone, unless --only names others
  --cpu-prof DIR  let the service write a CPU profile into DIR when it stops, another checkout into DIR/other
  --no-build      measure the existing build
`;

/**
 * Reads the command line.
 *
 * @param names the names of all benchmarks
 * @throws BenchError for an unknown option or benchmark
 */
export function readOptions(args: readonly string[], names: readonly string[]): Options {
  const values = parse(args);
  const only = (values.only ?? []).flatMap((text) => text.split(',').map((name) => name.trim()));
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new BenchError(`There is no benchmark "${unknown}": --only takes ${names.join(', ')}.`);
  }
  const seconds = Number(values.seconds ?? 10);
  if (!(seconds >= 1 && seconds <= 600)) {
    throw new BenchError(`--seconds takes a number from 1 to 600, not "${values.seconds ?? ''}".`);
  }
  const orders = Number(values.orders ?? 1_000_000);
  if (!Number.isInteger(orders) || orders < 10_000) {
    throw new BenchError(`--orders takes a whole number from 10000, not "${values.orders ?? ''}".`);
  }
  const against = values.against ?? null;
  if (against !== null && only.length === 0) only.push('checkouts');
  if (against === null && only.includes('checkouts')) {
    throw new BenchError('checkouts needs --against DIR, another checkout that is built.');
  }
  return {
    only: names.filter((name) => (only.length === 0 ? !byNameOnly.includes(name) : only.includes(name))),
    ...{ seconds, orders },
    keep: values.keep ?? null,
    json: values.json ?? null,
    compare: values.compare ?? null,
    against,
    cpu_prof: values['cpu-prof'] ?? null,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string', multiple: true },
        seconds: { type: 'string' },
        orders: { type: 'string' },
        keep: { type: 'string' },
        json: { type: 'string' },
        compare: { type: 'string' },
        against: { type: 'string' },
        'cpu-prof': { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new BenchError((error as Error).message);
  }
}
