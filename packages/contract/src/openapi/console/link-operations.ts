import Type from 'typebox';
import { CreateCollectionOrder, CreatedCollectionOrder } from '../../collection-order.ts';
import {
  ActivityPage,
  Found,
  NewOrderNote,
  OrderNote,
  OrderNoteDeleted,
  OrderNoteList,
} from '../../console/activity.ts';
import { NewPaymentLink, PaymentLink, PaymentLinkPage } from '../../console/payment-link.ts';
import { limited, withBody } from '../common-errors.ts';
import { pageParameters, query } from '../parameters.ts';
import { manualCreateLimit } from '../rate-limits.ts';
import type { Operation, Parameter } from '../operation.ts';
import { consoleBase, consoleCall, consoleWrite, merchantNoParameter } from './call.ts';
import { orderNoParameter } from './order-operations.ts';

const at = (path: string) => ({ below: 'base_url', path: `${consoleBase}${path}` }) as const;
const security = { by: 'session_cookie' } as const;

const part = (name: string, description: string, example: string): Parameter => ({
  ...{ name, in: 'path', required: true, description, example },
  schema: Type.String(),
});

const linkParameter = part(
  'link',
  'A payment link of the merchant.',
  'AZyBwqAAcACAAAAAAAAADPw7q1kT4xW2bN9Lw-',
);

/** The console’s calls about payment links, orders made by hand, notes, and the log of what the team did. */
export const consoleLinkOperations: readonly Operation[] = [
  {
    id: 'listPaymentLinks',
    tag: 'Console',
    method: 'get',
    place: at('/payment-links'),
    summary: 'List payment links',
    description: 'Newest first, also those that have ended.',
    security,
    parameters: [merchantNoParameter, ...pageParameters],
    successes: [{ status: 200, description: 'A page.', schemas: [PaymentLinkPage] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'createPaymentLink',
    tag: 'Console',
    method: 'post',
    place: at('/payment-links'),
    summary: 'Create a payment link',
    description:
      'Its page makes one collection order for each visit that goes on to pay, under the limits of creation: 60 a ' +
      'minute for one link. A use is an order that it has made. For owners and finance.',
    security,
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: NewPaymentLink },
    successes: [{ status: 201, description: 'Created.', schemas: [PaymentLink] }],
    errors: [
      ...consoleWrite,
      ...withBody,
      ...(['invalid_amount', 'invalid_amount_precision', 'invalid_expires_in'] as const),
      ...(['invalid_return_url', 'currency_unavailable'] as const),
    ],
    limits: [],
  },
  {
    id: 'closePaymentLink',
    tag: 'Console',
    method: 'delete',
    place: at('/payment-links/{link}'),
    summary: 'Close a payment link',
    description:
      'It makes no more orders from now on, for good. Orders that it has made can still be paid. For owners and ' +
      'finance.',
    security,
    parameters: [merchantNoParameter, linkParameter],
    successes: [{ status: 200, description: 'Closed.', schemas: [PaymentLink] }],
    errors: consoleWrite,
    limits: [],
  },
  {
    id: 'createConsoleOrder',
    tag: 'Console',
    method: 'post',
    place: at('/collection-orders'),
    summary: 'Create a collection order by hand',
    description:
      'As a client creates one, with the same body, checks and idempotency. The answer has the checkout address, to ' +
      'give to the buyer. For owners and finance.',
    security,
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: CreateCollectionOrder },
    successes: [{ status: 201, description: 'The order.', schemas: [CreatedCollectionOrder] }],
    errors: [
      ...consoleWrite,
      ...withBody,
      ...limited,
      ...([
        'invalid_amount',
        'invalid_amount_precision',
        'invalid_expires_in',
        'invalid_return_url',
      ] as const),
      ...(['invalid_notify_config', 'invalid_notify_url', 'invalid_notify_secret'] as const),
      ...(['notification_unavailable', 'merchant_inactive', 'payment_debug_access_denied'] as const),
      ...(['payment_conflict', 'currency_unavailable', 'channel_unavailable'] as const),
      ...(['currency_rate_unavailable', 'merchant_fee_funding_unavailable'] as const),
    ],
    limits: [manualCreateLimit],
  },
  {
    id: 'listOrderNotes',
    tag: 'Console',
    method: 'get',
    place: at('/collection-orders/{order_no}/notes'),
    summary: 'List the notes on an order',
    description: 'Only the merchant’s people see them.',
    security,
    parameters: [merchantNoParameter, orderNoParameter],
    successes: [{ status: 200, description: 'The notes.', schemas: [OrderNoteList] }],
    errors: [...consoleCall, 'payment_not_found'],
    limits: [],
  },
  {
    id: 'addOrderNote',
    tag: 'Console',
    method: 'post',
    place: at('/collection-orders/{order_no}/notes'),
    summary: 'Write a note on an order',
    description: 'At most 100 on one order. Every role but read-only.',
    security,
    parameters: [merchantNoParameter, orderNoParameter],
    body: { type: 'application/json', schema: NewOrderNote },
    successes: [{ status: 201, description: 'Written.', schemas: [OrderNote] }],
    errors: [...consoleWrite, ...withBody, 'payment_not_found'],
    limits: [],
  },
  {
    id: 'deleteOrderNote',
    tag: 'Console',
    method: 'delete',
    place: at('/collection-orders/{order_no}/notes/{note_id}'),
    summary: 'Delete a note',
    description: 'One’s own; an owner deletes any. The audit log keeps who did it, and not the text.',
    security,
    parameters: [
      merchantNoParameter,
      orderNoParameter,
      part('note_id', 'A note on the order.', 'on_01JNXW5R3M8Q4T0ZB6Y2C7D9EF'),
    ],
    successes: [{ status: 200, description: 'Deleted.', schemas: [OrderNoteDeleted] }],
    errors: consoleWrite,
    limits: [],
  },
  {
    id: 'searchConsole',
    tag: 'Console',
    method: 'get',
    place: at('/search'),
    summary: 'Search orders, products, people and API requests',
    description:
      'Orders with exactly this reference, order number, trade number or payment event; if there is none, orders with a ' +
      'part of it, among the newest 10000. Any part of the name of a product or a person, and whole ids of ' +
      'notification events and requests.',
    security,
    parameters: [merchantNoParameter, query('q', 'The text, 2 to 200 characters.', Type.String())],
    successes: [{ status: 200, description: 'What was found.', schemas: [Found] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'listActivity',
    tag: 'Console',
    method: 'get',
    place: at('/activity'),
    summary: 'List what the merchant’s people did',
    description: 'Every change and export in this console, from the audit log, newest first.',
    security,
    parameters: [merchantNoParameter, ...pageParameters],
    successes: [{ status: 200, description: 'A page.', schemas: [ActivityPage] }],
    errors: consoleCall,
    limits: [],
  },
];
