import type { CollectionOrder } from '../types.ts';
import type { PaydeskClient } from './client.ts';

/** The most that one list has. */
const limit = 100;

/** All orders of a reference, newest first. Few references have more than one list, which is then read page by page (D-1133). */
export async function ordersOf(
  client: Pick<PaydeskClient, 'listOrders' | 'orders'>,
  external_reference: string,
): Promise<CollectionOrder[]> {
  const latest = await client.listOrders({ external_reference, limit });
  if (latest.length < limit) return latest;
  const all: CollectionOrder[] = [];
  for await (const order of client.orders({ external_reference })) all.unshift(order);
  return all;
}
