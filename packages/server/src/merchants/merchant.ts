/** What a merchant is, and the rules for its settings. */
import { invalid } from '../base/errors.ts';
import { checkEmbedOrigins } from './embed-origins.ts';

export type MerchantStatus = 'active' | 'inactive';

/** The public profile of a merchant; empty strings where unset. */
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
  /** How long settlements are held, in whole days from 0 to 30. */
  hold_days: number;
  /** Whether guests may buy; PTK always needs sign-in (R-376, D-126). */
  guest_purchase_allowed: boolean;
  credit_limit_ptk: bigint;
  /** The origins of the pages that may show the checkout in a frame, normalised (D-265). */
  embed_origins: readonly string[];
  /** Default address of status notifications. It counts only while `notify_enabled` is true. */
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

/** Checks the settings of a merchant and returns them normalised. Throws `invalid_request` with `field`. */
export function checkMerchant(merchant: Merchant): Merchant {
  if (merchant.name.trim() === '') throw invalid('name', 'A merchant needs a name.');
  if (!Number.isInteger(merchant.hold_days) || merchant.hold_days < 0 || merchant.hold_days > 30) {
    throw invalid('hold_days', 'The hold must be a whole number of days from 0 to 30.');
  }
  if (merchant.credit_limit_ptk < 0n)
    throw invalid('credit_limit_ptk', 'The credit limit must not be negative.');
  for (const field of ['logo_url', 'website_url'] as const) {
    const url = merchant[field];
    if (url !== '' && (!URL.canParse(url) || !['https:', 'http:'].includes(new URL(url).protocol))) {
      throw invalid(field, 'The address must be an absolute http or https address, or empty.');
    }
  }
  return { ...merchant, embed_origins: checkEmbedOrigins(merchant.embed_origins) };
}
