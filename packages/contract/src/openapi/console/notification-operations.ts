/** The console’s calls about notification settings and delivery records. */
import Type from 'typebox';
import {
  FailedReplayed,
  NotificationHealth,
  NotificationRecordPage,
  NotificationSettings,
  Quickstart,
  ReplayFailed,
  RotatedNotificationSecret,
  SavedNotificationSettings,
  TestEvent,
  TestEventRequest,
} from '../../console/notification.ts';
import { ReplayAccepted } from '../../notification.ts';
import { NotificationId, OneOf } from '../../scalars.ts';
import { withBody } from '../common-errors.ts';
import { testEventLimit } from '../rate-limits.ts';
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
    description: 'The default address for notifications. The secret is not shown.',
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
      'A new address gets a new secret, which only this answer shows. Existing orders keep their address and key. ' +
      'The service does not send a test request to the address. An empty `url` removes the defaults.',
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
      'The new secret signs notifications of new orders. Existing orders keep the old secret, so let your receiver ' +
      'accept both until the older orders are finished.\n\n' +
      'The request body is ignored.',
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
        'Only notifications in this delivery status.',
        OneOf(['pending', 'delivered', 'failed'], 'A delivery status.'),
      ),
      query('order_no', 'Only notifications of this order.', Type.String()),
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
      'Makes another attempt for a failed notification: the same bytes, with the address and key of its order. A ' +
      'notification that is delivered or still pending stays unchanged.\n\n' +
      'The request body is ignored.',
    security: { by: 'session_cookie' },
    parameters: [
      merchantNoParameter,
      {
        name: 'event_id',
        in: 'path',
        required: true,
        description: 'The `event_id` of the notification record.',
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
      'Makes another attempt for each failed notification that was generated since then: oldest first, at most 1000 ' +
      'per call. If there can be more, the answer contains a cursor. A notification that fails again meanwhile is ' +
      'not replayed twice.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: ReplayFailed },
    successes: [{ status: 202, description: 'Accepted.', schemas: [FailedReplayed] }],
    errors: [...consoleWrite, ...withBody],
    limits: [],
  },
  {
    id: 'readNotificationHealth',
    tag: 'Console',
    method: 'get',
    place: { below: 'base_url', path: `${base}/notification-health` },
    summary: 'Read how the addresses for notifications do',
    description: 'The default address, and every other that fails now.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The addresses.', schemas: [NotificationHealth] }],
    errors: consoleCall,
    limits: [],
  },
  {
    id: 'sendTestEvent',
    tag: 'Console',
    method: 'post',
    place: { below: 'base_url', path: `${base}/test-event` },
    summary: 'Send a test event',
    description:
      'Sends one signed `merchant_payment.status_changed` to the default address, also where it is disabled, and ' +
      'answers with the exact bytes and headers. `data.test_mode` is true, and the order does not exist. It is sent ' +
      'once and is not in the records.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: TestEventRequest, optional: true },
    successes: [{ status: 200, description: 'What was sent and answered.', schemas: [TestEvent] }],
    errors: [
      ...consoleWrite,
      ...withBody,
      'notification_unavailable',
      'rate_limited',
      'rate_limit_unavailable',
    ],
    limits: [testEventLimit],
  },
  {
    id: 'readQuickstart',
    tag: 'Console',
    method: 'get',
    place: { below: 'base_url', path: `${base}/quickstart` },
    summary: 'Read the way to the first verified notification',
    description: 'Each step is noticed as it happens.',
    security: { by: 'session_cookie' },
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The steps.', schemas: [Quickstart] }],
    errors: consoleCall,
    limits: [],
  },
];
