/** Collection orders as merchants' servers create and read them. */
import Type, { type Static } from 'typebox';
import {
  CurrencyCode,
  DecimalText,
  Instant,
  MinorUnits,
  OneOf,
  optionalOrNull,
  OrderNo,
  orNull,
  PaymentEventId,
  PtkUnits,
  Text,
  Url,
  ZonedInstant,
} from './scalars.ts';

/** All states of an order in this version: six words, never a number of the catalog. */
export const collectionStatuses = ['pending', 'paid', 'review', 'expired', 'refunded', 'chargeback'] as const;

/** What each state means to a merchant. */
export const CollectionStatus = OneOf(
  collectionStatuses,
  'Only `paid` means that the payment is confirmed and booked. `pending` and `review` are unresolved: money may ' +
    'still arrive. A verified late payment can still change `expired` to `paid`. Store a value that you do not ' +
    'know, and never treat it as paid.',
);

/**
 * The request that creates an order. The schema accepts everything that the service accepts. Limits in bytes
 * are in `x-max-bytes` and `x-min-bytes`, because JSON Schema counts characters.
 */
export const CreateCollectionOrder = Type.Object(
  {
    external_reference: Type.String({
      pattern: '\\S',
      'x-max-bytes': 191,
      description:
        'Your reference for your own order. Trimmed; then at most 191 bytes of UTF-8. One reference can have several ' +
        'collection orders.',
      examples: ['INV-2026-00417'],
    }),
    idempotency_key: Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: '\\S',
      'x-max-bytes': 128,
      description:
        'Makes retries safe: the same key with the same parameters returns the same order; with other parameters it ' +
        'returns 409 `payment_conflict`. At most 128 bytes, unique within your merchant.',
      examples: ['INV-2026-00417/1'],
    }),
    amount: Type.Optional(
      Type.String({
        pattern: '^[0-9]+(\\.[0-9]+)?$',
        maxLength: 64,
        description:
          'The invoice amount as a decimal string greater than zero: digits with at most one decimal point. Digits ' +
          'beyond the precision of the currency must be zeros; the service does not round. Send either this or ' +
          '`amount_minor`.',
        examples: ['10.00'],
      }),
    ),
    amount_minor: Type.Optional(
      MinorUnits(
        'The older form of the amount: a whole number of minor units. Send either this or `amount`.',
      ),
    ),
    currency: CurrencyCode('The upper-case code of an enabled currency.'),
    payment_no: optionalOrNull(
      Text(
        'Restricts the order to this channel from the directory. Empty or omitted: the buyer chooses at checkout.',
      ),
    ),
    description: optionalOrNull(
      Type.String({
        'x-max-bytes': 500,
        description: 'Shown to the buyer. Trimmed; then at most 500 bytes.',
        examples: ['Two paperbacks'],
      }),
    ),
    expires_in: optionalOrNull(
      Type.Integer({
        minimum: 60,
        maximum: 7_200,
        default: 1_800,
        description: 'Seconds until the order expires. Fixed at creation.',
      }),
    ),
    notify_enabled: optionalOrNull(
      Type.Boolean({
        description:
          'Whether this order sends notifications. `true` uses the address and secret of this request, or the defaults ' +
          'of your merchant. `false` sends none and allows neither parameter. If omitted, the other two parameters and ' +
          'the defaults decide.',
      }),
    ),
    notify_url: optionalOrNull(
      Type.String({
        maxLength: 2_048,
        'x-max-bytes': 2_048,
        description:
          'The address for notifications of this order: a public HTTPS address without credentials and fragment, at ' +
          'most 2048 bytes. Requires `notify_secret`.',
        examples: ['https://shop.example/paydesk/notifications'],
      }),
    ),
    notify_secret: optionalOrNull(
      Type.String({
        maxLength: 256,
        pattern: '^\\S*$',
        'x-min-bytes': 32,
        'x-max-bytes': 256,
        description:
          'The key that signs the notifications: 32 to 256 bytes without white space. Do not use your client secret. It ' +
          'is never shown again.',
      }),
    ),
    return_url: optionalOrNull(
      Type.String({
        'x-max-bytes': 2_048,
        description:
          'The address for the browser after the order is paid: an absolute HTTPS address without credentials. Trimmed; ' +
          'then at most 2048 bytes. Stored unchanged; nothing is appended. A visit to it is not proof of payment.',
        examples: ['https://shop.example/orders/417/thanks'],
      }),
    ),
  },
  {
    title: 'CreateCollectionOrder',
    description:
      'Send exactly one of `amount` and `amount_minor`. Null in an optional member means the same as omitting it. ' +
      'Unknown members are ignored.',
    oneOf: [{ required: ['amount'] }, { required: ['amount_minor'] }],
    examples: [
      {
        external_reference: 'INV-2026-00417',
        idempotency_key: 'INV-2026-00417/1',
        amount: '10.00',
        currency: 'USD',
        description: 'Two paperbacks',
        return_url: 'https://shop.example/orders/417/thanks',
      },
    ],
  },
);
export type CreateCollectionOrder = Static<typeof CreateCollectionOrder>;

/**
 * The invoice, whatever the buyer pays, with the precision that is stored with the order (R-024,
 *
 */
const invoice = {
  amount: DecimalText(
    'The invoice amount as a decimal string, with exactly the decimals of the currency. The payment method does ' +
      'not change it.',
  ),
  amount_minor: MinorUnits('The invoice amount in minor units.'),
  currency: CurrencyCode('The currency of the invoice.'),
  currency_decimals: Type.Integer({
    minimum: 0,
    maximum: 8,
    description: 'Decimals of the currency when the order was created.',
  }),
};

const created = {
  order_no: OrderNo,
  external_reference: Text('Your own reference, trimmed.'),
  payment_no: Text(
    'The channel of the payment. Empty until the buyer confirms a method, unless the order is restricted to a ' +
      'channel.',
  ),
  ...invoice,
  status: CollectionStatus,
  test_mode: Type.Boolean({
    description: 'Whether that channel is a test channel; false if there is no channel yet.',
  }),
  checkout_url: Url(
    'Send the buyer to this address. It contains a token that opens the order, so do not log it. Every answer ' +
      'returns the same address.',
  ),
  return_url: Type.Optional(Text('Your return address, unchanged; absent if the order has none.')),
  expires_at: Instant('Time when the order expires. Fixed at creation.'),
};

const createdExample = {
  order_no: 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  external_reference: 'INV-2026-00417',
  payment_no: '',
  amount: '10.00',
  amount_minor: 1_000,
  currency: 'USD',
  currency_decimals: 2,
  status: 'pending',
  test_mode: false,
  checkout_url: 'https://pay.example/checkout/mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF?token=Qh0r3vJ8cW1kTz',
  return_url: 'https://shop.example/orders/417/thanks',
  expires_at: '2026-03-02T10:00:00.000Z',
};

/** The answer to a creation: exactly these members, without a version (R-052, D-002, D-041). */
export const CreatedCollectionOrder = Type.Object(created, {
  title: 'CreatedCollectionOrder',
  description:
    'A new order, or the order that the same key created before. Read the other members by `order_no`.',
  examples: [createdExample],
});
export type CreatedCollectionOrder = Static<typeof CreatedCollectionOrder>;

/** An order in reads and lists: exactly these members. */
export const CollectionOrder = Type.Object(
  {
    ...created,
    status_version: Type.Integer({
      minimum: 0,
      description:
        'Increases with every status change of this order. The higher version wins. 0 only on historical orders.',
    }),
    event_id: Type.Optional(PaymentEventId),
    provider_trade_no: Type.Optional(
      Text('The channel’s number for the payment; `PTK:{order_no}` for PTK. Absent until the order is paid.'),
    ),
    occurred_at: orNull(
      ZonedInstant('Time when the payment was confirmed, in the channel’s time zone; null before that.'),
    ),
    fee_status: OneOf(
      ['unselected', 'quoted', 'legacy'],
      '`unselected`: no method is selected; `quoted`: the fees of one method are locked; `legacy`: a historical ' +
        'order.',
    ),
    fee_version: Type.Integer({
      minimum: 0,
      description: 'The version of the fee snapshot; 0 on historical orders.',
    }),
    payment_amount: Type.Optional(
      DecimalText(
        'The total that the buyer pays, including the buyer fee. Absent until a method is selected.',
      ),
    ),
    payment_currency: Type.Optional(
      CurrencyCode('The currency that the buyer pays in. Absent until a method is selected.'),
    ),
    buyer_fee: Type.Optional(
      DecimalText(
        'The surcharge included in the total, in the payment currency. It is not your income. Absent until a method ' +
          'is selected.',
      ),
    ),
    merchant_fee: Type.Optional(
      DecimalText('Your fee in the payment currency. Absent until a method is selected.'),
    ),
    // These two are always present.
    merchant_fee_ptk: PtkUnits(
      'Your fee in PTK, as a whole number of the eighth decimal. 0 until a method is selected.',
    ),
    gross_settlement_ptk: PtkUnits(
      'The invoice amount in PTK before your fee, as a whole number of the eighth decimal.',
    ),
    settlement_ptk: Type.Optional(
      PtkUnits(
        'The amount that you receive: the gross settlement minus your fee. It is not proof of payment. Absent until a ' +
          'method is selected, and always absent on your own channel, because it collects for you.',
      ),
    ),
  },
  {
    title: 'CollectionOrder',
    description:
      'The current state of a collection order. `amount` and `currency` always are those of the original invoice.',
    examples: [
      {
        ...createdExample,
        payment_no: 'ch_01JNXVZX1B6W3F8Y0M5T2H9KRS',
        status: 'paid',
        status_version: 2,
        event_id: 'pe_01JNXW8Z5K2V7H1R4N0QX3M6BT',
        provider_trade_no: 'PTK:mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
        occurred_at: '2026-03-02T09:32:10.482Z',
        fee_status: 'quoted',
        fee_version: 1,
        payment_amount: '100.00000000',
        payment_currency: 'PTK',
        buyer_fee: '0.00000000',
        merchant_fee: '2.60000000',
        merchant_fee_ptk: '260000000',
        gross_settlement_ptk: '10000000000',
        settlement_ptk: '9740000000',
      },
    ],
  },
);
export type CollectionOrder = Static<typeof CollectionOrder>;

/** The answer to a list. */
export const CollectionOrderList = Type.Object(
  {
    items: Type.Array(CollectionOrder, {
      description: 'At most `limit` orders: newest first, or oldest first in a list by creation.',
    }),
    next_cursor: Type.Optional(
      Type.String({
        description: 'In a list by creation, the `cursor` of the next page; absent from the last one.',
      }),
    ),
  },
  { title: 'CollectionOrderList', description: 'The orders that match. There is no total.' },
);
export type CollectionOrderList = Static<typeof CollectionOrderList>;

/** Members that an order and its notifications share. */
export const snapshotMembers = {
  order_no: created.order_no,
  external_reference: created.external_reference,
  payment_no: created.payment_no,
  ...invoice,
  status: CollectionStatus,
};
