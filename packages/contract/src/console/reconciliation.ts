/** Bodies of the call that finds the orders which a merchant's own records are about. */
import Type, { type Static } from 'typebox';
import { ConsoleOrder } from './order.ts';

/** As many of each kind of name a call takes. */
export const mostNames = 1_000;

/** More orders than that under the names of one call are no records any more. */
export const mostNamedOrders = 5 * mostNames;

const names = (maxLength: number, description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems: mostNames, description }));

export const NamedOrdersRequest = Type.Object(
  {
    external_references: names(191, 'Your own references, to the letter.'),
    order_nos: names(64, 'Order numbers.'),
    event_ids: names(64, 'Identifiers of confirmed payments.'),
  },
  { title: 'NamedOrdersRequest', examples: [{ external_references: ['INV-2026-00417'] }] },
);
export type NamedOrdersRequest = Static<typeof NamedOrdersRequest>;

export const NamedOrders = Type.Object(
  {
    items: Type.Array(ConsoleOrder, { description: 'Each once, in no particular order.' }),
    complete: Type.Boolean({
      description: `Whether these are all: at most ${mostNamedOrders} are answered.`,
    }),
  },
  { title: 'NamedOrders', examples: [{ items: [], complete: true }] },
);
export type NamedOrders = Static<typeof NamedOrders>;
