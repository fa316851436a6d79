/** Bodies that the buyer’s page and the service exchange. */
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

const methodId = Text('Identifies a payment method of this order. It is not a channel identifier.');

/** A way to pay, with the quote that was locked at creation. */
export const CheckoutMethod = Type.Object(
  {
    method_id: methodId,
    name: Text('The method’s name, for display, in the language of the request where the platform gave one.'),
    types: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: Text('The kind of method, in the provider’s words, such as `card` or `sepa_debit`.'),
            name: Text('Its name, for display.'),
            days: Type.Optional(
              Type.Integer({
                description:
                  'For an asynchronous method: the longest time in days until the payment is confirmed or refused.',
              }),
            ),
            wait: Type.Optional(
              Text('The same in words, in the language of the request, such as `up to 20 days`.'),
            ),
          },
          { title: 'CheckoutMethodType' },
        ),
        {
          description:
            'What the payment page offers, if the channel has chosen among the methods of its account.',
        },
      ),
    ),
    provider: OneOf(
      ['ptk', 'cardprov'],
      '`ptk`: debits the wallet at once; `cardprov`: leads to a payment page.',
    ),
    login_required: Type.Boolean({ description: 'Whether the buyer must sign in to use the method.' }),
    test_mode: Type.Boolean({ description: 'Whether the method is a test method that charges nothing.' }),
    usable: Type.Boolean({ description: 'Whether this buyer can use the method now.' }),
    unusable_reason: Type.Optional(Text('The error code that starting the payment would return.')),
    payment_currency: CurrencyCode('The currency that the buyer pays in.'),
    payment_subtotal: DecimalText('The invoice amount in the payment currency.'),
    buyer_fee: DecimalText('The buyer’s surcharge.'),
    payment_amount: DecimalText('The total that the buyer pays: the invoice amount plus the surcharge.'),
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
      '`open`: the payment page can be opened; `unknown`: the channel’s answer is missing or unclear; `processing`: ' +
        'the channel is still processing; `closed`, `failed`, `absent`: the attempt ended without payment.',
    ),
    method_id: methodId,
    paid_with: Type.Optional(
      Type.Object(
        {
          type: Text('The kind of method, in the provider’s words.'),
          name: Text('The brand of the card, or the name of the method, for display.'),
          brand: Type.Optional(Text('The brand of the card, in the provider’s words, such as `visa`.')),
          last4: Type.Optional(Text('The last four characters of the card or the bank account.')),
          wallet: Type.Optional(Text('The name of the wallet that held the card.')),
        },
        { title: 'CheckoutPaidWith', description: 'What was paid with, as far as the provider tells.' },
      ),
    ),
    days: Type.Optional(
      Type.Integer({
        description: 'While the payment is processed: the longest time in days that this takes.',
      }),
    ),
    wait: Type.Optional(Text('The same in words, in the language of the request, such as `up to 20 days`.')),
  },
  {
    title: 'CheckoutAttempt',
    description: 'The payment that was started. It locks the order to its method.',
  },
);
export type CheckoutAttempt = Static<typeof CheckoutAttempt>;

const CheckoutMerchant = Type.Object(
  {
    name: Text('The merchant’s name.'),
    logo_url: orNull(Text('The path of the merchant’s logo on the checkout’s origin.')),
    website_url: Type.Optional(orNull(Text('The merchant’s website; null if it names none.'))),
    contact: Type.Optional(
      orNull(Text('How buyers reach the merchant, as it wrote it; null if it names nothing.')),
    ),
  },
  { description: 'The merchant that is paid.' },
);

const CheckoutBuyer = Type.Object(
  {
    name: Text('The person’s name.'),
    ptk_available: DecimalText('The available balance of the wallet, in PTK with 8 decimals.'),
  },
  { description: 'The signed-in buyer; null for a guest.' },
);

/** Everything that the page shows. Every amount is a decimal string with the decimals of its currency. */
export const CheckoutState = Type.Object(
  {
    order_no: OrderNo,
    merchant: CheckoutMerchant,
    description: orNull(Text('The merchant’s description of the purchase.')),
    external_reference: Text('The merchant’s own reference.'),
    amount: DecimalText('The invoice amount.'),
    currency: CurrencyCode('The currency of the invoice.'),
    currency_decimals: Type.Integer({ minimum: 0, maximum: 8, description: 'Decimals of the currency.' }),
    status: CollectionStatus,
    expires_at: Instant('Time when the order expires.'),
    seconds_left: Type.Integer({
      description:
        'Whole seconds until the order expires, by the server’s clock; 0 or less if it has expired.',
    }),
    test_mode: Type.Boolean({ description: 'Whether the payment uses a test channel.' }),
    attempt: orNull(CheckoutAttempt),
    buyer: orNull(CheckoutBuyer),
    methods: Type.Array(CheckoutMethod, { description: 'The payment methods of this order.' }),
    return_url: Type.Optional(Text('The address to return to. Present only if the order is paid.')),
    ptk_price: Type.Optional(
      DecimalText('The locked price of 1 PTK in the invoice currency; absent if the invoice is in PTK.'),
    ),
    occurred_at: Type.Optional(
      orNull(ZonedInstant('Time when the payment was confirmed; null before that.')),
    ),
    version: Type.Optional(
      Text('Changes with status and attempts. The event stream of this version begins without an event.'),
    ),
  },
  {
    title: 'CheckoutState',
    description: 'The state of the checkout. It contains no merchant fees or settlement amounts.',
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
        version: 'q0Zb1xT7hG2s',
      },
    ],
  },
);
export type CheckoutState = Static<typeof CheckoutState>;

export const StartPayment = Type.Object(
  { method_id: Text('A method from the checkout state.') },
  { title: 'StartPayment', examples: [{ method_id: 'pm_01JNXW5R3M1X7C9V2B4N6M8Q0S' }] },
);
export type StartPayment = Static<typeof StartPayment>;

/** The answer for a card payment, which continues at the provider. */
export const PaymentRedirect = Type.Object(
  { redirect_url: Url('The provider’s payment page. Starting again returns the same page.') },
  { title: 'PaymentRedirect', examples: [{ redirect_url: 'https://cards.example/pay/cs_4Jd9' }] },
);
export type PaymentRedirect = Static<typeof PaymentRedirect>;

/** The answer for a PTK payment, which is done immediately. */
export const PaymentDone = Type.Object(
  { status: Type.Literal('paid', { description: 'The wallet was debited and the order is paid.' }) },
  { title: 'PaymentDone', examples: [{ status: 'paid' }] },
);
export type PaymentDone = Static<typeof PaymentDone>;
