/** Reads the arguments of a command by its usage. */
import { nearestName } from '../../base/nearest.ts';
import { UsageError } from './command-errors.ts';
import type { OptionUsage, Usage } from './usage.ts';

/** What was given: the one argument ('' if the command has none), options with a value, and flags. */
export interface Given {
  readonly argument: string;
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlySet<string>;
}

/**
 * Reads options (`--name value` or `--name=value`), flags and the argument. What follows `--` is not an option.
 *
 * @throws UsageError with one sentence
 */
export function readArguments(args: readonly string[], usage: Usage): Given {
  const known = usage.options ?? [];
  const options: Record<string, string> = {};
  for (const { name, otherwise } of known) if (otherwise !== undefined) options[name] = otherwise;
  const flags = new Set<string>();
  const positionals: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') positionals.push(...rest.splice(0));
    else if (!arg.startsWith('-') || arg === '-') positionals.push(arg);
    else {
      const [spelled, inline] = splitAtEquals(arg);
      const option = demandOption(spelled, known);
      if (option.value === undefined) {
        if (inline !== undefined) throw new UsageError(`--${option.name} takes no value.`);
        flags.add(option.name);
        continue;
      }
      const value = inline ?? rest.shift();
      if (value === undefined || value === '' || (inline === undefined && value.startsWith('--'))) {
        throw new UsageError(`--${option.name} needs a value: --${option.name} ${option.value}.`);
      }
      if (option.choices?.includes(value) === false) {
        throw new UsageError(`--${option.name} must be one of ${option.choices.join(', ')}.`);
      }
      options[option.name] = value;
    }
  }
  return { argument: readArgument(positionals, usage), options, flags };
}

function splitAtEquals(arg: string): [string, string | undefined] {
  const at = arg.indexOf('=');
  return at === -1 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

function demandOption(spelled: string, known: readonly OptionUsage[]): OptionUsage {
  const option = known.find(({ name }) => spelled === `--${name}`);
  if (option !== undefined) return option;
  const nearest = nearestName(spelled.replace(/^-+/, ''), [...known.map(({ name }) => name), 'help']);
  throw new UsageError(
    nearest === null
      ? `There is no option ${spelled}.`
      : `There is no option ${spelled}: did you mean --${nearest}?`,
  );
}

function readArgument(positionals: readonly string[], { name, argument }: Usage): string {
  const [first, second] = positionals;
  if (argument === undefined) {
    if (first !== undefined) throw new UsageError(`${name} takes no argument such as "${first}".`);
    return '';
  }
  if (first === undefined || second !== undefined) throw new UsageError(`One ${argument.name} is needed.`);
  return first;
}
