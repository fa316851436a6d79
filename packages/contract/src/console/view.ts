/** Views of lists that people save for themselves, in both consoles. */
import Type from 'typebox';
import { Instant, OneOf, Text } from '../scalars.ts';

/** The lists that have views: a merchant's orders, and the platform's. */
export const viewLists = ['orders', 'platform-orders'] as const;

const list = OneOf(viewLists, 'The list that the view belongs to.');

export const SaveView = Type.Object(
  {
    list,
    name: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'A view of the list with this name is replaced.',
    }),
    query: Type.String({
      maxLength: 1_000,
      description: 'The part of the page’s address after the question mark.',
    }),
  },
  {
    title: 'SaveView',
    additionalProperties: false,
    examples: [{ list: 'orders', name: 'Paid this month', query: 'status=paid&period=month' }],
  },
);

export const RenameView = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'The new name. No other view of the list has it.',
    }),
  },
  { title: 'RenameView', additionalProperties: false, examples: [{ name: 'Paid this month' }] },
);

export const View = Type.Object(
  {
    view_id: Text('The view’s identifier.'),
    list,
    name: Text('The name that the person gave it.'),
    query: Text('The part of the page’s address after the question mark.'),
    saved_at: Instant('Time when it was saved last.'),
  },
  {
    title: 'View',
    examples: [
      {
        view_id: 'sv_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
        list: 'orders',
        name: 'Paid this month',
        query: 'status=paid&period=month',
        saved_at: '2026-03-02T09:30:00.000Z',
      },
    ],
  },
);

export const SavedViews = Type.Object(
  { items: Type.Array(View, { description: 'By name.' }) },
  { title: 'SavedViews' },
);

export const ViewDeleted = Type.Object(
  { deleted: Type.Literal(true, { description: 'The view is gone.' }) },
  { title: 'ViewDeleted' },
);
