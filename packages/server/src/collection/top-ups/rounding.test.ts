/** Many small top-ups give no more PTK than was paid for, and take back no more than they gave. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buyer_id, merchant_id, order_no, sampleChannel } from '../../../test/support/desks/samples.ts';
import type { FeeRule } from '../../channels/channel.ts';
import type { Entry } from '../../ledger/books/entry.ts';
import { lossInPtk } from '../../payments/losses/loss-entries.ts';
import { invoiceOf, type Invoice, type Quote, quoteFor, totalOf } from '../../payments/quotes/quote.ts';
import { cardSettlementEntry, walletCreditEntry } from '../../payments/settling/settlement-entries.ts';
import { smallest_ptk } from './start-top-up.ts';

const rule: fc.Arbitrary<FeeRule> = fc.record({
  fixed_minor: fc.bigInt(0n, 50n),
  percent_ppm: fc.integer({ min: 0, max: 300_000 }),
  cap_minor: fc.option(fc.bigInt(0n, 100n)),
});

/** Small amounts of one currency, at a price that may be far from round, with the fees of one channel. */
interface Many {
  minors: bigint[];
  decimals: number;
  price_e12: bigint;
  buyer: FeeRule;
  merchant: FeeRule;
}

const many: fc.Arbitrary<Many> = fc.record({
  minors: fc.array(fc.bigInt(1n, 500n), { minLength: 1, maxLength: 60 }),
  decimals: fc.integer({ min: 0, max: 8 }),
  // Of any size: most of what is interesting is where a smallest unit is worth little PTK.
  price_e12: fc
    .tuple(fc.bigInt(1n, 999n), fc.integer({ min: 0, max: 18 }))
    .map(([digits, zeros]) => digits * 10n ** BigInt(zeros)),
  buyer: rule,
  merchant: rule,
});

interface TopUp {
  invoice: Invoice;
  quote: Quote;
  entries: Entry[];
}

/** The top-ups that can be made: those that give enough, and that a method can pay. */
function made({ minors, decimals, price_e12, buyer, merchant }: Many): TopUp[] {
  const channel = sampleChannel({ fees: new Map([['USD', { buyer, merchant }]]) });
  return minors.flatMap((minor) => {
    const invoice = invoiceOf(minor, 'USD', decimals, price_e12);
    const quote = invoice.gross_settlement_ptk < smallest_ptk ? null : quoteFor(channel, invoice, 'pm_1');
    if (quote === null) return [];
    const order = { merchant_id, order_no, price_e12, hold_days: 0, ...payable(invoice) };
    return [
      {
        invoice,
        quote,
        entries: [cardSettlementEntry(order, quote), walletCreditEntry(order, quote, buyer_id)],
      },
    ];
  });
}

const payable = ({ gross_settlement_ptk }: Invoice) => ({
  ...({ phase: 'open', reversed: null, provider_trade_no: null, recovery: null } as const),
  ...{ expires_at: new Date('2026-01-02T03:30:00.000Z'), gross_settlement_ptk, buyer_user_id: null },
  ...{ wallet_user_id: buyer_id, title: '', landing: '', canceled_landing: '' },
});

/** What each account got, debits less credits, over all entries. */
function sumsOf(topUps: readonly TopUp[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (name: string, amount: bigint) => sums.set(name, (sums.get(name) ?? 0n) + amount);
  for (const { debit, credit, amount } of topUps.flatMap(({ entries }) =>
    entries.flatMap((e) => e.transfers),
  )) {
    add(debit.name, amount);
    add(credit.name, -amount);
  }
  return sums;
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

describe('many small top-ups', () => {
  test('D-375 give at most half a millionth more PTK than was paid for, whatever price and fees', () => {
    fc.assert(
      fc.property(many, (wanted) => {
        const topUps = made(wanted);
        const given = -(sumsOf(topUps).get(`user:${buyer_id}:available`) ?? 0n);
        const paid = sum(topUps.map(({ quote }) => totalOf(quote)));
        // In units of 10^-20 of the currency, so that nothing is rounded.
        const worth = given * wanted.price_e12 * 10n ** BigInt(wanted.decimals);
        expect(worth * 2_000_000n <= paid * 10n ** 20n * 2_000_001n).toBe(true);
      }),
    );
  });

  test('D-375 leave nothing anywhere but in the wallet, with the provider and in the fees, to the last unit', () => {
    fc.assert(
      fc.property(many, (wanted) => {
        const topUps = made(wanted);
        const sums = sumsOf(topUps);
        const of = (pick: (one: TopUp) => bigint): bigint => sum(topUps.map(pick));
        const given = of(({ invoice }) => invoice.gross_settlement_ptk);
        const expected = new Map([
          ['prov:ch_card:USD', of(({ quote }) => totalOf(quote))],
          ['inc:buyer_fee:USD', -of(({ quote }) => quote.buyer_fee)],
          ['fx:USD', -of(({ invoice }) => invoice.minor)],
          ['fx:PTK', given],
          [`user:${buyer_id}:available`, -given],
        ]);
        for (const [name, amount] of sums) expect([name, amount]).toEqual([name, expected.get(name) ?? 0n]);
        for (const [name, amount] of expected) expect([name, sums.get(name) ?? 0n]).toEqual([name, amount]);
      }),
    );
  });

  test('D-361 are lost, in however many parts, for no less PTK than they gave', () => {
    fc.assert(
      fc.property(many, fc.array(fc.bigInt(1n, 300n), { maxLength: 8 }), (wanted, parts) => {
        for (const { invoice, quote } of made(wanted)) {
          const attempt = { ...quote, amount: totalOf(quote), buyer_user_id: buyer_id };
          const of = { order: { merchant_id, order_no, price_e12: invoice.price_e12 }, attempt };
          let before = 0n;
          let lost = 0n;
          for (const part of [...parts, attempt.amount]) {
            const minor = part < attempt.amount - before ? part : attempt.amount - before;
            lost += lossInPtk(of, before, minor);
            before += minor;
          }
          expect(lost >= invoice.gross_settlement_ptk).toBe(true);
        }
      }),
    );
  });
});
