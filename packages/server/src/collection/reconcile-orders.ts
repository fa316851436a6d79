import type { OrderStatus } from './order.ts';
import { parseDecimal, sameAmount } from '../base/money.ts';

export { selectByReferences, selectCreatedIn } from './order-list.sql.ts';

/** What a merchant's own books say of an order. */
export interface OwnRecord {
  external_reference: string;
  currency: string;
  /** A decimal string. */
  amount: string;
  status?: OrderStatus;
}

/** As much of an order as is compared. */
export interface ComparedOrder {
  order_no: string;
  external_reference: string;
  amount_minor: bigint;
  currency: string;
  currency_decimals: number;
  status: OrderStatus;
  created_at: Date;
}

export type Field = 'currency' | 'amount' | 'status';
export type Result = 'match' | 'mismatch' | 'missing_here' | 'missing_there' | 'duplicate';

export interface Compared {
  result: Result;
  /** Which record; null for an order that the records lack. */
  record: number | null;
  fields: Field[];
  order: ComparedOrder | null;
}

const confirmed: readonly OrderStatus[] = ['paid', 'refunded', 'chargeback'];

/**
 * Compares a merchant's records with its orders, amount by amount to the last digit. A reference may have several
 * orders, of which one at most ought to be paid: a record goes with the one that it agrees with best.
 *
 * @param orders those of the references that the records name
 * @param expected those that the records ought to have
 */
export function compareRecords(
  records: readonly OwnRecord[],
  orders: readonly ComparedOrder[],
  expected: readonly ComparedOrder[],
): Compared[] {
  const byReference = new Map<string, ComparedOrder[]>();
  for (const order of orders) {
    const known = byReference.get(order.external_reference);
    if (known === undefined) byReference.set(order.external_reference, [order]);
    else known.push(order);
  }
  const seen = new Set<string>();
  const compared = records.map((own, record): Compared => {
    const reference = own.external_reference.trim();
    const candidates = byReference.get(reference) ?? [];
    const isRepeated = seen.has(reference);
    seen.add(reference);
    const best = bestOf(own, candidates);
    if (isRepeated) return { result: 'duplicate', record, fields: [], order: best?.order ?? null };
    if (best === null) return { result: 'missing_here', record, fields: [], order: null };
    const { order, fields } = best;
    if (candidates.filter(({ status }) => confirmed.includes(status)).length > 1) {
      return { result: 'duplicate', record, fields, order };
    }
    return { result: fields.length === 0 ? 'match' : 'mismatch', record, fields, order };
  });
  // Orders that nobody paid need not be in anybody's books.
  const missing = expected.filter(
    (order) => confirmed.includes(order.status) && !seen.has(order.external_reference),
  );
  return [
    ...compared,
    ...missing.map((order): Compared => ({ result: 'missing_there', record: null, fields: [], order })),
  ];
}

/** The order that differs least from a record; of those that differ alike a paid one, then the newest. */
function bestOf(
  own: OwnRecord,
  candidates: readonly ComparedOrder[],
): { order: ComparedOrder; fields: Field[] } | null {
  const [best] = candidates
    .map((order) => ({ order, fields: differences(own, order) }))
    .sort(
      (a, b) =>
        a.fields.length - b.fields.length ||
        Number(confirmed.includes(b.order.status)) - Number(confirmed.includes(a.order.status)) ||
        b.order.created_at.getTime() - a.order.created_at.getTime(),
    );
  return best ?? null;
}

function differences(own: OwnRecord, order: ComparedOrder): Field[] {
  const amount = parseDecimal(own.amount);
  const isSame = amount !== null && sameAmount(amount, order.amount_minor, order.currency_decimals);
  return [
    ...(own.currency === order.currency ? [] : (['currency'] as const)),
    ...(isSame ? [] : (['amount'] as const)),
    ...(own.status === undefined || own.status === order.status ? [] : (['status'] as const)),
  ];
}
