import { expect, test } from 'vitest';
import { t0 } from '../../test/support/samples.ts';
import { compareRecords, type ComparedOrder, type OwnRecord } from './reconcile-orders.ts';

const order = (change: Partial<ComparedOrder> = {}): ComparedOrder => ({
  order_no: 'mp_1',
  external_reference: 'a',
  amount_minor: 1_000n,
  currency: 'USD',
  currency_decimals: 2,
  status: 'paid',
  created_at: t0,
  ...change,
});
const own = (change: Partial<OwnRecord> = {}): OwnRecord => ({
  external_reference: 'a',
  currency: 'USD',
  amount: '10.00',
  ...change,
});

test.each<[string, OwnRecord[], ComparedOrder[], unknown[]]>([
  ['the same number in other digits', [own({ amount: '10.0000' })], [order()], [['match', []]]],
  ['a reference with space around it', [own({ external_reference: ' a ' })], [order()], [['match', []]]],
  [
    'another amount, beyond what doubles tell apart',
    [own({ amount: '90071992547409.93' })],
    [order({ amount_minor: 9_007_199_254_740_992n })],
    [['mismatch', ['amount']]],
  ],
  [
    'another currency and status',
    [own({ currency: 'EUR', status: 'refunded' })],
    [order()],
    [['mismatch', ['currency', 'status']]],
  ],
  ['no such order', [own({ external_reference: 'b' })], [order()], [['missing_here', []]]],
  [
    'a record twice',
    [own(), own()],
    [order()],
    [
      ['match', []],
      ['duplicate', []],
    ],
  ],
  ['a reference paid twice', [own()], [order(), order({ order_no: 'mp_2' })], [['duplicate', []]]],
  [
    'of several orders the one that agrees',
    [own({ amount: '7' })],
    [order({ status: 'expired' }), order({ order_no: 'mp_2', amount_minor: 700n })],
    [['match', []]],
  ],
])('%s', (_name, records, orders, results) => {
  expect(compareRecords(records, orders, []).map(({ result, fields }) => [result, fields])).toEqual(results);
});

test('what was paid and is in no record is missing there; what nobody paid is not', () => {
  const unknown = order({ order_no: 'mp_2', external_reference: 'b' });
  const unpaid = order({ order_no: 'mp_3', external_reference: 'c', status: 'expired' });
  expect(compareRecords([own()], [order()], [order(), unknown, unpaid])).toMatchObject([
    { result: 'match', record: 0 },
    { result: 'missing_there', record: null, order: { order_no: 'mp_2' } },
  ]);
});
