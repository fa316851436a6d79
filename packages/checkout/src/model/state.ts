/** The state of an order as its buyer sees it. */
/** One way to pay an order, with its quote locked when the order was made. */
export interface CheckoutMethod {
  method_id: string;
  name: string;
  /** `ptk` or `cardprov` today; an unknown provider is shown by its name. */
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

/** The channel attempt that locks the order to its method. */
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
 * The answer of `GET /checkout/api/{order_no}`, which the page shows. Every amount is a decimal string at its
 * currency's precision, in major units.
 */
export interface CheckoutState {
  order_no: string;
  merchant: { name: string; logo_url: string | null };
  description: string | null;
  external_reference: string;
  /** The invoice amount; choosing a method never changes it. */
  amount: string;
  currency: string;
  currency_decimals: number;
  /** A status of the contract; an unknown status is never treated as paid. */
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

/** The state from which the server renders a page. */
export type CheckoutView = CheckoutState;

/** Keeps the members that buyers may see and drops every other, whatever the value carries. */
export function publicState(view: CheckoutView): CheckoutState {
  const { merchant, attempt, buyer, methods, return_url, ptk_price, occurred_at } = view;
  return {
    order_no: view.order_no,
    merchant: { name: merchant.name, logo_url: merchant.logo_url },
    description: view.description,
    external_reference: view.external_reference,
    amount: view.amount,
    currency: view.currency,
    currency_decimals: view.currency_decimals,
    status: view.status,
    expires_at: view.expires_at,
    seconds_left: view.seconds_left,
    test_mode: view.test_mode,
    attempt: attempt === null ? null : { state: attempt.state, method_id: attempt.method_id },
    buyer: buyer === null ? null : { name: buyer.name, ptk_available: buyer.ptk_available },
    methods: methods.map(publicMethod),
    ...(return_url === undefined ? {} : { return_url }),
    ...(ptk_price === undefined ? {} : { ptk_price }),
    ...(occurred_at === undefined ? {} : { occurred_at }),
  };
}

function publicMethod(method: CheckoutMethod): CheckoutMethod {
  const { unusable_reason } = method;
  return {
    method_id: method.method_id,
    name: method.name,
    provider: method.provider,
    login_required: method.login_required,
    test_mode: method.test_mode,
    usable: method.usable,
    ...(unusable_reason === undefined ? {} : { unusable_reason }),
    payment_currency: method.payment_currency,
    payment_subtotal: method.payment_subtotal,
    buyer_fee: method.buyer_fee,
    payment_amount: method.payment_amount,
  };
}
