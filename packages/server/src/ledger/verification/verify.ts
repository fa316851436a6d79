/** The check of the books on their own; `payments/verification` adds the check against the orders. */
import type { Queryable } from '../../base/pg/index.ts';
import {
  driftFindings,
  type Finding,
  imbalanceFinding,
  incompleteFinding,
  walletFindings,
} from './findings.ts';
import {
  type DriftRow,
  type ImbalanceRow,
  selectEntries,
  selectImbalances,
  selectMerchantDrift,
  selectWalletDrift,
} from './verify.sql.ts';

/** The result of a check of the books; `ok` if there are no findings. */
export interface Verification {
  ok: boolean;
  /** The number of entries checked. */
  entries: bigint;
  /** Entries that do not balance in some currency. */
  imbalances: ImbalanceRow[];
  /** Guarded accounts whose stored balance differs from the sum of their transfers, or is below zero. */
  drift: DriftRow[];
  /** All faults, in words. */
  findings: Finding[];
}

/**
 * Checks the books without looking at the orders. Verifies these invariants:
 * - every entry is complete and balances in each currency;
 * - every stored balance is the sum of its transfers, and no balance is below zero.
 *
 * The database computes all sums. Pass a transaction after `readOneSnapshot` so that all sums are of the same time.
 */
export async function verifyLedger(db: Queryable): Promise<Verification> {
  const imbalances = await selectImbalances(db);
  const { entries, incomplete } = await selectEntries(db);
  const merchants = await selectMerchantDrift(db);
  const wallets = await selectWalletDrift(db);
  const findings = [
    ...imbalances.map(imbalanceFinding),
    ...incomplete.map(incompleteFinding),
    ...merchants.flatMap(driftFindings),
    ...wallets.flatMap(walletFindings),
  ];
  return { ok: findings.length === 0, entries, imbalances, drift: [...merchants, ...wallets], findings };
}

/** The result with the findings of another check. */
export const addFindings = (to: Verification, more: readonly Finding[]): Verification => ({
  ...to,
  ok: to.ok && more.length === 0,
  findings: [...to.findings, ...more],
});
