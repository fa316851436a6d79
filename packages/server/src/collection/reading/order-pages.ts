/** Lists and finds a merchant's orders for the consoles, and reads the filter and cursor of the list. */
import { collectionStatuses } from '@paydesk/contract';
import { rfc3339 } from '../../base/time/clock.ts';
import { readInstant } from '../../base/input/decode.ts';
import { invalid } from '../../base/errors.ts';
import { readTimeSpan } from '../../base/input/time-span.ts';
import { type CollectionDeps, expireIfDue, type CollectionOrder, type OrderStatus } from '../orders/index.ts';
import {
  type OrderFilter,
  type OrderCursor,
  type OrderNames,
  selectNamedOrders,
  selectOrderPage,
} from './order-pages.sql.ts';

export type ListDeps = Pick<CollectionDeps, 'db' | 'clock' | 'ids' | 'log'>;

/**
 * Lists a merchant's orders, newest first. Each is moved first if its deadline has passed.
 *
 * @param behind the last order of the previous page; null for the first page
 */
export async function listOrderPage(
  deps: ListDeps,
  merchant_id: string,
  filter: OrderFilter,
  behind: OrderCursor | null,
  limit: number,
): Promise<CollectionOrder[]> {
  const orders = await selectOrderPage(deps.db, merchant_id, filter, behind, limit);
  return Promise.all(orders.map((order) => expireIfDue(deps, order)));
}

/** Finds a merchant's orders with any of these names. Each is moved first if its deadline has passed. */
export async function findNamedOrders(
  deps: ListDeps,
  merchant_id: string,
  names: OrderNames,
  limit: number,
): Promise<CollectionOrder[]> {
  const orders = await selectNamedOrders(deps.db, merchant_id, names, limit);
  return Promise.all(orders.map((order) => expireIfDue(deps, order)));
}

/**
 * Reads `q`, `status`, `from` and `to` of a list. An empty or absent one does not filter.
 *
 * @throws AppError `invalid_request`
 */
export function readOrderFilter(query: Readonly<Record<string, unknown>>): OrderFilter {
  const { q = '', status = '' } = query;
  if (typeof q !== 'string' || q.length > 200) {
    throw invalid('q', 'q is one reference, order number or trade number.');
  }
  const text = q.trim();
  return { text: text === '' ? null : text, status: readStatus(status), created: readTimeSpan(query) };
}

function readStatus(status: unknown): OrderStatus | null {
  if (status === '') return null;
  const known = collectionStatuses.find((one) => one === status);
  if (known === undefined) throw invalid('status', `status is one of ${collectionStatuses.join(', ')}.`);
  return known;
}

/** Writes a cursor as text. */
export const orderCursorText = ({ created_at, order_no }: OrderCursor): string =>
  `${rfc3339(created_at)} ${order_no}`;

/** Reads a cursor from text that `isOrderCursor` has accepted. */
export function parseOrderCursor(text: string): OrderCursor {
  const [created_at = '', order_no = ''] = text.split(' ', 2);
  return { created_at: readInstant('cursor', created_at), order_no };
}

export const isOrderCursor = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/.test(text);
