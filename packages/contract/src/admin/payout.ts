/** Payouts of card providers, and withdrawals of merchants. */
import Type, { type Static } from 'typebox';
import {
  CurrencyCode,
  DecimalAmount,
  Digits,
  Id,
  move,
  OrNull,
  Reason,
  Reference,
  Stamp,
} from './scalars.ts';

/** A settlement of a card provider: `amount` before `fees`. `currency` defaults to the channel’s. */
export const PayoutReport = Type.Object({
  amount: DecimalAmount,
  fees: DecimalAmount,
  currency: Type.Optional(CurrencyCode),
  reference: Reference,
});
export type PayoutReport = Static<typeof PayoutReport>;

export const WithdrawalRequest = Type.Object({
  merchant_no: Id,
  ...move,
  payout_currency: CurrencyCode,
  payout_amount: DecimalAmount,
});
export type WithdrawalRequest = Static<typeof WithdrawalRequest>;

export const DecisionOnWithdrawal = Type.Object({ decision: Type.Enum(['paid', 'reject']), reason: Reason });
export type DecisionOnWithdrawal = Static<typeof DecisionOnWithdrawal>;

export const PayoutAnswer = Type.Object({
  payment_no: Type.String(),
  reference: Type.String(),
  currency: Type.String(),
  amount: Type.String(),
  fees: Type.String(),
});

export const WithdrawalAnswer = Type.Object({
  withdrawal_id: Type.String({ pattern: '^wd_' }),
  merchant_no: Type.String(),
  reference: Type.String(),
  amount_ptk: Digits,
  payout_currency: Type.String(),
  payout_amount: Type.String(),
  status: Type.Enum(['pending', 'paid', 'rejected']),
  requested_at: Stamp,
  decided_at: OrNull(Stamp),
});
