import { rfc3339 } from '../../base/time/clock.ts';
import { merchantNo } from '../../base/ids.ts';
import type { Merchant } from '../../merchants/index.ts';

/** A merchant as administrators see it, without the notification secret. */
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
  embed_origins: merchant.embed_origins,
  created_at: rfc3339(merchant.created_at),
});
