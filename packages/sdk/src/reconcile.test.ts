import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reconcile, type OwnRecord, type ReconciledOrder, type Reconciliation } from './reconcile.ts';

const own = (change: Partial<OwnRecord> = {}): OwnRecord => ({
  external_reference: 'SO-1',
  amount: '10',
  currency: 'USD',
  status: 'paid',
  ...change,
});
const order = (order_no: string, change: Partial<ReconciledOrder> = {}): ReconciledOrder => ({
  order_no,
  external_reference: 'SO-1',
  amount: '10.00',
  currency: 'USD',
  status: 'expired',
  status_version: 2,
  ...change,
});
const paid = (order_no: string, change: Partial<ReconciledOrder> = {}) =>
  order(order_no, { status: 'paid', event_id: `pe_${order_no}`, ...change });

/** The result with numbers for orders and records, which is easier to read and compare. */
function outline(result: Reconciliation<OwnRecord, ReconciledOrder>) {
  const name = ({ order_no }: ReconciledOrder) => order_no;
  return {
    matches: result.matches.map((pair) => name(pair.order)),
    mismatches: result.mismatches.map((pair) => `${name(pair.order)}: ${pair.differences.join()}`),
    missing_orders: result.missing_orders.length,
    missing_records: result.missing_records.map(name),
    duplicates: result.duplicates.map(
      ({ by, key, records, orders }) => `${by} ${key}: ${records.length} records, ${orders.map(name).join()}`,
    ),
    other_orders: result.other_orders.map(name),
  };
}
const nothing = outline(reconcile([], []));

const cases: [string, OwnRecord[], ReconciledOrder[], Partial<typeof nothing>][] = [
  ['R-099 equal amounts in other spellings match', [own()], [paid('1')], { matches: ['1'] }],
  [
    'D-923 the reference is trimmed as the service trims it',
    [own({ external_reference: ' SO-1\u0085' })],
    [paid('1')],
    { matches: ['1'] },
  ],
  [
    'an earlier try of the same reference is set aside, whatever the order of the list',
    [own()],
    [order('1'), order('2', { status: 'review' }), paid('3')],
    { matches: ['3'], other_orders: ['1', '2'] },
  ],
  [
    'without a payment, what is unresolved comes before what expired',
    [own({ status: 'review' })],
    [order('1'), order('2', { status: 'review' })],
    { matches: ['2'], other_orders: ['1'] },
  ],
  ['a different amount', [own({ amount: '10.01' })], [paid('1')], { mismatches: ['1: amount'] }],
  ['a different currency', [own({ currency: 'EUR' })], [paid('1')], { mismatches: ['1: currency'] }],
  [
    'posted, but the service refunded it',
    [own()],
    [paid('1', { status: 'refunded' })],
    { mismatches: ['1: status'] },
  ],
  [
    'R-019 posted, but the status is unknown',
    [own()],
    [order('1', { status: 'on_hold' })],
    { mismatches: ['1: status'] },
  ],
  [
    'found by its event, but under another reference',
    [own({ event_id: 'pe_1', external_reference: 'SO-9' })],
    [paid('1')],
    { mismatches: ['1: external_reference'] },
  ],
  [
    'posted under an event that the service does not know',
    [own({ event_id: 'pe_x' })],
    [paid('1')],
    { mismatches: ['1: event_id'] },
  ],
  [
    'an order number outranks the reference',
    [own({ order_no: '1', status: 'expired' })],
    [order('1'), paid('2')],
    { matches: ['1'], missing_records: ['2'] },
  ],
  [
    'an amount that is none never matches',
    [own({ amount: 'ten' })],
    [paid('1', { amount: 'ten' })],
    { mismatches: ['1: amount'] },
  ],
  ['a record without any order', [own()], [], { missing_orders: 1 }],
  ['an order without any record', [], [paid('1'), order('2')], { missing_records: ['1', '2'] }],
  [
    'one payment posted twice',
    [own({ event_id: 'pe_1' }), own({ event_id: 'pe_1' })],
    [paid('1')],
    { matches: ['1'], duplicates: ['event_id pe_1: 1 records, '] },
  ],
  [
    'the buyer paid two orders of one reference, and one was posted',
    [own({ event_id: 'pe_2' })],
    [paid('1'), paid('2')],
    { matches: ['2'], duplicates: ['external_reference SO-1: 0 records, 1'] },
  ],
  [
    'the buyer paid twice, and both were posted under their events',
    [own({ event_id: 'pe_2' }), own({ event_id: 'pe_1' })],
    [paid('1'), paid('2')],
    { matches: ['2', '1'] },
  ],
  [
    'a bare reference leaves the order to the record that names its event',
    [own(), own({ event_id: 'pe_1' })],
    [paid('1')],
    { matches: ['1'], duplicates: ['external_reference SO-1: 1 records, '] },
  ],
  [
    'one event under two orders',
    [own({ event_id: 'pe' })],
    [paid('1', { event_id: 'pe' }), paid('2', { event_id: 'pe' })],
    { matches: ['1'], duplicates: ['event_id pe: 0 records, 2'] },
  ],
  [
    'an order listed twice counts once, in its higher version',
    [own()],
    [order('1', { status_version: 2 }), paid('1', { status_version: 3 }), order('1', { status_version: 1 })],
    { matches: ['1'] },
  ],
];

describe('reconcile', () => {
  test.each(cases)('%s', (_name, records, orders, expected) => {
    expect(outline(reconcile(records, orders))).toEqual({ ...nothing, ...expected });
  });
});

/** Counts from now on how often members of these objects are read. */
function countReads(objects: object[]): () => number {
  let reads = 0;
  const get = (target: object, name: string | symbol): unknown => {
    reads++;
    return Reflect.get(target, name);
  };
  for (const [index, object] of objects.entries()) objects[index] = new Proxy(object, { get });
  return () => reads;
}

describe('the result of reconcile', () => {
  test('gives back the same objects, with all their members', () => {
    const record = { ...own(), row: 7 };
    const seen = { ...paid('1'), checkout_url: 'https://pay.example/' };
    const [pair] = reconcile([record], [seen]).matches;
    expect(pair?.record.row).toBe(7);
    expect(pair?.order).toBe(seen);
  });

  const reference = fc.constantFrom('SO-1', 'SO-2', 'SO-3');
  const event = fc.option(fc.constantFrom('pe_1', 'pe_2', 'pe_3'), { nil: undefined });
  const status = fc.constantFrom('pending', 'paid', 'review', 'expired', 'refunded', 'on_hold');
  const amount = fc.constantFrom('10', '10.00', '11', 'x');
  const any_record = fc
    .record({
      external_reference: reference,
      amount,
      status,
      event,
      order_no: fc.constantFrom(null, '1', '2', '9'),
    })
    .map(({ event: event_id, ...rest }) => own({ ...rest, event_id: event_id ?? null }));
  const any_order = fc
    .record({
      order_no: fc.constantFrom('1', '2', '3', '4', '5'),
      external_reference: reference,
      amount,
      status,
      event,
      status_version: fc.nat(4),
    })
    .map(({ event: event_id, order_no, ...rest }) =>
      order(order_no, event_id === undefined ? rest : { ...rest, event_id }),
    );

  test('every record and every order ends in exactly one place, and a second run gives the same', () => {
    fc.assert(
      fc.property(
        fc.array(any_record, { maxLength: 8 }),
        fc.array(any_order, { maxLength: 8 }),
        (records, orders) => {
          const result = reconcile(records, orders);
          const pairs = [...result.matches, ...result.mismatches];
          const placed_records = [
            ...pairs.map((pair) => pair.record),
            ...result.missing_orders,
            ...result.duplicates.flatMap((duplicate) => duplicate.records),
          ];
          const placed_orders = [
            ...pairs.map((pair) => pair.order),
            ...result.missing_records,
            ...result.other_orders,
            ...result.duplicates.flatMap((duplicate) => duplicate.orders),
          ];
          expect(placed_records).toHaveLength(records.length);
          expect(new Set(placed_records)).toEqual(new Set(records));
          expect(placed_orders.map(({ order_no }) => order_no).toSorted()).toEqual(
            Array.from(new Set(orders.map(({ order_no }) => order_no))).toSorted(),
          );
          expect(reconcile(records, orders)).toEqual(result);
        },
      ),
    );
  });

  test('twenty thousand records against as many orders take no quadratic time', () => {
    const numbers = Array.from({ length: 20_000 }, (_, index) => String(index));
    const records = numbers.map((number) => own({ external_reference: number, event_id: `pe_${number}` }));
    const orders = numbers.map((number) => paid(number, { external_reference: number }));
    const reads = [countReads(records), countReads(orders)];
    expect(reconcile(records, orders).matches).toHaveLength(20_000);
    // Some for each, and some more to sort them; in quadratic time it would be thousands for each.
    for (const count of reads) expect(count() / 20_000).toBeLessThan(200);
  });
});
