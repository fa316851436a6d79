/** The types of the catalog interface, with the names of the API. Amounts are exact: whole numbers times 10^8. */

/** The public profile of a merchant. A member is empty if the merchant has not set it. */
export interface MerchantProfile {
  merchant_no: string;
  name: string;
  logo_url: string;
  short_description: string;
  description: string;
  business_scope: string;
  website_url: string;
  contact: string;
}

/** A product that is for sale. Prices are in `currency`, times 10^8. */
export interface Product {
  gd_no: string;
  gd_name: string;
  gd_description: string;
  actual_price: bigint;
  retail_price: bigint;
  currency: string;
  /** For display; it does not scale the prices. */
  currency_decimals: number;
  in_stock: number;
  /** The most that one order may have; 0 means no limit. */
  buy_limit_num: number;
  payment_policy: 'automatic' | 'allowlist' | (string & {});
  payment_methods?: string[];
  /** Inputs that the buyer can or must give: `key=label=required`. */
  other_ipu_cnf?: string[];
  wholesale_price_cnf?: string[];
  buy_prompt?: string;
}

/** One page of products. */
export interface ProductPage {
  list: Product[];
  /** Matching products on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface ProductFilter {
  gd_no?: string;
  search_value?: string;
  /** Products on a page: 1 to 100, default 20. */
  limit?: number;
}

export interface CreateCatalogOrderInput {
  gd_no: string;
  quantity: number;
  payment_no: string;
  other_ipu?: Record<string, string> | null;
}

/** A catalog order of the person whose token was used. */
export interface CatalogOrder {
  order_no: string;
  gd_no: string;
  title: string;
  quantity: number;
  /** 0: pending payment; 1: paid and in processing; 2: cancelled; 3: completed. */
  status: number;
  status_label: string;
  currency: string;
  currency_decimals: number;
  total_amount: bigint;
  discount_amount: bigint;
  handling_amount: bigint;
  pay_amount: bigint;
  payment_currency: string;
  payment_currency_decimals: number;
  payment_subtotal: bigint;
  payment_handling_amount: bigint;
  payment_pay_amount: bigint;
  payment_no: string;
  payment_name: string;
  payment_methods?: string[];
  trade_no: string;
  /** `YYYY-MM-DD HH:mm:ss` in UTC; null until the order is paid. */
  paid_time: string | null;
  created_at: string | null;
  updated_at: string | null;
}

/** A started payment. It is not proof of payment: read `paymentStatus`. */
export interface CatalogPaymentSession {
  trade_no: string;
  /** Where the buyer goes; a path is relative to the address of the service. */
  redirect: string;
  /** Unix seconds. */
  expire_time: number;
}

/** 0: pending, ask again later; 1: paid; 2: cancelled. */
export interface CatalogPaymentStatus {
  status: number;
}
