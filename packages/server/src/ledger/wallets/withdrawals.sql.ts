/** Statements on withdrawals. */
import { type Queryable, type Tx, type Row, type Write, sql } from '../../base/pg/index.ts';
import type { Withdrawal, WithdrawalStatus } from './withdrawals.ts';

const columns = sql`merchant_id, withdrawal_id, reference, amount_ptk, payout_currency, payout_decimals, payout_amount,
  status, requested_at, decided_at`;

/**
 * Stores a withdrawal unless its reference is used; waits for a transaction that is using it now.
 *
 * @returns whether it was stored
 */
export async function insertWithdrawal(tx: Tx, w: Withdrawal): Promise<boolean> {
  const rows = await tx.query(
    sql`INSERT INTO withdrawals (${columns}) VALUES (${w.merchant_id}, ${w.withdrawal_id}, ${w.reference},
        ${w.amount_ptk}, ${w.payout_currency}, ${w.payout_decimals}, ${w.payout_amount}, ${w.status},
        ${w.requested_at}, ${w.decided_at})
      ON CONFLICT (merchant_id, reference) DO NOTHING RETURNING 1`,
  );
  return rows.length === 1;
}

export async function selectWithdrawalByReference(
  db: Queryable,
  merchant_id: string,
  reference: string,
): Promise<Withdrawal | null> {
  const [row] = await db.query<Withdrawal & Row>(
    sql`SELECT ${columns} FROM withdrawals WHERE merchant_id = ${merchant_id} AND reference = ${reference}`,
  );
  return row ?? null;
}

/** A withdrawal by its id alone, for administrators, who do not name the merchant. */
export async function selectWithdrawal(db: Queryable, withdrawal_id: string): Promise<Withdrawal | null> {
  const [row] = await db.query<Withdrawal & Row>(
    sql`SELECT ${columns} FROM withdrawals WHERE withdrawal_id = ${withdrawal_id}`,
  );
  return row ?? null;
}

/** Ends a pending withdrawal; changes no row, and fails with `otherwise`, if it was decided before. */
export function endWithdrawal(
  { merchant_id, withdrawal_id }: Pick<Withdrawal, 'merchant_id' | 'withdrawal_id'>,
  status: Exclude<WithdrawalStatus, 'pending'>,
  decided_at: Date,
  otherwise: () => Error,
): Write {
  return {
    statement: sql`UPDATE withdrawals SET status = ${status}, decided_at = ${decided_at}::timestamptz,
        sealed_xact = pg_current_xact_id()::text::bigint
      WHERE merchant_id = ${merchant_id}::uuid AND withdrawal_id = ${withdrawal_id}
        AND status = 'pending' /* guard: withdrawal-decided-once */`,
    rows: 1,
    otherwise,
  };
}

/** A page of withdrawals. */
export interface WithdrawalPage {
  status: WithdrawalStatus | null;
  /** Their ids sort by time. */
  order: 'newest' | 'oldest';
  /** The last one of the page before. */
  after: string | null;
  limit: number;
}

/** Withdrawals after a cursor, in the order of their requests. */
export function selectWithdrawals(
  db: Queryable,
  { status, order, after, limit }: WithdrawalPage,
): Promise<Withdrawal[]> {
  const ofStatus = status === null ? sql`` : sql`AND status = ${status}`;
  if (order === 'oldest') {
    const newer = after === null ? sql`` : sql`AND withdrawal_id > ${after}`;
    return db.query<Withdrawal & Row>(
      sql`SELECT ${columns} FROM withdrawals WHERE true ${ofStatus} ${newer}
        ORDER BY withdrawal_id LIMIT ${limit}`,
    );
  }
  const older = after === null ? sql`` : sql`AND withdrawal_id < ${after}`;
  return db.query<Withdrawal & Row>(
    sql`SELECT ${columns} FROM withdrawals WHERE true ${ofStatus} ${older}
      ORDER BY withdrawal_id DESC LIMIT ${limit}`,
  );
}

/** The number of withdrawals that wait for a decision, and the time of the oldest request. */
export async function countPendingWithdrawals(
  db: Queryable,
): Promise<{ due: number; oldest_at: Date | null }> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(
    sql`SELECT count(*)::int AS due, min(requested_at) AS oldest_at FROM withdrawals WHERE status = 'pending'`,
  );
  return row ?? { due: 0, oldest_at: null };
}
