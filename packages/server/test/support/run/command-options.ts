import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/** Ends the command: its arguments are wrong. */
export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

/**
 * Reads the options of a command for long runs. `--help` prints the usage; a wrong option ends the command with code 2.
 *
 * @param usage how the command is called, for people
 */
export function readOptions<T extends Options>(usage: string, options: T): Values<T> {
  if (process.argv.slice(2).includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse(`${(error as Error).message}\n\n${usage}`);
  }
}

/** Reads a number of an option, such as `--seed 7`; a wrong one ends the command. */
export function wholeNumber(name: string, text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : refuse(`--${name} must be a whole number, not "${text}".`);
}
