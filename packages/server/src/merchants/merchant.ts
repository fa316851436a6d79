import { invalid } from '../base/errors.ts';

export type MerchantStatus = 'active' | 'inactive';

/** What a merchant shows of itself; empty strings where unset. */
export interface Profile {
  name: string;
  logo_url: string;
  short_description: string;
  description: string;
  business_scope: string;
  website_url: string;
  contact: string;
}

export interface Merchant extends Profile {
  merchant_id: string;
  owner_user_id: string;
  status: MerchantStatus;
  /** Whole days for which settlements are held, 0 to 30. */
  hold_days: number;
  guest_purchase_allowed: boolean;
  credit_limit_ptk: bigint;
  /** Default address of status notifications; in force only while enabled. */
  notify_url: string;
  notify_enabled: boolean;
  notify_secret_box: Buffer | null;
  created_at: Date;
}

export const emptyProfile: Omit<Profile, 'name'> = {
  logo_url: '',
  short_description: '',
  description: '',
  business_scope: '',
  website_url: '',
  contact: '',
};

/** Checks what an administrator or owner may set. Throws `invalid_request` with the field at fault. */
export function checkMerchant(merchant: Merchant): Merchant {
  if (merchant.name.trim() === '') throw invalid('name', 'A merchant has a name.');
  if (!Number.isInteger(merchant.hold_days) || merchant.hold_days < 0 || merchant.hold_days > 30) {
    throw invalid('hold_days', 'The hold is a whole number of days from 0 to 30.');
  }
  if (merchant.credit_limit_ptk < 0n) throw invalid('credit_limit_ptk', 'The credit limit is not negative.');
  for (const field of ['logo_url', 'website_url'] as const) {
    const url = merchant[field];
    if (url !== '' && (!URL.canParse(url) || !['https:', 'http:'].includes(new URL(url).protocol))) {
      throw invalid(field, 'An absolute http or https address, or nothing.');
    }
  }
  return merchant;
}
