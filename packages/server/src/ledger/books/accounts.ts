import { ptk } from '../../base/money.ts';
import { type AccountKind, growthOf } from './account-kinds.ts';

/**
 * An account of one currency, named as in docs/ledger.md. The functions below create every account that exists.
 *
 * Invariant: a guarded account has a stored balance, which never goes below zero. Any other account has
 * no stored balance; its transfers are summed when the balance is needed.
 */
export interface Account {
  /** The name in the books: `m:available`, `m:held:mp_…`, `prov:ch_…:USD`. */
  readonly name: string;
  readonly currency: string;
  /** Null if the account has no stored balance. */
  readonly guarded: Guard | null;
}

/** Where a guarded account's balance is stored, and on which side it grows. */
export type Guard =
  | {
      readonly of: 'merchant';
      readonly account: string;
      readonly ref: string;
      readonly grows: 'credit' | 'debit';
    }
  | { readonly of: 'user'; readonly user_id: string };

/** @param ref the order, withdrawal or case of the balance; empty if the merchant has one balance of this kind */
const merchantAccount = (account: AccountKind & `m:${string}`, ref = ''): Account => ({
  name: ref === '' ? account : `${account}:${ref}`,
  currency: ptk,
  guarded: { of: 'merchant', account, ref, grows: growthOf(account) },
});

const unguarded = (name: string, currency: string): Account => ({ name, currency, guarded: null });

export const merchantAvailable = (): Account => merchantAccount('m:available');
export const merchantHeld = (order_no: string): Account => merchantAccount('m:held', order_no);
export const merchantFrozen = (order_no: string): Account => merchantAccount('m:frozen', order_no);
export const merchantGuarantee = (): Account => merchantAccount('m:guarantee');
export const merchantFeeReserved = (order_no: string): Account => merchantAccount('m:fee_reserved', order_no);
export const merchantWithdrawalPending = (withdrawal_id: string): Account =>
  merchantAccount('m:withdrawal_pending', withdrawal_id);
export const merchantCreditDrawn = (): Account => merchantAccount('m:credit_drawn');
export const merchantRecovery = (): Account => merchantAccount('m:recovery');

export const userAvailable = (user_id: string): Account => ({
  name: `user:${user_id}:available`,
  currency: ptk,
  guarded: { of: 'user', user_id },
});

/** Merchant fees are income in PTK, whatever the buyer paid in. */
export const merchantFeeIncome = (): Account => unguarded('inc:merchant_fee', ptk);
export const buyerFeeIncome = (currency: string): Account => unguarded(`inc:buyer_fee:${currency}`, currency);
/** What a card provider owes the platform on one channel; test channels have their own (D-084). */
export const providerClearing = (payment_no: string, currency: string): Account =>
  unguarded(`prov:${payment_no}:${currency}`, currency);
/**
 * Received money that waits for a decision. Each case has its own account, guarded in its own currency: a case never
 * pays back more than it received (P10, P11).
 */
export const suspense = (currency: string, case_id: string): Account => ({
  name: `susp:${currency}:${case_id}`,
  currency,
  guarded: { of: 'merchant', account: `susp:${currency}`, ref: case_id, grows: 'credit' },
});
export const bank = (currency: string): Account => unguarded(`bank:${currency}`, currency);
/** The platform's position between a currency and PTK. */
export const exchange = (currency: string): Account => unguarded(`fx:${currency}`, currency);
export const issuedPtk = (): Account => unguarded('issue:PTK', ptk);
/** The fees that card providers keep. */
export const providerCost = (currency: string): Account =>
  unguarded(`exp:provider_cost:${currency}`, currency);
/** Debts of merchants that were written off. */
export const lossExpense = (): Account => unguarded('exp:loss', ptk);
