/** Bodies of the call that finds the orders of a merchant’s own records. */
import Type, { type Static } from 'typebox';
import { ConsoleOrder } from './order.ts';

/** Maximum number of names of each kind in one call. */
export const mostNames = 1_000;

/** Maximum number of orders in one answer. */
export const mostNamedOrders = 5 * mostNames;

const names = (maxLength: number, description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems: mostNames, description }));

export const NamedOrdersRequest = Type.Object(
  {
    external_references: names(191, 'Your own references, matched exactly.'),
    order_nos: names(64, 'Order numbers.'),
    event_ids: names(64, 'Identifiers of confirmed payments.'),
  },
  { title: 'NamedOrdersRequest', examples: [{ external_references: ['INV-2026-00417'] }] },
);
export type NamedOrdersRequest = Static<typeof NamedOrdersRequest>;

export const NamedOrders = Type.Object(
  {
    items: Type.Array(ConsoleOrder, { description: 'The orders found, each once, in no particular order.' }),
    complete: Type.Boolean({
      description: `Whether the list is complete. At most ${mostNamedOrders} orders are returned.`,
    }),
  },
  { title: 'NamedOrders', examples: [{ items: [], complete: true }] },
);
export type NamedOrders = Static<typeof NamedOrders>;
