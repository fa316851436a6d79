import { describe, expect, test } from 'vitest';
import { merchant_id } from '../../../test/support/desks/samples.ts';
import { balanceChanges, type Entry } from '../books/entry.ts';
import { payoutEntry, requestEntry, withdrawalReturnEntry, type Withdrawal } from './withdrawals.ts';

const withdrawal: Withdrawal = {
  merchant_id,
  withdrawal_id: 'wd_1',
  reference: 'ref',
  amount_ptk: 60n,
  payout_currency: 'USD',
  payout_decimals: 2,
  payout_amount: 590n,
  status: 'pending',
  requested_at: new Date('2026-01-02T03:04:05.000Z'),
  decided_at: null,
};

const changes = (...entries: Entry[]) =>
  balanceChanges(entries.flatMap(({ transfers }) => transfers)).map(({ account, change }) => [
    account.name,
    change,
  ]);

describe('section 3.7 what a withdrawal does to the wallet', () => {
  test('P13 what is asked for waits under the withdrawal’s own name', () => {
    expect(requestEntry(withdrawal)).toMatchObject({ posting: 'P13', subject: 'wd_1', merchant_id });
    expect(changes(requestEntry(withdrawal))).toEqual([
      ['m:available', -60n],
      ['m:withdrawal_pending:wd_1', 60n],
    ]);
  });

  test('P13r a rejected one leaves the wallet as it was', () => {
    expect(withdrawalReturnEntry(withdrawal).posting).toBe('P13r');
    expect(changes(requestEntry(withdrawal), withdrawalReturnEntry(withdrawal))).toEqual([]);
  });

  test('P13s a paid one takes the PTK out and the payout from the bank', () => {
    const entry = payoutEntry(withdrawal);
    expect(entry.posting).toBe('P13s');
    expect(changes(requestEntry(withdrawal), entry)).toEqual([['m:available', -60n]]);
    expect(entry.transfers.map(({ debit, credit, amount }) => [debit.name, credit.name, amount])).toEqual([
      ['m:withdrawal_pending:wd_1', 'fx:PTK', 60n],
      ['fx:USD', 'bank:USD', 590n],
    ]);
  });
});
