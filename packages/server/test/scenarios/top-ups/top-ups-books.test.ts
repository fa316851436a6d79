/** The verification of the books finds losses of top-ups that a program would have booked wrong, with all rows in agreement. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { copyDistributed, type Database, raw, type Sql, sql } from '../../../src/base/pg/index.ts';
import { checkBooks } from '../../../src/payments/facts/verify-books.ts';
import { onePtk, topUp } from '../../support/desks/platform.ts';
import { columnsOf, openForTampering } from '../../support/books/tamper.ts';
import { openTopUpDesk, type TopUpDesk, type TopUpPerson } from '../../support/desks/top-ups.ts';

let desk: TopUpDesk;
let db: Database;
let buyer: TopUpPerson;
let stranger: TopUpPerson;
let order_no: string;
let merchant_id: string;

// The buyer has 1 PTK of old and 50 more; the top-up gave 100, which a refund has taken back.
beforeAll(async () => {
  desk = await openTopUpDesk();
  merchant_id = merchantIdOf(desk.shop.merchant_no) ?? '';
  buyer = await desk.person();
  stranger = await desk.person('Sten Stranger');
  const { order } = await buyer.paid();
  ({ order_no } = order);
  await topUp(desk.service, buyer, 50n * onePtk);
  await desk.service.advance(3_600);
  await desk.shop.refund(order);
  await desk.shop.until(order, 'refunded');
  db = await openForTampering(desk.service.database.url);
});
afterAll(async () => {
  await db.close();
  await desk.stop();
});

class Undo extends Error {}

async function findingsAfter(...changes: Sql[]): Promise<string[]> {
  let found: string[] = [];
  const work = db.transaction(async (tx) => {
    // A worker may keep sums between two statements of the check.
    await tx.query(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`);
    for (const change of changes) await tx.query(change);
    await copyDistributed(tx);
    found = (await checkBooks(tx, null)).findings.map(({ words }) => words);
    throw new Undo();
  });
  await expect(work).rejects.toThrow(Undo);
  return found;
}

/** Has the wallet give this much more than it gave, and the merchant bear that much less. */
const shifted = (more: bigint): Sql[] => [
  sql`UPDATE ledger_transfers SET amount = amount + ${more} WHERE subject = ${order_no} AND posting = 'P22'`,
  sql`UPDATE ledger_transfers SET amount = amount + ${more}
    WHERE subject = ${order_no} AND posting = 'P7' AND debit_account = 'm:available'`,
  sql`UPDATE ledger_transfers SET amount = amount - ${more}
    WHERE subject = ${order_no} AND posting = 'P7' AND debit_account = 'm:recovery'`,
  sql`UPDATE ledger_balances SET balance = balance - ${more}
    WHERE merchant_id = ${merchant_id} AND account = 'm:recovery'`,
  sql`UPDATE user_wallets SET available_ptk = available_ptk - ${more} WHERE user_id = ${buyer.user_id}`,
  sql`UPDATE user_wallet_lines SET amount_ptk = amount_ptk - ${more}
    WHERE user_id = ${buyer.user_id} AND subject = ${order_no} AND posting = 'P22'`,
];

/** As if the wallet had been forgotten: a transfer of nothing is not written, so the next takes its leg. */
const forgotten = (): Sql[] => [
  ...shifted(-100n * onePtk).slice(2, 5),
  sql`DELETE FROM ledger_transfers WHERE subject = ${order_no} AND posting = 'P22'`,
  sql`DELETE FROM user_wallet_lines WHERE subject = ${order_no} AND posting = 'P22'`,
  sql`DELETE FROM ledger_transfers
    WHERE subject = ${order_no} AND posting = 'P7' AND debit_account = 'm:available'`,
  sql`UPDATE ledger_transfers SET leg = leg - 1
    WHERE subject = ${order_no} AND posting = 'P7' AND debit_account = 'm:recovery'`,
];

test('D-358 the books of a refunded top-up are in order', async () => {
  expect(await findingsAfter()).toEqual([]);
});

test.each([
  ['less than the wallet had', () => shifted(-40n * onePtk), 'a wallet that gave what it had'],
  ['nothing', forgotten, 'a wallet that gave what it had'],
  ['more than the top-up gave', () => shifted(5n * onePtk), 'a wallet that gave back no more than it got'],
])(
  'D-358, D-361 a wallet that gave %s is found, although every row agrees with the others',
  async (_, change, what) => {
    // Sums that a worker kept before would differ as well.
    const withoutSums = sql`UPDATE owed_sum_marks SET snapshot = NULL, counted_by = NULL`;
    const found = await findingsAfter(...change(), withoutSums);
    expect(found).toEqual([expect.stringContaining(`${order_no}: ${what} should be there, and is missing`)]);
  },
);

test('D-358 what another person’s wallet gave is found', async () => {
  const columns = await columnsOf(db, 'user_wallet_lines');
  const others = columns
    .map(({ name }) => name)
    .filter((name) => name !== 'user_id')
    .join(', ');
  const line = `FROM user_wallet_lines
    WHERE user_id = '${buyer.user_id}' AND subject = '${order_no}' AND posting = 'P22'`;
  const found = await findingsAfter(
    sql`UPDATE ledger_transfers SET debit_account = ${`user:${stranger.user_id}:available`}
      WHERE subject = ${order_no} AND posting = 'P22'`,
    // A cluster changes no column by which a table is distributed, and plans no copy of rows with parameters.
    raw(`INSERT INTO user_wallet_lines (user_id, ${others}) SELECT '${stranger.user_id}', ${others} ${line}`),
    raw(`DELETE ${line}`),
    sql`UPDATE user_wallets SET available_ptk = available_ptk + ${100n * onePtk} WHERE user_id = ${buyer.user_id}`,
    sql`UPDATE user_wallets SET available_ptk = 0 WHERE user_id = ${stranger.user_id}`,
  );
  expect(found).toContainEqual(expect.stringContaining(`entry P22 of ${order_no}: first transfer should be`));
});
