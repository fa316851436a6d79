/** A merchant’s wallet, and the movements that administrators post to it. */
import Type, { type Static } from 'typebox';
import { CurrencyCode, DecimalAmount, Digits, move, Reason } from './scalars.ts';

/** What was paid for an amount of PTK; absent if nothing was paid. */
const Paid = Type.Optional(Type.Object({ currency: CurrencyCode, amount: DecimalAmount }));

export const TopUpRequest = Type.Object({ ...move, paid: Paid, reason: Reason });
export type TopUpRequest = Static<typeof TopUpRequest>;

/** Guarantee returns and credit repayments, between the merchant’s own accounts. */
export const WalletMove = Type.Object(move);
export type WalletMove = Static<typeof WalletMove>;

/** `source` defaults to `external`. `paid` is only possible with an external source. */
const fromSource = { ...move, source: Type.Optional(Type.Enum(['external', 'available'])), paid: Paid };

export const GuaranteeDeposit = Type.Object(fromSource);
export type GuaranteeDeposit = Static<typeof GuaranteeDeposit>;

export const RecoveryRepayment = Type.Object(fromSource);
export type RecoveryRepayment = Static<typeof RecoveryRepayment>;

export const DebtWriteOff = Type.Object({ ...move, reason: Reason });
export type DebtWriteOff = Static<typeof DebtWriteOff>;

export const MerchantWalletAnswer = Type.Object({
  available_ptk: Digits,
  held_ptk: Digits,
  frozen_ptk: Digits,
  guarantee_ptk: Digits,
  fee_reserved_ptk: Digits,
  credit_limit_ptk: Digits,
  credit_drawn_ptk: Digits,
  recovery_ptk: Digits,
  withdrawal_pending_ptk: Digits,
});
