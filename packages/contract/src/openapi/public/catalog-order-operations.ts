import Type from 'typebox';
import {
  CatalogOrder,
  CatalogPaymentSession,
  CatalogPaymentStatus,
  CreateCatalogOrder,
  CreatedCatalogOrder,
  StartCatalogPayment,
} from '../../catalog-order.ts';
import { userCall, withBody } from '../common-errors.ts';
import { catalogReadLimit, catalogWriteLimit } from '../limits.ts';
import type { Operation, Parameter, Security } from '../operation.ts';

const path = '/openapi/v1/orders';
const orderNo: Parameter = {
  name: 'order_no',
  in: 'path',
  required: true,
  description: 'A catalog order of the person, at the merchant of the client. Any other does not exist.',
  schema: Type.String(),
  example: 'co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
};
const by = (scope: string): Security => ({ by: 'user_token', scope });

/** Catalog orders and their payment. */
export const catalogOrderOperations: readonly Operation[] = [
  {
    id: 'createCatalogOrder',
    tag: 'Catalog orders',
    method: 'post',
    place: { below: 'base_url', path },
    summary: 'Create a catalog order',
    description:
      'Orders some of a product for the person, and sets them aside for 30 minutes. The platform computes the price: ' +
      'what a request says of totals or buyers has no effect.\n\nThere is no idempotency key: the same request twice ' +
      'makes two orders. Creation is no payment.',
    security: by('orders.create'),
    body: { type: 'application/json', schema: CreateCatalogOrder },
    successes: [{ status: 201, description: 'The number of the order.', schemas: [CreatedCatalogOrder] }],
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
    description: 'The order as it stands now; one that was not paid in time is cancelled first.',
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
      'Really starts it: PTK is debited with this request, a card gets a payment page. Repeated for a card, it ' +
      'resumes the same page. Send the person to `redirect`, and read the payment status: neither this answer nor ' +
      'the way back is a proof of payment.\n\n202 says that the channel has not answered: keep the order and ask ' +
      'for the status.',
    security: by('payments.create'),
    parameters: [orderNo],
    body: { type: 'application/json', schema: StartCatalogPayment },
    successes: [{ status: 200, description: 'The payment session.', schemas: [CatalogPaymentSession] }],
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
    description: 'Ask every few seconds while it is 0, and give up after a while. Paid is not yet delivered.',
    security: by('payments.read'),
    parameters: [orderNo],
    successes: [{ status: 200, description: 'The status.', schemas: [CatalogPaymentStatus] }],
    errors: [...userCall, 'not_found', 'order_not_found'],
    limits: [catalogReadLimit],
  },
];
