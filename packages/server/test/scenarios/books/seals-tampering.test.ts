import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { platformBook } from '../../../src/base/ids.ts';
import { raw, sql, type Tx } from '../../../src/base/pg/index.ts';
import { type SecretBox, secretBox } from '../../../src/base/secret-box.ts';
import { minutes, seconds } from '../../../src/base/time/clock.ts';
import type { Finding } from '../../../src/ledger/verification/index.ts';
import { findAuditFaults } from '../../../src/seals/check-audit.ts';
import { checkSealedFacts, findSealFaults } from '../../../src/seals/check-seals.ts';
import { signingKey, spkiOf } from '../../../src/seals/keys.ts';
import { signSeal } from '../../../src/seals/seal.ts';
import { insertSeals, selectSeal } from '../../../src/seals/seal.sql.ts';
import { merchant_id, order_no } from '../../support/desks/samples.ts';
import { addFacts, named, openSealedBooks, type SealedBooks } from '../../support/books/sealed-books.ts';

/** What a superuser does to sealed books, and the name under which verify-ledger finds it. */

let books: SealedBooks;

beforeAll(async () => {
  books = await openSealedBooks();
  await books.seal();
  await addFacts(books, 'mp_2');
  await books.seal();
});

afterAll(async () => {
  await books.close();
});

/** The same, except that something happens before each statement of a transaction. */
function slowly<T extends object>(of: T, before: (text: string) => void): T {
  return new Proxy(of, {
    get(target, name): unknown {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const [first, ...rest] = args;
        if (name === 'query') before((first as { text: string }).text);
        if (name !== 'transaction') return value.call(target, ...args) as unknown;
        const work = first as (tx: object) => unknown;
        return value.call(target, (tx: object) => work(slowly(tx, before)), ...rest) as unknown;
      };
    },
  });
}

class Undo extends Error {}

/** What the check finds after some damage, done past every guard of the database and then undone. */
async function faultsAfter(
  damage: (tx: Tx) => Promise<unknown>,
  box: SecretBox | null = books.box(),
  of: SealedBooks = books,
) {
  let found: Finding[] = [];
  const work = of.tamper(async (tx) => {
    await damage(tx);
    found = await checkSealedFacts(tx, { at: books.clock.now(), box });
    throw new Undo();
  });
  await expect(work).rejects.toThrow(Undo);
  return found;
}

const findingsAfter = async (damage: (tx: Tx) => Promise<unknown>) => named(await faultsAfter(damage));

const transferKey = `transfer ["${order_no}","P2","","2"]`;

test('R-143, D-194 sealed books have no findings', async () => {
  expect(await books.findings()).toEqual([]);
  expect(await books.findings(null)).toEqual([]);
});

describe('a row that a superuser edits is named', () => {
  test.each([
    ['R-143', 'ledger_transfers', 'amount = amount + 1', `leg = 2 AND subject = '${order_no}'`, transferKey],
    [
      'R-143',
      'ledger_transfers',
      "at = at + interval '1 us'",
      `leg = 2 AND subject = '${order_no}'`,
      transferKey,
    ],
    ['R-143', 'ledger_transfers', 'test_mode = true', `leg = 2 AND subject = '${order_no}'`, transferKey],
    [
      'the event',
      'notifications',
      `body = '{"status":"expired"}'`,
      `order_no = '${order_no}'`,
      `event ["ev_${order_no}"]`,
    ],
    [
      'the quote',
      'payment_quotes',
      'merchant_fee = 7',
      `order_no = '${order_no}'`,
      `quote ["${order_no}","ptk"]`,
    ],
  ])('%s %s: %s', async (_, table, change, where, subject) => {
    const found = await findingsAfter((tx) =>
      tx.query(raw(`UPDATE ${table} SET ${change} WHERE merchant_id = '${merchant_id}' AND ${where}`)),
    );
    expect(found).toEqual([`sealed_row_changed: ${subject}`]);
  });

  test.each(['reason = $$$$', `after = '{"a": "é", "b": 1.5}'`, "actor = 'user:x'"])(
    'D-194 an entry of the audit log: %s',
    async (change) => {
      const found = await findingsAfter((tx) =>
        tx.query(raw(`UPDATE audit_log SET ${change} WHERE audit_id = 'al_mp_2'`)),
      );
      expect(found).toEqual(['sealed_row_changed: audit ["al_mp_2"]']);
    },
  );

  test('R-143 two rows whose amounts are swapped', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(sql`UPDATE ledger_transfers SET amount = 3000 - amount
        WHERE merchant_id = ${merchant_id} AND subject = ${order_no}`),
    );
    expect(found.sort()).toEqual(
      ['1', '2'].map((leg) => `sealed_row_changed: transfer ["${order_no}","P2","","${leg}"]`),
    );
  });

  test('a delivery of a notification is no such edit: those columns are not sealed', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(
        sql`UPDATE notifications SET attempts = 7, delivery_status = 'failed' WHERE merchant_id = ${merchant_id}`,
      ),
    );
    expect(found).toEqual([]);
  });
});

describe('a row that a superuser removes or adds is named', () => {
  test('R-143 a transfer that is gone', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(sql`DELETE FROM ledger_transfers
        WHERE merchant_id = ${merchant_id} AND subject = ${order_no} AND leg = 2`),
    );
    expect(found).toEqual([`sealed_row_missing: ${transferKey}`]);
  });

  test('D-194 an entry of the audit log that is gone', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(sql`DELETE FROM audit_log WHERE audit_id = 'al_mp_2'`),
    );
    expect(found).toEqual(['sealed_row_missing: audit ["al_mp_2"]']);
  });

  test.each([
    ['of a transaction that was sealed', 'sealed_xact'],
    ['of a transaction that never was', 'sealed_xact + 1000000000000'],
  ])('R-143 a transfer that is a copy, %s', async (_, sealed_xact) => {
    const found = await findingsAfter((tx) =>
      tx.query(
        raw(`INSERT INTO ledger_transfers (merchant_id, subject, posting, case_key, leg, debit_account,
          credit_account, currency, amount, test_mode, at, sealed_xact)
        SELECT merchant_id, subject, posting, case_key, 3, debit_account, credit_account, currency, amount, test_mode, at,
          ${sealed_xact} FROM ledger_transfers
        WHERE merchant_id = '${merchant_id}' AND subject = '${order_no}' AND leg = 2`),
      ),
    );
    expect(found).toEqual([`sealed_row_added: transfer ["${order_no}","P2","","3"]`]);
  });
});

describe('a seal that a superuser edits is named', () => {
  test.each([
    ['entry_count = entry_count + 1', 'its hash does not match what it seals'],
    ["entries = replace(entries, 'P2', 'P1')", 'its hash does not match what it seals'],
    ["sealed_at = sealed_at + interval '1 s'", 'its signature is wrong'],
    ["signature = decode(repeat('00', 64), 'hex')", 'its signature is wrong'],
    ["key_id = 'deadbeef'", 'its key deadbeef is not trusted'],
    ['previous = hash', 'it does not continue the seal before it'],
  ])('R-143 %s', async (change, words) => {
    const found = await faultsAfter((tx) =>
      tx.query(raw(`UPDATE seals SET ${change} WHERE merchant_id = '${merchant_id}' AND seal_no = 2`)),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: 'seal_broken',
        subject: 'seal 2',
        words: expect.stringContaining(words) as string,
      }),
    );
  });

  test('R-143 a seal in the middle that is gone', async () => {
    const found = await findingsAfter((tx) =>
      tx.query(sql`DELETE FROM seals WHERE merchant_id = ${merchant_id} AND seal_no = 1`),
    );
    expect(found).toContain('seal_broken: seal 2');
    expect(found).toContain(`sealed_row_missing: seal ["${merchant_id}","1"]`);
  });

  test('R-143 a merchant’s last seal that is gone together with its rows: the platform’s chain covers it', async () => {
    const found = await findingsAfter(async (tx) => {
      await tx.query(sql`DELETE FROM seals WHERE merchant_id = ${merchant_id} AND seal_no = 2`);
      for (const table of ['ledger_transfers', 'notifications', 'payment_quotes']) {
        const column = table === 'ledger_transfers' ? 'subject' : 'order_no';
        await tx.query(
          raw(`DELETE FROM ${table} WHERE merchant_id = '${merchant_id}' AND ${column} = 'mp_2'`),
        );
      }
    });
    expect(found).toEqual([`sealed_row_missing: seal ["${merchant_id}","2"]`]);
  });

  test('R-143 a row that is changed and sealed again under another key', async () => {
    const thief = secretBox([randomBytes(32)]);
    const key = signingKey(thief, thief.key_id);
    if (key === null) throw new Error('no key');
    const found = await faultsAfter(async (tx) => {
      await tx.query(sql`INSERT INTO seal_keys (key_id, public_key, first_used_at)
        VALUES (${thief.key_id}, ${spkiOf(key)}, ${books.clock.now()})`);
      const seal = await selectSeal(tx, platformBook, 2n);
      if (seal === null) throw new Error('no seal');
      await tx.query(sql`DELETE FROM seals WHERE merchant_id = ${platformBook} AND seal_no = 2`);
      const signed = signSeal({ ...seal, key_id: thief.key_id }, key);
      await insertSeals(tx, [{ ...signed, entries: seal.entries, at: books.clock.now() }]);
    });
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: 'seal_broken',
        words: `seal 2 does not hold: its key ${thief.key_id} is not trusted`,
      }),
    );
  });

  test('R-143 a stored public key that is replaced: what derives from the secret counts', async () => {
    const thief = secretBox([randomBytes(32)]);
    const key = signingKey(thief, thief.key_id);
    if (key === null) throw new Error('no key');
    const replace = (tx: Tx) => tx.query(sql`UPDATE seal_keys SET public_key = ${spkiOf(key)}`);
    expect(await faultsAfter(replace)).toEqual([]);
    expect(await faultsAfter(replace, null)).toContainEqual(expect.objectContaining({ kind: 'seal_broken' }));
  });
});

// These add facts of their own, so they come last.

describe('facts are sealed in time, and decisions when they are made', () => {
  test('R-143 a fact that is older than two minutes and has no seal; a younger one may wait', async () => {
    await addFacts(books, 'mp_3');
    books.clock.advance(seconds(119));
    expect(await books.findings()).toEqual([]);
    books.clock.advance(seconds(1));
    const found = named(await books.findings());
    expect(found).toContain('fact_unsealed: transfer ["mp_3","P2","","1"]');
    expect(found).toContain('fact_unsealed: event ["ev_mp_3"]');
    expect(found).toContain('fact_unsealed: audit ["al_mp_3"]');
    await books.seal();
    expect(await books.findings()).toEqual([]);
  });

  test('D-1128 a fact that was young when a check began is not late, however long the check takes', async () => {
    await addFacts(books, 'mp_4');
    const db = slowly(books.db, (text) => {
      if (text.includes('FROM seals')) books.clock.advance(minutes(10));
    });
    const deps = { clock: books.clock, box: books.box(), sink: null };
    expect(await findSealFaults(db, deps)).toEqual([]);
    await books.seal();
    await addFacts(books, 'mp_5');
    const { findings } = await findAuditFaults(db, { ...deps, sealSink: null, stream: null });
    expect(findings).toEqual([]);
    await books.seal();
  });

  const decide = (withdrawal_id: string) =>
    books.db.query(sql`UPDATE withdrawals SET status = 'paid', decided_at = ${books.clock.now()}
      WHERE merchant_id = ${merchant_id} AND withdrawal_id = ${withdrawal_id}`);

  test('R-143 a withdrawal is sealed once it is decided, and later edits are named', async () => {
    await decide('wd_mp_2');
    books.clock.advance(minutes(2));
    expect(named(await books.findings())).toEqual(['fact_unsealed: withdrawal ["wd_mp_2"]']);
    await books.seal();
    expect(await books.findings()).toEqual([]);
    const found = await findingsAfter((tx) =>
      tx.query(
        sql`UPDATE withdrawals SET payout_amount = 2 WHERE withdrawal_id = 'wd_mp_2' AND merchant_id = ${merchant_id}`,
      ),
    );
    expect(found).toEqual(['sealed_row_changed: withdrawal ["wd_mp_2"]']);
  });

  test('R-143 a decision that is undone is missing', async () => {
    await decide(`wd_${order_no}`);
    await books.seal();
    const found = await findingsAfter((tx) =>
      tx.query(
        sql`UPDATE withdrawals SET status = 'pending', decided_at = NULL
          WHERE merchant_id = ${merchant_id} AND withdrawal_id = ${`wd_${order_no}`}`,
      ),
    );
    expect(found).toEqual([`sealed_row_missing: withdrawal ["wd_${order_no}"]`]);
  });
});

describe('D-386 values that have to be escaped', () => {
  let odd: SealedBooks;

  beforeAll(async () => {
    odd = await openSealedBooks();
    await addFacts(odd, 'mp_"3\t');
    await odd.seal();
  });

  afterAll(async () => {
    await odd.close();
  });

  const after = async (change: string) =>
    named(await faultsAfter((tx) => tx.query(raw(change)), odd.box(), odd)).sort();

  test('are no finding', async () => {
    expect(await odd.findings()).toEqual([]);
    expect(await after('SELECT 1')).toEqual([]);
  });

  test('are not the same as what they look like when escaped', async () => {
    const found = await faultsAfter(
      async (tx) => {
        for (const [table, columns] of [
          ['ledger_transfers', ['subject']],
          ['notifications', ['order_no', 'event_id']],
          ['payment_quotes', ['order_no']],
        ] as const) {
          const escaped = columns.map(
            (name) => `${name} = replace(replace(${name}, '"', '\\"'), E'\\t', '\\t')`,
          );
          await tx.query(
            raw(`UPDATE ${table} SET ${escaped.join(', ')} WHERE merchant_id = '${merchant_id}'`),
          );
        }
      },
      odd.box(),
      odd,
    );
    const kinds = found.map(({ kind, subject }) => `${kind}: ${subject.split(' ')[0] ?? ''}`).sort();
    expect(kinds).toEqual(
      ['added', 'missing'].flatMap((fault) =>
        ['event', 'quote', 'transfer', 'transfer'].map((kind) => `sealed_row_${fault}: ${kind}`),
      ),
    );
  });

  test('a change of a row among them is named', async () => {
    expect(
      await after(
        `UPDATE payment_quotes SET subtotal = 1001 WHERE merchant_id = '${merchant_id}' AND order_no LIKE 'mp\\_"%'`,
      ),
    ).toEqual([String.raw`sealed_row_changed: quote ["mp_\"3\t","ptk"]`]);
  });
});
