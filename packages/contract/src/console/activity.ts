/** Bodies of the console’s calls about what a merchant’s people do: notes on orders, and the log of their acts. */
import Type, { type Static } from 'typebox';
import { Instant, nextCursor, OneOf, Text } from '../scalars.ts';

const Author = (description: string) =>
  Type.Object(
    {
      user_id: Text('Identifies the person.'),
      name: Text('The name of the account; empty if there is none any more.'),
    },
    { description },
  );

export const foundKinds = [
  'order',
  'catalog_order',
  'event',
  'product',
  'merchant',
  'person',
  'request',
] as const;

export const Found = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        kind: OneOf(foundKinds, 'What was found.'),
        id: Text('Its number; of an event, the number of its order.'),
        title: Text('Its name.'),
        about: Text('What tells it from others.'),
        status: Type.Optional(Text('The status of an order.')),
        at: Type.Optional(Instant('Time of an API request.')),
        merchant_no: Type.Optional(Text('The merchant of a product or an API request.')),
      }),
      { description: 'At most six of each kind.' },
    ),
  },
  {
    title: 'Found',
    examples: [
      {
        items: [
          {
            kind: 'order',
            id: 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
            title: 'INV-2026-00417',
            about: '10.00 USD · mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
            status: 'paid',
          },
        ],
      },
    ],
  },
);
export type Found = Static<typeof Found>;

export const NewOrderNote = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'The note. Only the merchant’s people see it.',
    }),
  },
  { title: 'NewOrderNote', examples: [{ text: 'The buyer called: deliver to the office.' }] },
);
export type NewOrderNote = Static<typeof NewOrderNote>;

const noteExample = {
  note_id: 'on_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  text: 'The buyer called: deliver to the office.',
  author: { user_id: '0190c1a0-0000-7000-8000-00000000000c', name: 'Fin' },
  created_at: '2026-03-02T09:30:00.000Z',
};

export const OrderNote = Type.Object(
  {
    note_id: Text('Identifies the note.'),
    text: Text('The note.'),
    author: Author('Who wrote it.'),
    created_at: Instant('Time of the note.'),
  },
  { title: 'OrderNote', examples: [noteExample] },
);
export type OrderNote = Static<typeof OrderNote>;

export const OrderNoteList = Type.Object(
  { items: Type.Array(OrderNote, { description: 'Oldest first, at most 100.' }) },
  { title: 'OrderNoteList', examples: [{ items: [noteExample] }] },
);
export type OrderNoteList = Static<typeof OrderNoteList>;

export const OrderNoteDeleted = Type.Object(
  { deleted: Type.Literal(true, { description: 'Done.' }) },
  { title: 'OrderNoteDeleted', examples: [{ deleted: true }] },
);
export type OrderNoteDeleted = Static<typeof OrderNoteDeleted>;

const Activity = Type.Object(
  {
    activity_id: Text('Identifies the entry in the audit log.'),
    at: Instant('Time of the act.'),
    person: Author('Who did it.'),
    action: Text('What was done, such as `member.invite`.'),
    target: Text('What it was done to: its kind, a colon and its number.'),
    before: Type.Unknown({ description: 'The values before; null if there were none.' }),
    after: Type.Unknown({ description: 'The values after; null if there are none.' }),
  },
  { title: 'Activity' },
);
export type Activity = Static<typeof Activity>;

export const ActivityPage = Type.Object(
  { items: Type.Array(Activity, { description: 'Newest first.' }), next_cursor: nextCursor },
  {
    title: 'ActivityPage',
    examples: [
      {
        items: [
          {
            activity_id: 'al_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
            at: '2026-03-02T09:30:00.000Z',
            person: { user_id: '0190c1a0-0000-7000-8000-00000000000c', name: 'Fin' },
            action: 'payment_link.close',
            target: 'payment_link:AZyBwqAAcACAAAAAAAAADPw7q1kT4xW2bN9Lw-',
            before: null,
            after: { status: 'closed' },
          },
        ],
      },
    ],
  },
);
export type ActivityPage = Static<typeof ActivityPage>;
