/** SQL of payment attempts. */
import { type Queryable, type Tx, type Row, type Write, sql } from '../../base/pg/index.ts';
import type { Attempt } from './attempt.ts';

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

/** Writes an attempt's new state. Touches no row if another process has changed the state. */
export function updateAttempt(before: Attempt, after: Attempt): Write {
  return {
    statement: sql`UPDATE payment_attempts SET state = ${after.state}, lease_until = ${after.lease_until}::timestamptz,
      unclear_since = ${after.unclear_since}::timestamptz, session_id = ${after.session_id},
      session_url = ${after.session_url}, session_expires_at = ${after.session_expires_at}::timestamptz,
      provider_trade_no = ${after.provider_trade_no}, check_at = ${after.check_at}::timestamptz,
      paid_at = ${after.paid_at}::timestamptz, closed_at = ${after.closed_at}::timestamptz,
      detail = ${JSON.stringify(after.detail)}::jsonb
      WHERE merchant_id = ${before.merchant_id} AND attempt_id = ${before.attempt_id}
        AND state = ${before.state} /* guard: attempt-guarded-by-its-state */`,
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

/** Returns which of a merchant's orders have an attempt that counts (D-090). */
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

/** The states of the attempts of some orders, by order: oldest first, separated by spaces. */
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

/**
 * Merchants that have a due attempt, not counting the channels of `except`; the longest due first, so that a merchant with very
 * many takes no turn of the others (D-1150).
 */
export async function selectMerchantsWithDueAttempts(
  db: Queryable,
  now: Date,
  except: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT a.check_at FROM payment_attempts a
        WHERE a.merchant_id = m.merchant_id AND a.check_at <= ${now} AND a.payment_no <> ALL (${except}::text[])
        ORDER BY a.check_at LIMIT 1) due
      ORDER BY due.check_at LIMIT ${limit}`,
  );
  return rows.map((row) => row.merchant_id);
}

export interface Claim {
  now: Date;
  /** When the claimed attempts are due again. No other worker takes them before. */
  until: Date;
  /** Channels to leave out. */
  except: readonly string[];
  limit: number;
}

/** Claims due attempts of a merchant. */
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

/** The attempt of a provider's payment. The provider does not name the merchant. */
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
