import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { comparisonOf, readReport, type Report } from './compare.ts';

const machine = { cores: 2, memory_bytes: 8e9, node: '24.1.0', platform: 'linux', arch: 'x64' };
const run = (figures: Report['figures'], more: Partial<Report> = {}): Report => ({
  ...{ measured_at: '2026-11-23T10:00:00.000Z', machine, seconds: 10, figures },
  ...more,
});

test('D-404 each figure of both runs is shown with its change, and that of its ratio', () => {
  const before = run([
    { name: 'create.rate', value: 2_000, unit: 'per second', ratio: 0.3 },
    { name: 'create.p99', value: 50, unit: 'ms', ratio: null },
    { name: 'gone', value: 1, unit: 'ms', ratio: null },
  ]);
  const now = run([
    { name: 'create.rate', value: 2_200, unit: 'per second', ratio: 0.36 },
    { name: 'create.p99', value: 45, unit: 'ms', ratio: null },
    { name: 'new', value: 1, unit: 'ms', ratio: null },
  ]);
  const lines = comparisonOf(before, now).split('\n');
  expect(lines[0]).toContain('2026-11-23T10:00:00.000Z');
  expect(lines.slice(4).map((line) => line.split(/ {2,}/))).toEqual([
    ['create.rate', '2,000/s', '2,200/s', '+10.0 %', '0.300', '0.360', '+20.0 %'],
    ['create.p99', '50.0 ms', '45.0 ms', '−10.0 %'],
  ]);
});

test('D-404 another machine or other seconds are said', () => {
  const now = run([], { machine: { ...machine, cores: 4 }, seconds: 5 });
  expect(comparisonOf(run([]), now)).toContain(
    'Not alike: cores was 2, is 4\nNot alike: seconds of each measurement were 10, are 5\n',
  );
});

test('D-404 a file that is no run is refused before anything is measured', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'paydesk-compare-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = join(dir, 'run.json');
  await expect(readReport(file)).rejects.toThrow('cannot be read');
  for (const text of ['{', 'null', '{"figures": 1}', '{"figures": []}']) {
    await writeFile(file, text);
    await expect(readReport(file)).rejects.toThrow('was not written by --json');
  }
  await writeFile(file, JSON.stringify(run([])));
  expect(await readReport(file)).toEqual(run([]));
});
