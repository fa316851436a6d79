/** Bodies of catalog orders: of the program that orders for a person, and of the merchant's console. */
import Type, { type Static } from 'typebox';
import { CurrencyCode, Instant, OneOf, orNull, Text } from './scalars.ts';

/** An amount times 10^8, whatever its currency's own precision (D-182). Never passed through a float by our code. */
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
  description: 'What the product asks its buyers for, by key: see its `other_ipu_cnf`.',
});

export const CreateCatalogOrder = Type.Object(
  {
    gd_no: gdNo,
    quantity: Type.Integer({
      minimum: 1,
      description: 'How many. Stock and the product’s own limit bound it.',
    }),
    payment_no: Text('The channel to pay through: its identifier, no currency and no name.'),
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

const catalogOrder = {
  order_no: orderNo,
  gd_no: gdNo,
  title: Text('The name of the product when it was ordered.'),
  quantity: Type.Integer({ minimum: 1, description: 'How many.' }),
  status: Type.Integer({
    minimum: 0,
    maximum: 3,
    description:
      '0: pending payment; 1: paid and in processing; 2: cancelled; 3: completed. Decide by it, not by its label. A ' +
      'cancelled order can still become paid where a payment comes late and there is stock.',
  }),
  status_label: Text('What `status` means, for people.'),
  currency: CurrencyCode('The currency of the price.'),
  currency_decimals: decimals('Its decimals, for showing: amounts are times 10^8 in any case.'),
  total_amount: Fixed8('Quantity times the price.'),
  discount_amount: Fixed8('What the wholesale price saves of it.'),
  handling_amount: Fixed8('The buyer’s fee.'),
  pay_amount: Fixed8('`total_amount` less `discount_amount`, with `handling_amount`.'),
  payment_currency: CurrencyCode('The currency that the buyer pays in.'),
  payment_currency_decimals: decimals('Its decimals, for showing.'),
  payment_subtotal: Fixed8('What is to be paid before the fee, in that currency.'),
  payment_handling_amount: Fixed8('The buyer’s fee in that currency.'),
  payment_pay_amount: Fixed8('Both together: what the buyer pays.'),
  payment_no: Text('The channel.'),
  payment_name: Text('Its name.'),
  payment_methods: Type.Optional(
    Type.Array(Type.String(), { description: 'The channels that the product allowed, where it named them.' }),
  ),
  trade_no: Type.String({ description: 'The number of the payment; empty until there is a session.' }),
  paid_time: orNull(PlainTime('When it was paid.')),
  created_at: PlainTime('When it was made.'),
  updated_at: PlainTime('When it last changed.'),
};

export const CatalogOrder = Type.Object(catalogOrder, {
  title: 'CatalogOrder',
  description: 'Prices are the platform’s own: what a request says of them has no effect.',
  examples: [catalogOrderExample],
});
export type CatalogOrder = Static<typeof CatalogOrder>;

export const StartCatalogPayment = Type.Object(
  { payment_no: Text('The channel that the order was made for.') },
  { title: 'StartCatalogPayment', examples: [{ payment_no: 'ch_01JNXW5R3M8Q4T0ZB6Y2C7D9EF' }] },
);

export const CatalogPaymentSession = Type.Object(
  {
    trade_no: Text('The number of the payment.'),
    redirect: Text(
      'Where the buyer goes: the payment page, or the order’s own page as an address relative to the platform’s.',
    ),
    expire_time: Type.Integer({
      description: 'Until when the payment can be begun or resumed: Unix seconds.',
    }),
  },
  {
    title: 'CatalogPaymentSession',
    description: 'No proof of payment: read the payment status.',
    examples: [
      {
        trade_no: 'PTK:co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
        redirect: '/orders/co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
        expire_time: 1_772_445_600,
      },
    ],
  },
);

export const CatalogPaymentStatus = Type.Object(
  {
    status: Type.Integer({
      minimum: 0,
      maximum: 2,
      description:
        '0: pending, ask again after a while; 1: paid, read the order for its delivery; 2: cancelled. These are not ' +
        'the numbers of the order’s own `status`.',
    }),
  },
  { title: 'CatalogPaymentStatus', examples: [{ status: 1 }] },
);

const fixedPtk = (description: string) => Type.String({ pattern: '^\\d+$', description });

/** A catalog order as its merchant sees it: with what to deliver to, and nothing of who the buyer is. */
export const SoldCatalogOrder = Type.Object(
  {
    ...catalogOrder,
    other_ipu: otherIpu,
    test_mode: Type.Boolean({ description: 'Whether it was to be paid through a test channel.' }),
    reversed: orNull(
      OneOf(['refunded', 'chargeback'], 'What became of the payment since; null while it stands.'),
    ),
    settlement_ptk: orNull(
      fixedPtk('What the merchant gets, times 10^8; null on its own channel. No proof of payment.'),
    ),
    expires_at: Instant('Until when it can be paid.'),
    completed_at: orNull(Instant('When it was delivered.')),
  },
  {
    title: 'SoldCatalogOrder',
    examples: [
      {
        ...catalogOrderExample,
        other_ipu: { qq_account: '10001' },
        test_mode: false,
        reversed: null,
        settlement_ptk: '17820000000',
        expires_at: '2026-03-02T10:00:00.000Z',
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
        description: 'What the buyer is told with the delivery; at most 2000 bytes. Kept sealed.',
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
        'One text each, at most 1000 bytes. Those that the product has or had before are passed over.',
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
        description: 'Which, as they were uploaded. Those that have gone out stay with their orders.',
      }),
    ),
    all: Type.Optional(
      Type.Literal(true, { description: 'In place of `codes`: all that have not gone out.' }),
    ),
  },
  { title: 'WithdrawProductCodes', examples: [{ codes: ['K7QX-22PM'] }, { all: true }] },
);

const codesLeft = {
  left: Type.Integer({ minimum: 0, description: 'Codes that have not gone out.' }),
  given: Type.Integer({ minimum: 0, description: 'Codes that have gone out with orders.' }),
  in_stock: Type.Integer({ minimum: 0, description: 'What can still be ordered.' }),
};

export const ProductCodes = Type.Object(codesLeft, {
  title: 'ProductCodes',
  examples: [{ left: 12, given: 30, in_stock: 10 }],
});

export const WithdrawnProductCodes = Type.Object(
  {
    withdrawn: Type.Integer({ minimum: 0, description: 'Codes that were taken away and go out to nobody.' }),
    passed_over: Type.Integer({
      minimum: 0,
      description: 'Codes of the request that have gone out already, or that the product does not have.',
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
    added: Type.Integer({ minimum: 0, description: 'Codes that were taken in.' }),
    known: Type.Integer({ minimum: 0, description: 'Codes that the product has or had before.' }),
    ...codesLeft,
  },
  {
    title: 'UploadedProductCodes',
    examples: [{ added: 2, known: 0, left: 12, given: 30, in_stock: 10 }],
  },
);
