/** Query parameters that several calls share. */
import Type from 'typebox';
import type { Parameter } from './operation.ts';
import { collectionStatuses } from '../collection-order.ts';
import { OneOf } from '../scalars.ts';

export const query = (name: string, description: string, schema: Type.TSchema): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

/** `limit` of lists that go on with a cursor: anything outside its range is refused. */
export const pageParameters: readonly Parameter[] = [
  query('limit', 'How many at most.', Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  query('cursor', '`next_cursor` of the page before.', Type.String()),
];

/** `from` and `to`: a span of time, its end left out. */
export const timeParameters = (done: string): readonly Parameter[] => [
  query('from', `Only what was ${done} at this time or later: RFC 3339.`, Type.String({ maxLength: 40 })),
  query('to', `Only what was ${done} before this time: RFC 3339.`, Type.String({ maxLength: 40 })),
];

export const orderFilters: readonly Parameter[] = [
  query('q', 'Only those with exactly this reference, order number or trade number.', Type.String()),
  query('status', 'Only those in this status.', OneOf(collectionStatuses, 'A status.')),
  ...timeParameters('created'),
];

/** What narrows a list of products, here and for administrators. */
export const productSearch = query(
  'search',
  'Only products with this text in name, description or keywords.',
  Type.String(),
);

/** The one rule of list limits (R-293, D-155). */
export const limitParameter: Parameter = {
  name: 'limit',
  in: 'query',
  required: false,
  description: 'How many at most: 1 to 100. Anything else counts as 20.',
  schema: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
};
