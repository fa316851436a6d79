import { mostRecords, ReconciliationRequest } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { rfc3339 } from '../base/clock.ts';
import { readInstant, reader } from '../base/decode.ts';
import { invalid } from '../base/errors.ts';
import { formatMinor } from '../base/money.ts';
import {
  type Compared,
  compareRecords,
  type ComparedOrder,
  type Result,
  selectByReferences,
  selectCreatedIn,
} from '../collection/reconcile-orders.ts';
import type { ConsoleDeps } from './deps.ts';
import { type ByMerchant, memberOf } from './member.ts';

const readRequest = reader(ReconciliationRequest);

/** Enough for ten thousand records in words. */
const mostBytes = 4_194_304;

/** More orders than that under the references of one call are no records any more. */
const mostOrders = 5 * mostRecords;

/** `POST reconciliation`: a merchant's own records beside its orders. Changes nothing. */
export function reconciliationRoutes(app: FastifyInstance, { db }: ConsoleDeps): void {
  app.post<ByMerchant>('/reconciliation', { config: { max_body_bytes: mostBytes } }, async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const { records, ...span } = readRequest(request.body);
    const time = readSpan(span);
    const references = [...new Set(records.map(({ external_reference }) => external_reference.trim()))];
    const [orders, expected] = await Promise.all([
      selectByReferences(db, merchant_id, references, mostOrders),
      time === null ? [] : selectCreatedIn(db, merchant_id, time, mostRecords + 1),
    ]);
    const compared = compareRecords(records, orders, expected.slice(0, mostRecords));
    return {
      counts: countsOf(compared),
      items: compared.map((one) => ({ ...one, order: one.order === null ? null : orderJson(one.order) })),
      complete: orders.length < mostOrders && expected.length <= mostRecords,
    };
  });
}

/** Both ends of a span of time, or none. Throws `invalid_request`. */
function readSpan({ from, to }: { from?: string; to?: string }): { from: Date; to: Date } | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined) throw invalid('from', 'from and to come together.');
  if (to === undefined) throw invalid('to', 'from and to come together.');
  return { from: readInstant('from', from), to: readInstant('to', to) };
}

function countsOf(compared: readonly Compared[]): Record<Result, number> {
  const counts = { match: 0, mismatch: 0, missing_here: 0, missing_there: 0, duplicate: 0 };
  for (const { result } of compared) counts[result]++;
  return counts;
}

const orderJson = (order: ComparedOrder) => ({
  order_no: order.order_no,
  external_reference: order.external_reference,
  currency: order.currency,
  amount: formatMinor(order.amount_minor, order.currency_decimals),
  status: order.status,
  created_at: rfc3339(order.created_at),
});
