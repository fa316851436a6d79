import type { Queryable } from '../../base/pg/index.ts';
import { driftFindings, type Finding, imbalanceFinding, tornFinding, walletFindings } from './findings.ts';
import {
  type DriftRow,
  type ImbalanceRow,
  selectEntries,
  selectImbalances,
  selectMerchantDrift,
  selectWalletDrift,
} from './verify.sql.ts';

/** What checking the books found; `ok` where nothing is wrong. */
export interface Verification {
  ok: boolean;
  /** Entries looked at. */
  entries: bigint;
  /** Entries that do not balance in some currency. */
  imbalances: ImbalanceRow[];
  /** Guarded accounts whose stored balance is not what their transfers add up to, or is below zero. */
  drift: DriftRow[];
  /** All that is wrong, in words. */
  findings: Finding[];
}

/**
 * Checks the books by themselves: that every entry is whole and balances in each currency, that every stored
 * balance is what its transfers add up to, and that none is below zero. Everything is summed in the
 * database. Reads one snapshot when given a transaction that does.
 */
export async function verifyLedger(db: Queryable): Promise<Verification> {
  const imbalances = await selectImbalances(db);
  const { entries, torn } = await selectEntries(db);
  const merchants = await selectMerchantDrift(db);
  const wallets = await selectWalletDrift(db);
  const findings = [
    ...imbalances.map(imbalanceFinding),
    ...torn.map(tornFinding),
    ...merchants.flatMap(driftFindings),
    ...wallets.flatMap(walletFindings),
  ];
  return { ok: findings.length === 0, entries, imbalances, drift: [...merchants, ...wallets], findings };
}
