import { startTopUp } from '../../src/collection/top-ups/start-top-up.ts';
import { selectQuotes } from '../../src/payments/quotes/quote.sql.ts';
import { type KnownOrder, type Move, reference, repeatable, type Story } from './story.ts';
import type { Deps } from './world.ts';

/** The amounts that people top up by: from too little to more than most have. */
const amounts = [
  ['USD', '10.00'],
  ['USD', '10.00'],
  ['USD', '0.01'],
  ['JPY', '1500'],
  ['KWD', '0.777'],
  ['XBT', '0.00000003'],
] as const;

/** A top-up by card; asked for again, it is the same. */
export function topUpOrder(
  story: Story,
  wanted: { user_id?: string; amount?: (typeof amounts)[number] } = {},
): (deps: Deps) => Promise<KnownOrder> {
  const { random, buyers } = story.world;
  const { user_id = random.pick(buyers), amount: [currency, amount] = random.pick(amounts) } = wanted;
  const visit = reference(story);
  return async ({ orders }) => {
    const request = { user_id, visit, amount, currency, return_url: 'https://pay.example/account' };
    const { merchant_id, order_no } = await startTopUp(orders, request);
    const methods = await selectQuotes(orders.db, merchant_id, order_no);
    const known: KnownOrder = { merchant_id, order_no, methods, user_id };
    if (!story.orders.some((order) => order.order_no === order_no)) story.orders.push(known);
    return known;
  };
}

export const topUpMoves: readonly Move[] = [
  {
    name: 'top up by card',
    weight: 3,
    refusals: ['app_limit_exceeded', 'channel_unavailable', 'invalid_amount'],
    begin: (story) => repeatable(story, topUpOrder(story)),
  },
];
