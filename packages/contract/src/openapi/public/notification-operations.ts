/** Delivery records of an order’s notifications, and their replay. */
import { DeliveryRecordList, ReplayAccepted } from '../../notification.ts';
import { NotificationId } from '../../scalars.ts';
import { limitParameter } from '../parameters.ts';
import { orderNoParameter } from './collection-operations.ts';
import { merchantCall } from '../common-errors.ts';
import { recordsLimit, replayLimit } from '../limits.ts';
import type { Operation } from '../operation.ts';

const records = '/openapi/v1/merchant-payments/{order_no}/notifications';

export const notificationOperations: readonly Operation[] = [
  {
    id: 'listNotifications',
    tag: 'Notifications',
    method: 'get',
    place: { below: 'base_url', path: records },
    summary: 'List delivery records',
    description: 'The notifications of an order, what was sent and how its delivery went.',
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
      'Asks for one more attempt of a notification whose automatic attempts are used up: the same id and the same ' +
      'bytes, to the address and with the key of the order. It changes nothing about the order. A notification that ' +
      'is delivered or still pending is not queued again.\n\nNo body is needed, and none is read.',
    security: { by: 'merchant_token', scope: 'merchant_payments.create' },
    parameters: [
      orderNoParameter,
      {
        name: 'event_id',
        in: 'path',
        required: true,
        description: 'The notification: `event_id` of its delivery record.',
        schema: NotificationId,
        example: 'ne_01JNXW900E4S8D2G6J1KC5P7VA',
      },
    ],
    successes: [{ status: 202, description: 'Accepted.', schemas: [ReplayAccepted] }],
    errors: [...merchantCall, 'request_too_large', 'request_timeout', 'not_found', 'payment_not_found'],
    limits: [replayLimit],
  },
];
