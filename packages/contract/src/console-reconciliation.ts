/** Bodies of the comparison of a merchant's own records with its orders. */
import Type, { type Static } from 'typebox';
import { CollectionStatus, collectionStatuses } from './collection-order.ts';
import { CurrencyCode, DecimalText, Instant, OneOf, orNull, OrderNo, Text } from './scalars.ts';

export const mostRecords = 10_000;

const OwnRecord = Type.Object({
  external_reference: Type.String({
    minLength: 1,
    maxLength: 191,
    description: 'The reference of the order.',
  }),
  currency: CurrencyCode('The currency of the invoice.'),
  amount: DecimalText('The invoice, to the last digit.'),
  status: Type.Optional(OneOf(collectionStatuses, 'The status that your books have; not compared without.')),
});

export const ReconciliationRequest = Type.Object(
  {
    records: Type.Array(OwnRecord, { maxItems: mostRecords, description: 'Your own records.' }),
    from: Type.Optional(
      Type.String({ maxLength: 40, description: 'RFC 3339. With `to`: the time that your records are of.' }),
    ),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'RFC 3339; this instant left out.' })),
  },
  {
    title: 'ReconciliationRequest',
    examples: [
      {
        records: [{ external_reference: 'INV-2026-00417', currency: 'USD', amount: '10.00', status: 'paid' }],
        from: '2026-03-01T00:00:00Z',
        to: '2026-04-01T00:00:00Z',
      },
    ],
  },
);
export type ReconciliationRequest = Static<typeof ReconciliationRequest>;

export const reconciliationResults = [
  'match',
  'mismatch',
  'missing_here',
  'missing_there',
  'duplicate',
] as const;

const Compared = Type.Object({
  result: OneOf(
    reconciliationResults,
    '`missing_here`: we have no such order; `missing_there`: your records lack it; `duplicate`: the record is there ' +
      'more than once, or more than one order of the reference was paid.',
  ),
  record: orNull(
    Type.Integer({ minimum: 0, description: 'Which of your records, from 0; null where there is none.' }),
  ),
  fields: Type.Array(OneOf(['currency', 'amount', 'status'], 'A member.'), {
    description: 'What differs.',
  }),
  order: orNull(
    Type.Object({
      order_no: OrderNo,
      external_reference: Text('Its reference.'),
      currency: CurrencyCode('Its currency.'),
      amount: DecimalText('Its amount.'),
      status: CollectionStatus,
      created_at: Instant('When it was created.'),
    }),
  ),
});

const count = Type.Integer({ minimum: 0, description: 'How many.' });

export const Reconciliation = Type.Object(
  {
    counts: Type.Object({
      match: count,
      mismatch: count,
      missing_here: count,
      missing_there: count,
      duplicate: count,
    }),
    items: Type.Array(Compared, { description: 'In the order of your records, then what they lack.' }),
    complete: Type.Boolean({
      description: `Whether all orders of the time were looked at: at most ${mostRecords} are.`,
    }),
  },
  {
    title: 'Reconciliation',
    examples: [
      {
        counts: { match: 0, mismatch: 0, missing_here: 1, missing_there: 0, duplicate: 0 },
        items: [{ result: 'missing_here', record: 0, fields: [], order: null }],
        complete: true,
      },
    ],
  },
);
export type Reconciliation = Static<typeof Reconciliation>;
