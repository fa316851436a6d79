/** Bodies of catalog orders, for programs that order for a person and for the merchant’s console. */
import Type, { type Static } from 'typebox';
import { CurrencyCode, Instant, OneOf, orNull, Text } from './scalars.ts';

/** An amount times 10^8, for every currency (D-182). It is a `bigint` in the code, never a float. */
const Fixed8 = (description: string) =>
  Type.Unsafe<bigint>({ type: 'integer', minimum: 0, description: `${description} Times 10^8.` });

const decimals = (description: string) => Type.Integer({ minimum: 0, maximum: 8, description });

const PlainTime = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
    description: `${description} \`YYYY-MM-DD HH:mm:ss\` in UTC.`,
  });

const orderNo = Text('Identifies the catalog order.');
const gdNo = Text('The product.');
const otherIpu = Type.Record(Type.String(), Type.String(), {
  description: 'The inputs that the product asks for, by key: see `other_ipu_cnf` of the product.',
});

export const CreateCatalogOrder = Type.Object(
  {
    gd_no: gdNo,
    quantity: Type.Integer({
      minimum: 1,
      description: 'The quantity. It is limited by the stock and by the product’s `buy_limit_num`.',
    }),
    payment_no: Text('The identifier of the channel to pay through, not its name or currency.'),
    other_ipu: Type.Optional(orNull(otherIpu)),
  },
  {
    title: 'CreateCatalogOrder',
    examples: [
      {
        gd_no: 'gd_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
        quantity: 2,
        payment_no: 'ch_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
        other_ipu: { qq_account: '10001' },
      },
    ],
  },
);

export const CreatedCatalogOrder = Type.Object(
  { order_no: orderNo },
  { title: 'CreatedCatalogOrder', examples: [{ order_no: 'co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF' }] },
);

const catalogOrderExample = {
  order_no: 'co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  gd_no: 'gd_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  title: 'Gift card',
  quantity: 2,
  status: 1,
  status_label: 'Paid, in processing',
  currency: 'USD',
  currency_decimals: 2,
  total_amount: 2_000_000_000,
  discount_amount: 200_000_000,
  handling_amount: 18_000_000,
  pay_amount: 1_818_000_000,
  payment_currency: 'PTK',
  payment_currency_decimals: 8,
  payment_subtotal: 18_000_000_000,
  payment_handling_amount: 180_000_000,
  payment_pay_amount: 18_180_000_000,
  payment_no: 'ch_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  payment_name: 'PTK wallet',
  trade_no: 'PTK:co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  paid_time: '2026-03-02 09:31:00',
  created_at: '2026-03-02 09:30:00',
  updated_at: '2026-03-02 09:31:00',
};

/** The members of a catalog order, with fixed types, and its status as a number. */
const catalogOrder = {
  order_no: orderNo,
  gd_no: gdNo,
  title: Text('The product’s name at the time of the order.'),
  quantity: Type.Integer({ minimum: 1, description: 'The quantity.' }),
  status: Type.Integer({
    minimum: 0,
    maximum: 3,
    description:
      '0: pending payment; 1: paid and in processing; 2: cancelled; 3: completed. Use this number, not its label. A ' +
      'late payment can still make a cancelled order paid if there is stock.',
  }),
  status_label: Text('A label for `status`, for people.'),
  currency: CurrencyCode('The currency of the price.'),
  currency_decimals: decimals('Decimals of the currency, for display. Amounts are always times 10^8.'),
  total_amount: Fixed8('The quantity times the price.'),
  discount_amount: Fixed8('The wholesale discount.'),
  handling_amount: Fixed8('The buyer’s fee.'),
  pay_amount: Fixed8('`total_amount` minus `discount_amount` plus `handling_amount`.'),
  payment_currency: CurrencyCode('The currency that the buyer pays in.'),
  payment_currency_decimals: decimals('Decimals of the payment currency, for display.'),
  payment_subtotal: Fixed8('The amount before the fee, in the payment currency.'),
  payment_handling_amount: Fixed8('The buyer’s fee in the payment currency.'),
  payment_pay_amount: Fixed8('The total that the buyer pays: the amount plus the fee.'),
  payment_no: Text('The channel’s identifier.'),
  payment_name: Text('The channel’s name.'),
  payment_methods: Type.Optional(
    Type.Array(Type.String(), { description: 'The channels that the product allows, if it restricts them.' }),
  ),
  trade_no: Type.String({ description: 'The payment number; empty until a payment session exists.' }),
  paid_time: orNull(PlainTime('Time of payment.')),
  created_at: PlainTime('Time of creation.'),
  updated_at: PlainTime('Time of the last change.'),
};

export const CatalogOrder = Type.Object(catalogOrder, {
  title: 'CatalogOrder',
  description: 'The platform computes all prices. Prices in the request are ignored.',
  examples: [catalogOrderExample],
});
export type CatalogOrder = Static<typeof CatalogOrder>;

export const StartCatalogPayment = Type.Object(
  { payment_no: Text('The channel that was chosen for the order.') },
  { title: 'StartCatalogPayment', examples: [{ payment_no: 'ch_01JNXW5R3M8Q4T0ZB6Y2C7D9EF' }] },
);

/** A started payment: where it leads, and until when. */
export const CatalogPaymentSession = Type.Object(
  {
    trade_no: Text('The payment number.'),
    redirect: Text(
      'The address to send the buyer to: the payment page, or the order’s page as a path relative to the platform’s ' +
        'address.',
    ),
    expire_time: Type.Integer({
      description: 'The payment can be started or resumed until this time, in Unix seconds.',
    }),
  },
  {
    title: 'CatalogPaymentSession',
    description: 'This is not proof of payment. Read the payment status.',
    examples: [
      {
        trade_no: 'PTK:co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
        redirect: '/orders/co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
        expire_time: 1_772_445_600,
      },
    ],
  },
);

/** The state of the payment, apart from that of the order. */
export const CatalogPaymentStatus = Type.Object(
  {
    status: Type.Integer({
      minimum: 0,
      maximum: 2,
      description:
        '0: pending, ask again later; 1: paid, read the order for its delivery; 2: cancelled. These numbers differ ' +
        'from those of the order’s `status`.',
    }),
  },
  { title: 'CatalogPaymentStatus', examples: [{ status: 1 }] },
);

const fixedPtk = (description: string) => Type.String({ pattern: '^\\d+$', description });

/** A catalog order as its merchant sees it: with the buyer’s inputs, without the buyer’s identity. */
export const SoldCatalogOrder = Type.Object(
  {
    ...catalogOrder,
    other_ipu: otherIpu,
    made_again: Type.Boolean({
      description:
        'Whether the order was lost in a restore of the database and made again. Its `other_ipu` are lost, and no codes ' +
        'are handed out for it: the buyer may have them already.',
    }),
    test_mode: Type.Boolean({ description: 'Whether the order uses a test channel.' }),
    reversed: orNull(
      OneOf(['refunded', 'chargeback'], 'Whether the payment was taken back later; null if it was not.'),
    ),
    gross_settlement_ptk: fixedPtk('The price of the order in PTK before the merchant’s fee, times 10^8.'),
    merchant_fee_ptk: fixedPtk('The merchant’s fee in PTK, times 10^8.'),
    settlement_ptk: orNull(
      fixedPtk(
        'The amount that the merchant receives, times 10^8; null on the merchant’s own channel. Not proof of payment.',
      ),
    ),
    expires_at: Instant('The order can be paid until this time.'),
    paid_at: orNull(
      Instant(
        'When Paydesk booked the payment, as in the statement; `paid_time` is when the buyer has paid.',
      ),
    ),
    completed_at: orNull(Instant('Time of delivery.')),
  },
  {
    title: 'SoldCatalogOrder',
    examples: [
      {
        ...catalogOrderExample,
        other_ipu: { qq_account: '10001' },
        made_again: false,
        test_mode: false,
        reversed: null,
        gross_settlement_ptk: '18000000000',
        merchant_fee_ptk: '180000000',
        settlement_ptk: '17820000000',
        expires_at: '2026-03-02T10:00:00.000Z',
        paid_at: '2026-03-02T09:31:02.000Z',
        completed_at: null,
      },
    ],
  },
);

export const SoldCatalogOrderPage = Type.Object(
  {
    items: Type.Array(SoldCatalogOrder, { description: 'Newest first.' }),
    next_cursor: Type.Optional(Text('Send it as `cursor` to go on. Absent on the last page.')),
  },
  { title: 'SoldCatalogOrderPage' },
);

export const FulfilCatalogOrder = Type.Object(
  {
    note: Type.Optional(
      Type.String({
        description: 'A message to the buyer about the delivery, at most 2000 bytes. Stored encrypted.',
      }),
    ),
  },
  { title: 'FulfilCatalogOrder', examples: [{ note: 'Sent to your account.' }] },
);

export const UploadProductCodes = Type.Object(
  {
    codes: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 1_000,
      description:
        'The codes to add, at most 1000 bytes each. Codes that the product already has or had are skipped.',
    }),
  },
  { title: 'UploadProductCodes', examples: [{ codes: ['K7QX-22PM', 'W3TB-90ZA'] }] },
);

export const WithdrawProductCodes = Type.Object(
  {
    codes: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 1_000,
        description:
          'The codes to withdraw, exactly as uploaded. Codes that were given to orders stay with them.',
      }),
    ),
    all: Type.Optional(
      Type.Literal(true, { description: 'Instead of `codes`: withdraws all codes that were not given out.' }),
    ),
  },
  { title: 'WithdrawProductCodes', examples: [{ codes: ['K7QX-22PM'] }, { all: true }] },
);

const codesLeft = {
  left: Type.Integer({ minimum: 0, description: 'Number of codes that were not given out.' }),
  given: Type.Integer({ minimum: 0, description: 'Number of codes that were given to orders.' }),
  in_stock: Type.Integer({ minimum: 0, description: 'The quantity that can still be ordered.' }),
};

export const ProductCodes = Type.Object(codesLeft, {
  title: 'ProductCodes',
  examples: [{ left: 12, given: 30, in_stock: 10 }],
});

export const WithdrawnProductCodes = Type.Object(
  {
    withdrawn: Type.Integer({ minimum: 0, description: 'Number of codes that were withdrawn.' }),
    passed_over: Type.Integer({
      minimum: 0,
      description: 'Number of requested codes that were already given out or do not exist.',
    }),
    ...codesLeft,
  },
  {
    title: 'WithdrawnProductCodes',
    examples: [{ withdrawn: 1, passed_over: 0, left: 11, given: 30, in_stock: 9 }],
  },
);

export const UploadedProductCodes = Type.Object(
  {
    added: Type.Integer({ minimum: 0, description: 'Number of codes that were added.' }),
    known: Type.Integer({ minimum: 0, description: 'Number of codes that the product already has or had.' }),
    ...codesLeft,
  },
  {
    title: 'UploadedProductCodes',
    examples: [{ added: 2, known: 0, left: 12, given: 30, in_stock: 10 }],
  },
);
