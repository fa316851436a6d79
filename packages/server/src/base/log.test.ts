import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createLog, logFile } from './log.ts';

test.each([
  ['a new file', null],
  ['a file of an earlier version', 0o644],
])('only the owner can read the log: %s', async (_which, mode) => {
  const dir = mkdtempSync(join(tmpdir(), 'log-'));
  const path = join(dir, 'paydesk.log');
  if (mode !== null) writeFileSync(path, '', { mode });
  createLog('info', logFile(path)).info('started');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await vi.waitFor(() => {
    expect(readFileSync(path, 'utf8')).toContain('"msg":"started"');
  });
  rmSync(dir, { recursive: true });
});
