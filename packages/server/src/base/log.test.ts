import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog, logFile, readLosses } from './log.ts';

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
  }, 60_000);
  rmSync(dir, { recursive: true });
});

describe('errors that repeat are counted, not printed', () => {
  const lines: Record<string, unknown>[] = [];
  const stream = {
    write(line: string) {
      lines.push(JSON.parse(line) as Record<string, unknown>);
    },
  };

  beforeEach(() => {
    lines.length = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('an outage: one stack, some short lines, and one line that tells how many were left out', () => {
    const log = createLog('info', stream);
    const child = log.child({ request_id: 'r' });
    for (let i = 0; i < 500; i++) {
      const err = Object.assign(new Error(`connect ECONNREFUSED ${i}`), { code: 'ECONNREFUSED' });
      child.error({ err }, 'request failed');
    }
    expect(lines.filter((line) => JSON.stringify(line).includes('stack'))).toHaveLength(1);
    expect(lines).toHaveLength(6);
    expect(lines[1]).toMatchObject({
      request_id: 'r',
      error: { type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 1' },
    });
    vi.advanceTimersByTime(3_000);
    expect(lines).toHaveLength(7);
    expect(lines[6]).toMatchObject({
      level: 'warn',
      repeated: 494,
      kinds: [{ of: expect.stringContaining('request failed: ECONNREFUSED') as string, times: 494 }],
    });
    expect(readLosses(log)).toEqual({ dropped: 0, repeated: 494 });
  });

  test('access lines of requests that fail are counted after 100, others never', () => {
    const log = createLog('info', stream);
    for (let i = 0; i < 300; i++) log.info({ status: 503, path: '/' }, 'request');
    expect(lines).toHaveLength(100);
    for (let i = 0; i < 300; i++) log.info({ status: 409, path: '/' }, 'request');
    for (let i = 0; i < 300; i++) log.info({ order_no: i }, 'something');
    for (let i = 0; i < 300; i++) log.info('only words');
    expect(lines).toHaveLength(1_000);
  });

  test('errors that arise elsewhere, or say something else, are of another kind', () => {
    const log = createLog('info', stream);
    for (const words of ['one', 'two']) log.error({ err: new TypeError(words) }, 'failed');
    log.error({ err: new RangeError('one') }, 'failed');
    log.error(new RangeError('one'));
    expect(lines.map((line) => JSON.stringify(line).includes('stack'))).toEqual([true, true, true, true]);
  });
});
