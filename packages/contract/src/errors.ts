/**
 * The only table from error code to HTTP status and default description (R-368, R-373, D-009, D-020, D-176). Clients
 * branch on the status and on `error`; the description is for people.
 */
export const errorTable = {
  // Malformed requests.
  invalid_request: [400, 'The request is malformed or a parameter is missing or invalid.'],
  invalid_amount: [400, 'The amount must be a positive decimal string within the allowed range.'],
  invalid_amount_precision: [400, 'The amount has more decimal places than its currency allows.'],
  invalid_expires_in: [400, 'expires_in must be a whole number of seconds from 60 to 7200.'],
  invalid_return_url: [400, 'return_url must be an absolute HTTPS address without credentials.'],
  invalid_notify_config: [400, 'The notification parameters contradict each other.'],
  invalid_notify_url: [400, 'notify_url must be a public HTTPS address without credentials or fragment.'],
  invalid_notify_secret: [
    400,
    'notify_secret must be an independent secret of 32 to 256 bytes without white space.',
  ],

  // The token endpoint (RFC 6749, D-165).
  invalid_client: [401, 'The client is unknown or its secret is wrong.'],
  unauthorized_client: [400, 'The client may not use this grant.'],
  invalid_grant: [400, 'The authorization code is unknown, was used before, or has expired.'],
  unsupported_grant_type: [400, 'The authorization server does not support this grant type.'],
  invalid_scope: [400, 'None of the requested scopes is approved for the client.'],

  invalid_authorization_request: [400, 'The authorization request is invalid.'],
  authorization_expired: [400, 'The authorization request has expired or was made in another browser.'],

  // Authentication and permission.
  invalid_token: [401, 'The access token is missing, invalid or expired.'],
  invalid_credentials: [401, 'The email address or the password is wrong.'],
  second_factor_required: [401, 'The password is correct. Send the code of the second factor too.'],
  invalid_code: [401, 'The code is wrong, was used before, or has expired.'],
  authentication_required: [401, 'Sign in first, or send an administration key.'],
  insufficient_scope: [403, 'The access token does not have the scope that this call needs.'],
  client_credentials_required: [403, 'This call accepts only tokens of the client-credentials grant.'],
  user_authorization_required: [403, 'This call needs a token that a user has authorized.'],
  merchant_not_bound: [403, 'The client is not bound to a merchant.'],
  merchant_inactive: [403, 'The merchant is not active.'],
  login_required: [403, 'Sign in to use this payment method.'],
  self_payment_not_allowed: [403, 'Merchants cannot pay their own orders from their own balance.'],
  payment_debug_access_denied: [403, 'This test channel is not available to you.'],
  cross_site_request: [403, 'The request did not come from this site.'],
  administrator_required: [403, 'This call is for the people who run the platform.'],
  second_factor_setup_required: [403, 'Your role needs a second factor. Set one up at /account first.'],
  reauthentication_required: [
    403,
    'Confirm that it is you at POST /session/reauthenticate, then repeat this call.',
  ],
  role_required: [403, 'Your role does not allow this.'],
  second_person_required: [403, 'Another person must approve this.'],

  // The resource and its state.
  not_found: [404, 'Nothing was found at this address.'],
  payment_not_found: [404, 'There is no such payment.'],
  product_not_found: [404, 'There is no such product.'],
  order_not_found: [404, 'There is no such order.'],
  method_not_allowed: [405, 'This address does not support that method.'],
  request_timeout: [408, 'The request took too long to arrive.'],
  payment_conflict: [409, 'The request conflicts with the state of the payment or its original parameters.'],
  provider_result_mismatch: [409, 'The payment channel reports a payment that differs from the order.'],
  reference_conflict: [409, 'The reference was used before with other parameters.'],
  already_decided: [409, 'This has already been decided.'],
  already_exists: [409, 'Such an entry already exists.'],
  last_administrator: [409, 'The last active administrator stays one.'],
  owner_required: [409, 'The holder of the merchant stays an owner.'],
  payment_link_ended: [410, 'This payment link has ended.'],
  payment_expired: [410, 'The time to pay this order has run out.'],
  request_too_large: [413, 'The request is too large.'],
  unsupported_media_type: [415, 'Send the body as application/json.'],

  // Valid requests that are not possible now, in the catalog too, such as a payment whose condition is not met.
  currency_unavailable: [422, 'The currency is unknown or not enabled.'],
  insufficient_balance: [422, 'The available PTK balance is too low.'],
  app_limit_exceeded: [422, 'The payment exceeds a limit that the person has set for this app.'],
  provider_checkout_rejected: [422, 'The payment channel declined to open a payment page.'],
  channel_unavailable: [422, 'The payment channel is not available for this order.'],
  currency_rate_unavailable: [422, 'There is no current rate for this currency.'],
  recovery_outstanding: [422, 'The merchant still owes money from earlier losses.'],
  amount_exceeds_debt: [422, 'The amount is larger than the debt.'],
  merchant_fee_funding_unavailable: [422, 'The fees cannot be funded from the balance and credit.'],
  out_of_stock: [422, 'There are not enough items in stock.'],
  purchase_limit_exceeded: [422, 'The quantity exceeds the limit per purchase.'],
  input_required: [422, 'A required input is missing.'],
  input_unknown: [422, 'The product does not ask for this input.'],
  order_not_payable: [422, 'The order cannot be paid in its current state.'],
  too_many_unpaid_orders: [422, 'There are too many unpaid orders for this product.'],

  rate_limited: [429, 'Too many requests. Wait the seconds in Retry-After.'],
  server_error: [500, 'Something went wrong on our side. Writes can be retried with the same key.'],
  notification_unavailable: [503, 'Notifications cannot be set up right now. Retry with the same key.'],
  rate_limit_unavailable: [503, 'The rate limiter is unavailable. Retry later.'],
  service_unavailable: [503, 'The service is temporarily unavailable. Retry later.'],
} as const satisfies Record<string, readonly [status: number, description: string]>;

/** Every code that the `error` member of an error body can have. */
export type ErrorCode = keyof typeof errorTable;

/** The HTTP status that belongs to a code. */
export function statusOf(code: ErrorCode): number {
  return errorTable[code][0];
}

/** The default description of a code, for people. */
export function describe(code: ErrorCode): string {
  return errorTable[code][1];
}

/** The body of every error answer (R-368, D-019). */
export interface ErrorBody {
  error: string;
  error_description: string;
  field?: string;
}
