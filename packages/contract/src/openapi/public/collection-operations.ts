/** The calls that create, read and list collection orders, and that list payment channels. */
import Type from 'typebox';
import { PaymentChannelList } from '../../channel.ts';
import {
  CollectionOrder,
  CollectionOrderList,
  CreateCollectionOrder,
  CreatedCollectionOrder,
} from '../../collection-order.ts';
import { OrderNo } from '../../scalars.ts';
import { merchantCall, withBody } from '../common-errors.ts';
import { createLimit, readLimit } from '../rate-limits.ts';
import type { Operation, Parameter } from '../operation.ts';
import { limitParameter } from '../parameters.ts';

const create = { by: 'merchant_token', scope: 'merchant_payments.create' } as const;

const read = { by: 'merchant_token', scope: 'merchant_payments.read' } as const;

export const orderNoParameter: Parameter = {
  name: 'order_no',
  in: 'path',
  required: true,
  description: 'The collection order.',
  schema: OrderNo,
  example: 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
};

const filter = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: Type.String(),
});

/** A creation can fail with all of these codes, not only with those about its amount (D-009). */
const createOrder: Operation = {
  id: 'createCollectionOrder',
  tag: 'Collection orders',
  method: 'post',
  place: { below: 'base_url', path: '/openapi/v1/merchant-payments' },
  summary: 'Create a collection order',
  description:
    'Requests a payment for one of your own orders. Send the buyer to the `checkout_url` of the answer.\n\n' +
    'If you get no answer, send the same request with the same `idempotency_key` again: it returns the same ' +
    'order. A new key creates a new order, so use one only after the earlier order has expired.',
  security: create,
  body: { type: 'application/json', schema: CreateCollectionOrder },
  successes: [
    {
      status: 201,
      description: 'The order. An identical repetition returns the same order.',
      schemas: [CreatedCollectionOrder],
    },
  ],
  errors: [
    ...merchantCall,
    ...withBody,
    'invalid_amount',
    'invalid_amount_precision',
    'invalid_expires_in',
    'invalid_return_url',
    'invalid_notify_config',
    'invalid_notify_url',
    'invalid_notify_secret',
    'payment_debug_access_denied',
    'payment_conflict',
    'currency_unavailable',
    'channel_unavailable',
    'currency_rate_unavailable',
    'merchant_fee_funding_unavailable',
    'notification_unavailable',
  ],
  limits: [createLimit],
};

export const collectionOperations: readonly Operation[] = [
  createOrder,
  {
    id: 'readCollectionOrder',
    tag: 'Collection orders',
    method: 'get',
    place: { below: 'base_url', path: '/openapi/v1/merchant-payments/{order_no}' },
    summary: 'Read a collection order',
    description:
      'The current state of the order. An overdue order is updated first. Before you deliver, check that `status` ' +
      'is `paid`, compare `external_reference`, `amount` (as a decimal number) and `currency`, and post once per ' +
      '`event_id`.',
    security: read,
    parameters: [orderNoParameter],
    successes: [{ status: 200, description: 'The order.', schemas: [CollectionOrder] }],
    errors: [...merchantCall, 'not_found', 'payment_not_found'],
    limits: [readLimit],
  },
  {
    id: 'listCollectionOrders',
    tag: 'Collection orders',
    method: 'get',
    place: { below: 'base_url', path: '/openapi/v1/merchant-payments' },
    summary: 'Find collection orders',
    description:
      'Finds orders by your own reference, by order number, or by both; then both must match. One of the two is ' +
      'required. Use it to reconcile: one reference can have several orders.\n\n' +
      'With `created_from`, `created_to` or `cursor` it lists orders by their creation instead, oldest first, page by ' +
      'page: a nightly job finds the orders that it does not know. References and numbers then narrow the list.',
    security: read,
    parameters: [
      {
        ...filter('external_reference', 'Your reference, exactly as stored. Upper and lower case differ.'),
        example: 'INV-2026-00417',
      },
      filter('order_no', 'The collection order.'),
      {
        ...filter('created_from', 'Orders created at this instant or later (RFC 3339).'),
        example: '2026-03-01T00:00:00Z',
      },
      {
        ...filter('created_to', 'Orders created before this instant (RFC 3339).'),
        example: '2026-03-02T00:00:00Z',
      },
      filter('cursor', '`next_cursor` of the previous page of a list by creation.'),
      limitParameter,
    ],
    successes: [
      {
        status: 200,
        description: 'The orders that match, newest first; by creation, oldest first.',
        schemas: [CollectionOrderList],
      },
    ],
    errors: merchantCall,
    limits: [readLimit],
  },
  {
    id: 'listPaymentChannels',
    tag: 'Collection orders',
    method: 'get',
    place: { below: 'base_url', path: '/openapi/v1/merchant-payment-channels' },
    summary: 'List payment channels',
    description: 'The channels that you can restrict your orders to. Most orders let the buyer choose.',
    security: read,
    successes: [{ status: 200, description: 'The directory.', schemas: [PaymentChannelList] }],
    errors: merchantCall,
    limits: [readLimit],
  },
];
