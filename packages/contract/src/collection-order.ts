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

/** The states that an order can be in today. */
export const collectionStatuses = ['pending', 'paid', 'review', 'expired', 'refunded', 'chargeback'] as const;

export const CollectionStatus = OneOf(
  collectionStatuses,
  'Only `paid` means that the payment is confirmed and booked. `pending` and `review` are unresolved: money may ' +
    'still arrive. `expired` may still become `paid` by a late payment that we verified. Keep a value that you do ' +
    'not know, and never take it for paid.',
);

/**
 * What a creation sends. The schema refuses nothing that the service accepts: limits in bytes stand beside it as
 * `x-max-bytes` and `x-min-bytes`, since JSON Schema counts characters.
 */
export const CreateCollectionOrder = Type.Object(
  {
    external_reference: Type.String({
      pattern: '\\S',
      'x-max-bytes': 191,
      description:
        'Your own order. Trimmed, then at most 191 bytes of UTF-8. One reference may have several collection orders.',
      examples: ['INV-2026-00417'],
    }),
    idempotency_key: Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: '\\S',
      'x-max-bytes': 128,
      description:
        'Makes retrying safe: the same key with the same parameters answers with the same order, with others 409 ' +
        '`payment_conflict`. At most 128 bytes, yours alone within your merchant.',
      examples: ['INV-2026-00417/1'],
    }),
    amount: Type.Optional(
      Type.String({
        pattern: '^[0-9]+(\\.[0-9]+)?$',
        maxLength: 64,
        description:
          'What the invoice says, as a decimal text: digits with at most one point, more than zero. Decimals beyond ' +
          'the precision of the currency must be zeros; nothing is rounded. Send either this or `amount_minor`.',
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
        'Restricts the order to this channel of the directory. Empty or left out: the buyer chooses at checkout.',
      ),
    ),
    description: optionalOrNull(
      Type.String({
        'x-max-bytes': 500,
        description: 'Shown to the buyer. Trimmed, then at most 500 bytes.',
        examples: ['Two paperbacks'],
      }),
    ),
    expires_in: optionalOrNull(
      Type.Integer({
        minimum: 60,
        maximum: 7_200,
        default: 1_800,
        description: 'Seconds until the order expires; fixed once it is created.',
      }),
    ),
    notify_enabled: optionalOrNull(
      Type.Boolean({
        description:
          'Whether this order sends notifications. `true` takes the address and secret given here, or else the ' +
          'defaults of your merchant; `false` sends none and allows neither. Left out: as the other two and the ' +
          'defaults say.',
      }),
    ),
    notify_url: optionalOrNull(
      Type.String({
        maxLength: 2_048,
        'x-max-bytes': 2_048,
        description:
          'Where the notifications of this order go: a public HTTPS address without credentials and fragment, at ' +
          'most 2048 bytes. Only together with `notify_secret`.',
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
          'The key that signs them: 32 to 256 bytes without white space, and not your client secret. Never shown ' +
          'again.',
      }),
    ),
    return_url: optionalOrNull(
      Type.String({
        'x-max-bytes': 2_048,
        description:
          'Where the browser goes once the order is paid: an absolute HTTPS address without credentials. Trimmed, ' +
          'then at most 2048 bytes. Kept to the letter; nothing is appended. A visit there is no proof of payment.',
        examples: ['https://shop.example/orders/417/thanks'],
      }),
    ),
  },
  {
    title: 'CreateCollectionOrder',
    description:
      'Exactly one of `amount` and `amount_minor` is sent. Optional members may be null, which means the same as ' +
      'leaving them out. Unknown members are ignored.',
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

const invoice = {
  amount: DecimalText(
    'The invoice: a decimal text with exactly as many decimals as the currency has. Never changed by the way of paying.',
  ),
  amount_minor: MinorUnits('The same amount in minor units.'),
  currency: CurrencyCode('Currency of the invoice.'),
  currency_decimals: Type.Integer({
    minimum: 0,
    maximum: 8,
    description: 'Decimals of the invoice, as they were when the order was made.',
  }),
};

const created = {
  order_no: OrderNo,
  external_reference: Text('Your own reference, as stored: trimmed.'),
  payment_no: Text(
    'The channel that the payment goes through. Empty until the buyer has confirmed a method, or the order was ' +
      'restricted to one.',
  ),
  ...invoice,
  status: CollectionStatus,
  test_mode: Type.Boolean({
    description: 'Whether that channel is a test channel; false until there is one.',
  }),
  checkout_url: Url(
    'Send the buyer here. It holds a token that opens the order: do not log it. The same in every answer.',
  ),
  return_url: Type.Optional(Text('Your return address, to the letter; absent where the order has none.')),
  expires_at: Instant('When the order expires. Fixed at creation.'),
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

/** The answer to a creation: these members and no others. */
export const CreatedCollectionOrder = Type.Object(created, {
  title: 'CreatedCollectionOrder',
  description:
    'A new order, or the one that the same key made before. The rest can be read by its `order_no`.',
  examples: [createdExample],
});
export type CreatedCollectionOrder = Static<typeof CreatedCollectionOrder>;

/** An order in reads and lists. */
export const CollectionOrder = Type.Object(
  {
    ...created,
    status_version: Type.Integer({
      minimum: 0,
      description:
        'Rises with every change of the status, within this order. A higher one wins. 0 only on historical orders.',
    }),
    event_id: Type.Optional(PaymentEventId),
    provider_trade_no: Type.Optional(
      Text("The channel's own number of the payment, for PTK `PTK:{order_no}`. Absent until paid."),
    ),
    occurred_at: orNull(
      ZonedInstant(
        'When the payment was confirmed, in the time zone in which the channel told it; null until then.',
      ),
    ),
    fee_status: OneOf(
      ['unselected', 'quoted', 'legacy'],
      '`unselected`: no method yet; `quoted`: the fees of one method are locked; `legacy`: a historical order.',
    ),
    fee_version: Type.Integer({
      minimum: 0,
      description: 'Version of the fee snapshot; 0 on historical orders.',
    }),
    payment_amount: Type.Optional(
      DecimalText('What the buyer pays in all, the buyer fee included. Absent until a method is selected.'),
    ),
    payment_currency: Type.Optional(
      CurrencyCode('The currency that it is paid in. Absent until a method is selected.'),
    ),
    buyer_fee: Type.Optional(
      DecimalText(
        'The surcharge in it, in the payment currency. Not your income. Absent until a method is selected.',
      ),
    ),
    merchant_fee: Type.Optional(
      DecimalText('Your fee, in the payment currency. Absent until a method is selected.'),
    ),
    merchant_fee_ptk: PtkUnits(
      'Your fee in PTK: a whole number of the eighth decimal. 0 until a method is selected.',
    ),
    gross_settlement_ptk: PtkUnits(
      'The invoice in PTK before your fee: a whole number of the eighth decimal.',
    ),
    settlement_ptk: Type.Optional(
      PtkUnits(
        'What you receive: the gross settlement less your fee. No proof of payment. Absent until a method is ' +
          'selected, and on a channel of your own, which collects for you.',
      ),
    ),
  },
  {
    title: 'CollectionOrder',
    description:
      'A collection order as it stands. `amount` and `currency` always state the original invoice.',
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
  { items: Type.Array(CollectionOrder, { description: 'Newest first, at most `limit`.' }) },
  { title: 'CollectionOrderList', description: 'Orders that match. There are no pages and no total.' },
);
export type CollectionOrderList = Static<typeof CollectionOrderList>;

/** What an order and an event about it have in common. */
export const snapshotMembers = {
  order_no: created.order_no,
  external_reference: created.external_reference,
  payment_no: created.payment_no,
  ...invoice,
  status: CollectionStatus,
};
