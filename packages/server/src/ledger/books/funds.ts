import type { Queryable, Tx } from '../../base/pg/index.ts';
import { selectFunds } from './ledger.sql.ts';
import { lockAvailable } from './ledger.sql.ts';

/** What a merchant has to spend, and how much of its credit line it has used; PTK at 8-decimal fixed point. */
export interface Funds {
  available_ptk: bigint;
  credit_drawn_ptk: bigint;
}

/** A merchant's funds as they stand, without a lock. */
export async function readFunds(db: Queryable, merchant_id: string): Promise<Funds> {
  const balances = await selectFunds(db, merchant_id);
  return {
    available_ptk: balances.get('m:available') ?? 0n,
    credit_drawn_ptk: balances.get('m:credit_drawn') ?? 0n,
  };
}

/**
 * A merchant's funds, locked until the transaction ends. The lock is that of the available balance: whatever draws
 * or repays credit takes it first, so that drawn credit stands still with it. One round trip; what is asked along
 * with this, after it, is answered under the lock.
 */
export async function lockFunds(tx: Tx, merchant_id: string): Promise<Funds> {
  const [, funds] = await Promise.all([
    /* guard: fee-funds-locked = null */ lockAvailable(tx, merchant_id),
    readFunds(tx, merchant_id),
  ]);
  return funds;
}
