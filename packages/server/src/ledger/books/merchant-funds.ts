import type { Queryable, Tx } from '../../base/pg/index.ts';
import { selectFunds, lockAvailable } from './ledger.sql.ts';

/** The available balance of a merchant and the used part of its credit line; PTK at 8-decimal fixed point. */
export interface Funds {
  available_ptk: bigint;
  credit_drawn_ptk: bigint;
}

/** Reads a merchant's funds without a lock. */
export async function readFunds(db: Queryable, merchant_id: string): Promise<Funds> {
  const balances = await selectFunds(db, merchant_id);
  return {
    available_ptk: balances.get('m:available') ?? 0n,
    credit_drawn_ptk: balances.get('m:credit_drawn') ?? 0n,
  };
}

/**
 * Locks a merchant's funds until the transaction ends, and reads them. Takes one round trip.
 *
 * Invariant: a transaction that draws or repays credit first locks the available balance. So this one lock also keeps
 * the drawn credit from changing. A query that is sent after this call runs under the lock.
 */
export async function lockFunds(tx: Tx, merchant_id: string): Promise<Funds> {
  const [, funds] = await Promise.all([
    /* guard: fee-funds-locked = null */ lockAvailable(tx, merchant_id),
    readFunds(tx, merchant_id),
  ]);
  return funds;
}
