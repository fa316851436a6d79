import { oneLine } from '../../base/input/one-line.ts';
import { OffsetClock } from '../../base/time/clock.ts';
import type { CollectionOrder } from '@paydesk/sdk';
import { UsageError } from '../shared/command-errors.ts';
import type { CommandContext } from '../shared/command.ts';
import { loggedIn, refused } from './login.ts';

/** `paydesk orders`: prints the merchant's latest orders, one per line, the newest last. */
export async function ordersCommand(context: CommandContext): Promise<number> {
  const { hours = '', limit = '' } = context.options;
  const [since_h, most] = [Number(hours), Number(limit)];
  // A hundred years: more may be no time at all.
  if (!(since_h > 0 && since_h <= 876_000))
    throw new UsageError('--hours must be a number above 0, and at most 876000.');
  if (!Number.isInteger(most) || most < 1) throw new UsageError('--limit must be a whole number above 0.');
  const { client, url } = await loggedIn(context);
  const orders: CollectionOrder[] = [];
  const created_from = new Date(new OffsetClock().now().getTime() - since_h * 3_600_000);
  try {
    for await (const order of client.orders({ created_from })) {
      orders.push(order);
      // The newest come last; only they are shown.
      if (orders.length > most) orders.shift();
    }
  } catch (error) {
    refused(error, url);
  }
  for (const order of orders) console.log(lineOf(order));
  if (orders.length === 0) console.log(`No orders in the last ${since_h} hours.`);
  return 0;
}

type Listed = Pick<
  CollectionOrder,
  'order_no' | 'status' | 'amount' | 'currency' | 'external_reference' | 'test_mode'
>;

/** A reference can have any characters, and a terminal would obey some of them (D-972). */
export function lineOf({ order_no, status, external_reference, test_mode, ...order }: Listed): string {
  const money = `${order.amount} ${order.currency}`.padStart(16);
  const line = [order_no, status.padEnd(10), money, oneLine(external_reference)];
  return `${line.join('  ')}${test_mode ? '  (test)' : ''}`;
}
