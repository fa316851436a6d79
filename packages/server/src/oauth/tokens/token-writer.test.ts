import { expect, test } from 'vitest';
import type { Database } from '../../base/pg/index.ts';
import type { TokenRow } from './token.sql.ts';
import { createTokenWriter } from './token-writer.ts';

/** A database that answers each statement when the test says so. */
function slowDatabase() {
  const statements: { tokens: number; answer: () => void; fail: (error: Error) => void }[] = [];
  const db = {
    query: ({ values }: { values: unknown[][] }) =>
      new Promise<never[]>((resolve, reject) => {
        const tokens = values[0]?.length ?? 0;
        const answer = (): void => {
          resolve([]);
        };
        statements.push({ tokens, answer, fail: reject });
      }),
  } as unknown as Database;
  return { db, statements };
}

const token = (n: number): TokenRow => ({
  token_hash: Buffer.from([n]),
  client_id: `cl_${n}`,
  user_id: null,
  grant_hash: null,
  scopes: ['merchant_payments.read'],
  client_generation: 0,
  payload: {},
  created_at: new Date(0),
  expires_at: new Date(1),
});
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('tokens of one turn go together, those that come meanwhile into the next statement', async () => {
  const { db, statements } = slowDatabase();
  const write = createTokenWriter(db);
  const first = Promise.all([1, 2, 3].map((n) => write(token(n))));
  await turn();
  const second = write(token(4));
  await turn();
  const rest = Promise.all([5, 6, 7, 8].map((n) => write(token(n))));
  await turn();
  expect(statements.map(({ tokens }) => tokens)).toEqual([3, 1]);
  statements[1]?.answer();
  await second;
  await turn();
  expect(statements.map(({ tokens }) => tokens)).toEqual([3, 1, 4]);
  for (const { answer } of statements) answer();
  await Promise.all([first, rest]);
});

test('a statement that fails is reported to the callers in it, and to no others', async () => {
  const { db, statements } = slowDatabase();
  const write = createTokenWriter(db);
  const doomed = Promise.allSettled([write(token(1)), write(token(2))]);
  await turn();
  const spared = write(token(3));
  await turn();
  statements[0]?.fail(new Error('gone'));
  statements[1]?.answer();
  expect((await doomed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(spared).resolves.toBeUndefined();
  const later = write(token(4));
  await turn();
  statements[2]?.answer();
  await expect(later).resolves.toBeUndefined();
});

test('no statement grows beyond its bound', async () => {
  const { db, statements } = slowDatabase();
  const write = createTokenWriter(db);
  const all = Promise.all(Array.from({ length: 450 }, (_, n) => write(token(n))));
  await turn();
  expect(statements.map(({ tokens }) => tokens)).toEqual([200, 200]);
  for (let i = 0; i < 3; i++) {
    for (const { answer } of statements) answer();
    await turn();
  }
  await all;
  expect(statements.map(({ tokens }) => tokens)).toEqual([200, 200, 50]);
});
