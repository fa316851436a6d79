import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog } from '../../base/log.ts';
import { readConfig } from '../../config.ts';
import { warnOperator } from './warn-operator.ts';

test('D-1442 a process that serves goes on if the database is away while it looks for what to repair', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  await warnOperator(readConfig({}), 'postgres://127.0.0.1:1/paydesk', createLog('warn', stream));
  expect(lines.join('')).toMatch(/ECONNREFUSED.*could not be looked up: run \\"npx paydesk doctor/);
});
