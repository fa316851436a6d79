/** Bodies of the console’s home page and of the release calendar. */
import Type, { type Static } from 'typebox';
import { FailingReceiver } from './notification.ts';
import { FailingExport } from './statement-export.ts';
import { unpaidReasons } from '../decline.ts';
import { CurrencyCode, DecimalText, Instant, OneOf, orNull, PtkUnits, Text } from '../scalars.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'A date in the requested time zone.',
});
const timeZone = Text('The time zone of the days.');

const Volume = Type.Array(
  Type.Object({
    currency: CurrencyCode('The currency of the invoices.'),
    amount: DecimalText('The sum of the invoice amounts.'),
    orders: count('The number of orders.'),
  }),
  {
    description:
      'Invoices that were paid in this period and are still paid, by currency. Without test payments.',
  },
);

const created = count('Number of orders created in this period. Without test orders.');
const paid = count('Number of these orders that are paid now.');
const Orders = Type.Object({ created, paid });

/** Volume and number of orders, for one merchant or for all. */
const totals = {
  volume: Type.Object({ today: Volume, month: Volume }),
  orders: Type.Object({ today: Orders, month: Orders }),
};

/** The same with a series, for all merchants. */
export const figures = {
  ...totals,
  series: Type.Array(Type.Object({ day, created, paid, volume: Volume }), {
    description:
      'The last thirty days; the last entry is today. The conversion of a day is `paid` divided by `created`.',
  }),
};

/** Steps on the way of an order to its payment. An order that came to a step counts in all steps before it. */
export const orderSteps = ['opened', 'method_chosen', 'started', 'paid'] as const;
export type OrderStep = (typeof orderSteps)[number];

const rate = (description: string) => orNull(DecimalText(description));
const date = (description: string) => Type.String({ format: 'date', description, examples: ['2026-03-02'] });

const Period = Type.Object({
  from: date('The first day.'),
  until: date('The last day.'),
  orders: Type.Object({
    created: count('Orders created in the period.'),
    opened: count('Orders whose checkout a buyer opened.'),
    method_chosen: count('Orders for which a buyer confirmed a payment method.'),
    started: count('Orders whose payment began: the provider made its page, or the buyer paid in PTK.'),
    paid: count('Orders whose payment was confirmed, including those refunded or charged back later.'),
  }),
  conversion: rate('`paid` of `created`, such as `0.7150`; null without orders.'),
  volume: Volume,
});

const Method = Type.Object({
  payment_no: Text('The channel.'),
  name: Text('Its name; its number if it no longer exists.'),
  provider: orNull(OneOf(['ptk', 'cardprov'], 'Its kind; null if it no longer exists.')),
  method_chosen: count('Orders for which a buyer confirmed this method.'),
  started: count('Orders whose payment began with this method.'),
  paid: count('Orders that were paid with this method.'),
  conversion: rate('`paid` of `method_chosen`.'),
  unpaid: Type.Array(
    Type.Object({
      reason: OneOf(unpaidReasons, 'Why the last attempt of an order ended unpaid.'),
      orders: count('The number of orders.'),
    }),
    { description: 'Why orders were not paid with it, the most frequent reason first.' },
  ),
});

export const ConsoleSales = Type.Object(
  {
    as_of: Instant('Time of the figures: the last minute, or the last hour if they take long to read.'),
    time_zone: timeZone,
    period: Type.Object(Period.properties, { description: 'The days that were asked for.' }),
    before: Type.Object(Period.properties, { description: 'As many days, just before.' }),
    series: Type.Array(
      Type.Object({
        day,
        created,
        paid: count('Those of them whose payment was confirmed.'),
        volume: Volume,
      }),
      {
        description: 'The days of the period, the earliest first.',
      },
    ),
    methods: Type.Array(Method, {
      description: 'The methods that buyers confirmed for orders of the period, the most frequent first.',
    }),
  },
  { title: 'ConsoleSales', description: 'Without test orders.' },
);
export type ConsoleSales = Static<typeof ConsoleSales>;

export const setUpSteps = ['profile', 'client', 'scopes', 'notifications', 'order', 'payment'] as const;

export const ConsoleHome = Type.Object(
  {
    as_of: Instant('Time when the figures were computed.'),
    time_zone: timeZone,
    ...totals,
    pending: count('Number of orders that wait for the buyer, counted up to 10000.'),
    review: count('Number of overdue orders with an unresolved payment, counted up to 10000.'),
    failing_notifications: count(
      'Number of notifications whose automatic attempts are used up, counted up to 10000.',
    ),
    failing_receivers: Type.Array(FailingReceiver, {
      description:
        'Addresses for notifications that failed at least twice in a row, the longest failing first.',
    }),
    failing_exports: Type.Array(FailingExport, {
      description: 'Scheduled exports that do not reach one of their recipients.',
    }),
    wallet: Type.Object({
      available_ptk: PtkUnits('The available balance.'),
      held_ptk: PtkUnits('Proceeds under hold.'),
      held_test_ptk: PtkUnits('How much of them is from test payments.'),
      recovery_ptk: PtkUnits('The debt to the platform.'),
    }),
    steps: Type.Array(
      Type.Object({
        step: OneOf(setUpSteps, 'A step of the merchant’s setup.'),
        done: Type.Boolean({ description: 'Whether the step is done.' }),
      }),
      { description: 'The setup steps, in the recommended order.' },
    ),
  },
  { title: 'ConsoleHome' },
);
export type ConsoleHome = Static<typeof ConsoleHome>;

export const Releases = Type.Object(
  {
    time_zone: timeZone,
    items: Type.Array(
      Type.Object({
        day,
        orders: count('Number of orders whose hold ends on this day.'),
        amount_ptk: PtkUnits('The amount that is released.'),
      }),
      { description: 'Days on which holds end, earliest first.' },
    ),
    frozen_ptk: PtkUnits('Proceeds that complaints have frozen. They have no release day.'),
  },
  {
    title: 'Releases',
    examples: [
      {
        time_zone: 'Europe/Berlin',
        items: [{ day: '2026-03-04', orders: 3, amount_ptk: '29220000000' }],
        frozen_ptk: '0',
      },
    ],
  },
);
export type Releases = Static<typeof Releases>;
