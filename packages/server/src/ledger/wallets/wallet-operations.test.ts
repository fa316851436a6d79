import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { merchant_id } from '../../../test/support/desks/samples.ts';
import { platformBook } from '../../base/ids.ts';
import { ptk } from '../../base/money.ts';
import { balanceChanges } from '../books/entry.ts';
import type { ReferencedEntry } from '../books/post-once.ts';
import {
  creditRepayment,
  guaranteeDeposit,
  guaranteeReturn,
  providerPayout,
  recoveryRepayment,
  recoveryWriteOff,
} from './wallet-operations.ts';

const operation = { merchant_id, amount_ptk: 60n, reference: 'ref' };
const paid = { currency: 'USD', minor: 150n };

/** How far each account of a currency moves: debits count up, credits down. */
function moved({ transfers }: ReferencedEntry): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { debit, credit, amount } of transfers) {
    sums[debit.name] = (sums[debit.name] ?? 0n) + amount;
    sums[credit.name] = (sums[credit.name] ?? 0n) - amount;
  }
  return sums;
}

const changes = ({ transfers }: ReferencedEntry) =>
  Object.fromEntries(balanceChanges(transfers).map(({ account, change }) => [account.name, change]));

describe('section 3.7 what an operation does to the wallet', () => {
  test.each([
    ['P12', guaranteeDeposit(operation, 'available'), { 'm:available': -60n, 'm:guarantee': 60n }],
    ['P12x', guaranteeDeposit(operation, { paid }), { 'm:guarantee': 60n }],
    ['P14i', guaranteeDeposit(operation, { paid: null }), { 'm:guarantee': 60n }],
    ['P12', guaranteeReturn(operation), { 'm:available': 60n, 'm:guarantee': -60n }],
    ['P16', creditRepayment(operation), { 'm:available': -60n, 'm:credit_drawn': -60n }],
    ['P17', recoveryRepayment(operation, 'available'), { 'm:available': -60n, 'm:recovery': -60n }],
    ['P17', recoveryRepayment(operation, { paid: null }), { 'm:recovery': -60n }],
    ['P17', recoveryRepayment(operation, { paid }), { 'm:recovery': -60n }],
    ['P18', recoveryWriteOff(operation), { 'm:recovery': -60n }],
  ] as const)('%s', (posting, entry, expected) => {
    expect(entry).toMatchObject({ posting, merchant_id, reference: 'ref' });
    expect(changes(entry)).toEqual(expected);
  });

  test('P12x P17 what was received at the bank is exchanged at the amounts that were given', () => {
    for (const entry of [guaranteeDeposit(operation, { paid }), recoveryRepayment(operation, { paid })]) {
      expect(moved(entry)).toMatchObject({ 'bank:USD': 150n, 'fx:USD': -150n, 'fx:PTK': 60n });
    }
  });
});

describe('P19 a payout', () => {
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 38n }).chain((minor) =>
    fc.record({
      minor: fc.constant(minor),
      fees_minor: fc.bigInt({ min: 0n, max: minor }),
    }),
  );

  test('takes all of it from what the provider owes; bank and fees add up to it', () => {
    fc.assert(
      fc.property(amounts, ({ minor, fees_minor }) => {
        const entry = providerPayout({
          payment_no: 'ch_1',
          test_mode: false,
          currency: 'USD',
          reference: 'po',
          minor,
          fees_minor,
        });
        expect(entry).toMatchObject({ posting: 'P19', merchant_id: platformBook, test_mode: false });
        expect(moved(entry)).toEqual({
          'prov:ch_1:USD': -minor,
          'bank:USD': minor - fees_minor,
          'exp:provider_cost:USD': fees_minor,
        });
        expect(entry.transfers.some(({ debit }) => debit.currency === ptk)).toBe(false);
      }),
    );
  });
});
