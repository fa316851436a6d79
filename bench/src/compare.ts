/** Shows a run beside an earlier one of the same machine (`--compare FILE`, D-404). */
import { readFile } from 'node:fs/promises';
import { BenchError } from './bench-error.ts';
import { type Judged, quantity, tableText } from './figures.ts';

/** The part of the output of `--json` that is compared. */
export interface Report {
  measured_at: string;
  machine: Machine;
  seconds: number;
  figures: readonly Pick<Judged, 'name' | 'value' | 'unit' | 'ratio'>[];
}

export interface Machine {
  cores: number;
  memory_bytes: number;
  node: string;
  platform: string;
  arch: string;
}

/** @throws BenchError if the file is not of such a run */
export async function readReport(file: string): Promise<Report> {
  const refuse = (problem: string): never => {
    throw new BenchError(`--compare: ${file} ${problem}.`);
  };
  const text = await readFile(file, 'utf8').catch(() => refuse('cannot be read'));
  let report: Partial<Report> | null = null;
  try {
    report = JSON.parse(text) as Partial<Report> | null;
  } catch {
    // Falls through.
  }
  if (!Array.isArray(report?.figures) || report.machine === undefined)
    return refuse('was not written by --json');
  return report as Report;
}

/** The figures that both runs have, and what makes them hard to compare. */
export function comparisonOf(before: Report, now: Report): string {
  const earlier = new Map(before.figures.map((figure) => [figure.name, figure]));
  const rows = now.figures.flatMap(({ name, value, unit, ratio }) => {
    const was = earlier.get(name);
    if (was === undefined) return [];
    const ratios = was.ratio === null || ratio === null ? null : [was.ratio, ratio];
    return [
      [
        name,
        quantity(was.value, unit),
        quantity(value, unit),
        changeOf(was.value, value),
        ...(ratios === null
          ? ['', '', '']
          : [...ratios.map((one) => one.toFixed(3)), changeOf(...(ratios as [number, number]))]),
      ],
    ];
  });
  const titles = ['figure', 'before', 'now', 'change', 'ratio before', 'ratio now', 'change'];
  return [
    `Compared with ${before.measured_at}. The ratio to the reference of the same run is the surer one.`,
    ...differences(before, now).map((line) => `Not alike: ${line}`),
    '',
    tableText(titles, rows, [1, 2, 3, 4, 5, 6]),
  ].join('\n');
}

const changeOf = (was: number, is: number): string => {
  if (was === 0) return '';
  const percent = (is / was - 1) * 100;
  return `${percent >= 0 ? '+' : '−'}${Math.abs(percent).toFixed(1)} %`;
};

function differences(before: Report, now: Report): string[] {
  const members = ['cores', 'memory_bytes', 'node', 'platform', 'arch'] as const;
  const machine = members
    .filter((name) => before.machine[name] !== now.machine[name])
    .map((name) => `${name} was ${before.machine[name]}, is ${now.machine[name]}`);
  const seconds =
    before.seconds === now.seconds
      ? []
      : [`seconds of each measurement were ${before.seconds}, are ${now.seconds}`];
  return [...machine, ...seconds];
}
