import type { Fixed8 } from '../fixed8.ts';
import { callOf, part } from './call.ts';

/** A product as its owner manages it. */
export interface ManagedProduct {
  gd_no: string;
  gd_name: string;
  gd_description: string;
  actual_price: Fixed8;
  retail_price: Fixed8;
  currency: string;
  currency_decimals: number;
  in_stock: number;
  buy_limit_num: number;
  payment_policy: 'automatic' | 'allowlist';
  keywords: string;
  payment_methods: string[];
  other_ipu_cnf: string[];
  wholesale_price_cnf: string[];
  buy_prompt: string;
  enabled: boolean;
  created_at: string;
  updated_at: string;
}

/** What the owner of a merchant decides about it. */
export interface MerchantSettings {
  guest_purchase_allowed: boolean;
  name: string;
  logo_url: string;
  short_description: string;
  description: string;
  business_scope: string;
  website_url: string;
  contact: string;
}

/** A call about one merchant, below `/console/v1/merchants/{merchant_no}`. Throws ApiError. */
export const merchantCall = <T>(
  merchant_no: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  options: Parameters<typeof callOf>[2] = {},
): Promise<T> => callOf<T>(method, `/console/v1/merchants/${part(merchant_no)}${path}`, options);
