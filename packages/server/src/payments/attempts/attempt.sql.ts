import { join, type Queryable, type Row, sql, type Tx, type Write } from '../../base/pg/db.ts';
import type { Channel } from '../../channels/channel.ts';
import { rulesFrom, rulesToStore } from '../../channels/read-channels.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import type { Attempt } from './attempt.ts';
import type { Quote } from '../quotes/quote.ts';

type QuoteRow = Omit<Quote, 'fee_rules'> & { fee_rules: Parameters<typeof rulesFrom>[0] } & Row;

export function insertQuotes(merchant_id: string, order_no: string, quotes: readonly Quote[]): Write {
  const rows = quotes.map(
    (q) =>
      sql`(${merchant_id}::uuid, ${order_no}, ${q.method_id}, ${q.payment_no}, ${q.provider}, ${q.owner},
        ${q.test_mode}::boolean, ${q.currency}, ${q.currency_decimals}::smallint, ${q.subtotal}::numeric,
        ${q.buyer_fee}::numeric, ${q.merchant_fee}::numeric, ${q.merchant_fee_ptk}::numeric,
        ${JSON.stringify(rulesToStore(q.fee_rules))}::jsonb)`,
  );
  return {
    statement: sql`INSERT INTO payment_quotes (merchant_id, order_no, method_id, payment_no, provider, owner,
      test_mode, currency, currency_decimals, subtotal, buyer_fee, merchant_fee, merchant_fee_ptk, fee_rules)
      VALUES ${join(rows)}`,
    rows: 'all',
  };
}

export async function selectQuotes(db: Queryable, merchant_id: string, order_no: string): Promise<Quote[]> {
  const rows = await db.query<QuoteRow>(
    sql`SELECT method_id, payment_no, provider, owner, test_mode, currency, currency_decimals, subtotal, buyer_fee,
      merchant_fee, merchant_fee_ptk, fee_rules
      FROM payment_quotes WHERE merchant_id = ${merchant_id} AND order_no = ${order_no} ORDER BY method_id`,
  );
  return rows.map((row) => ({ ...row, fee_rules: rulesFrom(row.fee_rules) }));
}

const attemptColumns = sql`merchant_id, attempt_id, order_no, seq, method_id, payment_no, provider, test_mode, state,
  amount, currency, currency_decimals, buyer_user_id, created_at, lease_until, unclear_since, session_id, session_url,
  session_expires_at, provider_trade_no, check_at, paid_at, closed_at, request, detail`;

export function insertAttempt(a: Attempt): Write {
  return {
    statement: sql`INSERT INTO payment_attempts (${attemptColumns}) VALUES (${a.merchant_id}::uuid, ${a.attempt_id},
      ${a.order_no}, ${a.seq}::smallint, ${a.method_id}, ${a.payment_no}, ${a.provider}, ${a.test_mode}::boolean,
      ${a.state}, ${a.amount}::numeric, ${a.currency}, ${a.currency_decimals}::smallint, ${a.buyer_user_id}::uuid,
      ${a.created_at}::timestamptz, ${a.lease_until}::timestamptz, ${a.unclear_since}::timestamptz, ${a.session_id},
      ${a.session_url}, ${a.session_expires_at}::timestamptz, ${a.provider_trade_no}, ${a.check_at}::timestamptz,
      ${a.paid_at}::timestamptz, ${a.closed_at}::timestamptz, ${JSON.stringify(a.request)}::jsonb,
      ${JSON.stringify(a.detail)}::jsonb)`,
    rows: 'all',
  };
}

/** Writes an attempt's new state, guarded by the state it was read in. */
export function updateAttempt(before: Attempt, after: Attempt): Write {
  return {
    statement: sql`UPDATE payment_attempts SET state = ${after.state}, lease_until = ${after.lease_until}::timestamptz,
      unclear_since = ${after.unclear_since}::timestamptz, session_id = ${after.session_id},
      session_url = ${after.session_url}, session_expires_at = ${after.session_expires_at}::timestamptz,
      provider_trade_no = ${after.provider_trade_no}, check_at = ${after.check_at}::timestamptz,
      paid_at = ${after.paid_at}::timestamptz, closed_at = ${after.closed_at}::timestamptz,
      detail = ${JSON.stringify(after.detail)}::jsonb
      WHERE merchant_id = ${before.merchant_id} AND attempt_id = ${before.attempt_id} AND state = ${before.state}`,
    rows: 1,
  };
}

/** The attempts of an order, newest first. */
export function selectAttempts(db: Queryable, merchant_id: string, order_no: string): Promise<Attempt[]> {
  return db.query<Attempt & Row>(
    sql`SELECT ${attemptColumns} FROM payment_attempts
      WHERE merchant_id = ${merchant_id} AND order_no = ${order_no} ORDER BY seq DESC`,
  );
}

/** Which of a merchant's orders have an attempt that counts (D-090). */
export async function selectOrdersWithAttempt(
  db: Queryable,
  merchant_id: string,
  order_nos: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ order_no: string }>(
    sql`SELECT order_no FROM payment_attempts
      WHERE merchant_id = ${merchant_id} AND order_no = ANY (${order_nos}::text[]) AND state <> 'rejected'`,
  );
  return new Set(rows.map(({ order_no }) => order_no));
}

/** What has become of the attempts of some of a merchant's orders, as one text for each order that has any. */
export async function selectAttemptStates(
  db: Queryable,
  merchant_id: string,
  order_nos: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ order_no: string; states: string }>(
    sql`SELECT order_no, string_agg(state, ' ' ORDER BY seq) AS states FROM payment_attempts
      WHERE merchant_id = ${merchant_id} AND order_no = ANY (${order_nos}::text[]) GROUP BY order_no`,
  );
  return new Map(rows.map(({ order_no, states }) => [order_no, states]));
}

export async function selectAttempt(
  db: Queryable,
  merchant_id: string,
  attempt_id: string,
): Promise<Attempt | null> {
  const [row] = await db.query<Attempt & Row>(
    sql`SELECT ${attemptColumns} FROM payment_attempts
      WHERE merchant_id = ${merchant_id} AND attempt_id = ${attempt_id}`,
  );
  return row ?? null;
}

/** Merchants that have an attempt to look at, at other channels than these. */
export async function selectMerchantsToCheck(
  db: Queryable,
  now: Date,
  except: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT 1 FROM payment_attempts a
        WHERE a.merchant_id = m.merchant_id AND a.check_at <= ${now} AND a.payment_no <> ALL (${except}::text[])
        LIMIT 1) due
      LIMIT ${limit}`,
  );
  return rows.map((row) => row.merchant_id);
}

interface Claim {
  now: Date;
  /** Put off until then, so that no one else takes it. */
  until: Date;
  /** Channels of which nothing is taken. */
  except: readonly string[];
  limit: number;
}

/** A merchant's attempts that are due to be looked at, claimed. */
export async function claimDueAttempts(
  tx: Tx,
  { merchant_id, now, until, except, limit }: Claim & { merchant_id: string },
): Promise<Attempt[]> {
  return tx.query<Attempt & Row>(
    sql`WITH due AS (
        SELECT attempt_id AS id FROM payment_attempts
        WHERE merchant_id = ${merchant_id} AND check_at <= ${now} AND payment_no <> ALL (${except}::text[])
        ORDER BY check_at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED)
      UPDATE payment_attempts SET check_at = ${until} FROM due
      WHERE merchant_id = ${merchant_id} AND attempt_id = due.id
      RETURNING ${attemptColumns}`,
  );
}

/** One of an order's methods as it was quoted, with what its channel and its merchant allow now. */
export interface Method {
  quote: Quote;
  /** Whether its order has been tried to pay, by this method or another; refused attempts count. */
  tried: boolean;
  channel: MethodChannel;
  merchant: MethodMerchant;
}

/** `enabled` only where it is set up as well. */
export type MethodChannel = Pick<
  Channel,
  'payment_no' | 'provider' | 'enabled' | 'login_required' | 'test_mode' | 'debug_merchants' | 'debug_users'
>;

export type MethodMerchant = Pick<
  Merchant,
  'merchant_id' | 'status' | 'guest_purchase_allowed' | 'owner_user_id'
>;

type MethodRow = QuoteRow &
  Pick<Channel, 'enabled' | 'login_required' | 'debug_merchants' | 'debug_users'> &
  Pick<Merchant, 'guest_purchase_allowed' | 'owner_user_id'> & {
    tried: boolean;
    channel_test_mode: boolean;
    merchant_status: Merchant['status'];
  };

/** Null where the order has no such method. */
export async function selectMethod(
  db: Queryable,
  merchant_id: string,
  order_no: string,
  method_id: string,
): Promise<Method | null> {
  const [row] = await db.query<MethodRow>(
    sql`SELECT q.method_id, q.payment_no, q.provider, q.owner, q.test_mode, q.currency, q.currency_decimals,
        q.subtotal, q.buyer_fee, q.merchant_fee, q.merchant_fee_ptk, q.fee_rules,
        c.enabled AND (c.provider = 'ptk' OR (c.secret_key_box IS NOT NULL AND c.webhook_secret_box IS NOT NULL))
          AS enabled, c.login_required, c.test_mode AS channel_test_mode, c.debug_merchants, c.debug_users,
        m.status AS merchant_status, m.guest_purchase_allowed, m.owner_user_id,
        EXISTS (SELECT 1 FROM payment_attempts WHERE merchant_id = ${merchant_id} AND order_no = ${order_no})
          AS tried
      FROM payment_quotes q JOIN channels c ON c.payment_no = q.payment_no
        JOIN merchants m ON m.merchant_id = q.merchant_id
      WHERE q.merchant_id = ${merchant_id} AND q.order_no = ${order_no} AND q.method_id = ${method_id}`,
  );
  if (row === undefined) return null;
  const {
    tried,
    enabled,
    login_required,
    channel_test_mode: test_mode,
    debug_merchants,
    debug_users,
    merchant_status: status,
    guest_purchase_allowed,
    owner_user_id,
    ...quote
  } = row;
  const { payment_no, provider } = quote;
  return {
    quote: { ...quote, fee_rules: rulesFrom(quote.fee_rules) },
    tried,
    channel: { payment_no, provider, enabled, login_required, test_mode, debug_merchants, debug_users },
    merchant: { merchant_id, status, guest_purchase_allowed, owner_user_id },
  };
}

// ------------------------------------------------------------------ webhooks

export interface StoredWebhook {
  payment_no: string;
  provider_event_id: string;
  type: string;
  body_box: Buffer;
  received_at: Date;
  tries: number;
}

/** Stores a webhook once; answers whether it was new (D-106). */
export async function insertWebhook(db: Queryable, w: StoredWebhook, due_at: Date): Promise<boolean> {
  const rows = await db.query(
    sql`INSERT INTO card_webhooks (payment_no, provider_event_id, type, body_box, received_at, due_at, tries)
      VALUES (${w.payment_no}, ${w.provider_event_id}, ${w.type}, ${w.body_box}, ${w.received_at}, ${due_at}, 0)
      ON CONFLICT (payment_no, provider_event_id) DO NOTHING RETURNING 1`,
  );
  return rows.length === 1;
}

export function claimDueWebhooks(tx: Tx, { now, until, except, limit }: Claim): Promise<StoredWebhook[]> {
  return tx.query<StoredWebhook & Row>(
    sql`WITH due AS (
        SELECT payment_no, provider_event_id FROM card_webhooks
        WHERE due_at <= ${now} AND payment_no <> ALL (${except}::text[])
        ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      UPDATE card_webhooks w SET due_at = ${until}, tries = w.tries + 1 FROM due
      WHERE w.payment_no = due.payment_no AND w.provider_event_id = due.provider_event_id
      RETURNING w.payment_no, w.provider_event_id, w.type, w.body_box, w.received_at, w.tries`,
  );
}

/** Ends a webhook's processing, puts it off until `due_at`, or gives it up. */
export async function updateWebhook(
  db: Queryable,
  w: Pick<StoredWebhook, 'payment_no' | 'provider_event_id'>,
  outcome: string,
  { due_at, given_up_at }: { due_at: Date | null; given_up_at: Date | null },
): Promise<void> {
  await db.query(
    sql`UPDATE card_webhooks SET outcome = ${outcome}, due_at = ${due_at}, given_up_at = ${given_up_at}
      WHERE payment_no = ${w.payment_no} AND provider_event_id = ${w.provider_event_id}`,
  );
}

/** The attempt that a channel's provider names by its payment; it does not say whose it is. */
export async function selectAttemptByTrade(
  db: Queryable,
  payment_no: string,
  provider_trade_no: string,
): Promise<Attempt | null> {
  const [row] = await db.query<Attempt & Row>(
    sql`SELECT ${attemptColumns} FROM payment_attempts
      WHERE provider_trade_no = ${provider_trade_no} AND payment_no = ${payment_no} AND provider <> 'ptk'
      ORDER BY attempt_id LIMIT 1`,
  );
  return row ?? null;
}

/** Removes webhooks that came before `before` and are done with. */
export async function deleteOldWebhooks(db: Queryable, before: Date, limit: number): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM card_webhooks WHERE (payment_no, provider_event_id) IN (
        SELECT payment_no, provider_event_id FROM card_webhooks
        WHERE due_at IS NULL AND received_at < ${before} ORDER BY received_at LIMIT ${limit})
      RETURNING 1 AS gone`,
  );
  return gone.length;
}
