/** Delivery records as the API shows them. */
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { type JsonValue, parseJson } from '../../base/input/json.ts';
import { type Invoice, readArchived } from './archived-events.ts';
import {
  type DeliveryAttemptRow,
  type DeliveryFilter,
  type DeliveryRow,
  selectDeliveries,
  selectMerchantDeliveries,
} from './record.sql.ts';

/** Maximum number of attempts in a record, the latest ones. */
const maxAttempts = 20;

/** One attempt as the API shows it. Without `finished_at` it is under way or was interrupted (R-292, D-148). */
export interface DeliveryAttempt {
  attempt: number;
  trigger: string;
  started_at: string;
  finished_at?: string;
  http_status?: number;
  error?: string;
  duration_ms?: number;
}

/** A notification as the API shows it. All nine members are always present (R-290, D-147). */
export interface DeliveryRecord {
  event_id: string;
  status_version: number;
  /** The envelope exactly as it is sent (R-294, D-149). */
  event: JsonValue;
  delivery_status: string;
  /** Replays continue the count. */
  attempts: number;
  next_attempt_at: string | null;
  last_http_status: number | null;
  last_error: string | null;
  delivery_attempts: DeliveryAttempt[];
}

/**
 * The delivery records of an order of a merchant whose rows are here (D-195), newest status version first. The caller
 * checks that the order belongs to the merchant. An order without notifications has no records.
 *
 * @param limit 1 to 100, read by the rule of all lists
 */
export async function listDeliveries(
  db: Queryable,
  merchant_id: string,
  order_no: string,
  limit: number,
): Promise<DeliveryRecord[]> {
  const rows = await selectDeliveries(db, { merchant_id, order_no, limit, most_attempts: maxAttempts });
  return rows.map(recordJson);
}

/** All delivery records of an order: those whose rows are in the archive follow, as they were (D-471). */
export async function listAllDeliveries(
  db: Queryable,
  invoice: Invoice,
  limit: number,
): Promise<DeliveryRecord[]> {
  const records = await listDeliveries(db, invoice.merchant_id, invoice.order_no, limit);
  // Versions count from 1: with the first one here, none has left.
  if (records.length >= limit || records.at(-1)?.status_version === 1) return records;
  return [...records, ...(await readArchived(db, invoice)).map(recordJson)].slice(0, limit);
}

/** A record in a list of many orders. */
export interface MerchantRecord extends DeliveryRecord {
  order_no: string;
}

/**
 * The delivery records of all orders of a merchant, newest first.
 *
 * @param before the last event of the previous page, or null
 */
export async function listMerchantDeliveries(
  db: Queryable,
  merchant_id: string,
  filter: DeliveryFilter,
  { before, limit }: { before: string | null; limit: number },
): Promise<MerchantRecord[]> {
  const page = { before, limit, most_attempts: maxAttempts };
  const rows = await selectMerchantDeliveries(db, merchant_id, filter, page);
  return rows.map((row) => ({ order_no: row.order_no, ...recordJson(row) }));
}

/** The records of an order whose rows are in the archive, newest first, as far as they are asked for; each was delivered. */
export async function listArchivedDeliveries(
  db: Queryable,
  invoice: Invoice,
  { delivery_status }: Pick<DeliveryFilter, 'delivery_status'>,
  before: string | null,
): Promise<MerchantRecord[]> {
  if (delivery_status !== null && delivery_status !== 'delivered') return [];
  return (await readArchived(db, invoice))
    .filter(({ event_id }) => before === null || event_id < before)
    .map((row) => ({ order_no: row.order_no, ...recordJson(row) }));
}

function recordJson(row: DeliveryRow): DeliveryRecord {
  return {
    event_id: row.event_id,
    status_version: row.status_version,
    event: parseJson(Buffer.from(row.body, 'utf8')),
    delivery_status: row.delivery_status,
    attempts: row.attempts,
    next_attempt_at: rfc3339OrNull(row.next_attempt_at),
    last_http_status: row.last_http_status,
    last_error: row.last_error,
    delivery_attempts: row.delivery_attempts.map(deliveryAttemptJson),
  };
}

function deliveryAttemptJson(row: DeliveryAttemptRow): DeliveryAttempt {
  return {
    attempt: row.attempt,
    trigger: row.trigger,
    started_at: rfc3339(new Date(row.started_at)),
    ...(row.finished_at === null ? {} : { finished_at: rfc3339(new Date(row.finished_at)) }),
    ...(row.http_status === null ? {} : { http_status: row.http_status }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.duration_ms === null ? {} : { duration_ms: row.duration_ms }),
  };
}
