/** The state of an order as its buyer sees it. */
/** One way to pay an order, with its quote locked when the order was made. */
export interface CheckoutMethod {
  method_id: string;
  /** In the language of the page, where the platform gave one. */
  name: string;
  /** What the provider's page offers, if the channel has chosen among the methods of its account. */
  types?: readonly CheckoutMethodType[];
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

/** A method on the provider's page. */
export interface CheckoutMethodType {
  /** The provider's kind of method, such as `card` or `sepa_debit`. */
  type: string;
  /** In the language of the page. */
  name: string;
  /** Asynchronous: the longest time in days until the payment is confirmed or refused. */
  days?: number;
  /** The same in words of the page's language: `up to 20 days`. */
  wait?: string;
}

/** The means of a payment, as far as the provider says. */
export interface CheckoutPaidWith {
  type: string;
  /** The brand of the card, or the name of the method, in the language of the page. */
  name: string;
  /** The provider's word for the brand of a card, such as `visa`. */
  brand?: string;
  last4?: string;
  /** The name of the wallet that held the card. */
  wallet?: string;
}

/** The merchant, as buyers see it. */
export interface CheckoutMerchant {
  name: string;
  logo_url: string | null;
  /** Its website; null if it names none. */
  website_url?: string | null;
  /** Its contact, as it wrote it: an address of mail or web, a number, a sentence; null if it names none. */
  contact?: string | null;
}

/** The channel attempt that locks the order to its method. */
export interface CheckoutAttempt {
  /** `creating`, `open`, `unknown`, `processing`, `paid`, `paid_late`, `closed`, `failed`, `absent`, `mismatch`. */
  state: string;
  method_id: string;
  /** Present after a payment, if the provider says it. */
  paid_with?: CheckoutPaidWith;
  /** While it is processed: the longest time in days that this takes. */
  days?: number;
  /** The same in words of the page's language: `up to 20 days`. */
  wait?: string;
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
  merchant: CheckoutMerchant;
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
  /** Changes with everything that the event stream reports; absent where there is no stream. */
  version?: string;
}

/** The state from which the server renders a page. */
export type CheckoutView = CheckoutState;

/** Keeps the members that buyers may see and drops every other, whatever the value carries. */
export function publicState(view: CheckoutView): CheckoutState {
  const { merchant, attempt, buyer, methods, return_url, ptk_price, occurred_at, version } = view;
  return {
    order_no: view.order_no,
    merchant: publicMerchant(merchant),
    description: view.description,
    external_reference: view.external_reference,
    amount: view.amount,
    currency: view.currency,
    currency_decimals: view.currency_decimals,
    status: view.status,
    expires_at: view.expires_at,
    seconds_left: view.seconds_left,
    test_mode: view.test_mode,
    attempt: attempt === null ? null : publicAttempt(attempt),
    buyer: buyer === null ? null : { name: buyer.name, ptk_available: buyer.ptk_available },
    methods: methods.map(publicMethod),
    ...(return_url === undefined ? {} : { return_url }),
    ...(ptk_price === undefined ? {} : { ptk_price }),
    ...(occurred_at === undefined ? {} : { occurred_at }),
    ...(version === undefined ? {} : { version }),
  };
}

function publicAttempt({ state, method_id, paid_with, days, wait }: CheckoutAttempt): CheckoutAttempt {
  return {
    state,
    method_id,
    ...(paid_with === undefined ? {} : { paid_with: publicPaidWith(paid_with) }),
    ...(days === undefined ? {} : { days }),
    ...(wait === undefined ? {} : { wait }),
  };
}

const publicPaidWith = ({ type, name, brand, last4, wallet }: CheckoutPaidWith): CheckoutPaidWith => ({
  type,
  name,
  ...(brand === undefined ? {} : { brand }),
  ...(last4 === undefined ? {} : { last4 }),
  ...(wallet === undefined ? {} : { wallet }),
});

const publicMerchant = ({ name, logo_url, website_url, contact }: CheckoutMerchant): CheckoutMerchant => ({
  name,
  logo_url,
  ...(website_url === undefined ? {} : { website_url }),
  ...(contact === undefined ? {} : { contact }),
});

function publicMethod(method: CheckoutMethod): CheckoutMethod {
  const { unusable_reason, types } = method;
  return {
    method_id: method.method_id,
    name: method.name,
    ...(types === undefined
      ? {}
      : {
          types: types.map(({ type, name, days, wait }) => ({
            type,
            name,
            ...(days === undefined ? {} : { days }),
            ...(wait === undefined ? {} : { wait }),
          })),
        }),
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
