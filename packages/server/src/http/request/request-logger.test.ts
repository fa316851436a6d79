import { Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { createLog } from '../../base/log.ts';
import { RequestLogger } from './request-logger.ts';

function logged(level: string) {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const log = createLog(level, stream);
  const bind = vi.spyOn(log, 'child');
  return { lines, bind, log: new RequestLogger(log, { request_id: 'r-1' }) };
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

test.each(levels)('H-21 what is written as %s carries the id of its request', (level) => {
  const { lines, bind, log } = logged('trace');
  expect(bind).not.toHaveBeenCalled();
  log[level]({ password: 'hunter2' }, 'first');
  log[level]('second');
  log.silent('third');
  expect(lines).toMatchObject([
    { level, request_id: 'r-1', password: '[redacted]', msg: 'first' },
    { level, request_id: 'r-1', msg: 'second' },
  ]);
  expect(lines).toHaveLength(2);
  expect(bind).toHaveBeenCalledOnce();
});

test('it has its own level, and logs below it', () => {
  const { lines, log } = logged('warn');
  expect(log.level).toBe('warn');
  log.info('not told');
  log.level = 'info';
  expect(log.level).toBe('info');
  log.child({ part: 'body' }).info('told');
  expect(lines).toMatchObject([{ request_id: 'r-1', part: 'body', msg: 'told' }]);
});
