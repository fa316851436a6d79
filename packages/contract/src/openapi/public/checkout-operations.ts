/** The calls of the buyer’s checkout page. */
import { CheckoutState, PaymentDone, PaymentRedirect, StartPayment } from '../../checkout.ts';
import { ErrorAnswer } from '../../error-body.ts';
import { orderNoParameter } from './collection-operations.ts';
import { checkoutCall, withBody } from '../common-errors.ts';
import { checkoutReadLimit, checkoutStartLimit } from '../limits.ts';
import type { Operation } from '../operation.ts';

export const checkoutOperations: readonly Operation[] = [
  {
    id: 'readCheckout',
    tag: 'Checkout',
    method: 'get',
    place: { below: 'base_url', path: '/checkout/api/{order_no}' },
    summary: 'Read the state of a checkout',
    description:
      'Everything that the page shows: the order, the countdown by our clock, what each method costs and whether ' +
      'this buyer can use it now. With a session cookie it names the buyer and what the wallet holds. Reading never ' +
      'starts a payment. A wrong token and an unknown order answer the same.',
    security: { by: 'checkout_token' },
    parameters: [orderNoParameter],
    successes: [{ status: 200, description: 'The state.', schemas: [CheckoutState] }],
    errors: [...checkoutCall, 'not_found'],
    limits: [checkoutReadLimit],
  },
  {
    id: 'startPayment',
    tag: 'Checkout',
    method: 'post',
    place: { below: 'base_url', path: '/checkout/api/{order_no}/payments' },
    summary: 'Start or resume the payment',
    description:
      'Debits the wallet at once, or opens the payment page of the card provider. The first start locks the order ' +
      'to its method; repeating it resumes the same attempt. 202 `provider_result_pending` means that the channel ' +
      'has not said: it is no success, and another payment must not be tried.',
    security: { by: 'checkout_token' },
    parameters: [orderNoParameter],
    body: { type: 'application/json', schema: StartPayment },
    successes: [
      {
        status: 200,
        description: 'Go on at the payment page, or done.',
        schemas: [PaymentRedirect, PaymentDone],
      },
      {
        status: 202,
        description:
          '`provider_result_pending`: the channel has not answered clearly. Keep reading the state.',
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
];
