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

/** Parameters of lists with a cursor. A `limit` outside its range is an error. */
export const pageParameters: readonly Parameter[] = [
  query('limit', 'Maximum number of items.', Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  query('cursor', '`next_cursor` of the previous page.', Type.String()),
];

/** `from` (inclusive) and `to` (exclusive). */
export const timeParameters = (done: string): readonly Parameter[] => [
  query('from', `Only items ${done} at this time or later. RFC 3339.`, Type.String({ maxLength: 40 })),
  query('to', `Only items ${done} before this time. RFC 3339.`, Type.String({ maxLength: 40 })),
];

export const orderFilters: readonly Parameter[] = [
  query('q', 'Only orders with exactly this reference, order number or trade number.', Type.String()),
  query('status', 'Only orders in this status.', OneOf(collectionStatuses, 'A status.')),
  ...timeParameters('created'),
];

/** The search in a list of products. */
export const productSearch = query(
  'search',
  'Only products with this text in the name, description or keywords.',
  Type.String(),
);

/** The `limit` of lists without a cursor (R-293, D-155). */
export const limitParameter: Parameter = {
  name: 'limit',
  in: 'query',
  required: false,
  description: 'Maximum number of items, 1 to 100. Any other value counts as 20.',
  schema: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
};
