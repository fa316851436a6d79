/** What each error code means for the caller: its usual cause, and what to do. Types keep the list complete (D-290). */
import type { ErrorCode } from '@paydesk/contract';

/** Markdown of one paragraph each. */
export interface ErrorHelp {
  cause: string;
  action: string;
}

export interface ErrorGroup {
  title: string;
  codes: Partial<Record<ErrorCode, ErrorHelp>>;
}

const help = (cause: string, action: string): ErrorHelp => ({ cause, action });

const requests = {
  invalid_request: help(
    'A member is missing, has the wrong type or is out of range, or the body is no JSON object. `field` names the member if it is one.',
    'Correct the request. The same request fails again.',
  ),
  invalid_amount: help(
    '`amount` is not a positive decimal string, is outside the limits of its currency, or `amount` and `amount_minor` were both sent.',
    'Send one of the two: digits with at most one decimal point, such as `"10.00"`, as a string.',
  ),
  invalid_amount_precision: help(
    'The amount has more decimal places than its currency. Paydesk never rounds an amount.',
    'Round in your shop, by your own rules, before you create the order.',
  ),
  invalid_expires_in: help(
    '`expires_in` is not a whole number from 60 to 7200.',
    'Omit it for 30 minutes, or send seconds in that range.',
  ),
  invalid_return_url: help(
    '`return_url` is not an absolute HTTPS address, is longer than 2048 bytes, or has credentials, a backslash or white space in it.',
    'Encode the address, and leave credentials out.',
  ),
  invalid_notify_config: help(
    'Notifications were switched on for the order, but there is no address for them; or they were switched off together with an address or a secret.',
    'Send `notify_url` with `notify_secret`, or set an address in the console under *Webhooks*.',
  ),
  invalid_notify_url: help(
    'The address is not public HTTPS, has credentials or a fragment, or leads into a private network.',
    'Use a public HTTPS address. During development, `npx paydesk listen` receives notifications on your machine.',
  ),
  invalid_notify_secret: help(
    'The secret has fewer than 32 or more than 256 bytes, has white space, or is the secret of a client.',
    'Make a secret of its own, for example with `openssl rand -base64 32`.',
  ),
  request_too_large: help(
    'The body is larger than the call allows, which is 64 KiB for most calls.',
    'Send less.',
  ),
  request_timeout: help(
    'The body did not arrive within 15 seconds.',
    'Repeat the request. Look at the connection between your server and Paydesk if it happens again.',
  ),
  unsupported_media_type: help(
    'The body is not marked as JSON, or is compressed.',
    'Send `Content-Type: application/json` and no `Content-Encoding`.',
  ),
  not_found: help(
    'There is no such address, or nothing with this number that you may see.',
    'Check the path, the path prefix of the base address, and the number.',
  ),
  method_not_allowed: help(
    'The address exists, but not for this method.',
    'Use a method that the header `Allow` names.',
  ),
  cross_site_request: help(
    'A write with a session cookie did not come from a page of this site.',
    'Call from the site’s own pages. A program uses an access token or an administration key instead of a session.',
  ),
} satisfies ErrorGroup['codes'];

const tokens = {
  invalid_client: help(
    'The client id is unknown, the secret is wrong or retired, or the client’s address is outside its allowed ranges.',
    'Compare id and secret with the console. After a rotation the previous secret works until the time that the console shows.',
  ),
  unauthorized_client: help(
    'The client may not use this grant: a public client asked for client credentials, or a client without a merchant.',
    'Use a confidential client that is bound to a merchant.',
  ),
  invalid_grant: help(
    'The authorization code is unknown, was used before, has expired, or belongs to another client, redirect address or PKCE verifier.',
    'Send the person to the authorization page again.',
  ),
  unsupported_grant_type: help(
    '`grant_type` is neither `client_credentials` nor `authorization_code`.',
    'Use one of these two. There are no refresh tokens.',
  ),
  invalid_scope: help(
    'None of the scopes asked for is approved for the client.',
    'Apply for the scope in the console under *Developers*. An administrator approves it; then get a new token.',
  ),
  invalid_authorization_request: help(
    'The authorization request lacks PKCE, names an unknown client, or its redirect address is not registered.',
    'Compare the request with [the catalog guide](/docs/catalog#a-person-authorizes-your-app).',
  ),
  authorization_expired: help(
    'The person took too long at the sign-in or consent page, or went on in another browser.',
    'Begin the authorization again.',
  ),
  invalid_token: help(
    'The access token is missing, malformed, expired or withdrawn.',
    'Get a new token and repeat the call. Tokens live as long as `expires_in` says, so keep one until shortly before that.',
  ),
  insufficient_scope: help(
    'The token lacks the scope that the call needs. `WWW-Authenticate` names it.',
    'Ask for the scope at the token endpoint. If it is not in the answer, it is not approved for the client.',
  ),
  client_credentials_required: help(
    'A token that a person has authorized was used for a call of merchants’ servers.',
    'Use a token of the client-credentials grant.',
  ),
  user_authorization_required: help(
    'A token of the client-credentials grant was used for a call that acts for a person.',
    'Let the person authorize your app: [the catalog guide](/docs/catalog#a-person-authorizes-your-app) shows how.',
  ),
  merchant_not_bound: help(
    'The client belongs to no merchant.',
    'Use a client that was made in a merchant’s console.',
  ),
  merchant_inactive: help(
    'An administrator has closed the merchant.',
    'Ask the platform. Meanwhile no payment of an order can be started; one that a buyer had started before is settled.',
  ),
} satisfies ErrorGroup['codes'];

const people = {
  invalid_credentials: help(
    'The email address or the password is wrong. The answer does not say which.',
    'Try again, or reset the password.',
  ),
  second_factor_required: help(
    'The password is right, and the account has a second factor.',
    'Send the code of the authenticator, or a recovery code, with the same call.',
  ),
  invalid_code: help(
    'The code is wrong, was used before, or is of another time window.',
    'Wait for the next code. Check that the clock of the device is right.',
  ),
  authentication_required: help(
    'There is no session, it has ended, or the administration key is wrong.',
    'Sign in, or send `Authorization: Bearer` with a key.',
  ),
  administrator_required: help(
    'The person who is signed in is not staff of the platform.',
    'Sign in with an account that has a role at the platform.',
  ),
  role_required: help(
    'The role of the person does not allow this call.',
    'Ask a colleague who has the right. The console shows what each role may do.',
  ),
  second_factor_setup_required: help(
    'Staff of the platform needs a second factor, and this account has none.',
    'Set one up at `/account`.',
  ),
  reauthentication_required: help(
    'The call decides about money, secrets or roles, and the last proof of presence is older than ten minutes.',
    'Confirm with `POST /session/reauthenticate`, then repeat the call.',
  ),
  second_person_required: help(
    'The person who asked for something cannot approve it.',
    'Another administrator decides.',
  ),
  last_administrator: help(
    'The change would leave the platform without an active administrator.',
    'Make another administrator first.',
  ),
  owner_required: help(
    'The change would take the role of owner from the holder of the merchant.',
    'Keep the holder an owner; other owners can be changed.',
  ),
} satisfies ErrorGroup['codes'];

const orders = {
  payment_not_found: help(
    'The order number is unknown, or belongs to another merchant.',
    'Check the number and which client you use. A test order and a live order can belong to different merchants.',
  ),
  payment_conflict: help(
    'The `idempotency_key` was used before with other parameters; `field` names the first that differs. At the checkout: another payment of the order is under way.',
    'A retry sends exactly the first request. For a new attempt after an order has expired, use a new key.',
  ),
  payment_expired: help(
    'The time to pay has run out.',
    'Read the order first: a payment may still be confirmed. Where it is `expired`, create a new order with a new `idempotency_key`; while it is in `review`, do not.',
  ),
  currency_unavailable: help(
    'The currency is unknown, or the platform has not enabled it.',
    'Use a currency that the platform has enabled; ask its operator for the list.',
  ),
  currency_rate_unavailable: help(
    'The currency has no rate that is valid now, so nothing can be settled in it.',
    'Try again later. Operators see the alarm `PaydeskRateMissing`.',
  ),
  channel_unavailable: help(
    'The channel of `payment_no` does not exist for you, is switched off, or does not take this currency.',
    'Omit `payment_no`, so that the buyer chooses, or list the channels again.',
  ),
  merchant_fee_funding_unavailable: help(
    'The channel is your own, and neither the wallet nor the approved credit covers the platform’s fee for this order.',
    'Top up the wallet, or ask the platform for credit.',
  ),
  notification_unavailable: help(
    'Notifications cannot be set up at this moment.',
    'Repeat the request with the same `idempotency_key`.',
  ),
  provider_checkout_rejected: help(
    'The card provider refused to open its payment page. Nothing was charged, and what was reserved is free again.',
    'Choose another method, or try again.',
  ),
  provider_result_mismatch: help(
    'The provider reports another amount, currency or session than the order has.',
    'Do nothing: the platform looks at it as a case. Do not ask the buyer to pay again.',
  ),
  payment_debug_access_denied: help(
    'The channel is a test channel, and neither this merchant nor this buyer may use it.',
    'Ask an administrator to grant the channel to your merchant or to the buyer.',
  ),
  login_required: help(
    'This method, or this merchant, needs a buyer who is signed in.',
    'The checkout leads the buyer to the sign-in and back.',
  ),
  self_payment_not_allowed: help(
    'An owner of the merchant tried to pay the merchant’s order from the own balance.',
    'Pay with another account.',
  ),
  insufficient_balance: help(
    'The buyer has less PTK than the payment costs.',
    'Choose another method, or top up.',
  ),
  app_limit_exceeded: help(
    'The person limits what your app may pay, for one payment or for 24 hours.',
    'Ask the person to raise the limit at `/account`, or to pay less.',
  ),
  payment_link_ended: help(
    'The payment link was switched off, has reached its end, or made all its orders.',
    'Ask the merchant for a new link.',
  ),
} satisfies ErrorGroup['codes'];

const catalog = {
  product_not_found: help(
    'The product does not exist, is switched off, or belongs to another merchant.',
    'List the products again.',
  ),
  order_not_found: help(
    'The order does not exist, or belongs to another person or merchant.',
    'Read orders with a token of the person who made them.',
  ),
  out_of_stock: help(
    'Fewer items are left than were asked for.',
    'Read `in_stock` again and offer what is left.',
  ),
  purchase_limit_exceeded: help(
    'The quantity is above `buy_limit_num` of the product.',
    'Order at most that many at once.',
  ),
  input_required: help(
    'The product asks for an input that was not sent, or that is empty.',
    'Send each key of `other_ipu_cnf` that is required, in `other_ipu`.',
  ),
  input_unknown: help(
    '`other_ipu` has a key that the product does not ask for.',
    'Send only keys of `other_ipu_cnf`.',
  ),
  order_not_payable: help(
    'The order is paid, cancelled or completed, or its payment is bound to another channel.',
    'Read the order and its payment status.',
  ),
  too_many_unpaid_orders: help(
    'The person has more than 20 unpaid orders for this product.',
    'Pay one of them, or wait until they are cancelled.',
  ),
} satisfies ErrorGroup['codes'];

const money = {
  reference_conflict: help(
    'The `reference` was used before with other values, so this would be a second, different movement of money.',
    'Repeat exactly the first request, or use a new reference for a new movement.',
  ),
  already_decided: help('A decision was already made, by you or by a colleague.', 'Read it again.'),
  already_exists: help('Such an entry exists.', 'Use the one that exists, or choose another name.'),
  recovery_outstanding: help(
    'The merchant still owes money from earlier refunds or chargebacks, which comes first.',
    'Repay the debt; sales repay it as well.',
  ),
  amount_exceeds_debt: help(
    'More was to be repaid or written off than is owed.',
    'Read the wallet for the current debt.',
  ),
} satisfies ErrorGroup['codes'];

const service = {
  rate_limited: help(
    'The caller sent more requests than the call allows in its window. The reference names the limit of each call.',
    'Wait as many seconds as `Retry-After` says. Ask less often: notifications replace most polling.',
  ),
  server_error: help(
    'Paydesk failed. The log has the reason under the `X-Request-Id` of the answer.',
    'Repeat writes with the same `idempotency_key`; then nothing happens twice. Operators: [a runbook](/docs/operating/errors).',
  ),
  rate_limit_unavailable: help(
    'The store of the limits does not answer, and calls that must be limited wait for it.',
    'Try again a few times, with growing pauses. Operators: [a runbook](/docs/operating/errors).',
  ),
  service_unavailable: help(
    'The database does not answer, or the process is stopping. The outcome of a write is then unknown.',
    'Wait as `Retry-After` says, then repeat writes with the same `idempotency_key`. Operators: [a runbook](/docs/operating/errors).',
  ),
} satisfies ErrorGroup['codes'];

/** The codes in the groups of the page. */
export const errorGroups: readonly ErrorGroup[] = [
  { title: 'Collecting payments', codes: orders },
  { title: 'Requests', codes: requests },
  { title: 'Clients and tokens', codes: tokens },
  { title: 'The catalog', codes: catalog },
  { title: 'People and roles', codes: people },
  { title: 'Money and decisions', codes: money },
  { title: 'The service', codes: service },
];

/** Every code of the contract has its help: a new code without one does not compile. */
export const errorHelp: Record<ErrorCode, ErrorHelp> = {
  ...orders,
  ...requests,
  ...tokens,
  ...catalog,
  ...people,
  ...money,
  ...service,
};
