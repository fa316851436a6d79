import Type from 'typebox';
import {
  CatalogOrder,
  CatalogPaymentSession,
  CatalogPaymentStatus,
  CreateCatalogOrder,
  CreatedCatalogOrder,
  StartCatalogPayment,
} from '../../catalog-order.ts';
import { ErrorAnswer } from '../../error-body.ts';
import { userCall, withBody } from '../common-errors.ts';
import { catalogReadLimit, catalogWriteLimit } from '../rate-limits.ts';
import type { Operation, Parameter, Security } from '../operation.ts';

const path = '/openapi/v1/orders';
const orderNo: Parameter = {
  name: 'order_no',
  in: 'path',
  required: true,
  description: 'A catalog order of the person at the client’s merchant. Any other order is not found.',
  schema: Type.String(),
  example: 'co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
};
const by = (scope: string): Security => ({ by: 'user_token', scope });

/** The calls that create, read and pay catalog orders. */
export const catalogOrderOperations: readonly Operation[] = [
  {
    id: 'createCatalogOrder',
    tag: 'Catalog orders',
    method: 'post',
    place: { below: 'base_url', path },
    summary: 'Create a catalog order',
    description:
      'Orders a quantity of a product for the person and reserves it for 30 minutes. The platform computes the ' +
      'price. Totals and buyers in the request are ignored.\n\n' +
      'There is no idempotency key: the same request sent twice creates two orders. Creation does not pay the ' +
      'order.',
    security: by('orders.create'),
    body: { type: 'application/json', schema: CreateCatalogOrder },
    successes: [{ status: 201, description: 'The order number.', schemas: [CreatedCatalogOrder] }],
    errors: [
      ...userCall,
      ...withBody,
      'product_not_found',
      'out_of_stock',
      'purchase_limit_exceeded',
      'too_many_unpaid_orders',
      'input_required',
      'input_unknown',
      'channel_unavailable',
      'payment_debug_access_denied',
      'currency_unavailable',
      'currency_rate_unavailable',
      'merchant_fee_funding_unavailable',
    ],
    limits: [catalogWriteLimit],
  },
  {
    id: 'readCatalogOrder',
    tag: 'Catalog orders',
    method: 'get',
    place: { below: 'base_url', path: `${path}/{order_no}` },
    summary: 'Read a catalog order',
    description: 'The current state of the order. An order that was not paid in time is cancelled first.',
    security: by('orders.read'),
    parameters: [orderNo],
    successes: [{ status: 200, description: 'The order.', schemas: [CatalogOrder] }],
    errors: [...userCall, 'not_found', 'order_not_found'],
    limits: [catalogReadLimit],
  },
  {
    id: 'startCatalogPayment',
    tag: 'Catalog orders',
    method: 'post',
    place: { below: 'base_url', path: `${path}/{order_no}/payment` },
    summary: 'Start the payment of a catalog order',
    description:
      'Starts the payment: this request debits PTK, or opens a payment page for a card. Repeating it for a card ' +
      'resumes the same page. Send the person to `redirect`, and read the payment status. Neither this answer nor ' +
      'the person’s return is proof of payment.\n\n' +
      'The person can set limits for the app when they allow it, and later: 422 `app_limit_exceeded` names in `field` ' +
      'the one that the payment exceeds, `max_per_payment` or `max_per_day`.\n\n' +
      '202 `provider_result_pending` means that the channel has not answered: it is no success. Keep the order, and do not ' +
      'pay again.',
    security: by('payments.create'),
    parameters: [orderNo],
    body: { type: 'application/json', schema: StartCatalogPayment },
    successes: [
      { status: 200, description: 'The payment session.', schemas: [CatalogPaymentSession] },
      // No success, although the status is 2xx (R-370, H-28).
      {
        status: 202,
        description: '`provider_result_pending`: the channel’s result is unknown. Read the payment status.',
        schemas: [ErrorAnswer],
      },
    ],
    errors: [
      ...userCall,
      ...withBody,
      'not_found',
      'order_not_found',
      'order_not_payable',
      'channel_unavailable',
      'payment_debug_access_denied',
      'self_payment_not_allowed',
      'insufficient_balance',
      'app_limit_exceeded',
      'provider_checkout_rejected',
      'provider_result_mismatch',
      'merchant_fee_funding_unavailable',
    ],
    limits: [catalogWriteLimit],
  },
  {
    id: 'readCatalogPayment',
    tag: 'Catalog orders',
    method: 'get',
    place: { below: 'base_url', path: `${path}/{order_no}/payment` },
    summary: 'Read the payment status of a catalog order',
    description:
      'Poll every few seconds while the status is 0, and stop after a while. A paid order is not yet delivered.',
    security: by('payments.read'),
    parameters: [orderNo],
    successes: [{ status: 200, description: 'The status.', schemas: [CatalogPaymentStatus] }],
    errors: [...userCall, 'not_found', 'order_not_found'],
    limits: [catalogReadLimit],
  },
];
