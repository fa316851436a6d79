import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { paydeskProcess } from '../chaos/paydesk-process.ts';
import { keptLogs } from '../support/run/kept-logs.ts';
import { temporaryDirectory } from '../support/run/temporary.ts';

test('D-1265 a run that fails keeps what its processes wrote and says where, and one that passes keeps nothing', async () => {
  const print = vi.spyOn(console, 'log').mockReturnValue();
  const home = await temporaryDirectory('kept-logs-test');
  onTestFinished(() => home.remove());
  const program = join(home.path, 'program.js');
  await writeFile(
    program,
    `console.log('{"msg":"one"}'); console.error('two'); setInterval(() => {}, 1000);`,
  );
  const logs = await keptLogs('drill-test');
  const complaints: string[] = [];
  const one = paydeskProcess({
    ...{ name: 'web-1', role: 'web', port: 1, env: {}, program: () => program, log_file: null },
    clock_file: join(home.path, 'clock'),
    kept_log: join(logs.path, 'web-1.log'),
    complain: (line) => complaints.push(line),
  });
  await one.start();
  await expect.poll(() => complaints).toEqual(['web-1: two']);
  await one.stop();
  await logs.end(false);
  const [, kept = ''] = /^The logs of its processes are in (\S+)$/.exec(String(print.mock.lastCall)) ?? [];
  onTestFinished(() => rm(kept, { recursive: true }));
  await expect.poll(() => readFile(join(kept, 'web-1.log'), 'utf8')).toMatch(/\{"msg":"one"\}\n/);
  expect(await readFile(join(kept, 'web-1.log'), 'utf8')).toContain('two\n');

  const passed = await keptLogs('drill-test');
  await passed.end(true);
  expect(existsSync(passed.path)).toBe(false);
  expect(print).toHaveBeenCalledTimes(1);
});
