/** The shape of a command's usage, and its text for `--help`. */

/** An option of a command. Without `value` it is a flag. */
export interface OptionUsage {
  readonly name: string;
  readonly value?: string;
  readonly about: string;
  /** The value if the option is not given. */
  readonly otherwise?: string;
  readonly required?: boolean;
  /** The values that it takes; any if absent. */
  readonly choices?: readonly string[];
}

/** How a command is used. It is the only declaration of its options: the arguments are read by it. */
export interface Usage {
  readonly name: string;
  /** One phrase for the list of all commands. */
  readonly about: string;
  /** What the command does, as paragraphs. */
  readonly description: readonly string[];
  readonly argument?: { readonly name: string; readonly about: string };
  readonly options?: readonly OptionUsage[];
  /** Meanings of the exit codes 0 and 1. */
  readonly exits: { readonly 0: string; readonly 1: string };
  readonly example: readonly string[];
}

const width = 100;

/** The text of `paydesk NAME --help`. */
export function helpOf(usage: Usage): string {
  const { name, description, argument, options = [], exits, example } = usage;
  const rows: [string, string][] = [
    ...options.map((option): [string, string] => [spelled(option), meaningOf(option)]),
    ['--help, -h', 'show this help'],
  ];
  return [
    `Usage: paydesk ${[name, ...options.map(inBrackets), argument?.name].filter((part) => part !== undefined).join(' ')}`,
    ...description.map((paragraph) => wrap(paragraph, '')),
    ...(argument === undefined ? [] : [section('Argument', [[argument.name, argument.about]])]),
    section('Options', rows),
    section('Exit codes', [
      ['0', exits[0]],
      ['1', exits[1]],
      ['2', 'wrong usage, such as an unknown option; one line on standard error says which'],
    ]),
    ['Example:', ...example.map((line) => `  ${line}`)].join('\n'),
  ].join('\n\n');
}

/** The text of `paydesk --help`. */
export function overviewOf(usages: readonly Usage[]): string {
  return [
    'Usage: paydesk COMMAND [OPTIONS]',
    'Paydesk is a self-hosted payment service on PostgreSQL.',
    section(
      'Commands',
      usages.map(({ name, about }) => [name, about]),
    ),
    'paydesk COMMAND --help explains a command with its options, exit codes and an example.',
    wrap(
      'Settings come from the environment. paydesk init writes a file with all of them and a comment for each.',
      '',
    ),
  ].join('\n\n');
}

const spelled = ({ name, value }: OptionUsage): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

const inBrackets = (option: OptionUsage): string =>
  option.required === true ? spelled(option) : `[${spelled(option)}]`;

const meaningOf = ({ about, otherwise }: OptionUsage): string =>
  otherwise === undefined ? about : `${about} (default: ${otherwise})`;

/** A headline, and rows of two columns below it. */
function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const column = Math.max(...rows.map(([left]) => left.length)) + 4;
  const lines = rows.map(([left, right]) =>
    `  ${left}`.padEnd(column).concat(wrap(right, ' '.repeat(column))),
  );
  return [`${title}:`, ...lines].join('\n');
}

/** Breaks a text into lines; all but the first begin with `indent`. */
function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}
