/** Query parameters that several calls share. */
import Type from 'typebox';
import type { Parameter } from './operation.ts';
import { collectionStatuses } from '../collection-order.ts';
import { orderSteps } from '../console/home.ts';
import { orderMethods, orderSorts } from '../console/order.ts';
import { unpaidReasons } from '../decline.ts';
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

/** The filters of a list of orders. */
export const orderFilters: readonly Parameter[] = [
  query(
    'q',
    'Only orders with exactly this reference, order number, trade number or payment event. If there is none: orders ' +
      'with this text in one of them.',
    Type.String({ maxLength: 200 }),
  ),
  query('status', 'Only orders in this status.', OneOf(collectionStatuses, 'A status.')),
  query('test_mode', 'Only test orders, or none of them.', Type.Boolean()),
  query(
    'method',
    'Only orders with this kind of payment method; `none`: the buyer has chosen none yet. With `unpaid`: orders that a channel of this kind was not paid with.',
    OneOf(orderMethods, 'A kind of method.'),
  ),
  query(
    'reached',
    'Only orders that reached this step of the payment, including those that went further or ended later.',
    OneOf(orderSteps, 'A step.'),
  ),
  query(
    'unpaid',
    'Only orders that were not paid with one of their channels for this reason, as the figures of methods count them.',
    OneOf(unpaidReasons, 'Why the last attempt at the channel ended unpaid.'),
  ),
  query('currency', 'Only orders in this currency.', Type.String({ maxLength: 12 })),
  query(
    'amount_from',
    'Only orders of this amount or more. Needs `currency`.',
    Type.String({ maxLength: 64 }),
  ),
  query('amount_to', 'Only orders of this amount or less. Needs `currency`.', Type.String({ maxLength: 64 })),
  ...timeParameters('created'),
];

/** The sort of a list of orders. */
export const orderSort = query(
  'sort',
  'By creation or by amount; `-` means descending. Amounts are sorted within each currency, for at most 50,000 orders: ' +
    'a larger list is refused until a time span narrows it.',
  Type.Enum(orderSorts, { default: '-created_at' }),
);

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
