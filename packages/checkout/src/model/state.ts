/** One way to pay an order, with its quote locked when the order was made. */
export interface CheckoutMethod {
  method_id: string;
  name: string;
  /** `ptk` or `cardprov` today; an unknown one is shown by its name. */
  provider: string;
  login_required: boolean;
  test_mode: boolean;
  usable: boolean;
  /** The error code that a start would give now. */
  unusable_reason?: string;
  payment_currency: string;
  payment_subtotal: string;
  buyer_fee: string;
  payment_amount: string;
}

/** The channel attempt that locks the order to its method, or null where nothing was started. */
export interface CheckoutAttempt {
  /** `creating`, `open`, `unknown`, `processing`, `paid`, `paid_late`, `closed`, `failed`, `absent`, `mismatch`. */
  state: string;
  method_id: string;
}

/** What the signed-in buyer may see of their own wallet. */
export interface CheckoutBuyer {
  name: string;
  /** Decimal string with the precision of PTK. */
  ptk_available: string;
}

/**
 * The state that `GET /checkout/api/{order_no}` answers and that the page shows. Every amount is a decimal string
 * at its currency's precision, in major units.
 */
export interface CheckoutState {
  order_no: string;
  merchant: { name: string; logo_url: string | null };
  description: string | null;
  external_reference: string;
  /** The invoice, never changed by the choice of a method. */
  amount: string;
  currency: string;
  currency_decimals: number;
  /** A status of the contract; an unknown one is never treated as paid. */
  status: string;
  /** RFC 3339. */
  expires_at: string;
  /** Whole seconds to the deadline by the server's clock, 0 or less once it has passed. */
  seconds_left: number;
  test_mode: boolean;
  attempt: CheckoutAttempt | null;
  buyer: CheckoutBuyer | null;
  methods: readonly CheckoutMethod[];
  /** Only when paid. */
  return_url?: string;
  /** The locked price of 1 PTK in the invoice currency, a decimal string. */
  ptk_price?: string;
  /** When the payment was confirmed, RFC 3339; only once paid. */
  occurred_at?: string | null;
}

/** What the server renders a page from. */
export type CheckoutView = CheckoutState;
