/** Writes each notification again from its order, and compares it with the stored one (R-262, R-263, R-267). */
import { destinationOf } from '../../base/input/https-url.ts';
import { type Sql, sql } from '../../base/pg/index.ts';
import { type Scope, within } from '../../ledger/verification/index.ts';
import { type Check, compare, type Difference, instantText, must, tenTo } from './compare.sql.ts';

/** The status that the notification tells: the status of the order for the latest, `pending` for the first. */
const status = sql`CASE n.status_version WHEN o.status_version THEN o.status WHEN 1 THEN 'pending'
  ELSE coalesce(substring(n.body FROM '"status":"(review|expired|paid)"'), '') END`;
const isConfirmed = sql`(${status}) IN ('paid', 'refunded', 'chargeback')`;
/** The method that was selected then: later ones are known only from the text. */
const payment_no = sql`CASE WHEN n.status_version = 1 THEN o.requested_payment_no
  WHEN ${isConfirmed} THEN o.payment_no ELSE coalesce(substring(n.body FROM '"payment_no":"([^"]*)"'), '') END`;
const test_mode = sql`CASE WHEN n.status_version = 1 AND o.requested_payment_no = '' THEN 'false'
  WHEN n.status_version = 1 OR ${isConfirmed} THEN o.test_mode::text
  ELSE coalesce(substring(n.body FROM '"test_mode":(true|false)'), '') END`;
const amount = sql`CASE o.currency_decimals WHEN 0 THEN o.amount_minor::text
  ELSE round(o.amount_minor / ${tenTo(sql`o.currency_decimals`)}, o.currency_decimals)::text END`;

/** Our ids, and the ids of imported orders, have nothing that JSON escapes. */
const body = sql`'{"id":"' || n.event_id || '","type":"merchant_payment.status_changed","api_version":1,"created_at":"'
  || ${instantText(sql`n.created_at`)} || '","data":{"order_no":"' || o.order_no || '","external_reference":'
  || to_json(o.external_reference) || ',"payment_no":"' || ${payment_no} || '","amount":"' || ${amount}
  || '","amount_minor":' || o.amount_minor || ',"currency":"' || o.currency || '","currency_decimals":'
  || o.currency_decimals || ',"status":"' || ${status} || '","status_version":' || n.status_version || ',"test_mode":'
  || ${test_mode} || ',"expires_at":"' || ${instantText(sql`o.expires_at`)} || '"'
  || CASE WHEN ${isConfirmed} THEN ',"event_id":"' || o.event_id || '","provider_trade_no":'
    || to_json(o.provider_trade_no) || ',"occurred_at":' || to_json(o.occurred_at_text) ELSE '' END || '}}'`;

/** Host and port in the address, which is https. They end at the first of three signs. */
const authority = sql`split_part(split_part(split_part(substr(n.url, 9), '/', 1), '?', 1), '#', 1)`;

/**
 * Each notification with its latest attempt. In a scope they are read one by one: PostgreSQL takes the pairs of a scope
 * for a few, and would compare all attempts of a merchant with all pairs.
 */
const attempted = (scope: Scope): Sql =>
  scope === null
    ? sql`notifications n JOIN (
        SELECT DISTINCT ON (merchant_id, event_id) merchant_id, event_id, attempt, http_status, finished_at
        FROM notification_attempts ORDER BY merchant_id, event_id, attempt DESC) a
      ON a.merchant_id = n.merchant_id AND a.event_id = n.event_id`
    : sql`notifications n CROSS JOIN LATERAL (
        SELECT attempt, http_status, finished_at FROM notification_attempts
        WHERE merchant_id = n.merchant_id AND event_id = n.event_id ORDER BY attempt DESC LIMIT 1) a`;

/** How a finding names a notification. */
const ofNotification = {
  kind: 'notification_differs',
  owner: sql`n.merchant_id`,
  subject: sql`n.order_no`,
  row: sql`'notification ' || n.event_id || ' of ' || n.order_no`,
} as const;

/** A notification and its latest attempt. Apart from the bodies, which would not fit into the memory of a join. */
export const attemptedFacts: Check = compare({
  ...ofNotification,
  from: attempted,
  values: [
    ['attempts', sql`a.attempt`, sql`n.attempts`],
    [
      'last_http_status',
      sql`CASE WHEN a.finished_at IS NULL THEN n.last_http_status ELSE a.http_status END`,
      sql`n.last_http_status`,
    ],
  ],
});

/**
 * What the parser of addresses makes of a host in capital letters, of an IDN or of 0x7f.1, SQL cannot tell: those that
 * are not surely right are compared here.
 */
function settleDestination(row: Difference): Difference | null {
  if (row.what !== 'destination' || !URL.canParse(row.expected ?? '')) return row;
  const expected = destinationOf(new URL(row.expected ?? ''));
  return expected === row.found ? null : { ...row, expected };
}

const inSql = compare({
  ...ofNotification,
  from: () => sql`notifications n
    LEFT JOIN collection_orders o ON o.merchant_id = n.merchant_id AND o.order_no = n.order_no`,
  values: [
    must('a request by hand only while it is pending', sql`NOT n.manual OR n.delivery_status = 'pending'`),
    ['body', body, sql`n.body`],
    must('a status_version of its order', sql`n.status_version BETWEEN 1 AND o.status_version`),
    ['url', sql`o.notify_url`, sql`n.url`],
    ['secret_box', sql`o.notify_secret_box`, sql`n.secret_box`],
    [
      'destination',
      sql`'https://' || ${authority}`,
      sql`n.destination`,
      sql`n.destination = ${authority} || CASE strpos(${authority}, ':') WHEN 0 THEN ':443' ELSE '' END`,
    ],
    must(
      'attempts that its delivery_status allows',
      sql`CASE n.delivery_status
      WHEN 'delivered' THEN n.attempts > 0 AND n.last_http_status BETWEEN 200 AND 299 AND n.last_error IS NULL
      WHEN 'failed' THEN n.attempts > 0 ELSE true END`,
    ),
    must(
      'a traceparent that can stand in a header',
      sql`n.traceparent IS NULL OR n.traceparent ~ '^[0-9a-f]{2}(-[0-9a-f]+){3}$'`,
    ),
    must('no lease after its delivery', sql`n.lease_until IS NULL OR n.delivery_status = 'pending'`),
  ],
});

export const notificationFacts: Check = {
  ...inSql,
  // Many notifications of a merchant go to one host: one of them is enough.
  statement: (scope) => {
    const same = sql`owner, what, CASE what WHEN 'destination' THEN concat_ws(' ', expected, found) ELSE row END`;
    return sql`SELECT DISTINCT ON (${same}) * FROM (${inSql.statement(scope)}) s ORDER BY ${same}, subject, row`;
  },
  settle: settleDestination,
};

/** Each change of status has one notification, if the order has an address; archived events count. */
export const toldFacts: Check = compare({
  kind: 'notification_differs',
  owner: sql`o.merchant_id`,
  subject: sql`o.order_no`,
  row: sql`'order ' || o.order_no`,
  from: (
    scope,
  ) => sql`collection_orders o LEFT JOIN (SELECT merchant_id, order_no, count(*) AS told FROM notifications
    WHERE ${within(scope, sql`merchant_id`, sql`order_no`)} GROUP BY merchant_id, order_no) n
    ON n.merchant_id = o.merchant_id AND n.order_no = o.order_no
    LEFT JOIN archived_orders r ON r.merchant_id = o.merchant_id AND r.order_no = o.order_no`,
  where: sql`o.fee_status <> 'legacy'`,
  values: [
    [
      'number of notifications',
      sql`CASE WHEN o.notify_secret_box IS NULL THEN 0 ELSE o.status_version END`,
      sql`coalesce(n.told, 0) + coalesce(jsonb_array_length(r.events), 0)`,
    ],
  ],
});
