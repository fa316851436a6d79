import { expect, test } from 'vitest';
import type { Database, Sql, Tx } from '../../base/pg/index.ts';
import { exported } from './person.ts';

test('D-435 an export is of one instant: all its statements are in one transaction with one snapshot', async () => {
  const asked: string[] = [];
  let transactions = 0;
  const query = ({ sql: text }: Sql) => {
    asked.push(text);
    return Promise.resolve([]);
  };
  const transaction = (work: (tx: Tx) => Promise<unknown>) => {
    transactions++;
    return work({ query } as unknown as Tx);
  };
  const person = { user_id: '018f3a4e-0000-7000-8000-000000000001', email: 'ada@example.com' };
  expect(await exported({ transaction } as unknown as Database, person)).toEqual({});
  expect([transactions, asked[0]]).toEqual([1, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY']);
  expect(asked.length).toBeGreaterThan(20);
});
