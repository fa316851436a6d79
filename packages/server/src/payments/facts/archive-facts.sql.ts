/** Compares the remaining rows of archived orders with the orders, and each batch with its sealed audit entry (D-474). */
import { type Sql, sql } from '../../base/pg/index.ts';
import { within } from '../../ledger/verification/index.ts';
import { type Check, compare, must } from './compare.sql.ts';

/** When an archived event was made; null if the version has not left. */
export const toldAt = (events: Sql, status_version: Sql): Sql =>
  sql`to_timestamp((${events} -> (${status_version} - 1) ->> 1)::bigint / 1000.0::float8)`;

const micros = (at: Sql): Sql => sql`(extract(epoch FROM ${at}) * 1000000)::bigint`;

/**
 * SHA-256 of what never changes in an order: its invoice, and its payment if it was paid when its rows left. The events of
 * the order were the second record of these values.
 */
export const orderDigest = (
  o: Sql,
  confirmed: Sql,
): Sql => sql`sha256(convert_to(jsonb_build_array(${o}.order_no,
  ${o}.idempotency_key, ${o}.external_reference, ${o}.description, ${o}.requested_payment_no, ${o}.amount_minor::text,
  ${o}.currency, ${o}.currency_decimals, ${micros(sql`${o}.created_at`)}, ${o}.expires_in,
  ${micros(sql`${o}.expires_at`)}, ${o}.return_url, ${o}.notify_mode, ${o}.notify_url,
  encode(${o}.notify_secret_digest, 'hex'), ${o}.price_e12::text, ${o}.gross_settlement_ptk::text, ${o}.hold_days,
  ${o}.fee_version, ${o}.wallet_user_id, CASE WHEN ${confirmed} THEN ${o}.event_id END,
  CASE WHEN ${confirmed} THEN ${o}.payment_no END, CASE WHEN ${confirmed} THEN ${o}.provider_trade_no END,
  CASE WHEN ${confirmed} THEN ${o}.occurred_at_text END)::text, 'UTF8'))`;

/** SHA-256 in hex of all that a batch `b` has left here: its orders, and the lines of seals whose rows have left. */
export const batchDigest: Sql = sql`encode(sha256(convert_to(concat_ws(E'\\n',
  (SELECT string_agg(concat_ws(' ', x.order_no, x.confirmed, encode(x.order_digest, 'hex'), x.events), E'\\n'
      ORDER BY x.order_no COLLATE "C")
    FROM archived_orders x WHERE x.merchant_id = b.merchant_id AND x.batch_no = b.batch_no
      AND x.order_no BETWEEN b.first_order AND b.last_order),
  (SELECT string_agg(concat_ws(' ', x.seal_no, x.lines), E'\\n' ORDER BY x.seal_no)
    FROM archived_seal_lines x WHERE x.merchant_id = b.merchant_id AND x.batch_no = b.batch_no
      AND x.seal_no BETWEEN b.first_seal AND b.last_seal)), 'UTF8')), 'hex')`;

/** An archived order exists, and the values that its events reported are unchanged. */
export const archivedFacts: Check = compare({
  kind: 'archive_differs',
  owner: sql`r.merchant_id`,
  subject: sql`r.order_no`,
  row: sql`'archived order ' || r.order_no`,
  from: () => sql`archived_orders r
    LEFT JOIN collection_orders o ON o.merchant_id = r.merchant_id AND o.order_no = r.order_no
    LEFT JOIN archive_batches b ON b.merchant_id = r.merchant_id AND b.batch_no = r.batch_no`,
  values: [
    must('its order', sql`o.order_no IS NOT NULL`),
    must('its batch', sql`b.batch_no IS NOT NULL AND r.order_no BETWEEN b.first_order AND b.last_order`),
    [
      'the digest of its order',
      sql`encode(r.order_digest, 'hex')`,
      sql`encode(${orderDigest(sql`o`, sql`r.confirmed`)}, 'hex')`,
    ],
  ],
});

const subject = sql`'archive batch ' || coalesce(b.batch_no::text, l.after ->> 'batch_no')`;
const owner = sql`coalesce(b.merchant_id, (l.after ->> 'merchant_id')::uuid)`;

/** Each batch has its entry in the audit log, which is sealed, and each entry its batch. */
export const batchFacts: Check = {
  kind: 'archive_differs',
  statement: (scope) => sql`
    SELECT d.owner::text AS owner, d.subject, d.subject AS row, 'what the audit log says of it' AS what, d.expected,
      d.found
    FROM (
      SELECT ${owner} AS owner, ${subject} AS subject, concat_ws(' ', l.after ->> 'file', l.after ->> 'sha256',
          l.after ->> 'orders', l.after ->> 'digest') AS expected,
        CASE WHEN b.batch_no IS NOT NULL THEN concat_ws(' ', b.file, encode(b.sha256, 'hex'), b.orders,
          ${batchDigest}) END AS found
      FROM archive_batches b FULL JOIN (SELECT after FROM audit_log WHERE action = 'archive.orders') l
        ON l.after ->> 'merchant_id' = b.merchant_id::text AND l.after ->> 'batch_no' = b.batch_no::text
      WHERE ${within(scope, owner, subject)}) d
    WHERE d.expected IS DISTINCT FROM d.found`,
};

/** Seal lines are excused by batches alone. */
export const lineFacts: Check = compare({
  kind: 'archive_differs',
  owner: sql`a.merchant_id`,
  subject: sql`'archive batch ' || a.batch_no`,
  row: sql`'lines of seal ' || a.seal_no`,
  from: () => sql`archived_seal_lines a
    LEFT JOIN archive_batches b ON b.merchant_id = a.merchant_id AND b.batch_no = a.batch_no`,
  values: [
    must('their batch', sql`b.batch_no IS NOT NULL AND a.seal_no BETWEEN b.first_seal AND b.last_seal`),
  ],
});
