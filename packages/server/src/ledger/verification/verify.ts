/** The check of the books on their own; `payments/facts` adds the check against the orders. */
import type { Queryable } from '../../base/pg/index.ts';
import {
  driftFindings,
  type Finding,
  imbalanceFinding,
  incompleteFinding,
  walletFindings,
} from './findings.ts';
import { selectDriftOfAccounts, selectDriftOfSubjects, selectDriftSince } from './balances.sql.ts';
import { type Since } from './new-rows.sql.ts';
import { isAccount, type Scope } from './scope.ts';
import {
  type DriftRow,
  type ImbalanceRow,
  selectEntries,
  selectImbalances,
  selectMerchantDrift,
  selectWalletDrift,
  type WalletDriftRow,
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
 * The database computes all sums. Within a scope, it looks only at the scope's subjects and accounts. Pass a
 * transaction after `readOneSnapshot` so that all sums are of the same time.
 */
export async function verifyLedger(db: Queryable, scope: Scope = null): Promise<Verification> {
  const imbalances = await selectImbalances(db, scope);
  const { entries, incomplete } = await selectEntries(db, scope);
  const { merchants, wallets } = await (scope === null ? selectAllDrift(db) : selectDriftWithin(db, scope));
  const findings = [
    ...imbalances.map(imbalanceFinding),
    ...incomplete.map(incompleteFinding),
    ...merchants.flatMap(driftFindings),
    ...wallets.flatMap(walletFindings),
  ];
  return { ok: findings.length === 0, entries, imbalances, drift: [...merchants, ...wallets], findings };
}

interface Drift {
  merchants: DriftRow[];
  wallets: WalletDriftRow[];
}

const selectAllDrift = async (db: Queryable): Promise<Drift> => ({
  merchants: await selectMerchantDrift(db),
  wallets: await selectWalletDrift(db, null),
});

/** The balances of a scope: the accounts of its orders, withdrawals and cases, and the accounts that it names. */
async function selectDriftWithin(db: Queryable, scope: NonNullable<Scope>): Promise<Drift> {
  const named = scope.subjects.flatMap((subject, i) =>
    isAccount(subject) ? [{ subject, merchant_id: scope.merchant_ids[i] ?? '' }] : [],
  );
  const ofPeople = named.filter(({ subject }) => subject.startsWith('user:'));
  const ofBooks = named.filter(({ subject }) => !subject.startsWith('user:'));
  const accounts = {
    merchant_ids: ofBooks.map(({ merchant_id }) => merchant_id),
    subjects: ofBooks.map(({ subject }) => subject),
  };
  const rows = [
    ...(await selectDriftOfSubjects(db, scope)),
    ...(ofBooks.length === 0 ? [] : await selectDriftOfAccounts(db, accounts)),
  ];
  return {
    // The scope can name both an order and its account (D-1370).
    merchants: [...new Map(rows.map((row) => [`${row.owner} ${row.account}`, row])).values()],
    wallets:
      ofPeople.length === 0
        ? []
        : await selectWalletDrift(
            db,
            ofPeople.map(({ subject }) => subject.split(':')[1] ?? ''),
          ),
  };
}

/**
 * Checks the balances that orders share, and people's wallets, where new transfers moved them. The time
 * depends on the new transfers alone. The lines of people's statements are compared with their entries elsewhere.
 */
export async function verifySince(
  db: Queryable,
  since: Since,
): Promise<Pick<Verification, 'drift' | 'findings'>> {
  const drift = await selectDriftSince(db, since);
  const findings = drift.flatMap((row) =>
    row.account === 'user:available' ? walletFindings({ ...row, lines: row.rebuilt }) : driftFindings(row),
  );
  return { drift, findings };
}

/** The result with the findings of another check. */
export const addFindings = (to: Verification, more: readonly Finding[]): Verification => ({
  ...to,
  ok: to.ok && more.length === 0,
  findings: [...to.findings, ...more],
});
