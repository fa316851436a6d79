import { type Queryable, sql, type Tx } from '../../base/pg/db.ts';
import { growBalance } from '../books/ledger.sql.ts';
import { ptk } from '../../base/money.ts';

/** Takes a reference for this transaction: waits for whoever else is taking it, and keeps it once taken. */
export async function claimReference(
  tx: Tx,
  merchant_id: string,
  kind: string,
  reference: string,
): Promise<void> {
  await tx.query(
    sql`INSERT INTO posted_references (merchant_id, kind, reference) VALUES (${merchant_id}, ${kind}, ${reference})
      ON CONFLICT DO NOTHING`,
  );
}

/** Locks a merchant's available balance, which comes into being where it never held anything. */
export async function lockAvailable(tx: Tx, merchant_id: string): Promise<void> {
  await tx.query(growBalance(merchant_id, { account: 'm:available', ref: '' }, ptk, 0n));
}

/** What a merchant owes, without a lock. */
export async function selectRecovery(db: Queryable, merchant_id: string): Promise<bigint> {
  const [row] = await db.query<{ balance: bigint }>(
    sql`SELECT balance FROM ledger_balances
      WHERE merchant_id = ${merchant_id} AND account = 'm:recovery' AND ref = ''`,
  );
  return row?.balance ?? 0n;
}
