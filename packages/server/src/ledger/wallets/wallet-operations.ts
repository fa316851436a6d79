import { platformBook } from '../../base/ids.ts';
import {
  bank,
  lossExpense,
  merchantAvailable,
  merchantCreditDrawn,
  merchantGuarantee,
  merchantRecovery,
  providerClearing,
  providerCost,
  transfer,
  type ReferencedEntry,
} from '../books/index.ts';
import { type BankMoney, fromOutside } from './top-up.ts';

/** One operation on a merchant's wallet, once for each reference. Amounts in PTK at 8-decimal fixed point. */
export interface WalletOperation {
  merchant_id: string;
  /** Positive. */
  amount_ptk: bigint;
  reference: string;
}

/**
 * A guarantee deposit out of the merchant's own wallet (P12), or from outside: against money at the bank (P12x), or
 * as an issue of PTK where nothing was paid (P14i).
 */
export function guaranteeDeposit(
  operation: WalletOperation,
  source: 'available' | { paid: BankMoney | null },
): ReferencedEntry {
  const { amount_ptk } = operation;
  const entry = { ...bookOf(operation), kind: 'guarantee-deposit' } as const;
  if (source === 'available') {
    const transfers = [transfer(merchantAvailable(), merchantGuarantee(), amount_ptk)];
    return { ...entry, posting: 'P12', transfers };
  }
  const { paid } = source;
  const transfers = fromOutside(merchantGuarantee(), amount_ptk, paid);
  return { ...entry, posting: paid === null ? 'P14i' : 'P12x', transfers };
}

/** Guarantee money that goes back into the merchant's wallet (P12). */
export function guaranteeReturn(operation: WalletOperation): ReferencedEntry {
  const transfers = [transfer(merchantGuarantee(), merchantAvailable(), operation.amount_ptk)];
  return { ...bookOf(operation), kind: 'guarantee-return', posting: 'P12', transfers };
}

/** Drawn credit repaid out of the merchant's wallet (P16). */
export function creditRepayment(operation: WalletOperation): ReferencedEntry {
  const transfers = [transfer(merchantAvailable(), merchantCreditDrawn(), operation.amount_ptk)];
  return { ...bookOf(operation), kind: 'credit-repayment', posting: 'P16', transfers };
}

/** What a merchant owes, repaid from outside (P17). */
export function recoveryRepayment(operation: WalletOperation, paid: BankMoney | null): ReferencedEntry {
  const transfers = fromOutside(merchantRecovery(), operation.amount_ptk, paid);
  return { ...bookOf(operation), kind: 'recovery-repayment', posting: 'P17', transfers };
}

/** What a merchant owes and will not repay (P18): the platform's loss. */
export function recoveryWriteOff(operation: WalletOperation): ReferencedEntry {
  const transfers = [transfer(lossExpense(), merchantRecovery(), operation.amount_ptk)];
  return { ...bookOf(operation), kind: 'recovery-write-off', posting: 'P18', transfers };
}

const bookOf = ({ merchant_id, reference }: WalletOperation) => ({ merchant_id, reference });

/** What a card provider pays out of what it owes the platform on one channel. */
export interface Payout {
  payment_no: string;
  test_mode: boolean;
  currency: string;
  /** What the provider settles, its fees included, in minor units. */
  minor: bigint;
  /** What it keeps of that, in minor units. */
  fees_minor: bigint;
  reference: string;
}

/** The posting of a payout (P19), in the platform's own book: the rest reaches the bank, the fees are its cost. */
export function providerPayout(payout: Payout): ReferencedEntry {
  const { payment_no, test_mode, currency, minor, fees_minor, reference } = payout;
  const clearing = providerClearing(payment_no, currency);
  return {
    merchant_id: platformBook,
    kind: 'payout',
    reference,
    posting: 'P19',
    test_mode,
    transfers: [
      transfer(bank(currency), clearing, minor - fees_minor),
      transfer(providerCost(currency), clearing, fees_minor),
    ],
  };
}
