import { parseArgs } from 'node:util';
import { BenchError } from './bench-error.ts';

export interface Options {
  /** The benchmarks to run, in the order of the list of all. */
  only: string[];
  /** How long each measurement takes. */
  seconds: number;
  /** Where every figure goes as JSON; null: nowhere. */
  json: string | null;
  /** Where the service leaves a CPU profile when it stops; null: it takes none. */
  cpu_prof: string | null;
  help: boolean;
}

export const usage = (names: readonly string[]): string => `Usage: npm run bench -- [options]

  --only NAME     run one benchmark (repeat it for several): ${names.join(', ')}
  --seconds N     how long each measurement takes (default 10)
  --json FILE     write every figure, its reference and the ratio to FILE
  --cpu-prof DIR  have the service write a CPU profile into DIR when it stops
  --no-build      measure what is built already
`;

/**
 * Reads the command line.
 *
 * @param names the benchmarks there are
 * @throws BenchError for an option or a benchmark that does not exist
 */
export function readOptions(args: readonly string[], names: readonly string[]): Options {
  const values = parse(args);
  const only = values.only ?? [];
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new BenchError(`There is no benchmark "${unknown}": --only takes ${names.join(', ')}.`);
  }
  const seconds = Number(values.seconds ?? 10);
  if (!(seconds >= 1 && seconds <= 600)) {
    throw new BenchError(`--seconds takes a number from 1 to 600, not "${values.seconds ?? ''}".`);
  }
  return {
    only: names.filter((name) => only.length === 0 || only.includes(name)),
    seconds,
    json: values.json ?? null,
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
        json: { type: 'string' },
        'cpu-prof': { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new BenchError((error as Error).message);
  }
}
