import { expect, test, vi } from 'vitest';
import { createReadiness, NotReadyError, reportOf } from './readiness.ts';

const ready = (): Promise<string> => Promise.resolve('it answers');

test('H-24 each check says in a word how it went, in their order', async () => {
  const results = await createReadiness({
    pool: ready,
    clock: () => Promise.reject(new NotReadyError('90 s behind the database')),
    schema: ready,
  })();
  expect(reportOf(results)).toBe(
    '[+]pool ok: it answers\n[-]clock failed: 90 s behind the database\n[+]schema ok: it answers\nreadyz check failed\n',
  );
});

test('H-24 the report names no address and no person: errors of the driver are for the log alone', async () => {
  const secret = new Error('password authentication failed for user "desk" at 10.0.0.5:5432');
  const [result] = await createReadiness({ pool: () => Promise.reject(secret) })();
  expect(result?.error).toBe(secret);
  expect(reportOf(result === undefined ? [] : [result])).not.toMatch(/password|desk|10\.0/);
});

test('H-24 a check that never answers fails in time, and the others are still told', async () => {
  const results = await createReadiness({ listener: () => new Promise(() => undefined), pool: ready }, 20)();
  expect(results.map(({ word }) => word)).toEqual(['no answer within 20 ms', 'it answers']);
});

test('H-24 calls at the same time share one run, and the next call makes its own', async () => {
  const check = vi.fn(ready);
  const readiness = createReadiness({ pool: check });
  await Promise.all([readiness(), readiness(), readiness()]);
  expect(check).toHaveBeenCalledTimes(1);
  await readiness();
  expect(check).toHaveBeenCalledTimes(2);
});
