import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buyer_id, merchant_id } from '../../../test/support/desks/samples.ts';
import { InvariantError } from '../../base/errors.ts';
import {
  type Account,
  bank,
  exchange,
  issuedPtk,
  merchantAvailable,
  merchantCreditDrawn,
  merchantFeeIncome,
  merchantFeeReserved,
  merchantGuarantee,
  merchantHeld,
  merchantRecovery,
  userAvailable,
} from './accounts.ts';
import { balanceChanges, transfer } from './entry.ts';
import { post } from './post.ts';

const changesOf = (...transfers: ReturnType<typeof transfer>[]) =>
  balanceChanges(transfers).map(({ account, change }) => [account.name, change]);

describe('R-143 a transfer', () => {
  test('stays within one currency', () => {
    expect(() => transfer(bank('USD'), userAvailable(buyer_id), 1n)).toThrow(InvariantError);
    expect(() => transfer(exchange('USD'), exchange('EUR'), 1n)).toThrow(InvariantError);
  });

  test('is never negative', () => {
    expect(() => transfer(issuedPtk(), merchantAvailable(), -1n)).toThrow(InvariantError);
  });
});

describe('balanceChanges', () => {
  test('a liability falls on debit and grows on credit, a receivable the other way (section 3.6)', () => {
    expect(changesOf(transfer(merchantAvailable(), merchantGuarantee(), 5n))).toEqual([
      ['m:available', -5n],
      ['m:guarantee', 5n],
    ]);
    expect(changesOf(transfer(merchantCreditDrawn(), merchantFeeReserved('mp_1'), 5n))).toEqual([
      ['m:credit_drawn', 5n],
      ['m:fee_reserved:mp_1', 5n],
    ]);
    expect(changesOf(transfer(merchantHeld('mp_1'), merchantRecovery(), 5n))).toEqual([
      ['m:held:mp_1', -5n],
      ['m:recovery', -5n],
    ]);
  });

  test('locks in the order of the names, whatever the order of the transfers', () => {
    const transfers = [
      transfer(userAvailable(buyer_id), merchantHeld('mp_2'), 3n),
      transfer(userAvailable(buyer_id), merchantAvailable(), 2n),
      transfer(merchantGuarantee(), merchantHeld('mp_1'), 1n),
    ];
    const names = ['m:available', 'm:guarantee', 'm:held:mp_1', 'm:held:mp_2', `user:${buyer_id}:available`];
    expect(changesOf(...transfers).map(([name]) => name)).toEqual(names);
    expect(changesOf(...transfers.reverse()).map(([name]) => name)).toEqual(names);
  });

  test('one change for each account: transfers add up, and a sum of zero is left out', () => {
    expect(
      changesOf(
        transfer(userAvailable(buyer_id), merchantFeeIncome(), 2n),
        transfer(userAvailable(buyer_id), merchantAvailable(), 8n),
        transfer(merchantAvailable(), merchantFeeIncome(), 8n),
      ),
    ).toEqual([[`user:${buyer_id}:available`, -10n]]);
  });

  test('accounts without a stored balance do not show', () => {
    expect(changesOf(transfer(bank('USD'), exchange('USD'), 7n))).toEqual([]);
  });

  test('what leaves guarded liabilities for others is what others give them', () => {
    const accounts = [
      merchantAvailable(),
      merchantGuarantee(),
      merchantHeld('mp_1'),
      userAvailable(buyer_id),
    ];
    const account = fc.constantFrom(...accounts);
    const transfers = fc.array(
      fc
        .tuple(account, account, fc.bigInt({ min: 0n, max: 10n ** 30n }))
        .map(([a, b, n]) => transfer(a, b, n)),
    );
    fc.assert(
      fc.property(transfers, (list) => {
        const changes = balanceChanges(list);
        expect(changes.reduce((sum, { change }) => sum + change, 0n)).toBe(0n);
        const names = changes.map(({ account: { name } }) => name);
        expect(names).toEqual([...new Set(names)].sort());
      }),
    );
  });
});

describe('post', () => {
  const at = new Date('2026-01-02T03:04:05.000Z');
  const entry = { merchant_id, subject: 'mp_1', posting: 'P2' } as const;

  test('a merchant’s book and people’s wallets apart, a line for each wallet', () => {
    const transfers = [
      transfer(userAvailable(buyer_id), merchantFeeIncome(), 2n),
      transfer(userAvailable(buyer_id), merchantHeld('mp_1'), 8n),
    ];
    const { book, wallets } = post([{ ...entry, transfers }], at);
    expect(book.map(({ rows }) => rows)).toEqual(['all', 1]);
    expect(wallets.map(({ rows }) => rows)).toEqual([1, 'all']);
    expect(wallets[1]?.statement.values).toContain(-10n);
  });

  test('amounts of zero leave no trace', () => {
    const none = transfer(userAvailable(buyer_id), merchantFeeIncome(), 0n);
    const some = transfer(userAvailable(buyer_id), merchantHeld('mp_1'), 8n);
    expect(post([{ ...entry, transfers: [none] }], at)).toEqual({ book: [], wallets: [] });
    // One row of eleven columns.
    expect(post([{ ...entry, transfers: [none, some] }], at).book[0]?.statement.values).toHaveLength(11);
  });

  test('R-145 R-146 what an account does not cover is insufficient_balance', () => {
    const { book, wallets } = post(
      [{ ...entry, transfers: [transfer(userAvailable(buyer_id), merchantAvailable(), 8n)] }],
      at,
    );
    expect(wallets[0]?.otherwise?.()).toMatchObject({ code: 'insufficient_balance' });
    const out = post([{ ...entry, transfers: [transfer(merchantAvailable(), issuedPtk(), 8n)] }], at);
    expect(out.book[1]?.otherwise?.()).toMatchObject({ code: 'insufficient_balance' });
    expect(book).toHaveLength(2);
  });

  test('R-145 more repaid than is owed is amount_exceeds_debt, whichever account it would take below zero', () => {
    const repay = (debit: Account, credit: Account) =>
      post([{ ...entry, transfers: [transfer(debit, credit, 8n)] }], at).book.map(
        ({ otherwise }) => (otherwise?.() as { code?: string } | undefined)?.code,
      );
    expect(repay(issuedPtk(), merchantRecovery())).toEqual([undefined, 'amount_exceeds_debt']);
    expect(repay(merchantAvailable(), merchantCreditDrawn())).toEqual([
      undefined,
      'insufficient_balance',
      'amount_exceeds_debt',
    ]);
  });
});
