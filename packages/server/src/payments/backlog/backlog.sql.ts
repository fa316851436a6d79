/** SQL that counts due work in the tables of payments. */
import { type Queryable, type Row, sql, type Sql } from '../../base/pg/index.ts';

export interface Waiting extends Row {
  due: number;
  /** When the oldest item became due; null if nothing waits. */
  oldest_at: Date | null;
}

const none: Waiting = { due: 0, oldest_at: null };

/** Due items of one merchant, each read by a partial index. */
const dueOf = {
  attempts: (now: Date): Sql =>
    sql`SELECT check_at AS at FROM payment_attempts WHERE merchant_id = m.merchant_id AND check_at <= ${now}
      ORDER BY check_at`,
  refunds: (now: Date): Sql =>
    sql`SELECT check_at AS at FROM payment_refunds WHERE merchant_id = m.merchant_id AND check_at <= ${now}
      ORDER BY check_at`,
  disputes: (now: Date): Sql =>
    sql`SELECT check_at AS at FROM payment_complaints WHERE merchant_id = m.merchant_id AND check_at <= ${now}
      ORDER BY check_at`,
  holds: (now: Date): Sql =>
    sql`SELECT release_at AS at FROM payment_holds WHERE merchant_id = m.merchant_id AND released_at IS NULL
      AND NOT frozen AND release_at <= ${now} ORDER BY release_at`,
};

export type DueWork = keyof typeof dueOf;

/**
 * Counts the due items of all merchants.
 *
 * @param most maximum number counted per merchant
 */
export async function selectDueWork(db: Queryable, kind: DueWork, now: Date, most: number): Promise<Waiting> {
  const [row] = await db.query<Waiting>(
    sql`SELECT count(*)::int AS due, min(w.at) AS oldest_at FROM merchants m CROSS JOIN LATERAL (
        ${dueOf[kind](now)} LIMIT ${most}) w`,
  );
  return row ?? none;
}

/** Cases that are due for a check. The platform's own book has cases too, so this does not go by merchant. */
export async function selectDueCases(db: Queryable, now: Date): Promise<Waiting> {
  const [row] = await db.query<Waiting>(
    sql`SELECT count(*)::int AS due, min(check_at) AS oldest_at FROM payment_cases WHERE check_at <= ${now}`,
  );
  return row ?? none;
}

export async function selectDueWebhooks(db: Queryable, now: Date): Promise<Waiting> {
  const [row] = await db.query<Waiting>(
    sql`SELECT count(*)::int AS due, min(due_at) AS oldest_at FROM card_webhooks WHERE due_at <= ${now}`,
  );
  return row ?? none;
}

/** Counts cases and complaints that wait for a person. */
export async function countUndecided(db: Queryable): Promise<{ cases: Waiting; complaints: Waiting }> {
  // The first condition is the one of the partial index.
  const [[cases = none], [complaints = none]] = await Promise.all([
    db.query<Waiting>(
      sql`SELECT count(*)::int AS due, min(opened_at) AS oldest_at FROM payment_cases
        WHERE state <> 'resolved' AND state = 'open'`,
    ),
    db.query<Waiting>(
      sql`SELECT count(*)::int AS due, min(opened_at) AS oldest_at FROM payment_complaints WHERE status = 'open'`,
    ),
  ]);
  return { cases, complaints };
}

/** Payments of one channel about which its provider is unclear. */
export interface Unclear extends Row {
  payment_no: string;
  attempts: number;
  since: Date;
}

/**
 * Unclear attempts that began at `before` or earlier, by channel. `unclear_since` tells nothing of that: each new request
 * moves it (D-1372).
 *
 * @param most maximum number counted per merchant
 */
export function selectUnclear(db: Queryable, before: Date, most: number): Promise<Unclear[]> {
  return db.query<Unclear>(
    sql`SELECT w.payment_no, count(*)::int AS attempts, min(w.since) AS since FROM merchants m CROSS JOIN LATERAL (
        SELECT payment_no, created_at AS since FROM payment_attempts
        WHERE merchant_id = m.merchant_id AND check_at IS NOT NULL AND state IN ('creating', 'unknown')
          AND unclear_since IS NOT NULL AND created_at <= ${before} LIMIT ${most}) w
      GROUP BY 1 ORDER BY 3`,
  );
}
