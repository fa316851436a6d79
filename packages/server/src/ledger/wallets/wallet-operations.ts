/** The entries of operations on a merchant's wallet: guarantee, credit, debt; and of payouts by card providers. */
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

/** One operation on a merchant's wallet. It happens once for each reference. */
export interface WalletOperation {
  merchant_id: string;
  /** PTK at 8-decimal fixed point, positive. */
  amount_ptk: bigint;
  reference: string;
}

/**
 * A guarantee deposit from the merchant's own wallet (P12), or from outside: against money at the bank (P12x), or as an
 * issue of PTK if nothing was paid (P14i).
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

/** The return of guarantee money to the merchant's wallet (P12). */
export function guaranteeReturn(operation: WalletOperation): ReferencedEntry {
  const transfers = [transfer(merchantGuarantee(), merchantAvailable(), operation.amount_ptk)];
  return { ...bookOf(operation), kind: 'guarantee-return', posting: 'P12', transfers };
}

/** A repayment of drawn credit from the merchant's wallet (P16). */
export function creditRepayment(operation: WalletOperation): ReferencedEntry {
  const transfers = [transfer(merchantAvailable(), merchantCreditDrawn(), operation.amount_ptk)];
  return { ...bookOf(operation), kind: 'credit-repayment', posting: 'P16', transfers };
}

/** A repayment of a merchant's debt (P17): from its own wallet (D-1285), or from outside. */
export function recoveryRepayment(
  operation: WalletOperation,
  source: 'available' | { paid: BankMoney | null },
): ReferencedEntry {
  const { amount_ptk } = operation;
  const transfers =
    source === 'available'
      ? [transfer(merchantAvailable(), merchantRecovery(), amount_ptk)]
      : fromOutside(merchantRecovery(), amount_ptk, source.paid);
  return { ...bookOf(operation), kind: 'recovery-repayment', posting: 'P17', transfers };
}

/** The write-off of a merchant's debt (P18), which is the platform's loss. */
export function recoveryWriteOff(operation: WalletOperation): ReferencedEntry {
  const transfers = [transfer(lossExpense(), merchantRecovery(), operation.amount_ptk)];
  return { ...bookOf(operation), kind: 'recovery-write-off', posting: 'P18', transfers };
}

const bookOf = ({ merchant_id, reference }: WalletOperation) => ({ merchant_id, reference });

/** A payout of a card provider: it pays money that it owes the platform on one channel. */
export interface Payout {
  payment_no: string;
  test_mode: boolean;
  currency: string;
  /** The settled amount, including the provider's fees, in minor units. */
  minor: bigint;
  /** The fees that the provider keeps, in minor units. */
  fees_minor: bigint;
  reference: string;
}

/** The entry of a payout (P19), in the platform's book: the fees are the platform's cost, the rest reaches the bank. */
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
