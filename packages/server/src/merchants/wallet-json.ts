/** Writes a merchant's wallet as JSON. */
import type { MerchantBalances } from '../ledger/books/index.ts';
import type { Merchant } from './merchant.ts';

/** All amounts are PTK at 8-decimal fixed point, as strings. */
export const merchantWalletJson = (
  { credit_limit_ptk }: Pick<Merchant, 'credit_limit_ptk'>,
  balances: MerchantBalances,
) => ({
  available_ptk: balances.available_ptk.toString(),
  held_ptk: balances.held_ptk.toString(),
  frozen_ptk: balances.frozen_ptk.toString(),
  guarantee_ptk: balances.guarantee_ptk.toString(),
  fee_reserved_ptk: balances.fee_reserved_ptk.toString(),
  credit_limit_ptk: credit_limit_ptk.toString(),
  credit_drawn_ptk: balances.credit_drawn_ptk.toString(),
  recovery_ptk: balances.recovery_ptk.toString(),
  withdrawal_pending_ptk: balances.withdrawal_pending_ptk.toString(),
});
