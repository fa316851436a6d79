/** The calls that read delivery records and replay notifications. */
import { DeliveryRecordList, ReplayAccepted } from '../../notification.ts';
import { NotificationId } from '../../scalars.ts';
import { limitParameter } from '../parameters.ts';
import { orderNoParameter } from './collection-operations.ts';
import { merchantCall } from '../common-errors.ts';
import { recordsLimit, replayLimit } from '../rate-limits.ts';
import type { Operation } from '../operation.ts';

const records = '/openapi/v1/merchant-payments/{order_no}/notifications';

export const notificationOperations: readonly Operation[] = [
  {
    id: 'listNotifications',
    tag: 'Notifications',
    method: 'get',
    place: { below: 'base_url', path: records },
    summary: 'List delivery records',
    description: 'The notifications of an order, their content and the attempts to deliver them.',
    security: { by: 'merchant_token', scope: 'merchant_payments.read' },
    parameters: [orderNoParameter, limitParameter],
    successes: [
      {
        status: 200,
        description: 'The records, highest status version first.',
        schemas: [DeliveryRecordList],
      },
    ],
    errors: [...merchantCall, 'not_found', 'payment_not_found'],
    limits: [recordsLimit],
  },
  {
    id: 'replayNotification',
    tag: 'Notifications',
    method: 'post',
    place: { below: 'base_url', path: `${records}/{event_id}/retry` },
    summary: 'Replay a notification',
    description:
      'Requests another attempt for a notification whose automatic attempts are used up: the same id and the same ' +
      'bytes, with the address and key of the order. The order does not change. A notification that is delivered or ' +
      'still pending is not queued again.\n\n' +
      'The request body is ignored.',
    // The scope of creations.
    security: { by: 'merchant_token', scope: 'merchant_payments.create' },
    parameters: [
      orderNoParameter,
      {
        name: 'event_id',
        in: 'path',
        required: true,
        description: 'The `event_id` of the delivery record.',
        schema: NotificationId,
        example: 'ne_01JNXW900E4S8D2G6J1KC5P7VA',
      },
    ],
    successes: [{ status: 202, description: 'Accepted.', schemas: [ReplayAccepted] }],
    errors: [...merchantCall, 'request_too_large', 'request_timeout', 'not_found', 'payment_not_found'],
    limits: [replayLimit],
  },
];
