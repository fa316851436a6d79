import { describe, expect, test } from 'vitest';
import { merchant_id } from '../../../test/support/desks/samples.ts';
import { platformBook } from '../../base/ids.ts';
import { balanceChanges } from '../../ledger/books/entry.ts';
import { newCase, type NewCase } from './case.ts';
import { receiptEntry, caseReturnEntry } from './case-entries.ts';

const ids = { ulid: () => '1', uuid: () => '', secret: () => '' };
const now = new Date('2026-01-02T03:04:05.000Z');
const receipt: NewCase = {
  merchant_id,
  kind: 'duplicate_payment',
  dedupe_key: 'pa_1',
  order_no: 'mp_1',
  payment_no: 'ch_1',
  provider_payment_id: 'pi_1',
  amount: 1_060n,
  currency: 'USD',
  booked: true,
  detail: { why: 'a second payment' },
};
const sample = (change: Partial<NewCase> = {}) => newCase({ ids }, { ...receipt, ...change }, now);

describe('section 3.7 money that no order can use', () => {
  test.each([
    ['duplicate_payment', 'P10'],
    ['unfulfillable', 'P10'],
    ['mismatch', 'P11'],
    ['unmatched_receipt', 'P11'],
  ] as const)('%s is %s: what the provider owes waits under the case', (kind, posting) => {
    const entry = receiptEntry(sample({ kind }));
    expect(entry).toMatchObject({ posting, subject: 'mp_1', case_key: 'ca_1', merchant_id });
    expect(entry.transfers.map(({ debit, credit, amount }) => [debit.name, credit.name, amount])).toEqual([
      ['prov:ch_1:USD', 'susp:USD:ca_1', 1_060n],
    ]);
  });

  test('P10r takes back what P10 booked, and leaves nothing', () => {
    const [into, outOf] = [receiptEntry(sample()), caseReturnEntry(sample(), 1_060n)];
    expect(outOf).toMatchObject({ posting: 'P10r', subject: 'mp_1', case_key: 'ca_1' });
    expect(balanceChanges([...into.transfers, ...outOf.transfers])).toEqual([]);
  });

  test('the account is guarded in its own currency, one for each case', () => {
    const [change] = balanceChanges(receiptEntry(sample({ currency: 'JPY' })).transfers);
    expect(change?.account).toMatchObject({
      name: 'susp:JPY:ca_1',
      currency: 'JPY',
      guarded: { of: 'merchant', account: 'susp:JPY', ref: 'ca_1' },
    });
  });

  test('what belongs to no order stands in the platform’s book under its own number', () => {
    const about = { merchant_id: platformBook, order_no: null, kind: 'unmatched_receipt' } as const;
    expect(receiptEntry(sample(about))).toMatchObject({ merchant_id: platformBook, subject: 'ca_1' });
  });

  test('D-084 money of a test is tagged', () => {
    expect(receiptEntry(sample({ test_mode: true })).test_mode).toBe(true);
  });

  test('a case without booked money has no account', () => {
    expect(() => receiptEntry(sample({ booked: false }))).toThrow('without money');
  });
});
