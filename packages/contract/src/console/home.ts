/** Bodies of the console's first page, and of the calendar of releases. */
import Type, { type Static } from 'typebox';
import { CurrencyCode, DecimalText, Instant, OneOf, PtkUnits, Text } from '../scalars.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'A date in the zone that was asked for.',
});
const timeZone = Text('The zone that days are told in.');

const Volume = Type.Array(
  Type.Object({
    currency: CurrencyCode('The currency of the invoices.'),
    amount: DecimalText('What they came to.'),
    orders: count('How many.'),
  }),
  { description: 'Invoices that were paid in that time and have stayed paid, by currency. No tests.' },
);

const created = count('Orders that were created in that time. No tests.');
const paid = count('How many of them are paid now.');
const Orders = Type.Object({ created, paid });

/** What was taken, by currency, and how many orders came to it; of one merchant, or of all. */
export const figures = {
  volume: Type.Object({ today: Volume, month: Volume }),
  orders: Type.Object({ today: Orders, month: Orders }),
  series: Type.Array(Type.Object({ day, created, paid, volume: Volume }), {
    description: 'The last thirty days, today last. The conversion of a day is `paid` of `created`.',
  }),
};

export const setUpSteps = ['profile', 'client', 'scopes', 'notifications', 'order', 'payment'] as const;

export const ConsoleHome = Type.Object(
  {
    as_of: Instant('When this was.'),
    time_zone: timeZone,
    ...figures,
    pending: count('Orders that wait for their buyers; counted up to 10000.'),
    review: count('Orders past their time with an unresolved payment; counted up to 10000.'),
    failing_notifications: count('Notifications that were given up; counted up to 10000.'),
    wallet: Type.Object({
      available_ptk: PtkUnits('What can be used.'),
      held_ptk: PtkUnits('Proceeds under hold.'),
      recovery_ptk: PtkUnits('What is owed to the platform.'),
    }),
    steps: Type.Array(
      Type.Object({
        step: OneOf(setUpSteps, 'What a new merchant sets up.'),
        done: Type.Boolean({ description: 'Whether it is.' }),
      }),
      { description: 'In the order in which they are best done.' },
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
        orders: count('How many orders’ holds end then.'),
        amount_ptk: PtkUnits('What is released.'),
      }),
      { description: 'Days on which holds end, the next first.' },
    ),
    frozen_ptk: PtkUnits('What complaints have stopped: it has no day.'),
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
