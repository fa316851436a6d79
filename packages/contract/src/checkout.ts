/** What the buyer's page and the service say to one another. */
import Type, { type Static } from 'typebox';
import { CollectionStatus } from './collection-order.ts';
import {
  CurrencyCode,
  DecimalText,
  Instant,
  OneOf,
  OrderNo,
  orNull,
  Text,
  Url,
  ZonedInstant,
} from './scalars.ts';

const methodId = Text('A method of this order only; no channel identifier, and worth nothing elsewhere.');

/** A way to pay, with the quote that was locked at creation. */
export const CheckoutMethod = Type.Object(
  {
    method_id: methodId,
    name: Text('What to show.'),
    provider: OneOf(
      ['ptk', 'cardprov'],
      '`ptk`: debits the wallet at once; `cardprov`: leads to a payment page.',
    ),
    login_required: Type.Boolean({ description: 'Whether the buyer has to sign in for it.' }),
    test_mode: Type.Boolean({ description: 'Whether it charges nobody.' }),
    usable: Type.Boolean({ description: 'Whether a start has a chance for this buyer now.' }),
    unusable_reason: Type.Optional(Text('The error code that a start would answer with.')),
    payment_currency: CurrencyCode('The currency that the buyer pays in.'),
    payment_subtotal: DecimalText('The invoice in that currency.'),
    buyer_fee: DecimalText('The surcharge.'),
    payment_amount: DecimalText('Both together: what the buyer pays.'),
  },
  { title: 'CheckoutMethod' },
);
export type CheckoutMethod = Static<typeof CheckoutMethod>;

export const attemptStates = [
  'creating',
  'open',
  'unknown',
  'processing',
  'paid',
  'paid_late',
  'closed',
  'failed',
  'absent',
  'mismatch',
] as const;

export const CheckoutAttempt = Type.Object(
  {
    state: OneOf(
      attemptStates,
      '`open`: the payment page can be opened; `unknown`: the channel has not answered clearly; `processing`: it is ' +
        'still deciding; `closed`, `failed`, `absent`: it ended without payment.',
    ),
    method_id: methodId,
  },
  {
    title: 'CheckoutAttempt',
    description: 'The payment that was started; it locks the order to its method.',
  },
);
export type CheckoutAttempt = Static<typeof CheckoutAttempt>;

const CheckoutMerchant = Type.Object(
  {
    name: Text('What the merchant is called.'),
    logo_url: orNull(Text('The path of its picture on the origin of the checkout.')),
  },
  { description: 'Who is paid.' },
);

const CheckoutBuyer = Type.Object(
  {
    name: Text('What the person is called.'),
    ptk_available: DecimalText('What the wallet holds, in PTK with 8 decimals.'),
  },
  { description: 'Who is signed in, null for a guest.' },
);

/** Everything that the page shows. Every amount is a decimal text at its currency's precision. */
export const CheckoutState = Type.Object(
  {
    order_no: OrderNo,
    merchant: CheckoutMerchant,
    description: orNull(Text('What is bought, in the words of the merchant.')),
    external_reference: Text("The merchant's own reference."),
    amount: DecimalText('The invoice.'),
    currency: CurrencyCode('Its currency.'),
    currency_decimals: Type.Integer({ minimum: 0, maximum: 8, description: 'Its decimals.' }),
    status: CollectionStatus,
    expires_at: Instant('When the order expires.'),
    seconds_left: Type.Integer({
      description: 'Whole seconds to that by our clock; 0 or less once it has passed.',
    }),
    test_mode: Type.Boolean({ description: 'Whether the payment goes through a test channel.' }),
    attempt: orNull(CheckoutAttempt),
    buyer: orNull(CheckoutBuyer),
    methods: Type.Array(CheckoutMethod, { description: 'The ways to pay this order.' }),
    return_url: Type.Optional(Text('Where to go next; only once the order is paid.')),
    ptk_price: Type.Optional(
      DecimalText('The locked price of 1 PTK in the currency of the invoice; absent where that is PTK.'),
    ),
    occurred_at: Type.Optional(orNull(ZonedInstant('When the payment was confirmed; null until then.'))),
  },
  {
    title: 'CheckoutState',
    description: 'Holds nothing of what the merchant pays or receives.',
    examples: [
      {
        order_no: 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
        merchant: { name: 'Bookshop', logo_url: null },
        description: 'Two paperbacks',
        external_reference: 'INV-2026-00417',
        amount: '10.00',
        currency: 'USD',
        currency_decimals: 2,
        status: 'pending',
        expires_at: '2026-03-02T10:00:00.000Z',
        seconds_left: 1_674,
        test_mode: false,
        attempt: null,
        buyer: { name: 'Bo Buyer', ptk_available: '1000.00000000' },
        methods: [
          {
            method_id: 'pm_01JNXW5R3M1X7C9V2B4N6M8Q0S',
            name: 'PTK wallet',
            provider: 'ptk',
            login_required: true,
            test_mode: false,
            usable: true,
            payment_currency: 'PTK',
            payment_subtotal: '100.00000000',
            buyer_fee: '0.00000000',
            payment_amount: '100.00000000',
          },
        ],
        ptk_price: '0.1',
        occurred_at: null,
      },
    ],
  },
);
export type CheckoutState = Static<typeof CheckoutState>;

export const StartPayment = Type.Object(
  { method_id: Text("One of the state's methods.") },
  { title: 'StartPayment', examples: [{ method_id: 'pm_01JNXW5R3M1X7C9V2B4N6M8Q0S' }] },
);
export type StartPayment = Static<typeof StartPayment>;

/** A card payment goes on at the provider. */
export const PaymentRedirect = Type.Object(
  { redirect_url: Url("The provider's payment page. Repeated starts give the same one.") },
  { title: 'PaymentRedirect', examples: [{ redirect_url: 'https://cards.example/pay/cs_4Jd9' }] },
);
export type PaymentRedirect = Static<typeof PaymentRedirect>;

/** A PTK payment is done at once. */
export const PaymentDone = Type.Object(
  { status: Type.Literal('paid', { description: 'The wallet was debited and the order is paid.' }) },
  { title: 'PaymentDone', examples: [{ status: 'paid' }] },
);
export type PaymentDone = Static<typeof PaymentDone>;
