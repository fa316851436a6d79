/** Compares a merchant’s own records with the service’s orders. */
import { differencesOf, type Difference, type Expected, trimmedReference } from './posting.ts';
import type { CollectionStatus } from './types.ts';

/** One record of the merchant’s own books. */
export interface OwnRecord extends Expected {
  /** The merchant’s view, as a status of the service: `paid` if posted, `pending` if expected. */
  status: CollectionStatus;
  /** The payment event that was posted. */
  event_id?: string | null;
  /** The collection order of the posting, if known. */
  order_no?: string | null;
}

/** The members of an order that reconciliation needs. The orders of `getOrder` and `listOrders` have them. */
export interface ReconciledOrder extends Expected {
  order_no: string;
  status: CollectionStatus;
  status_version: number;
  event_id?: string;
}

export interface Pair<R, O> {
  record: R;
  order: O;
}

export interface Duplicate<R, O> {
  by: 'event_id' | 'external_reference';
  key: string;
  /** Own records of a payment that another record already has. */
  records: R[];
  /** Further confirmed payments for the same reference: the buyer paid twice. */
  orders: O[];
}

export interface Reconciliation<R, O> {
  matches: Pair<R, O>[];
  mismatches: (Pair<R, O> & { differences: Difference[] })[];
  /** Own records without an order. */
  missing_orders: R[];
  /** Orders with a reference that no own record has, and confirmed payments without a record. */
  missing_records: O[];
  duplicates: Duplicate<R, O>[];
  /**
   * Further unpaid orders of a reference that has a record: earlier attempts, which a late payment can still
   * pay.
   */
  other_orders: O[];
}

/** An own record, the orders that its strongest key finds, and the order that it is paired with. */
interface Line<R, O> {
  record: R;
  /** The key that found the candidates: 0 event, 1 order number, 2 reference, -1 none. */
  key_rank: number;
  candidates: readonly O[];
  order?: O;
}

type Duplicates<R, O> = Map<string, Duplicate<R, O>>;

/** Events and references that the pairs already cover. */
interface Taken {
  events: ReadonlySet<string | undefined>;
  /** References with a confirmed payment that has a record. */
  references: ReadonlySet<string>;
  own_references: ReadonlySet<string>;
}

/**
 * Compares the merchant’s records with the service’s orders. Every record and every order is in exactly one
 * place of the result. An order that is listed twice counts once, in its highest version. The function is
 * pure: it changes nothing and posts nothing.
 *
 * A record finds its order by `event_id`, or else by `order_no`, or else by `external_reference`. With the
 * reference, confirmed payments come first, then unresolved orders, then the others in the given order.
 * Amounts are compared exactly, together with the currency.
 */
export function reconcile<R extends OwnRecord, O extends ReconciledOrder>(
  records: readonly R[],
  orders: readonly O[],
): Reconciliation<R, O> {
  const known = latestVersions(orders);
  const lines = pairUp(records, known);
  const result: Reconciliation<R, O> = {
    matches: [],
    mismatches: [],
    missing_orders: [],
    missing_records: [],
    duplicates: [],
    other_orders: [],
  };
  const duplicates: Duplicates<R, O> = new Map();
  for (const line of lines) placeRecord(line, result, duplicates);
  const paired = new Set(lines.flatMap(({ order }) => (order === undefined ? [] : [order])));
  const confirmed = Array.from(paired).filter(({ event_id }) => event_id !== undefined);
  const taken: Taken = {
    events: new Set(confirmed.map(({ event_id }) => event_id)),
    references: new Set(confirmed.map(({ external_reference }) => external_reference)),
    own_references: new Set(records.map(referenceOf)),
  };
  for (const order of known) {
    if (!paired.has(order)) placeUnpairedOrder(order, taken, result, duplicates);
  }
  result.duplicates = Array.from(duplicates.values());
  return result;
}

/**
 * Records with strong keys choose first, so that a record with only a reference never takes the order of an
 * event.
 */
function pairUp<R extends OwnRecord, O extends ReconciledOrder>(
  records: readonly R[],
  orders: readonly O[],
): Line<R, O>[] {
  const by_event = groupBy(orders, (order) => order.event_id);
  const by_number = groupBy(orders, (order) => order.order_no);
  const by_reference = groupBy(orders.toSorted(confirmedFirst), (order) => order.external_reference);
  const lines = records.map((record): Line<R, O> => {
    const keyed = [
      by_event.get(record.event_id ?? ''),
      by_number.get(record.order_no ?? ''),
      by_reference.get(referenceOf(record)),
    ];
    const key_rank = keyed.findIndex((candidates) => candidates !== undefined);
    return { record, key_rank, candidates: keyed[key_rank] ?? [] };
  });
  const taken = new Set<O>();
  for (const line of lines.toSorted((a, b) => a.key_rank - b.key_rank)) {
    const order = line.candidates.find((candidate) => !taken.has(candidate));
    if (order === undefined) continue;
    line.order = order;
    taken.add(order);
  }
  return lines;
}

function placeRecord<R extends OwnRecord, O extends ReconciledOrder>(
  { record, key_rank, order }: Line<R, O>,
  result: Reconciliation<R, O>,
  duplicates: Duplicates<R, O>,
): void {
  if (order !== undefined) {
    const differences = compare(record, order);
    if (differences.length === 0) result.matches.push({ record, order });
    else result.mismatches.push({ record, order, differences });
  } else if (key_rank === -1) {
    result.missing_orders.push(record);
  } else if (key_rank === 0) {
    findOrAddDuplicate(duplicates, 'event_id', record.event_id ?? '').records.push(record);
  } else {
    findOrAddDuplicate(duplicates, 'external_reference', referenceOf(record)).records.push(record);
  }
}

function placeUnpairedOrder<R extends OwnRecord, O extends ReconciledOrder>(
  order: O,
  taken: Taken,
  result: Reconciliation<R, O>,
  duplicates: Duplicates<R, O>,
): void {
  const { event_id, external_reference } = order;
  if (event_id !== undefined && taken.events.has(event_id)) {
    findOrAddDuplicate(duplicates, 'event_id', event_id).orders.push(order);
  } else if (event_id !== undefined && taken.references.has(external_reference)) {
    findOrAddDuplicate(duplicates, 'external_reference', external_reference).orders.push(order);
  } else if (event_id === undefined && taken.own_references.has(external_reference)) {
    result.other_orders.push(order);
  } else {
    result.missing_records.push(order);
  }
}

function compare(record: OwnRecord, order: ReconciledOrder): Difference[] {
  const differences = differencesOf(record, order);
  if (record.status !== order.status) differences.push('status');
  if (typeof record.event_id === 'string' && record.event_id !== order.event_id) differences.push('event_id');
  return differences;
}

function referenceOf(record: OwnRecord): string {
  return trimmedReference(record.external_reference);
}

/** Confirmed payments first, then unresolved orders, then expired ones. */
function confirmedFirst(a: ReconciledOrder, b: ReconciledOrder): number {
  const rank = ({ event_id, status }: ReconciledOrder) =>
    event_id !== undefined ? 0 : status === 'expired' ? 2 : 1;
  return rank(a) - rank(b);
}

function latestVersions<O extends ReconciledOrder>(orders: readonly O[]): O[] {
  const latest = new Map<string, O>();
  for (const order of orders) {
    const seen = latest.get(order.order_no);
    if (seen === undefined || order.status_version > seen.status_version) latest.set(order.order_no, order);
  }
  return Array.from(latest.values());
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function findOrAddDuplicate<R, O>(
  duplicates: Duplicates<R, O>,
  by: Duplicate<R, O>['by'],
  key: string,
): Duplicate<R, O> {
  const name = `${by}:${key}`;
  const duplicate = duplicates.get(name) ?? { by, key, records: [], orders: [] };
  duplicates.set(name, duplicate);
  return duplicate;
}
