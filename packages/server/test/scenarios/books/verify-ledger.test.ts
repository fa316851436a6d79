import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  copyDistributed,
  type Database,
  openDatabase,
  raw,
  sql,
  type Tx,
} from '../../../src/base/pg/index.ts';
import { merchantIdOf, merchantNo } from '../../../src/base/ids.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { createMerchant } from '../../../src/merchants/index.ts';
import { checkBooks, verifyBooks } from '../../../src/payments/facts/verify-books.ts';
import type { Finding } from '../../../src/ledger/verification/findings.ts';
import { readOneSnapshot } from '../../../src/ledger/verification/index.ts';
import { merchantFrozen, merchantHeld } from '../../../src/ledger/books/accounts.ts';
import { transfer } from '../../../src/ledger/books/entry.ts';
import { post } from '../../../src/ledger/books/post.ts';
import {
  addCardChannel,
  addMerchant,
  addUser,
  busyMerchant,
  type Merchant,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { type Json, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let db: Database;
let merchant_id: string;
let merchant_no: string;
/** Orders of one merchant with a hold of two days: paid and held, paid and released, and never paid. */
let held: string;
let released: string;
let open: string;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  platform = await setUpPlatform(service);
  const buyer = await signIn(service, platform.buyer);
  ({ merchant_no } = await addMerchant(service, await addUser(service, 'Vera Verify'), { hold_days: 2 }));
  merchant_id = merchantIdOf(merchant_no) ?? '';
  const merchant = await busyMerchant(service, merchant_no, 1);
  released = await paid(merchant, buyer);
  await service.advance(2 * 24 * 3_600 + 1);
  await service.admin('POST', '/jobs/release-holds/run');
  held = await paid(merchant, buyer);
  open = (await merchant.order()).order_no;
  db = openDatabase({ url: service.database.url, max: 2 });
});

afterAll(async () => {
  await db.close();
  await service.stop();
});

async function paid(merchant: Merchant, buyer: string): Promise<string> {
  const order = await merchant.order();
  await payWithPtk(service, order, buyer);
  return order.order_no;
}

class Undo extends Error {}

/** The findings of the check after a manipulation, which bypasses all guards of the database and is then undone. */
async function findingsAfter(damage: (tx: Tx) => Promise<unknown>): Promise<Finding[]> {
  let found: Finding[] = [];
  const work = db.transaction(async (tx) => {
    await tx.query(sql`SET LOCAL session_replication_role = replica`);
    for (const [table, constraint] of guards) {
      await tx.query(raw(`ALTER TABLE ${table} DROP CONSTRAINT ${constraint}`));
    }
    await damage(tx);
    await copyDistributed(tx);
    found = (await checkBooks(tx, null)).findings;
    throw new Undo();
  });
  await expect(work).rejects.toThrow(Undo);
  // The comparisons of facts find the same damage once more; the walk (books-walk.test.ts) is about them.
  return found.filter(({ kind }) => !/_differs$|^transfer_unknown$|^row_missing$/.test(kind));
}

const guards = [
  ['ledger_balances', 'ledger_balances_covered'],
  ['ledger_transfers', 'ledger_transfers_positive'],
  ['user_wallets', 'user_wallets_covered'],
  ['collection_orders', 'collection_orders_sound'],
] as const;

const kindsAndSubjects = (findings: Finding[]): string[][] =>
  findings.map(({ kind, subject }) => [kind, subject]);

const setBalance = (tx: Tx, account: string, ref: string, balance: bigint) =>
  tx.query(sql`UPDATE ledger_balances SET balance = ${balance}
    WHERE merchant_id = ${merchant_id} AND account = ${account} AND ref = ${ref}`);

const insertTransfer = (tx: Tx, subject: string, posting: string, leg: number, accounts: [string, string]) =>
  tx.query(sql`INSERT INTO ledger_transfers (merchant_id, subject, posting, case_key, leg, debit_account,
      credit_account, currency, amount, test_mode, at)
    VALUES (${merchant_id}, ${subject}, ${posting}, 'x', ${leg}, ${accounts[0]}, ${accounts[1]}, 'USD', 5, false,
      '2026-01-01')`);

const clearing: [string, string] = ['prov:ch_x:USD', 'fx:USD'];

test('R-143 to R-147 books in order: all is well, and every entry was looked at', async () => {
  const { ok, findings, entries } = await verifyBooks(db);
  expect({ ok, findings }).toEqual({ ok: true, findings: [] });
  expect(entries).toBeGreaterThanOrEqual(4n);
});

describe('every kind of damage is found, by name', () => {
  test('R-143 an entry whose account is of another currency', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(sql`UPDATE ledger_transfers SET credit_account = 'fx:USD'
        WHERE subject = ${released} AND posting = 'P3'`),
    );
    expect(kindsAndSubjects(found)).toContainEqual(['entry_unbalanced', released]);
    expect(found[0]?.words).toContain('100.00000000 PTK debited, 0.00000000 PTK credited');
    expect(found[0]?.book).toBe(merchant_no);
  });

  test.each(['elsewhere', 'm', 'inc:other:USD', 'prov:USD'])(
    'R-143 an entry on an account that does not exist: %s',
    async (account) => {
      const found = await findingsAfter((tx) => insertTransfer(tx, 'topup:x', 'P19', 1, [account, 'fx:USD']));
      expect(kindsAndSubjects(found)).toContainEqual(['entry_unbalanced', 'topup:x']);
    },
  );

  test('R-143 an entry of no amount', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(sql`UPDATE ledger_transfers SET amount = 0 WHERE subject = ${held}`),
    );
    expect(kindsAndSubjects(found)).toContainEqual(['entry_unbalanced', held]);
  });

  test('R-143 an entry that has lost a transfer', async () => {
    const found = await findingsAfter((tx) => insertTransfer(tx, 'topup:x', 'P19', 2, clearing));
    expect(found).toEqual([expect.objectContaining({ kind: 'entry_incomplete', subject: 'topup:x' })]);
  });

  test.each([
    ['m:available', '', 1n],
    ['m:guarantee', '', 7n],
    ['m:frozen', 'mp_x', 7n],
    ['m:fee_reserved', 'mp_x', 7n],
    ['m:withdrawal_pending', 'wd_x', 7n],
    ['m:credit_drawn', '', 7n],
    ['m:recovery', '', 7n],
    ['susp:USD', 'case_x', 7n],
  ])('R-145 a stored balance that is not its transfers’ sum: %s', async (account, ref, balance) => {
    const found = await findingsAfter((tx) =>
      tx.query(sql`INSERT INTO ledger_balances (merchant_id, account, ref, currency, balance)
        VALUES (${merchant_id}, ${account}, ${ref}, ${account.startsWith('susp') ? 'USD' : 'PTK'}, ${balance})
        ON CONFLICT (merchant_id, account, ref) DO UPDATE SET balance = ledger_balances.balance + ${balance}`),
    );
    const subject = ref === '' ? account : `${account}:${ref}`;
    expect(kindsAndSubjects(found)).toContainEqual(['balance_drift', subject]);
  });

  test('R-145 suspense is rebuilt in every currency', async () => {
    const found = await findingsAfter((tx) =>
      insertTransfer(tx, open, 'P11', 1, ['prov:ch_x:USD', 'susp:USD:case_x']),
    );
    expect(found).toEqual([expect.objectContaining({ kind: 'balance_drift', subject: 'susp:USD:case_x' })]);
    expect(found[0]?.words).toContain('stored as 0 minor units of USD');
    expect(found[0]?.words).toContain('add up to 5 minor units of USD');
  });

  test('R-145 a balance below zero', async () => {
    const found = await findingsAfter((tx) => setBalance(tx, 'm:available', '', -1n));
    expect(kindsAndSubjects(found)).toEqual([
      ['balance_drift', 'm:available'],
      ['balance_negative', 'm:available'],
    ]);
  });

  test('R-145 a balance that its transfers take below zero as well', async () => {
    const found = await findingsAfter(async (tx) => {
      await insertTransfer(tx, 'P18', 'P18', 1, ['m:guarantee', 'exp:loss']);
      await tx.query(sql`UPDATE ledger_transfers SET currency = 'PTK' WHERE subject = 'P18'`);
      await tx.query(sql`INSERT INTO ledger_balances (merchant_id, account, ref, currency, balance)
        VALUES (${merchant_id}, 'm:guarantee', '', 'PTK', -5)`);
    });
    expect(kindsAndSubjects(found)).toEqual([['balance_negative', 'm:guarantee']]);
  });

  test('R-140 a fee set aside that no reservation knows, and the other way round', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(sql`INSERT INTO ledger_balances (merchant_id, account, ref, currency, balance)
        VALUES (${merchant_id}, 'm:fee_reserved', ${open}, 'PTK', 5)`),
    );
    expect(kindsAndSubjects(found)).toContainEqual(['fee_reserved_amount', open]);
    const unfunded = await findingsAfter((tx) =>
      tx.query(sql`INSERT INTO payment_fee_reservations (merchant_id, attempt_id, order_no, state, fee_ptk,
          available_ptk, credit_ptk, reserved_at)
        VALUES (${merchant_id}, 'at_x', ${open}, 'reserved', 5, 5, 0, '2026-01-01')`),
    );
    expect(kindsAndSubjects(unfunded)).toEqual([['fee_reserved_amount', open]]);
  });

  test('R-146 a wallet that differs, is below zero, or tells its person something else', async () => {
    const { user_id } = platform.buyer;
    const subject = `user:${user_id}:available`;
    const negative = await findingsAfter((tx) =>
      tx.query(sql`UPDATE user_wallets SET available_ptk = -1 WHERE user_id = ${user_id}`),
    );
    expect(kindsAndSubjects(negative)).toEqual([
      ['wallet_drift', subject],
      ['wallet_negative', subject],
    ]);
    const statement = await findingsAfter((tx) =>
      tx.query(sql`DELETE FROM user_wallet_lines WHERE subject = ${held}`),
    );
    expect(kindsAndSubjects(statement)).toEqual([['wallet_statement_drift', subject]]);
  });

  test('R-142 a paid order without its settlement', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(
        sql`UPDATE ledger_transfers SET subject = 'topup:y' WHERE subject = ${released} AND posting = 'P2'`,
      ),
    );
    expect(kindsAndSubjects(found)).toEqual(
      expect.arrayContaining([
        ['order_without_settlement', released],
        ['settlement_without_order', 'topup:y'],
      ]),
    );
  });

  test('R-144 an order settled twice', async () => {
    const found = await findingsAfter((tx) => insertTransfer(tx, released, 'P1', 1, clearing));
    expect(kindsAndSubjects(found)).toEqual([['order_settled_twice', released]]);
    expect(found[0]?.words).toContain('2 settlements');
  });

  test.each(['payment_amount', 'merchant_fee_ptk', 'settlement_ptk'])(
    'R-142 a settlement that is not the order’s: %s',
    async (column) => {
      const found = await findingsAfter(async (tx) => {
        const change = raw(`UPDATE collection_orders SET ${column} = ${column} + 3`);
        await tx.query(sql`${change} WHERE merchant_id = ${merchant_id} AND order_no = ${released}`);
      });
      expect(kindsAndSubjects(found)).toEqual([['settlement_amount', released]]);
      expect(found[0]?.words).toMatch(/differ: the \w+( \w+)? is .* there and .*3 PTK on the order$/);
    },
  );

  test('R-142 a payment in the books of an order that is not paid', async () => {
    const found = await findingsAfter((tx) => insertTransfer(tx, open, 'P1', 1, clearing));
    expect(kindsAndSubjects(found)).toEqual([['settlement_of_unpaid_order', open]]);
  });

  test('R-131 a settlement to the platform of a payment on the merchant’s own channel', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(sql`UPDATE collection_orders SET settlement_ptk = NULL WHERE order_no = ${released}`),
    );
    expect(kindsAndSubjects(found)).toEqual([['settlement_of_own_channel', released]]);
  });

  test('R-132 a fee of the merchant’s own channel that was never taken', async () => {
    const found = await findingsAfter(async (tx) => {
      await tx.query(
        sql`UPDATE ledger_transfers SET posting = 'P20' WHERE subject = ${released} AND posting = 'P2'`,
      );
      await tx.query(sql`UPDATE collection_orders SET settlement_ptk = NULL, merchant_fee_ptk = 4
        WHERE order_no = ${released}`);
    });
    expect(kindsAndSubjects(found)).toContainEqual(['order_without_settlement', released]);
  });

  test('R-128 a historical order that is settled once more', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(
        sql`UPDATE collection_orders SET fee_status = 'legacy', fee_version = 0 WHERE order_no = ${released}`,
      ),
    );
    expect(kindsAndSubjects(found)).toEqual([['settlement_of_historical_order', released]]);
  });

  test('R-147 an order under hold with less than its net, and one that still holds after the release', async () => {
    const less = await findingsAfter((tx) => setBalance(tx, 'm:held', held, 9_999_999_999n));
    expect(kindsAndSubjects(less)).toContainEqual(['held_amount', held]);
    const words = less.find(({ kind }) => kind === 'held_amount')?.words;
    expect(words).toContain('99.99999999 PTK under hold or frozen, and should have 100.00000000 PTK');
    for (const ref of [released, 'mp_nobody']) {
      const still = await findingsAfter((tx) =>
        tx.query(sql`INSERT INTO ledger_balances (merchant_id, account, ref, currency, balance)
          VALUES (${merchant_id}, 'm:held', ${ref}, 'PTK', 1)`),
      );
      expect(kindsAndSubjects(still)).toContainEqual(['held_amount', ref]);
    }
  });

  test('R-147 a hold that ended on paper while the money is still there, or was forgotten', async () => {
    const ended = await findingsAfter((tx) =>
      tx.query(sql`UPDATE payment_holds SET released_at = release_at WHERE order_no = ${held}`),
    );
    expect(kindsAndSubjects(ended)).toEqual([['held_amount', held]]);
    const forgotten = await findingsAfter((tx) =>
      tx.query(sql`DELETE FROM payment_holds WHERE order_no = ${released}`),
    );
    expect(kindsAndSubjects(forgotten)).toEqual([['hold_missing', released]]);
    const made_up = await findingsAfter((tx) =>
      tx.query(sql`INSERT INTO payment_holds (merchant_id, order_no, release_at, released_at)
        VALUES (${merchant_id}, ${open}, '2026-01-01', '2026-01-01')`),
    );
    expect(kindsAndSubjects(made_up)).toEqual([['hold_without_payment', open]]);
  });
});

test('R-147, R-138 funds that a complaint has frozen still count for the order', async () => {
  const found = await findingsAfter(async (tx) => {
    const transfers = [transfer(merchantHeld(held), merchantFrozen(held), 10_000_000_000n)];
    const entry = { merchant_id, subject: held, posting: 'P6a', transfers } as const;
    await tx.write(post([entry], new Date('2026-01-02T00:00:00Z')).book);
  });
  expect(found).toEqual([]);
});

test('`paydesk verify-ledger` and the administration API describe the same problems, and only those', async () => {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  const command = () => runCommand(['verify-ledger'], { DATABASE_URL: service.database.url });
  const move = (by: number) =>
    db.query(
      sql`UPDATE ledger_balances SET balance = balance + ${by}::numeric
        WHERE merchant_id = ${merchant_id} AND account = 'm:available'`,
    );
  expect(await command()).toBe(0);
  expect(printed.splice(0)).toEqual([expect.stringMatching(/^The books balance: \d+ entries checked\.$/)]);
  await move(1);
  try {
    expect(await command()).toBe(1);
    expect(printed).toEqual([
      `balance_drift: in the book of ${merchant_no}, m:available is stored as 100.00000001 PTK, ` +
        'but its transfers add up to 100.00000000 PTK',
      expect.stringMatching(/^The books do not balance: 1 finding in \d+ entries\.$/),
    ]);
    const { ok, findings } = await service.admin<{ ok: boolean; findings: Json[] }>(
      'GET',
      '/ledger/verification',
    );
    expect({ ok, kinds: findings.map(({ kind }) => kind) }).toEqual({ ok: false, kinds: ['balance_drift'] });
  } finally {
    await move(-1);
  }
});

test('D-387 a full check uses one process, and no plan that keeps what it computes for each row', async () => {
  const settings = await db.transaction(async (tx) => {
    await readOneSnapshot(tx);
    await checkBooks(tx, null);
    return tx.query(sql`SELECT current_setting('enable_nestloop') AS loops,
      current_setting('max_parallel_workers_per_gather') AS more_processes`);
  });
  expect(settings).toEqual([{ loops: 'off', more_processes: '0' }]);
});

test('D-951 what was quoted and paid out before a channel became a test channel is not reported', async () => {
  const card = await addCardChannel(service, 'http://127.0.0.1:9');
  const channel = `/channels/${card.payment_no}`;
  await service.admin('PUT', `${channel}/debug-grants`, { merchants: [merchant_no], users: [] });
  const merchant = await busyMerchant(service, merchant_no, 1);
  for (const [i, test_mode] of [false, true, false].entries()) {
    await service.admin('PATCH', channel, { test_mode });
    expect(await merchant.order({ payment_no: card.payment_no })).toMatchObject({ test_mode });
    const payout = { currency: 'USD', amount: '1.00', fees: '0.10', reference: `payout-${i}` };
    await service.admin('POST', `${channel}/payouts`, payout);
  }
  expect((await verifyBooks(db)).findings).toEqual([]);
});

test('D-952 the first change in the audit log tells the terms of what a program has created without it', async () => {
  const { user_id } = await addUser(service, 'Sam Seeded');
  const { payment_no } = await addCardChannel(service, 'http://127.0.0.1:9');
  const id = crypto.randomUUID();
  const channel = { payment_no: `ch_${id}`, webhook_key: id, name: 'Seeded' };
  await db.transaction(async (tx) => {
    await createMerchant(tx, id, { name: 'Seeded', owner_user_id: user_id, hold_days: 2 }, new Date());
    await tx.query(sql`INSERT INTO channels SELECT (jsonb_populate_record(c, ${JSON.stringify(channel)}::jsonb)).*
      FROM channels c WHERE payment_no = ${payment_no}`);
  });
  const merchant = await busyMerchant(service, merchantNo(id), 1);
  await merchant.order({ payment_no: channel.payment_no });
  await service.admin('PATCH', `/merchants/${merchantNo(id)}`, { hold_days: 3 });
  const fee = { fixed_minor: 1, percent_ppm: 0 };
  await service.admin('PATCH', `/channels/${channel.payment_no}`, {
    test_mode: true,
    fees: [{ currency: 'USD', buyer: fee, merchant: fee }],
  });
  expect((await verifyBooks(db)).findings).toEqual([]);
});

test('D-916 money that was booked before a change of its currency’s decimals is not reported', async () => {
  const set = (decimals: number) => service.admin('PUT', '/currencies/XAU', { decimals, enabled: true });
  const topUp = (reference: string, amount: string) =>
    service.admin('POST', `/users/${platform.buyer.user_id}/ptk-top-ups`, {
      ...{ amount_ptk: '100000000', reference, reason: 'paid in gold' },
      paid: { currency: 'XAU', amount },
    });
  await set(4);
  await topUp('gold-1', '0.0312');
  await set(2);
  await topUp('gold-2', '0.31');
  await set(3);
  expect((await verifyBooks(db)).findings).toEqual([]);
});
