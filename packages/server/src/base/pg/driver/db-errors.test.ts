import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { isLockBusy, isTimedOut, unreachableAsUnavailable } from './db-errors.ts';

const failing = (code: string): Promise<never> => {
  const error = new pg.DatabaseError('no', 2, 'error');
  error.code = code;
  return unreachableAsUnavailable(() => Promise.reject(error));
};

describe('H-25 what the database answers when it cannot work is 503', () => {
  test.each([
    ['57P01', 'it stops'],
    ['53300', 'too many connections'],
    ['53100', 'its disk is full'],
    ['53200', 'it has no memory'],
    ['55P03', 'a lock is not free'],
    ['57014', 'a statement takes too long'],
    ['28P01', 'D-1018 the password of the role has changed'],
    ['28000', 'D-1018 the role may not sign in'],
    ['3D000', 'D-1018 there is no such database'],
  ])('%s: %s', async (code) => {
    await expect(failing(code)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test.each([
    ['55P03', 'canceling statement due to lock timeout', { busy: true, timed_out: false }],
    ['57014', 'canceling statement due to user request', { busy: true, timed_out: false }],
    ['57014', 'canceling statement due to statement timeout', { busy: false, timed_out: true }],
    ['57014', 'storniere Anfrage wegen Benutzeraufforderung', { busy: false, timed_out: true }],
  ])('D-669 %s, %s', (code, message, means) => {
    const error = new pg.DatabaseError(message, message.length, 'error');
    error.code = code;
    expect({ busy: isLockBusy(error), timed_out: isTimedOut(error) }).toEqual(means);
  });

  test('anything else is passed on', async () => {
    await expect(failing('42601')).rejects.toMatchObject({ code: '42601' });
  });
});
