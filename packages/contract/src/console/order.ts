/** Bodies of the console’s calls about a merchant’s collection orders. */
import Type, { type Static } from 'typebox';
import { CollectionOrder } from '../collection-order.ts';
import { DeliveryRecord } from '../notification.ts';
import { CurrencyCode, DecimalText, Instant, nextCursor, OneOf, orNull, PtkUnits, Text } from '../scalars.ts';
import { WalletLine } from './wallet.ts';

const { checkout_url: _, ...orderMembers } = CollectionOrder.properties;

/** An order without its checkout address, because the address allows its holder to act as the buyer. */
export const ConsoleOrder = Type.Object(
  {
    ...orderMembers,
    description: Text('The description that the buyer sees.'),
    created_at: Instant('Time of creation.'),
    paid_at: orNull(
      Instant('Time when the payment was confirmed, by the service’s clock; null if that is not known.'),
    ),
  },
  { title: 'ConsoleOrder' },
);
export type ConsoleOrder = Static<typeof ConsoleOrder>;

const consoleOrderExample = {
  order_no: 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  external_reference: 'INV-2026-00417',
  payment_no: 'ch_01JNXVZX1B6W3F8Y0M5T2H9KRS',
  amount: '10.00',
  amount_minor: 1_000,
  currency: 'USD',
  currency_decimals: 2,
  status: 'pending',
  status_version: 1,
  test_mode: false,
  expires_at: '2026-03-02T10:00:00.000Z',
  occurred_at: null,
  fee_status: 'unselected',
  fee_version: 1,
  merchant_fee_ptk: '0',
  gross_settlement_ptk: '10000000000',
  description: 'Two books',
  created_at: '2026-03-02T09:30:00.000Z',
  paid_at: null,
};

export const ConsoleOrderPage = Type.Object(
  { items: Type.Array(ConsoleOrder, { description: 'In the order of `sort`.' }), next_cursor: nextCursor },
  { title: 'ConsoleOrderPage', examples: [{ items: [consoleOrderExample] }] },
);
export type ConsoleOrderPage = Static<typeof ConsoleOrderPage>;

/** How a list of orders can be sorted. */
export const orderSorts = ['-created_at', 'created_at', '-amount', 'amount'] as const;
export type OrderSort = (typeof orderSorts)[number];

/** The kinds of payment method that a list of orders can be narrowed to; `none`: the buyer has chosen none. */
export const orderMethods = ['ptk', 'cardprov', 'none'] as const;
export type OrderMethod = (typeof orderMethods)[number];

export const OrderCount = Type.Object(
  {
    count: Type.Integer({ minimum: 0, maximum: 10_000, description: 'The number of orders counted.' }),
    more: Type.Boolean({ description: 'Whether there are or may be more orders than `count`.' }),
  },
  { title: 'OrderCount', examples: [{ count: 10_000, more: true }] },
);
export type OrderCount = Static<typeof OrderCount>;

export const timelineKinds = [
  'status',
  'attempt_started',
  'attempt_paid',
  'attempt_closed',
  'hold_ended',
  'refund_requested',
  'refund_ended',
  'complaint_opened',
  'complaint_decided',
  'archived',
] as const;

export const TimelineEntry = Type.Object({
  at: Instant('Time of the event by the service’s clock.'),
  kind: OneOf(timelineKinds, 'The kind of event. New values can be added.'),
  status: orNull(Text('The new status of the order; null if it did not change.')),
  status_version: orNull(
    Type.Integer({ description: 'The version of that status; null if it is not known.' }),
  ),
  subject: orNull(
    Text('The attempt, refund, complaint or file of the archive that it is about; null if it is about none.'),
  ),
  outcome: orNull(Text('How the refund or complaint ended; null for other events.')),
  provider_at: orNull(
    Instant('The provider’s time of a card payment. Its clock can be off; null for other events.'),
  ),
  what: Text('The event in words.'),
});

const Quote = Type.Object({
  method_id: Text('The method’s identifier in the checkout.'),
  payment_no: Text('The channel’s identifier.'),
  provider: OneOf(['ptk', 'cardprov'], 'Who processes the payment.'),
  owner: OneOf(['platform', 'merchant'], 'Who owns the channel. Your own channel collects for you.'),
  test_mode: Type.Boolean({ description: 'Whether the channel is a test channel.' }),
  currency: CurrencyCode('The currency that the buyer pays in.'),
  subtotal: DecimalText('The invoice amount in the payment currency.'),
  buyer_fee: DecimalText('The buyer’s surcharge.'),
  payment_amount: DecimalText('The total that the buyer pays.'),
  merchant_fee: DecimalText('Your fee in the payment currency.'),
  merchant_fee_ptk: PtkUnits('Your fee in PTK.'),
  merchant_fee_parts: Type.Object(
    {
      fixed: DecimalText('The fixed part.'),
      percent: DecimalText('The percentage, such as 2.9000.'),
      of: DecimalText('The amount that the percentage is taken of: the buyer’s payment and the fixed part.'),
      cap: orNull(DecimalText('What the percentage is limited to; null if it is not limited.')),
    },
    { description: 'What your fee is made of, in the payment currency. The sum is rounded.' },
  ),
  locked: Type.Boolean({ description: 'Whether the order uses this quote.' }),
});

const Attempt = Type.Object({
  attempt_id: Text('Identifies the attempt.'),
  seq: Type.Integer({ minimum: 1, description: 'The attempt’s number within the order.' }),
  state: Text('The current state.'),
  payment_no: Text('The channel’s identifier.'),
  provider: OneOf(['ptk', 'cardprov'], 'Who processes the payment.'),
  test_mode: Type.Boolean({ description: 'Whether the channel is a test channel.' }),
  amount: DecimalText('The amount to pay.'),
  currency: CurrencyCode('The currency of the amount.'),
  provider_trade_no: orNull(Text('The channel’s number for the payment.')),
  created_at: Instant('Time when the attempt started.'),
  paid_at: orNull(Instant('Time of payment.')),
  closed_at: orNull(Instant('Time when it was certain that the attempt ended without payment.')),
});

const Refund = Type.Object({
  refund_id: Text('Identifies the refund.'),
  status: OneOf(['pending', 'succeeded', 'failed', 'partial'], 'The current state.'),
  amount: DecimalText('The refunded amount.'),
  currency: CurrencyCode('The currency of the amount.'),
  requested_at: Instant('Time of the request.'),
  ended_at: orNull(Instant('Time when it ended.')),
});

const Complaint = Type.Object({
  complaint_id: Text('Identifies the complaint.'),
  source: OneOf(['platform', 'provider'], 'Who raised the complaint.'),
  status: OneOf(['open', 'dismissed', 'confirmed', 'closed'], 'The current state.'),
  currency: CurrencyCode('The currency of the amounts.'),
  loss_amount: orNull(DecimalText('The lost amount.')),
  external_cost: orNull(DecimalText('The provider’s charge.')),
  opened_at: Instant('Time when the complaint was opened.'),
  decided_at: orNull(Instant('Time of the decision.')),
});

const Total = Type.Object({
  total: Text('The name of the total.'),
  about: Text('The total in words.'),
  amount_ptk: Type.String({ pattern: '^-?[0-9]+$', description: 'A whole number of the eighth decimal.' }),
});

export const ConsoleOrderDetail = Type.Object(
  {
    order: Type.Object({
      ...ConsoleOrder.properties,
      idempotency_key: Text('The idempotency key of the creation.'),
      requested_payment_no: Text('The channel that the order is restricted to; empty if the buyer chooses.'),
      notify_mode: Text('How the request configured notifications.'),
      notify_url: Text('The address for notifications; empty if the order sends none.'),
      ptk_price: orNull(DecimalText('The locked price of 1 PTK in the invoice currency.')),
      hold_days: Type.Integer({ description: 'Number of days that the proceeds are held.' }),
    }),
    timeline: Type.Array(TimelineEntry, { description: 'In the order in which it happened, oldest first.' }),
    quotes: Type.Array(Quote, { description: 'The price of each method, fixed at creation.' }),
    attempts: Type.Array(Attempt, { description: 'Oldest first.' }),
    money: Type.Object({
      hold: orNull(
        Type.Object({
          release_at: Instant('Time when the hold is due to end.'),
          released_at: orNull(Instant('Time when it ended.')),
        }),
      ),
      lines: Type.Array(WalletLine, { description: 'The wallet lines, oldest first.' }),
      totals: Type.Array(Total, { description: 'Sums of the lines.' }),
    }),
    refunds: Type.Array(Refund, { description: 'The refunds of this order.' }),
    complaints: Type.Array(Complaint, { description: 'The complaints about this order.' }),
    notifications: Type.Array(DeliveryRecord, { description: 'Highest status version first.' }),
  },
  { title: 'ConsoleOrderDetail', description: 'One order with its full history.' },
);
export type ConsoleOrderDetail = Static<typeof ConsoleOrderDetail>;
