/** Lists a merchant's orders by their creation, for a program that compares all of them with its own records (D-203). */
import { readInstant } from '../../base/input/instant.ts';
import { invalid } from '../../base/errors.ts';
import { type Page, pageOf, readCursor } from '../../base/input/list-page.ts';
import type { TimeSpan } from '../../base/input/time-span.ts';
import { type CollectionOrder, expireIfDue } from '../orders/index.ts';
import {
  isOrderCursor,
  type OrderCursor,
  orderCursorText,
  parseOrderCursor,
  placeOf,
} from './order-page-cursor.ts';
import { selectOrdersByTime } from './order-pages.sql.ts';
import type { ReadDeps } from './read-order.ts';

/** Which part of a merchant's orders is asked for. */
export interface CreationSpan {
  created: TimeSpan;
  /** The last order of the previous page; null for the first page. */
  after: OrderCursor | null;
}

/**
 * Reads `created_from`, `created_to` and `cursor`. An empty or absent one does not count.
 *
 * @returns null where none of them is given: the list is then one by reference or number
 * @throws AppError `invalid_request` with the parameter at fault
 */
export function readCreationSpan(query: Readonly<Record<string, unknown>>): CreationSpan | null {
  const [from, to] = (['created_from', 'created_to'] as const).map((name) => readEnd(name, query[name]));
  const cursor = readCursor(query.cursor === '' ? undefined : query.cursor, isOrderCursor('time'));
  const created = { from: from ?? null, to: to ?? null };
  if (created.from === null && created.to === null && cursor === null) return null;
  return { created, after: cursor === null ? null : parseOrderCursor('time', cursor) };
}

function readEnd(name: string, value: unknown): Date | null {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string') throw invalid(name, `${name} must be a single instant.`);
  return readInstant(name, value);
}

/**
 * A page of a merchant's orders, oldest first. An overdue order is moved first.
 *
 * @param filter trimmed; empty texts do not filter
 * @param show how an order is shown
 */
export async function listOrdersByTime<T>(
  deps: ReadDeps,
  merchant_id: string,
  span: CreationSpan & { filter: { external_reference: string; order_no: string }; limit: number },
  show: (order: CollectionOrder) => T,
): Promise<Page<T>> {
  const orders = await selectOrdersByTime(deps.db, merchant_id, { ...span, limit: span.limit + 1 });
  const endOf = (order: CollectionOrder): string => orderCursorText('time', placeOf(order));
  const page = pageOf(orders, span.limit, endOf, (order) => order);
  const items = await Promise.all(page.items.map(async (order) => show(await expireIfDue(deps, order))));
  return { ...page, items };
}
