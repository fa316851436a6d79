import { ptk } from '../../base/money.ts';
import { type AccountKind, growthOf } from './account-kinds.ts';

/**
 * An account of one currency, in the names of docs/ledger.md.
 *
 * `guarded` accounts carry a stored balance that never goes below zero; all others only append.
 */
export interface Account {
  /** Its name in the books: `m:available`, `m:held:mp_…`, `prov:ch_…`. */
  readonly name: string;
  readonly currency: string;
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

/** @param ref what the balance is for, such as an order; empty where the merchant has one balance of this kind */
const merchantAccount = (account: AccountKind & `m:${string}`, ref = ''): Account => ({
  name: ref === '' ? account : `${account}:${ref}`,
  currency: ptk,
  guarded: { of: 'merchant', account, ref, grows: growthOf(account) },
});

const open = (name: string, currency: string): Account => ({ name, currency, guarded: null });

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
export const merchantFeeIncome = (): Account => open('inc:merchant_fee', ptk);
export const buyerFeeIncome = (currency: string): Account => open(`inc:buyer_fee:${currency}`, currency);
/** What a card provider owes the platform on one channel; test channels have their own. */
export const providerClearing = (payment_no: string, currency: string): Account =>
  open(`prov:${payment_no}:${currency}`, currency);
/**
 * Money that came in and waits for a decision, one account for each case. Guarded in its own currency: a case never
 * gives back more than it took (P10, P11).
 */
export const suspense = (currency: string, case_id: string): Account => ({
  name: `susp:${currency}:${case_id}`,
  currency,
  guarded: { of: 'merchant', account: `susp:${currency}`, ref: case_id, grows: 'credit' },
});
export const bank = (currency: string): Account => open(`bank:${currency}`, currency);
/** The platform's position between a currency and PTK. */
export const exchange = (currency: string): Account => open(`fx:${currency}`, currency);
export const issuedPtk = (): Account => open('issue:PTK', ptk);
/** What card providers keep for their service. */
export const providerCost = (currency: string): Account => open(`exp:provider_cost:${currency}`, currency);
/** What merchants owed and never paid. */
export const lossExpense = (): Account => open('exp:loss', ptk);
