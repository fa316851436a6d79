/** Writes the public profile of a merchant as the catalog API returns it. */
import type { MerchantProfile } from '@paydesk/contract';
import { merchantNo } from '../../base/ids.ts';
import type { Merchant } from '../../merchants/index.ts';

/** The eight members. Unset ones are empty texts. */
export const profileJson = (merchant: Merchant): MerchantProfile => ({
  merchant_no: merchantNo(merchant.merchant_id),
  name: merchant.name,
  logo_url: merchant.logo_url,
  short_description: merchant.short_description,
  description: merchant.description,
  business_scope: merchant.business_scope,
  website_url: merchant.website_url,
  contact: merchant.contact,
});
