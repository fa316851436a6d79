import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { merchantNo } from '../../base/ids.ts';
import { formatMinor } from '../../base/money.ts';
import type { Withdrawal } from '../../ledger/wallets/index.ts';

/** A withdrawal as administrators see it; `payout_amount` is a decimal string in the payout currency. */
export const withdrawalJson = (withdrawal: Withdrawal) => ({
  withdrawal_id: withdrawal.withdrawal_id,
  merchant_no: merchantNo(withdrawal.merchant_id),
  reference: withdrawal.reference,
  amount_ptk: withdrawal.amount_ptk.toString(),
  payout_currency: withdrawal.payout_currency,
  payout_amount: formatMinor(withdrawal.payout_amount, withdrawal.payout_decimals),
  status: withdrawal.status,
  requested_at: rfc3339(withdrawal.requested_at),
  decided_at: rfc3339OrNull(withdrawal.decided_at),
});
