import { expect, test } from 'vitest';
import type { Sql, Tx } from '../../base/pg/index.ts';
import { demandUnchanged, lockPerson } from '../../identity/people/index.ts';
import { demandAdministrator } from './lock-sender.ts';

const user_id = '00000000-0000-4000-8000-000000000001';
const person = { user_id, role: 'admin', disabled_at: null };

/** The lock that is taken of the person. */
async function lockOf(work: (tx: Tx) => Promise<unknown>, isDistributed: boolean): Promise<string> {
  let lock = '';
  const query = ({ text }: Sql): Promise<object[]> => {
    lock = /FOR [A-Z ]+$/.exec(text)?.[0] ?? '';
    return Promise.resolve([person]);
  };
  await work({ isDistributed, query } as unknown as Tx);
  return lock;
}

test.each<[string, (tx: Tx) => Promise<unknown>, alone: string, onCluster: string]>([
  ['a sign-in', (tx) => demandUnchanged(tx, { user_id }), 'FOR NO KEY UPDATE', 'FOR SHARE'],
  ['a write', (tx) => demandAdministrator(tx, `user:${user_id}`), 'FOR NO KEY UPDATE', 'FOR SHARE'],
  [
    'the end of sessions by an administrator',
    (tx) => demandAdministrator(tx, `user:${user_id}`, [user_id]),
    'FOR NO KEY UPDATE',
    'FOR NO KEY UPDATE',
  ],
  ['the end of own sessions', (tx) => lockPerson(tx, user_id), 'FOR NO KEY UPDATE', 'FOR NO KEY UPDATE'],
])('D-1094 the lock of %s', async (_what, work, alone, onCluster) => {
  expect([await lockOf(work, false), await lockOf(work, true)]).toEqual([alone, onCluster]);
});
