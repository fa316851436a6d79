import Type, { type Static } from 'typebox';
import { CollectionOrder } from '../collection-order.ts';
import { DeliveryRecord } from '../notification.ts';
import { CurrencyCode, DecimalText, Instant, nextCursor, OneOf, orNull, PtkUnits, Text } from '../scalars.ts';
import { WalletLine } from './wallet.ts';

const { checkout_url: _, ...orderMembers } = CollectionOrder.properties;

/** An order without its checkout address, which lets whoever holds it act as the buyer. */
export const ConsoleOrder = Type.Object(
  {
    ...orderMembers,
    description: Text('What the buyer reads.'),
    created_at: Instant('When it was created.'),
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
};

export const ConsoleOrderPage = Type.Object(
  { items: Type.Array(ConsoleOrder, { description: 'Newest first.' }), next_cursor: nextCursor },
  { title: 'ConsoleOrderPage', examples: [{ items: [consoleOrderExample] }] },
);
export type ConsoleOrderPage = Static<typeof ConsoleOrderPage>;

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
] as const;

const TimelineEntry = Type.Object({
  at: Instant('When it happened.'),
  kind: OneOf(timelineKinds, 'What happened. Values may be added.'),
  status: orNull(Text('The status that the order took; null where it kept its own.')),
  status_version: orNull(
    Type.Integer({ description: 'The version of that status; null where it is not known any more.' }),
  ),
  what: Text('The same in words.'),
});

const Quote = Type.Object({
  method_id: Text('The method, as the checkout names it.'),
  payment_no: Text('The channel.'),
  provider: OneOf(['ptk', 'cardprov'], 'Who takes the payment.'),
  owner: OneOf(['platform', 'merchant'], 'Whose channel it is. Your own collects for you.'),
  test_mode: Type.Boolean({ description: 'Whether it is a test channel.' }),
  currency: CurrencyCode('What the buyer pays in.'),
  subtotal: DecimalText('The invoice in that currency.'),
  buyer_fee: DecimalText('The buyer’s surcharge.'),
  payment_amount: DecimalText('What the buyer pays in all.'),
  merchant_fee: DecimalText('Your fee in that currency.'),
  merchant_fee_ptk: PtkUnits('Your fee in PTK.'),
  locked: Type.Boolean({ description: 'Whether the order goes by this one.' }),
});

const Attempt = Type.Object({
  attempt_id: Text('Identifies the attempt.'),
  seq: Type.Integer({ minimum: 1, description: 'Its number among those of the order.' }),
  state: Text('How it stands.'),
  payment_no: Text('The channel.'),
  provider: OneOf(['ptk', 'cardprov'], 'Who takes the payment.'),
  test_mode: Type.Boolean({ description: 'Whether it is a test channel.' }),
  amount: DecimalText('What the buyer is to pay.'),
  currency: CurrencyCode('In this currency.'),
  provider_trade_no: orNull(Text('The channel’s own number of the payment.')),
  created_at: Instant('When it began.'),
  paid_at: orNull(Instant('When it was paid.')),
  closed_at: orNull(Instant('When it was certain that nothing comes of it.')),
});

const Refund = Type.Object({
  refund_id: Text('Identifies the refund.'),
  status: OneOf(['pending', 'succeeded', 'failed', 'partial'], 'How it stands.'),
  amount: DecimalText('What goes back.'),
  currency: CurrencyCode('In this currency.'),
  requested_at: Instant('When it was asked for.'),
  ended_at: orNull(Instant('When it ended.')),
});

const Complaint = Type.Object({
  complaint_id: Text('Identifies the complaint.'),
  source: OneOf(['platform', 'provider'], 'Who has doubts about the payment.'),
  status: OneOf(['open', 'dismissed', 'confirmed', 'closed'], 'How it stands.'),
  currency: CurrencyCode('The currency of the amounts.'),
  loss_amount: orNull(DecimalText('What was lost.')),
  external_cost: orNull(DecimalText('What the provider charged for it.')),
  opened_at: Instant('When it was opened.'),
  decided_at: orNull(Instant('When it was decided.')),
});

const Total = Type.Object({
  total: Text('Its name.'),
  about: Text('What it is, in words.'),
  amount_ptk: Type.String({ pattern: '^-?[0-9]+$', description: 'A whole number of the eighth decimal.' }),
});

export const ConsoleOrderDetail = Type.Object(
  {
    order: Type.Object({
      ...ConsoleOrder.properties,
      idempotency_key: Text('The key that it was created under.'),
      requested_payment_no: Text('The channel it was restricted to; empty where the buyer chooses.'),
      notify_mode: Text('What the request said of notifications.'),
      notify_url: Text('Where its notifications go; empty where it sends none.'),
      ptk_price: orNull(DecimalText('The locked price of 1 PTK in the currency of the invoice.')),
      hold_days: Type.Integer({ description: 'For how many days the proceeds are held.' }),
    }),
    timeline: Type.Array(TimelineEntry, { description: 'Oldest first.' }),
    quotes: Type.Array(Quote, { description: 'What each method costs, fixed at creation.' }),
    attempts: Type.Array(Attempt, { description: 'Oldest first.' }),
    money: Type.Object({
      hold: orNull(
        Type.Object({
          release_at: Instant('When the hold ends.'),
          released_at: orNull(Instant('When it ended.')),
        }),
      ),
      lines: Type.Array(WalletLine, { description: 'In the order in which they happened.' }),
      totals: Type.Array(Total, { description: 'What the lines come to.' }),
    }),
    refunds: Type.Array(Refund, { description: 'Of this order.' }),
    complaints: Type.Array(Complaint, { description: 'About this order.' }),
    notifications: Type.Array(DeliveryRecord, { description: 'Highest status version first.' }),
  },
  { title: 'ConsoleOrderDetail', description: 'One order with all that has happened to it.' },
);
export type ConsoleOrderDetail = Static<typeof ConsoleOrderDetail>;
