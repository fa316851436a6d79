/** The merchant’s notification settings, and the delivery records of all its orders. */
import Type from 'typebox';
import {
  FailedReplayed,
  NotificationRecordPage,
  NotificationSettings,
  ReplayFailed,
  RotatedNotificationSecret,
  SavedNotificationSettings,
} from '../../console/notification.ts';
import { ReplayAccepted } from '../../notification.ts';
import { NotificationId, OneOf } from '../../scalars.ts';
import { withBody } from '../common-errors.ts';
import { consoleBase as base, consoleCall, consoleWrite, merchantNoParameter } from './call.ts';
import { pageParameters, query } from '../parameters.ts';
import type { Operation } from '../operation.ts';

const settings = { below: 'base_url', path: `${base}/notification-settings` } as const;

export const consoleOperations: readonly Operation[] = [
  {
    id: 'readNotificationSettings',
    tag: 'Console',
    method: 'get',
    place: settings,
    summary: 'Read the default endpoint',
    description: 'Where notifications go by default. The secret is not shown.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The settings.', schemas: [NotificationSettings] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'saveNotificationSettings',
    tag: 'Console',
    method: 'put',
    place: settings,
    summary: 'Save the default endpoint',
    description:
      'A new address gets a new secret, which the answer shows once. Orders that exist keep the address and the key ' +
      'they were created with. Nothing is sent to try the address. An empty `url` removes the defaults.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: NotificationSettings },
    successes: [{ status: 200, description: 'Saved.', schemas: [SavedNotificationSettings] }],
    errors: [...consoleWrite, ...withBody, 'invalid_notify_url', 'notification_unavailable'],
    limits: [],
  },
  {
    id: 'rotateNotificationSecret',
    tag: 'Console',
    method: 'post',
    place: { below: 'base_url', path: `${settings.path}/rotation` },
    summary: 'Rotate the default secret',
    description:
      'The new secret signs for orders created from now on; orders that exist keep theirs, so let your receiver ' +
      'accept both until the older ones have come to rest.\n\nNo body is needed, and none is read.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The new secret.', schemas: [RotatedNotificationSecret] }],
    errors: [...consoleWrite, 'request_too_large', 'request_timeout', 'notification_unavailable'],
    limits: [],
  },
  {
    id: 'listNotificationRecords',
    tag: 'Console',
    method: 'get',
    place: { below: 'base_url', path: `${base}/notifications` },
    summary: 'List notification records',
    description: 'The notifications of all orders of the merchant, each with its latest attempts.',
    security: { by: 'session_cookie' },
    parameters: [
      merchantNoParameter,
      query(
        'status',
        'Only those in this delivery status.',
        OneOf(['pending', 'delivered', 'failed'], 'A delivery status.'),
      ),
      query('order_no', 'Only those of this order.', Type.String()),
      ...pageParameters,
    ],
    successes: [{ status: 200, description: 'A page.', schemas: [NotificationRecordPage] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'retryNotification',
    tag: 'Console',
    method: 'post',
    place: { below: 'base_url', path: `${base}/notifications/{event_id}/retry` },
    summary: 'Replay one notification',
    description:
      'One attempt more of a notification that was given up: the same bytes, to the address and with the key of its ' +
      'order. One that is delivered or still pending is left as it is.\n\nNo body is needed, and none is read.',
    security: { by: 'session_cookie' },
    parameters: [
      merchantNoParameter,
      {
        name: 'event_id',
        in: 'path',
        required: true,
        description: 'The notification: `event_id` of its record.',
        schema: NotificationId,
        example: 'ne_01JNXW900E4S8D2G6J1KC5P7VA',
      },
    ],
    successes: [{ status: 202, description: 'Accepted.', schemas: [ReplayAccepted] }],
    errors: [...consoleWrite, 'request_too_large', 'request_timeout'],
    limits: [],
  },
  {
    id: 'retryFailedNotifications',
    tag: 'Console',
    method: 'post',
    place: { below: 'base_url', path: `${base}/notifications/retry-failed` },
    summary: 'Replay all failed notifications since a time',
    description:
      'One attempt more of each notification that was generated since then and given up, oldest first, at most 1000 ' +
      'in one call. Where there may be more the answer says how to go on; those that fail again meanwhile are not ' +
      'met twice.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: ReplayFailed },
    successes: [{ status: 202, description: 'Accepted.', schemas: [FailedReplayed] }],
    errors: [...consoleWrite, ...withBody],
    limits: [],
  },
];
