import { describe, expect, test } from 'vitest';
import { order_no, sampleReservation } from '../../../test/support/desks/samples.ts';
import { balanceChanges } from '../../ledger/books/entry.ts';
import { captureFeeEntry, captureLateFeeEntry, releaseFeeEntry, reserveFeeEntry } from './fee-entries.ts';

describe('section 3.7 the postings of a fee', () => {
  const parts = { available_ptk: 6n, credit_ptk: 4n };
  const changes = (entry: ReturnType<typeof reserveFeeEntry>) =>
    Object.fromEntries(balanceChanges(entry.transfers).map(({ account, change }) => [account.name, change]));
  const reserved = `m:fee_reserved:${order_no}`;

  test('P4a takes from the wallet and draws credit', () => {
    const entry = reserveFeeEntry(sampleReservation(), true);
    expect(entry).toMatchObject({ posting: 'P4a', subject: order_no, case_key: 'pa_1', test_mode: true });
    expect(changes(entry)).toEqual({ 'm:available': -6n, 'm:credit_drawn': 4n, [reserved]: 10n });
  });

  test('P4b leaves nothing reserved and touches no other balance', () => {
    expect(changes(captureFeeEntry(sampleReservation(), false))).toEqual({ [reserved]: -10n });
  });

  test('P4c undoes P4a', () => {
    const back = changes(releaseFeeEntry(sampleReservation(), parts, false));
    expect(back).toEqual({ 'm:available': 6n, 'm:credit_drawn': -4n, [reserved]: -10n });
  });

  test('P4d takes from wallet, credit and debt', () => {
    const entry = captureLateFeeEntry(sampleReservation(), { ...parts, recovery_ptk: 3n }, false);
    expect(entry.posting).toBe('P4d');
    expect(changes(entry)).toEqual({ 'm:available': -6n, 'm:credit_drawn': 4n, 'm:recovery': 3n });
  });
});
