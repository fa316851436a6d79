import { differencesOf, type Difference, type Expected } from './posting.ts';
import type { CollectionStatus } from './types.ts';

/** One line of the merchant's own books. */
export interface OwnRecord extends Expected {
  /** The merchant's view in the service's words: `paid` for what was posted, `pending` for what is awaited. */
  status: CollectionStatus;
  /** The payment event under which it was posted. */
  event_id?: string | null;
  /** The collection order it was posted from, where known. */
  order_no?: string | null;
}

/** What reconciliation needs of an order; what `getOrder` and `listOrders` return fits. */
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
  /** Own records that stand for a payment which another record already stands for. */
  records: R[];
  /** Confirmed payments for a reference whose payment another order already is: the buyer paid twice. */
  orders: O[];
}

export interface Reconciliation<R, O> {
  matches: Pair<R, O>[];
  mismatches: (Pair<R, O> & { differences: Difference[] })[];
  /** Own records for which the service showed no order. */
  missing_orders: R[];
  /** Orders whose reference no own record names, and confirmed payments that no record stands for. */
  missing_records: O[];
  duplicates: Duplicate<R, O>[];
  /** Further unpaid orders of a reference that has a record: earlier tries, which may still be paid late. */
  other_orders: O[];
}

/** An own record, the orders its strongest known key leads to, and the one it was paired with. */
interface Line<R, O> {
  record: R;
  /** Which key led to the candidates: 0 event, 1 order number, 2 reference, -1 none. */
  strength: number;
  candidates: readonly O[];
  order?: O;
}

type Duplicates<R, O> = Map<string, Duplicate<R, O>>;

/** What the pairs already account for. */
interface Taken {
  events: ReadonlySet<string | undefined>;
  /** References with a confirmed payment that has a record. */
  references: ReadonlySet<string>;
  own_references: ReadonlySet<string>;
}

/**
 * Compares the merchant's records with the service's orders. Every record and every order (an order listed
 * twice counts once, in its highest version) ends in exactly one place of the result. Pure: it changes and
 * posts nothing, and running it again gives the same.
 *
 * A record finds its order by `event_id`, else by `order_no`, else by `external_reference`: there the confirmed
 * payment first, then what is unresolved, then the rest in the order given. Amounts are compared exactly,
 * together with the currency.
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

/** Strong keys choose before weak ones, so that a bare reference never takes the order that an event names. */
function pairUp<R extends OwnRecord, O extends ReconciledOrder>(
  records: readonly R[],
  orders: readonly O[],
): Line<R, O>[] {
  const by_event = groupBy(orders, (order) => order.event_id);
  const by_number = groupBy(orders, (order) => order.order_no);
  const by_reference = groupBy(orders.toSorted(byUrgency), (order) => order.external_reference);
  const lines = records.map((record): Line<R, O> => {
    const keyed = [
      by_event.get(record.event_id ?? ''),
      by_number.get(record.order_no ?? ''),
      by_reference.get(referenceOf(record)),
    ];
    const strength = keyed.findIndex((candidates) => candidates !== undefined);
    return { record, strength, candidates: keyed[strength] ?? [] };
  });
  const taken = new Set<O>();
  for (const line of lines.toSorted((a, b) => a.strength - b.strength)) {
    const order = line.candidates.find((candidate) => !taken.has(candidate));
    if (order === undefined) continue;
    line.order = order;
    taken.add(order);
  }
  return lines;
}

function placeRecord<R extends OwnRecord, O extends ReconciledOrder>(
  { record, strength, order }: Line<R, O>,
  result: Reconciliation<R, O>,
  duplicates: Duplicates<R, O>,
): void {
  if (order !== undefined) {
    const differences = compare(record, order);
    if (differences.length === 0) result.matches.push({ record, order });
    else result.mismatches.push({ record, order, differences });
  } else if (strength === -1) {
    result.missing_orders.push(record);
  } else if (strength === 0) {
    duplicateOf(duplicates, 'event_id', record.event_id ?? '').records.push(record);
  } else {
    duplicateOf(duplicates, 'external_reference', referenceOf(record)).records.push(record);
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
    duplicateOf(duplicates, 'event_id', event_id).orders.push(order);
  } else if (event_id !== undefined && taken.references.has(external_reference)) {
    duplicateOf(duplicates, 'external_reference', external_reference).orders.push(order);
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

/** The service trims references before storing them. */
function referenceOf(record: OwnRecord): string {
  return record.external_reference.trim();
}

/** Confirmed payments, then what may still become one, then what expired. */
function byUrgency(a: ReconciledOrder, b: ReconciledOrder): number {
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

function duplicateOf<R, O>(
  duplicates: Duplicates<R, O>,
  by: Duplicate<R, O>['by'],
  key: string,
): Duplicate<R, O> {
  const name = `${by}:${key}`;
  const duplicate = duplicates.get(name) ?? { by, key, records: [], orders: [] };
  duplicates.set(name, duplicate);
  return duplicate;
}
