import { rfc3339 } from '../base/clock.ts';
import { merchantNo } from '../base/ids.ts';
import type { MerchantBalances } from '../ledger/read-balances.ts';
import type { Merchant } from '../merchants/merchant.ts';

/** A merchant as administrators see it; the notification secret stays out. */
export const merchantJson = (merchant: Merchant) => ({
  merchant_no: merchantNo(merchant.merchant_id),
  name: merchant.name,
  owner_user_id: merchant.owner_user_id,
  status: merchant.status,
  hold_days: merchant.hold_days,
  guest_purchase_allowed: merchant.guest_purchase_allowed,
  credit_limit_ptk: merchant.credit_limit_ptk.toString(),
  logo_url: merchant.logo_url,
  short_description: merchant.short_description,
  description: merchant.description,
  business_scope: merchant.business_scope,
  website_url: merchant.website_url,
  contact: merchant.contact,
  created_at: rfc3339(merchant.created_at),
});

/** A merchant's wallet: PTK at 8-decimal fixed point, as strings. */
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
