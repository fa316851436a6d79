/** The command `npm run bench`: runs the chosen benchmarks and prints their figures. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createBench } from './bench.ts';
import { comparisonOf, readReport, type Report } from './compare.ts';
import { BenchError } from './bench-error.ts';
import { benchmarks } from './benchmarks/all.ts';
import { memoryOf } from './benchmarks/memory.ts';
import { type Cleanup, createCleanup } from './processes/cleanup.ts';
import { type Figure, judged, type Judged, tableOf } from './figures.ts';
import { type Options, readOptions, usage } from './options.ts';

const say = (line: string): void => {
  console.error(`bench: ${line}`);
};

/**
 * Runs the benchmarks of the command line, prints the table, and stops everything that it started.
 *
 * @returns the exit status; a missed bar does not change it
 */
export async function main(args: readonly string[]): Promise<number> {
  const cleanup = createCleanup();
  const stopper = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    stopper.abort(new BenchError(`stopped by ${signal}`));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const measured: Figure[] = [];
  try {
    const options = readOptions(args, Object.keys(benchmarks));
    if (options.help) {
      console.log(usage(Object.keys(benchmarks)));
      return 0;
    }
    // Read first: a run takes minutes.
    const before = options.compare === null ? null : await readReport(options.compare);
    await measure(options, cleanup, stopper.signal, measured);
    const figures = judgedOf(measured);
    console.log(`${machine()}\n\n${tableOf(figures)}`);
    if (before !== null) console.log(`\n${comparisonOf(before, report(options, figures))}`);
    if (options.json !== null)
      await writeFile(options.json, `${JSON.stringify(report(options, figures), null, 2)}\n`);
    return 0;
  } catch (error) {
    const cause: unknown = stopper.signal.aborted ? stopper.signal.reason : error;
    say(cause instanceof BenchError ? cause.message : String(cause instanceof Error ? cause.stack : cause));
    if (measured.length > 0) console.log(`${machine()}, not the whole run\n\n${tableOf(judgedOf(measured))}`);
    return 1;
  } finally {
    for (const failure of await cleanup.run()) say(`cleanup failed: ${failure}`);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Adds the figures of each benchmark to `measured` when it has ended, so that those before an error are not lost. */
async function measure(
  options: Options,
  cleanup: Cleanup,
  signal: AbortSignal,
  measured: Figure[],
): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  cleanup.add(dir, () => rm(dir, { recursive: true, force: true }));
  // As root, PostgreSQL runs as another user, who needs access to the directory.
  await chmod(dir, 0o711);
  const bench = createBench({ options, dir, signal, cleanup, say });
  const chosen = options.only.flatMap((name) => benchmarks[name] ?? []);
  for (const { run } of chosen) measured.push(...(await run(bench)));
  if (chosen.some(({ of_service }) => of_service)) measured.push(...(await memoryOf(bench)));
}

const judgedOf = (figures: readonly Figure[]): Judged[] =>
  figures.filter(({ value }) => Number.isFinite(value)).map((figure) => judged(figure));

function machine(): string {
  const memory_gb = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores, ${memory_gb} GB, Node.js ${process.versions.node}, ${process.platform} ${process.arch}`;
}

function report({ seconds }: Options, figures: readonly Judged[]): Report {
  return {
    measured_at: new Date().toISOString(),
    machine: {
      cores: cpus().length,
      memory_bytes: totalmem(),
      node: process.versions.node,
      platform: process.platform,
      arch: process.arch,
    },
    seconds,
    figures,
  };
}
