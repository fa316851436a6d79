/** Reads the balances of merchants and people, and locks those that a release or a loss needs. */
import type { Queryable, Tx } from '../../base/pg/index.ts';
import { InvariantError } from '../../base/errors.ts';
import {
  type Account,
  merchantAvailable,
  merchantFrozen,
  merchantGuarantee,
  merchantHeld,
  merchantRecovery,
} from './accounts.ts';
import {
  selectBalanceForUpdate,
  selectBalances,
  selectBalancesByRef,
  selectBalancesOf,
  selectBalancesForUpdate,
  selectTransfers,
  selectWallet,
  type TransferRow,
  lockAvailable,
} from './ledger.sql.ts';
import type { AccountKind } from './account-kinds.ts';

/** Reads a person's available PTK, 8-decimal fixed point. */
export function readUserBalance(db: Queryable, user_id: string): Promise<bigint> {
  return selectWallet(db, user_id);
}

/** The balances of a merchant's wallet, each in PTK at 8-decimal fixed point. */
export interface MerchantBalances {
  available_ptk: bigint;
  held_ptk: bigint;
  frozen_ptk: bigint;
  guarantee_ptk: bigint;
  fee_reserved_ptk: bigint;
  credit_drawn_ptk: bigint;
  recovery_ptk: bigint;
  withdrawal_pending_ptk: bigint;
}

/** Reads a merchant's balances without a lock; the balances of single orders are summed. */
export const readMerchantBalances = async (db: Queryable, merchant_id: string): Promise<MerchantBalances> =>
  balancesIn(await selectBalances(db, merchant_id));

/** Reads the balances of several merchants in one statement, by merchant; one without any balance is missing. */
export async function readBalancesOfMerchants(
  db: Queryable,
  merchant_ids: readonly string[],
): Promise<Map<string, MerchantBalances>> {
  const balances = await selectBalancesOf(db, merchant_ids);
  return new Map(Array.from(balances, ([merchant_id, of]) => [merchant_id, balancesIn(of)]));
}

function balancesIn(balances: ReadonlyMap<string, bigint>): MerchantBalances {
  const of = (account: string): bigint => balances.get(account) ?? 0n;
  return {
    available_ptk: of('m:available'),
    held_ptk: of('m:held'),
    frozen_ptk: of('m:frozen'),
    guarantee_ptk: of('m:guarantee'),
    fee_reserved_ptk: of('m:fee_reserved'),
    credit_drawn_ptk: of('m:credit_drawn'),
    recovery_ptk: of('m:recovery'),
    withdrawal_pending_ptk: of('m:withdrawal_pending'),
  };
}

/** Reads all transfers of a subject, oldest first. */
export function readTransfers(db: Queryable, merchant_id: string, subject: string): Promise<TransferRow[]> {
  return selectTransfers(db, merchant_id, subject);
}

/** Locks one of a merchant's guarded accounts until the transaction ends, and reads it. Lock in the order of names. */
export const lockBalance = (tx: Tx, merchant_id: string, account: Account): Promise<bigint> =>
  selectBalanceForUpdate(tx, merchant_id, guardedOf(account));

/**
 * Reads guarded accounts of single orders, withdrawals or cases, of any merchants, without a lock. One statement for any
 * number of them.
 *
 * @returns by order, withdrawal or case; those without a balance are missing
 */
export const readBalances = (
  db: Queryable,
  accounts: readonly { merchant_id: string; account: Account }[],
): Promise<Map<string, bigint>> =>
  selectBalancesByRef(
    db,
    accounts.map(({ merchant_id, account }) => ({ merchant_id, ...guardedOf(account) })),
  );

function guardedOf({ guarded, name }: Account) {
  if (guarded?.of !== 'merchant') throw new InvariantError(`${name} has no balance in a merchant's book`);
  return guarded;
}

/** The balances that can cover a loss of one order, each in PTK at 8-decimal fixed point. */
export interface OrderFunds {
  available: bigint;
  frozen: bigint;
  guarantee: bigint;
  held: bigint;
  /** The merchant's debt. */
  recovery: bigint;
}

/**
 * Locks the balances behind one order until the transaction ends, and reads them. Every transaction that releases funds
 * or books a loss takes its locks here, in the order of the names.
 *
 * Invariant: the available balance is locked first, and its row is created if it does not exist. So a merchant's debt
 * does not change while a transaction holds this lock (D-074, D-086).
 */
export async function lockOrderFunds(tx: Tx, merchant_id: string, order_no: string): Promise<OrderFunds> {
  const lock = (account: Account): Promise<bigint> => lockBalance(tx, merchant_id, account);
  // Sent together; PostgreSQL runs them one after the other.
  const [, available, frozen, guarantee, held, recovery] = await Promise.all([
    /* guard: available-funds-locked-first = null */ lockAvailable(tx, merchant_id),
    lock(merchantAvailable()),
    lock(merchantFrozen(order_no)),
    lock(merchantGuarantee()),
    lock(merchantHeld(order_no)),
    lock(merchantRecovery()),
  ]);
  return { available, frozen, guarantee, held, recovery };
}

/** What several orders of a merchant have under hold, and the merchant's debt; PTK at 8-decimal fixed point. */
export interface HeldFunds {
  /** By order number; an order that has nothing under hold is missing. */
  held: Map<string, bigint>;
  recovery: bigint;
}

/**
 * Locks what several orders have under hold and the merchant's debt until the transaction ends, and reads them, as
 * `lockOrderFunds` does for one order. Call under the locks of the orders. One round trip for any number of orders.
 */
export async function lockHeldFunds(
  tx: Tx,
  merchant_id: string,
  order_nos: readonly string[],
): Promise<HeldFunds> {
  const [, held, recovery] = await Promise.all([
    /* guard: available-funds-locked-first = null */ lockAvailable(tx, merchant_id),
    selectBalancesForUpdate(tx, merchant_id, 'm:held' satisfies AccountKind, order_nos),
    lockBalance(tx, merchant_id, merchantRecovery()),
  ]);
  return { held, recovery };
}
