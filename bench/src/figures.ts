/** Figures, their references and bars, and the table that shows them. */
/** `plain`: a count or a score, without a unit. */
export type Unit = 'per second' | 'ms' | 'MB' | 'plain';

/** The value that a figure is compared with, measured in the same run on the same machine. */
export interface Reference {
  what: string;
  value: number;
}

/** One measured value. */
export interface Figure {
  /** The name in the JSON file, for example `create.rate`. It never changes. */
  name: string;
  what: string;
  /** NaN if the system cannot measure it. Such a figure is omitted. */
  value: number;
  unit: Unit;
  reference: Reference | null;
}

/** The limit for a figure, or for its ratio to the reference. */
export type Bar = { of: 'ratio' | 'value' } & ({ at_least: number } | { below: number });

/** A figure with its result, as in the JSON file. */
export interface Judged extends Figure {
  ratio: number | null;
  bar: Bar | null;
  /** Null if there is no bar. */
  met: boolean | null;
}

/**
 * The bars by the name of the figure. The table shows whether they are met. A missed bar does not fail the
 * run.
 */
export const bars: Readonly<Record<string, Bar>> = {
  'create.rate': { of: 'ratio', at_least: 0.36 },
  'create.half.p99': { of: 'ratio', below: 6 },
  'read.rate': { of: 'ratio', at_least: 0.07 },
  'token.rate': { of: 'ratio', at_least: 0.6 },
  'token.rate.orders': { of: 'ratio', at_least: 1 },
  'products.p99': { of: 'value', below: 50 },
  'ptk.rate': { of: 'ratio', at_least: 0.6 },
  'ptk.half.p99': { of: 'ratio', below: 8 },
  'ptk.half.p99.limit': { of: 'value', below: 25 },
  'ptk.one-merchant.rate': { of: 'ratio', at_least: 0.9 },
  'deliver.rate': { of: 'ratio', at_least: 0.35 },
  'deliver.rate.limit': { of: 'value', at_least: 4_000 },
  'first-attempt.p95': { of: 'value', below: 1_000 },
  'fairness.p95': { of: 'value', below: 2_000 },
  'backlog.memory': { of: 'ratio', below: 1.2 },
  'sweep.rate': { of: 'ratio', at_least: 0.5 },
  'sweep.memory': { of: 'ratio', below: 1.2 },
  'webhook.rate': { of: 'ratio', at_least: 0.2 },
  'processes.read': { of: 'ratio', at_least: 1.5 },
  'processes.create': { of: 'ratio', at_least: 1.2 },
  'verify.time': { of: 'ratio', below: 5 },
  'verify.time.limit': { of: 'value', below: 10_000 },
  'verify.since-last.time': { of: 'ratio', below: 0.1 },
  'verify.memory': { of: 'value', below: 100 },
  'checkout.paint': { of: 'ratio', below: 2 },
  'checkout.shift': { of: 'value', below: 0.000_1 },
  'checkout.long-tasks': { of: 'value', below: 1 },
  'checkout.largest-paint': { of: 'value', below: 800 },
  'checkout.bytes': { of: 'value', below: 25_601 },
  'checkout.requests': { of: 'value', below: 4 },
  'console.merchant.blocking': { of: 'value', below: 300 },
  'console.platform.blocking': { of: 'value', below: 300 },
  'growth.pages.p95': { of: 'value', below: 150 },
  'growth.create': { of: 'ratio', at_least: 0.9 },
  'growth.read': { of: 'ratio', at_least: 0.9 },
  'growth.ptk': { of: 'ratio', at_least: 0.9 },
  'growth.sweep': { of: 'ratio', at_least: 0.9 },
  'growth.deliver': { of: 'ratio', at_least: 0.9 },
  'memory.service': { of: 'value', below: 160 },
  'start.ready': { of: 'value', below: 1_000 },
  'start.memory': { of: 'value', below: 110 },
};

/** The figure with its ratio to the reference, and whether it meets its bar. */
export function judged(figure: Figure, bar: Bar | null = bars[figure.name] ?? null): Judged {
  const { reference, value } = figure;
  const ratio = reference === null || reference.value === 0 ? null : value / reference.value;
  return { ...figure, ratio, bar, met: bar === null ? null : meets(bar, bar.of === 'ratio' ? ratio : value) };
}

function meets(bar: Bar, measured: number | null): boolean {
  if (measured === null) return false;
  return 'at_least' in bar ? measured >= bar.at_least : measured < bar.below;
}

/** The figures as a table for people. */
export function tableOf(figures: readonly Judged[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    quantity(figure.value, figure.unit),
    figure.what,
    figure.reference === null
      ? ''
      : `${quantity(figure.reference.value, figure.unit)} ${figure.reference.what}`,
    figure.ratio === null ? '' : figure.ratio.toFixed(2),
    verdictOf(figure),
  ]);
  const titles = ['figure', 'measured', 'what', 'reference', 'ratio', 'bar'];
  return tableText(titles, rows, [1, 4]);
}

/** Rows below their titles. */
export function tableText(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  ofNumbers: readonly number[],
): string {
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (ofNumbers.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [titles, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

function verdictOf({ bar, met, unit }: Judged): string {
  if (bar === null) return '';
  const limit = 'at_least' in bar ? `≥ ${bar.at_least}` : `< ${bar.below}`;
  return `${limit}${bar.of === 'value' && unit !== 'plain' ? ` ${unit}` : ''}: ${met === true ? 'bar met' : 'bar NOT met'}`;
}

export function quantity(value: number, unit: Unit): string {
  if (unit === 'per second') return `${Math.round(value).toLocaleString('en')}/s`;
  if (unit === 'plain') return value.toLocaleString('en', { maximumFractionDigits: 4 });
  return unit === 'ms'
    ? `${value.toFixed(value < 1 ? 3 : value < 10 ? 2 : 1)} ms`
    : `${Math.round(value)} MB`;
}
