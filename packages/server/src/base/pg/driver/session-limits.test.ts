import { expect, test } from 'vitest';
import { beginMessages, limitsOf, limitStatement } from './session-limits.ts';

test('H-25 the limits are taken out of what a connection sends at its start; false is no limit', () => {
  const settings = { application_name: 'x', statement_timeout: 5_500, lock_timeout: 0, query_timeout: 6_000 };
  expect(limitsOf({ ...settings, idle_in_transaction_session_timeout: 60_000 })).toEqual({
    limits: [
      { name: 'statement_timeout', ms: 5_500 },
      { name: 'lock_timeout', ms: 0 },
      { name: 'idle_in_transaction_session_timeout', ms: 60_000 },
    ],
    others: { application_name: 'x', query_timeout: 6_000 },
  });
  expect(limitsOf({ statement_timeout: false }).limits).toEqual([{ name: 'statement_timeout', ms: 0 }]);
});

test('H-25 the limits of a transaction follow BEGIN, or are a statement whose name tells their values', () => {
  const { limits } = limitsOf({ statement_timeout: 5_500, lock_timeout: 100 });
  const begin = { limits, isPooled: true, isDistributed: false };
  expect(beginMessages(begin)).toEqual([
    'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 5500; SET LOCAL lock_timeout = 100',
  ]);
  expect(beginMessages({ ...begin, isPooled: false })).toEqual(['BEGIN ISOLATION LEVEL READ COMMITTED']);
  expect(beginMessages({ ...begin, isPooled: false, lock_timeout_ms: 1 })).toEqual([
    'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = 1',
  ]);
  expect(limitStatement(limits)).toEqual({
    name: 'limits_5500_100',
    text: `SELECT set_config('statement_timeout', '5500', true), set_config('lock_timeout', '100', true)`,
    values: [],
  });
});

test('D-337 on distributed tables the limit of waits for locks is passed on without BEGIN', () => {
  const { limits } = limitsOf({ statement_timeout: 5_500, lock_timeout: 100 });
  const begin = { limits, isPooled: false, isDistributed: true };
  const propagate = `SET LOCAL citus.propagate_set_commands = 'local'`;
  expect(beginMessages(begin)).toEqual([
    `BEGIN ISOLATION LEVEL READ COMMITTED; ${propagate}`,
    'SET LOCAL lock_timeout = 100',
  ]);
  expect(beginMessages({ ...begin, lock_timeout_ms: 1 })).toEqual([
    `BEGIN ISOLATION LEVEL READ COMMITTED; ${propagate}`,
    'SET LOCAL lock_timeout = 1',
  ]);
  expect(beginMessages({ ...begin, isPooled: true })).toEqual([
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 5500; SET LOCAL lock_timeout = 100; ${propagate}`,
    'SET LOCAL lock_timeout = 100',
  ]);
});
