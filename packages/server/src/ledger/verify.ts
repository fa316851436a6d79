import type { Queryable } from '../base/db.ts';
import {
  countEntries,
  type DriftRow,
  type ImbalanceRow,
  selectImbalances,
  selectMerchantDrift,
  selectWalletDrift,
} from './ledger.sql.ts';

/** What checking the books found; `ok` where nothing is wrong. */
export interface Verification {
  ok: boolean;
  /** Entries looked at. */
  entries: bigint;
  /** Entries that do not balance in some currency. */
  imbalances: ImbalanceRow[];
  /** Guarded accounts whose stored balance is not what their transfers add up to, or is below zero. */
  drift: DriftRow[];
}

/**
 * Rebuilds every guarded balance from the transfers and compares it with the stored one, and checks that every
 * transfer stays within one currency. Reads one snapshot when given a transaction.
 */
export async function verifyLedger(db: Queryable): Promise<Verification> {
  const imbalances = await selectImbalances(db);
  const drift = [...(await selectMerchantDrift(db)), ...(await selectWalletDrift(db))];
  const entries = await countEntries(db);
  return { ok: imbalances.length === 0 && drift.length === 0, entries, imbalances, drift };
}
