/** The SQL of the lists of collection orders. Catalog orders have a table of their own, and are in none of these lists (R-348). */
import { declineReasons, type OrderStep, type UnpaidReason } from '@paydesk/contract';
import { join, sql, type Sql, type Queryable, type Row } from '../../base/pg/index.ts';
import { type CollectionOrder, type OrderStatus, orderColumns as columns } from '../orders/index.ts';
import { orderOfPtkTrade } from '../../payments/settling/index.ts';
import type { TimeSpan } from '../../base/input/time-span.ts';
import type { OrderCursor, SortKey } from './order-page-cursor.ts';
import type { OrderFilter } from './order-page-filter.ts';

/** What a list asks for, with the names and methods of the filter looked up. */
export interface AskedOrders extends Omit<OrderFilter, 'text' | 'method'> {
  /** Null: the orders of all merchants. */
  merchant_id: string | null;
  /** Only these orders. */
  numbers: readonly string[] | null;
  /** A text anywhere in a reference, a number or a payment event, whatever its case. */
  part: string | null;
  /** Only orders of these channels. An empty text is an order without a channel. */
  payment_nos: readonly string[] | null;
  /** Only numbers from the first to before the second. */
  between: { from: string | null; to: string | null };
}

/** How a list is sorted, and the part of it that is asked for: after `after`, up to and with `last`. */
export interface AskedPart {
  key: SortKey;
  descending: boolean;
  after: OrderCursor | null;
  last: OrderCursor | null;
}

/** Literals, so that the planner can choose a partial index. */
const withStatus: Readonly<Record<OrderStatus, Sql>> = {
  pending: sql`status = 'pending'`,
  paid: sql`status = 'paid'`,
  review: sql`status = 'review'`,
  expired: sql`status = 'expired'`,
  refunded: sql`status = 'refunded'`,
  chargeback: sql`status = 'chargeback'`,
};

/** Statuses that few orders ever take have a separate index. */
const isRare = (status: OrderStatus | null): boolean =>
  status === 'review' || status === 'refunded' || status === 'chargeback';

/** The condition of a filter by test mode: written as in the index of tests. */
const withMode = (test_mode: boolean): Sql => (test_mode ? sql`test_mode` : sql`NOT test_mode`);

/** An amount in units of 10^-8, whatever its currency's precision. */
const amount = sql`(amount_minor * 10::numeric ^ (8 - currency_decimals))`;

/** By time of creation, by number or by amount; equal ones by number (D-156). */
const keyColumns: Readonly<Record<SortKey, readonly Sql[]>> = {
  time: [sql`created_at`, sql`order_no`],
  number: [sql`order_no`],
  amount: [sql`currency`, amount, sql`order_no`],
};

const keyValues = (key: SortKey, { created_at, currency, amount: units, order_no }: OrderCursor): Sql[] =>
  key === 'number'
    ? [sql`${order_no}`]
    : key === 'time'
      ? [sql`${created_at}`, sql`${order_no}`]
      : [sql`${currency}`, sql`${units}::numeric`, sql`${order_no}`];

/** The conditions that an index of the key leads to. */
function narrowing(asked: AskedOrders): Sql[] {
  const { numbers, status, test_mode, created, between } = asked;
  return [
    ...(numbers === null ? [] : [sql`order_no = ANY(${numbers}::text[])`]),
    ...(status !== null && isRare(status) ? [withStatus[status]] : []),
    ...(test_mode === true ? [withMode(true)] : []),
    ...(created.from === null ? [] : [sql`created_at >= ${created.from}`]),
    ...(created.to === null ? [] : [sql`created_at < ${created.to}`]),
    ...(between.from === null ? [] : [sql`order_no >= ${between.from}`]),
    ...(between.to === null ? [] : [sql`order_no < ${between.to}`]),
  ];
}

/** The conditions that no index answers: each order must be read to check them. */
function sieve({
  merchant_id,
  part,
  status,
  test_mode,
  payment_nos,
  reached,
  unpaid,
  currency,
  amount: { from, to },
}: AskedOrders): Sql[] {
  return [
    ...(part === null ? [] : [containing(part)]),
    ...(status === null || isRare(status) ? [] : [withStatus[status]]),
    ...(test_mode === false ? [withMode(false)] : []),
    ...(payment_nos === null || unpaid !== null ? [] : [sql`payment_no = ANY(${payment_nos}::text[])`]),
    ...(reached === null ? [] : [hasReached(reached, merchant_id)]),
    ...(unpaid === null ? [] : [wasUnpaid(unpaid, payment_nos, merchant_id)]),
    ...(currency === null ? [] : [sql`currency = ${currency}`]),
    ...(from === null ? [] : [sql`${amount} >= ${from}::numeric`]),
    ...(to === null ? [] : [sql`${amount} <= ${to}::numeric`]),
  ];
}

/** As the figures of the funnel count them: an order that reached a step also reached all steps before it (D-332). */
function hasReached(step: OrderStep, merchant_id: string | null): Sql {
  const whose = merchant_id === null ? sql`read.merchant_id` : sql`${merchant_id}`;
  const attempt = sql`SELECT 1 FROM payment_attempts a WHERE a.merchant_id = ${whose} AND a.order_no = read.order_no`;
  const opening = sql`SELECT 1 FROM checkout_openings v WHERE v.merchant_id = ${whose} AND v.order_no = read.order_no`;
  const paid = sql`event_id IS NOT NULL`;
  switch (step) {
    case 'opened':
      return sql`(${paid} OR EXISTS (${attempt}) OR EXISTS (${opening}))`;
    case 'method_chosen':
      return sql`(${paid} OR EXISTS (${attempt}))`;
    case 'started':
      return sql`(${paid} OR EXISTS (${attempt} AND (a.session_id IS NOT NULL OR a.provider = 'ptk')))`;
    case 'paid':
      return paid;
  }
}

/**
 * As the figures of methods count them: a paid attempt at a channel counts, or else the last attempt (D-556).
 *
 * @param payment_nos only attempts at these channels: the order may be bound to another since (D-614)
 */
function wasUnpaid(
  reason: UnpaidReason,
  payment_nos: readonly string[] | null,
  merchant_id: string | null,
): Sql {
  const whose = merchant_id === null ? sql`read.merchant_id` : sql`${merchant_id}`;
  const at = payment_nos === null ? sql`` : sql`AND a.payment_no = ANY(${payment_nos}::text[])`;
  return sql`EXISTS (SELECT 1 FROM (
      SELECT DISTINCT ON (a.payment_no) a.state, a.session_id IS NOT NULL AS had_page,
        coalesce(a.detail ->> 'declined', '') AS declined
      FROM payment_attempts a WHERE a.merchant_id = ${whose} AND a.order_no = read.order_no ${at}
      ORDER BY a.payment_no, a.paid_at IS NULL, a.seq DESC) e WHERE ${endedBy(reason)})`;
}

/** The attempts whose `unpaidReason` this is, by their columns `state`, `had_page` and `declined` (no text: ''). */
export function endedBy(reason: UnpaidReason): Sql {
  const known = sql`${declineReasons.filter((one) => one !== 'declined')}::text[]`;
  switch (reason) {
    case 'in_review':
      return sql`state = 'mismatch'`;
    case 'provider_refused':
      return sql`(state = 'absent' OR state = 'rejected' AND NOT had_page)`;
    case 'method_changed':
      return sql`state = 'rejected' AND had_page AND declined = ''`;
    case 'abandoned':
      return sql`state = 'closed' AND declined = ''`;
    case 'declined':
      return sql`${wasDeclined} AND declined <> ALL (${known}) AND (declined <> '' OR state = 'failed')`;
    default:
      return sql`${wasDeclined} AND declined = ${reason}`;
  }
}

const wasDeclined = sql`(state IN ('closed', 'failed') OR state = 'rejected' AND had_page)`;

const containing = (part: string): Sql =>
  sql`(strpos(lower(external_reference), ${part}) > 0 OR strpos(lower(order_no), ${part}) > 0
    OR strpos(lower(provider_trade_no), ${part}) > 0 OR strpos(lower(event_id), ${part}) > 0)`;

function within({ key, descending, after, last }: AskedPart): Sql[] {
  const compared = (place: OrderCursor, than: Sql): Sql =>
    sql`(${join(keyColumns[key])}) ${than} (${join(keyValues(key, place))})`;
  return [
    ...(after === null ? [] : [compared(after, descending ? sql`<` : sql`>`)]),
    ...(last === null ? [] : [compared(last, descending ? sql`>=` : sql`<=`)]),
  ];
}

const sorted = ({ key, descending }: Pick<AskedPart, 'key' | 'descending'>): Sql =>
  sql`ORDER BY ${join(keyColumns[key].map((column) => (descending ? sql`${column} DESC` : column)))}`;

const where = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`` : sql`WHERE ${join(conditions, ' AND ')}`;

const ordersOf = ({ merchant_id }: AskedOrders, conditions: readonly Sql[]): Sql => {
  const whose = merchant_id === null ? sql`true` : sql`merchant_id = ${merchant_id}`;
  return sql`FROM collection_orders WHERE ${join([whose, ...conditions], ' AND ')}`;
};

/** The sort by creation: the indexes follow it. */
const byCreation = ({ merchant_id }: AskedOrders): Pick<AskedPart, 'key' | 'descending'> => ({
  key: merchant_id === null ? 'number' : 'time',
  descending: true,
});

/** Whether reading the orders that an index leads to is not enough to know which are asked for. */
export const isSieved = (asked: AskedOrders): boolean => sieve(asked).length > 0;

/**
 * Selects a part of a list. It looks at the first `most` orders that an index leads to, and takes those that are asked
 * for.
 */
export function selectOrderPage(
  db: Queryable,
  asked: AskedOrders,
  part: AskedPart,
  { most, limit }: { most: number; limit: number },
): Promise<CollectionOrder[]> {
  const isByAmount = part.key === 'amount';
  // A cursor by amount narrows only what was read: no index is sorted by amount.
  const read = ordersOf(asked, [...narrowing(asked), ...(isByAmount ? [] : within(part))]);
  const taken = [...sieve(asked), ...(isByAmount ? within(part) : [])];
  const from =
    taken.length === 0 && !isByAmount
      ? read
      : sql`FROM (SELECT ${columns} ${read} ${sorted(isByAmount ? byCreation(asked) : part)} LIMIT ${most}) AS read ${where(taken)}`;
  return db.query<CollectionOrder & Row>(sql`SELECT ${columns} ${from} ${sorted(part)} LIMIT ${limit}`);
}

/** The last of the first `most` orders that an index leads to; null if there are fewer. */
export async function selectLastRead(
  db: Queryable,
  asked: AskedOrders,
  part: AskedPart,
  most: number,
): Promise<Pick<OrderCursor, 'created_at' | 'order_no'> | null> {
  const read = ordersOf(asked, [...narrowing(asked), ...within(part)]);
  const [row] = await db.query<Pick<OrderCursor, 'created_at' | 'order_no'>>(
    sql`SELECT created_at, order_no ${read} ${sorted(part)} OFFSET ${most - 1} LIMIT 1`,
  );
  return row ?? null;
}

/** Counts the orders that are asked for, up to `limit` (D-322), among the first `most` that an index leads to. */
export async function countAskedOrders(
  db: Queryable,
  asked: AskedOrders,
  { most, limit }: { most: number; limit: number },
): Promise<number> {
  const read = sql`SELECT ${columns} ${ordersOf(asked, narrowing(asked))} ${sorted(byCreation(asked))} LIMIT ${most}`;
  const [row] = await db.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM (
        SELECT 1 FROM (${read}) AS read ${where(sieve(asked))} LIMIT ${limit}) AS asked`,
  );
  return row?.count ?? 0;
}

/** The numbers of orders with exactly this reference, number, trade number or payment event, at most 1000. */
export async function selectNumbersOf(
  db: Queryable,
  merchant_id: string | null,
  text: string,
): Promise<string[]> {
  // Each index starts with the merchant, so a search of all merchants runs once for each.
  const found =
    merchant_id === null
      ? sql`SELECT o.order_no FROM merchants m CROSS JOIN LATERAL (${numbersOf(sql`m.merchant_id`, text)}) o`
      : numbersOf(merchant_id, text);
  const rows = await db.query<{ order_no: string }>(
    sql`SELECT order_no FROM (${found}) AS found LIMIT ${mostNamed}`,
  );
  return rows.map(({ order_no }) => order_no);
}

/** One reference may be used by many orders. */
const mostNamed = 1_000;

/** Each part uses its own index. The trade number of a payment in PTK is in none: it names the order (D-480). */
function numbersOf(merchant_id: string | Sql, text: string): Sql {
  const of = sql`SELECT order_no FROM collection_orders WHERE merchant_id = ${merchant_id}`;
  const paidInPtk = orderOfPtkTrade(text);
  return sql`${of} AND external_reference = ${text} UNION ${of} AND order_no = ${text}
    UNION ${of} AND provider_trade_no = ${text} AND provider_trade_no <> 'PTK:' || order_no
    ${paidInPtk === null ? sql`` : sql`UNION ${of} AND order_no = ${paidInPtk} AND provider_trade_no = ${text}`}
    UNION ${of} AND event_id = ${text}`;
}

/** Selects a part of a merchant's orders in the order of their creation; empty texts do not filter. */
export function selectOrdersByTime(
  db: Queryable,
  merchant_id: string,
  asked: {
    created: TimeSpan;
    after: Pick<OrderCursor, 'created_at' | 'order_no'> | null;
    filter: { external_reference: string; order_no: string };
    limit: number;
  },
): Promise<CollectionOrder[]> {
  const { created, after, filter, limit } = asked;
  const conditions = [
    ...(created.from === null ? [] : [sql`created_at >= ${created.from}`]),
    ...(created.to === null ? [] : [sql`created_at < ${created.to}`]),
    ...(after === null ? [] : [sql`(created_at, order_no) > (${after.created_at}, ${after.order_no})`]),
    ...(filter.external_reference === '' ? [] : [sql`external_reference = ${filter.external_reference}`]),
    ...(filter.order_no === '' ? [] : [sql`order_no = ${filter.order_no}`]),
  ];
  const narrowed = conditions.length === 0 ? sql`` : sql`AND ${join(conditions, ' AND ')}`;
  return db.query<CollectionOrder & Row>(
    sql`SELECT ${columns} FROM collection_orders WHERE merchant_id = ${merchant_id} ${narrowed}
      ORDER BY created_at, order_no LIMIT ${limit}`,
  );
}

/** The texts that can identify orders. */
export interface OrderNames {
  external_references?: readonly string[];
  order_nos?: readonly string[];
  event_ids?: readonly string[];
}

/** Selects a merchant's orders with any of these names. Each kind of name uses its own index. */
export function selectNamedOrders(
  db: Queryable,
  merchant_id: string,
  { external_references = [], order_nos = [], event_ids = [] }: OrderNames,
  limit: number,
): Promise<CollectionOrder[]> {
  const of = sql`FROM collection_orders WHERE merchant_id = ${merchant_id}`;
  return db.query<CollectionOrder & Row>(
    sql`SELECT ${columns} ${of} AND order_no IN (
        SELECT order_no ${of} AND external_reference = ANY(${external_references}::text[])
        UNION SELECT order_no ${of} AND order_no = ANY(${order_nos}::text[])
        UNION SELECT order_no ${of} AND event_id = ANY(${event_ids}::text[]))
      LIMIT ${limit}`,
  );
}
