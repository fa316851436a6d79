/** Lists, counts and finds orders for the consoles. */
import { days, hours, later } from '../../base/time/clock.ts';
import { invalid } from '../../base/errors.ts';
import { ulidBefore } from '../../base/ids.ts';
import { cursorOf, type Page, pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { selectChannels } from '../../channels/index.ts';
import { type CollectionDeps, expireIfDue, type CollectionOrder } from '../orders/index.ts';
import {
  isDescending,
  isOrderCursor,
  orderCursorText,
  parseOrderCursor,
  placeOf,
  sortKeyOf,
} from './order-page-cursor.ts';
import { type OrderFilter, readOrderFilter, readOrderSort } from './order-page-filter.ts';
import {
  type AskedOrders,
  type AskedPart,
  countAskedOrders,
  isSieved,
  type OrderNames,
  selectLastRead,
  selectNamedOrders,
  selectNumbersOf,
  selectOrderPage,
} from './order-pages.sql.ts';

export type ListDeps = Pick<CollectionDeps, 'db' | 'clock' | 'ids' | 'log'>;

type Query = Readonly<Record<string, unknown>>;

/** A call looks at no more orders than this, however many there are (D-320). */
const mostRead = 50_000;

/** Larger counts are not exact (D-322). */
const mostCounted = 10_000;

/** More than enough: an order is pending for at most two hours, then a worker ends it within a minute. */
const longestPending_ms = hours(24);

/** A number is never made before its order, and seldom after it: only where a clock was set back. */
const lateNumbers_ms = days(1);

/**
 * A page of one merchant's orders, or of all merchants', in the order of `sort` (D-321). Each order is moved first if
 * its deadline has passed (R-177). A page may be short, and even empty, and still have a next one: a call looks at
 * `most` orders only (D-320).
 *
 * @param query the filter, `sort`, `limit` and `cursor`
 * @throws AppError `invalid_request` with the parameter at fault
 */
export async function listOrderPage(
  deps: ListDeps,
  merchant_id: string | null,
  query: Query,
  most = mostRead,
): Promise<Page<CollectionOrder>> {
  const sort = readOrderSort(query);
  const key = sortKeyOf(sort, merchant_id);
  const { limit, after } = readPageRequest(query, isOrderCursor(key));
  const asked = await lookUp(deps, merchant_id, readOrderFilter(query));
  const part: AskedPart = {
    key,
    descending: isDescending(sort),
    after: after === null ? null : parseOrderCursor(key, after),
    last: null,
  };
  if (key === 'amount') await demandFew(deps, asked, most);
  const { orders, last } = await readPart(deps, asked, part, { most, limit: limit + 1 });
  const moved = await Promise.all(orders.map((order) => expireIfDue(deps, order)));
  const page = pageOf(
    moved,
    limit,
    (order) => orderCursorText(key, placeOf(order)),
    (order) => order,
  );
  if (page.next_cursor !== undefined || last === null) return page;
  return { ...page, next_cursor: cursorOf(orderCursorText(key, last)) };
}

/** Reads one more than a page. `last` is where the reading stopped, if more may follow. */
async function readPart(
  { db }: ListDeps,
  asked: AskedOrders,
  part: AskedPart,
  { most, limit }: { most: number; limit: number },
): Promise<{ orders: CollectionOrder[]; last: AskedPart['last'] }> {
  const orders = await selectOrderPage(db, asked, part, { most, limit });
  if (orders.length === limit || part.key === 'amount' || !isSieved(asked)) return { orders, last: null };
  const end = await selectLastRead(db, asked, part, most);
  if (end === null) return { orders, last: null };
  const last = { ...end, currency: '', amount: 0n };
  // Read again up to this order exactly: orders that were made in between would shift the end.
  return { orders: await selectOrderPage(db, asked, { ...part, last }, { most: 2 * most, limit }), last };
}

/** Refuses to sort by amount what an index does not narrow. */
async function demandFew({ db }: ListDeps, asked: AskedOrders, most: number): Promise<void> {
  const key = sortKeyOf('-created_at', asked.merchant_id);
  const part = { key, descending: true, after: null, last: null };
  if ((await selectLastRead(db, asked, part, most + 1)) === null) return;
  throw invalid('sort', `At most ${most} orders can be sorted by amount: choose a shorter time span.`);
}

/**
 * Counts the orders of a list: exactly up to 10,000. Above, and where not all orders could be looked at, `more` is true
 * (D-322).
 *
 * @throws AppError `invalid_request` with the parameter at fault
 */
export async function countOrders(
  deps: ListDeps,
  merchant_id: string | null,
  query: Query,
  most = mostRead,
): Promise<{ count: number; more: boolean }> {
  const asked = await lookUp(deps, merchant_id, readOrderFilter(query));
  const sieved = isSieved(asked);
  const limit = mostCounted + 1;
  const count = await countAskedOrders(deps.db, asked, { most: sieved ? most : limit, limit });
  if (count === limit) return { count: mostCounted, more: true };
  const key = sortKeyOf('-created_at', merchant_id);
  const part = { key, descending: true, after: null, last: null };
  const more = sieved && (await selectLastRead(deps.db, asked, part, most + 1)) !== null;
  return { count, more };
}

/** Looks up which orders a text names, and which channels a method has. */
async function lookUp(
  { db, clock }: ListDeps,
  merchant_id: string | null,
  { text, method, ...filter }: OrderFilter,
): Promise<AskedOrders> {
  const numbers = text === null ? [] : await selectNumbersOf(db, merchant_id, text);
  const isNamed = numbers.length > 0;
  return {
    ...filter,
    merchant_id,
    numbers: isNamed ? numbers : null,
    part: text === null || isNamed ? null : text.toLowerCase(),
    payment_nos: method === null ? null : await channelsOf(db, method),
    between: merchant_id === null ? numbersWithin(filter, clock.now()) : { from: null, to: null },
  };
}

async function channelsOf(db: ListDeps['db'], method: NonNullable<OrderFilter['method']>): Promise<string[]> {
  if (method === 'none') return [''];
  const channels = await selectChannels(db);
  return channels.flatMap(({ provider, payment_no }) => (provider === method ? [payment_no] : []));
}

/**
 * The numbers of orders of all merchants that were created in a time span: an index has the number, but not the time.
 * Only recent orders can be pending.
 */
function numbersWithin(
  { created: { from, to }, status }: Pick<OrderFilter, 'created' | 'status'>,
  now: Date,
): AskedOrders['between'] {
  const recent = status === 'pending' ? later(now, -longestPending_ms) : null;
  const since = from === null || (recent !== null && recent > from) ? recent : from;
  return {
    from: since === null ? null : `mp_${ulidBefore(since)}`,
    to: to === null ? null : `mp_${ulidBefore(later(to, lateNumbers_ms))}`,
  };
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
