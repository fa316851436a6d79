import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buyer_id, merchant_id, order_no, sampleQuote } from '../../../test/support/desks/samples.ts';
import { InvariantError } from '../../base/errors.ts';
import type { Entry } from '../../ledger/books/entry.ts';
import type { Payable } from '../engine/order-kind.ts';
import { cardSettlementEntry, ptkSettlementEntry, walletCreditEntry } from './settlement-entries.ts';

function payable(change: Partial<Payable> = {}): Payable {
  return {
    merchant_id,
    order_no,
    phase: 'open',
    reversed: null,
    provider_trade_no: null,
    price_e12: 100_000_000_000n,
    expires_at: new Date('2026-01-02T03:30:00.000Z'),
    gross_settlement_ptk: 10_000_000_000n,
    hold_days: 7,
    buyer_user_id: null,
    wallet_user_id: null,
    recovery: null,
    title: 'Two books',
    landing: '/checkout/return/mp_1',
    canceled_landing: '/checkout/return/mp_1',
    ...change,
  };
}

/** The PTK quote of vector A8. */
const ptkQuote = sampleQuote({
  provider: 'ptk',
  payment_no: 'ch_ptk',
  currency: 'PTK',
  currency_decimals: 8,
  subtotal: 14_271_428_571n,
  buyer_fee: 142_714_286n,
  merchant_fee: 288_282_857n,
  merchant_fee_ptk: 288_282_857n,
});
const ptkOrder = payable({ gross_settlement_ptk: 14_271_428_571n });

/** Debits and credits as the table of postings writes them: account, currency, amount; credits are negative. */
function legs(entry: Entry): [string, string, bigint][] {
  return entry.transfers.flatMap(({ debit, credit, amount }): [string, string, bigint][] => [
    [debit.name, debit.currency, amount],
    [credit.name, credit.currency, -amount],
  ]);
}

/** The sum of what each account is debited with. */
function byAccount(entry: Entry): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [name, , amount] of legs(entry)) sums.set(name, (sums.get(name) ?? 0n) + amount);
  return sums;
}

function expectBalanced(entry: Entry): void {
  const sums = new Map<string, bigint>();
  for (const [, currency, amount] of legs(entry)) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  expect([...sums.values()].every((sum) => sum === 0n)).toBe(true);
}

describe('P1 a payment by card', () => {
  test('R-129 R-143 the worked example: T 10.60 = Bf 0.60 + I 10.00, G 100 = Fp 2.6 + N 97.4', () => {
    const entry = cardSettlementEntry(payable(), sampleQuote());
    expect(entry).toMatchObject({ merchant_id, subject: order_no, posting: 'P1', test_mode: false });
    expect(byAccount(entry)).toEqual(
      new Map([
        ['prov:ch_card:USD', 1_060n],
        ['inc:buyer_fee:USD', -60n],
        ['fx:USD', -1_000n],
        ['fx:PTK', 10_000_000_000n],
        ['inc:merchant_fee', -260_000_000n],
        [`m:held:${order_no}`, -9_740_000_000n],
      ]),
    );
    expectBalanced(entry);
  });

  test('R-130 without a hold the net is available at once', () => {
    const sums = byAccount(cardSettlementEntry(payable({ hold_days: 0 }), sampleQuote()));
    expect(sums.get('m:available')).toBe(-9_740_000_000n);
    expect([...sums.keys()].some((name) => name.startsWith('m:held'))).toBe(false);
  });

  test('R-149 D-084 a test channel posts the same, marked, on its own clearing account', () => {
    const entry = cardSettlementEntry(payable(), sampleQuote({ test_mode: true, payment_no: 'ch_test' }));
    expect(entry.test_mode).toBe(true);
    expect(byAccount(entry).get('prov:ch_test:USD')).toBe(1_060n);
  });

  test('D-050 what leaves the merchant nothing is never settled', () => {
    expect(() => cardSettlementEntry(payable({ gross_settlement_ptk: 260_000_000n }), sampleQuote())).toThrow(
      InvariantError,
    );
    expect(() => cardSettlementEntry(payable(), sampleQuote({ owner: 'merchant' }))).toThrow(InvariantError);
  });
});

describe('P2 a payment in PTK', () => {
  test('R-148 the buyer is debited the whole, in three parts: T = Bf + Fp + N', () => {
    const entry = ptkSettlementEntry(ptkOrder, ptkQuote, buyer_id);
    expect(entry).toMatchObject({ merchant_id, subject: order_no, posting: 'P2' });
    expect(byAccount(entry)).toEqual(
      new Map([
        [`user:${buyer_id}:available`, 14_414_142_857n],
        ['inc:buyer_fee:PTK', -142_714_286n],
        ['inc:merchant_fee', -288_282_857n],
        [`m:held:${order_no}`, -13_983_145_714n],
      ]),
    );
    expectBalanced(entry);
  });

  test('R-130 without a hold the net is available at once', () => {
    const sums = byAccount(ptkSettlementEntry({ ...ptkOrder, hold_days: 0 }, ptkQuote, buyer_id));
    expect(sums.get('m:available')).toBe(-13_983_145_714n);
  });

  test('D-058 a residue is a defect, not a posting', () => {
    const off = payable({ gross_settlement_ptk: 14_271_428_572n });
    expect(() => ptkSettlementEntry(off, ptkQuote, buyer_id)).toThrow(InvariantError);
  });
});

describe('P21 a top-up', () => {
  test('D-356 with P1 it gives the wallet the invoice in PTK, and leaves the merchant and its fee as they were', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 24n), fc.bigInt(0n, 10n ** 24n), (net, merchant_fee_ptk) => {
        const gross_settlement_ptk = net + merchant_fee_ptk;
        const order = payable({ gross_settlement_ptk, hold_days: 0 });
        const quote = sampleQuote({ merchant_fee_ptk });
        const [paid, credit] = [cardSettlementEntry(order, quote), walletCreditEntry(order, quote, buyer_id)];
        const sums = byAccount({ ...paid, transfers: [...paid.transfers, ...credit.transfers] });
        expect(sums.get(`user:${buyer_id}:available`)).toBe(-gross_settlement_ptk);
        expect([sums.get('m:available'), sums.get('inc:merchant_fee')]).toEqual([0n, 0n]);
        expectBalanced(credit);
      }),
    );
  });

  test('D-356 proceeds under hold cannot go on to a wallet', () => {
    expect(() => walletCreditEntry(payable({ hold_days: 1 }), sampleQuote(), buyer_id)).toThrow(
      InvariantError,
    );
  });
});
