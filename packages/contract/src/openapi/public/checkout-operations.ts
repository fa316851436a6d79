/** The calls of the buyer’s checkout page. */
import { CheckoutState, PaymentDone, PaymentRedirect, StartPayment } from '../../checkout.ts';
import { ErrorAnswer } from '../../error-body.ts';
import { orderNoParameter } from './collection-operations.ts';
import { checkoutCall, withBody } from '../common-errors.ts';
import { checkoutReadLimit, checkoutStartLimit } from '../rate-limits.ts';
import type { Operation } from '../operation.ts';

export const checkoutOperations: readonly Operation[] = [
  {
    id: 'readCheckout',
    tag: 'Checkout',
    method: 'get',
    place: { below: 'base_url', path: '/checkout/api/{order_no}' },
    summary: 'Read the state of a checkout',
    description:
      'Everything that the page shows: the order, the countdown by the server’s clock, the price of each method, ' +
      'and whether this buyer can use it now. With a session cookie, the answer contains the buyer and the wallet ' +
      'balance. Reading never starts a payment. The answer is the same for a wrong token and an unknown order.',
    security: { by: 'checkout_token' },
    parameters: [orderNoParameter],
    successes: [{ status: 200, description: 'The state.', schemas: [CheckoutState] }],
    errors: [...checkoutCall, 'not_found', 'login_required'],
    limits: [checkoutReadLimit],
  },
  {
    id: 'startPayment',
    tag: 'Checkout',
    method: 'post',
    place: { below: 'base_url', path: '/checkout/api/{order_no}/payments' },
    summary: 'Start or resume the payment',
    description:
      'Debits the wallet immediately, or opens the payment page of the card provider. The first start locks the ' +
      'order to its method; repeating it resumes the same attempt. 202 `provider_result_pending` means that the ' +
      'channel’s result is unknown: do not treat it as success, and do not start another payment.',
    security: { by: 'checkout_token' },
    parameters: [orderNoParameter],
    body: { type: 'application/json', schema: StartPayment },
    successes: [
      {
        status: 200,
        description: 'Continue at the payment page, or the payment is done.',
        schemas: [PaymentRedirect, PaymentDone],
      },
      // No success, although the status is 2xx (R-370, H-28).
      {
        status: 202,
        description: '`provider_result_pending`: the channel’s result is unknown. Keep reading the state.',
        schemas: [ErrorAnswer],
      },
    ],
    errors: [
      ...checkoutCall,
      ...withBody,
      'not_found',
      'cross_site_request',
      'login_required',
      'payment_debug_access_denied',
      'merchant_inactive',
      'self_payment_not_allowed',
      'payment_conflict',
      'provider_result_mismatch',
      'payment_expired',
      'channel_unavailable',
      'insufficient_balance',
      'provider_checkout_rejected',
      'merchant_fee_funding_unavailable',
    ],
    limits: [checkoutStartLimit],
  },
  {
    id: 'closePayment',
    tag: 'Checkout',
    method: 'post',
    place: { below: 'base_url', path: '/checkout/api/{order_no}/payments/close' },
    summary: 'Close the open payment page, to choose another method',
    description:
      'Closes the payment page of the card provider that the last start has opened. When the provider has confirmed ' +
      'that it is closed and unpaid, `attempt` is null and the order can be paid by any method. If the payment turns ' +
      'out to be made or under way, the state says so. Without an open payment page, nothing changes.',
    security: { by: 'checkout_token' },
    parameters: [orderNoParameter],
    successes: [
      { status: 200, description: 'The state after it.', schemas: [CheckoutState] },
      {
        status: 202,
        description: '`provider_result_pending`: the provider has not confirmed it. The page stays open.',
        schemas: [ErrorAnswer],
      },
    ],
    errors: [...checkoutCall, 'not_found', 'cross_site_request', 'login_required'],
    limits: [checkoutStartLimit],
  },
];
