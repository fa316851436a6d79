/** Bodies of the console’s calls about notification settings, delivery records and replays. */
import Type, { type Static } from 'typebox';
import { DeliveryRecord, statusNotificationExample } from '../notification.ts';
import { nextCursor, OrderNo, Text } from '../scalars.ts';

const url = Type.String({
  description:
    'The default address for notifications, under the rules of `notify_url`; empty if there is none.',
});

const enabled = Type.Boolean({
  description: 'Whether new orders use this address if they do not configure notifications.',
});

const secret = Text(
  'The signing key, as text: its bytes are the key. It is shown only once; store it for your receiver.',
);

const settingsExample = { url: 'https://shop.example/paydesk/notifications', enabled: true };

const secretExample = 'ns_4f8Zk1mQvXr2sT6uYbCdEgHjKlNpRtVw3x5z7A9BcDe';

/** The default endpoint, without its secret. */
export const NotificationSettings = Type.Object(
  { url, enabled },
  { title: 'NotificationSettings', examples: [settingsExample] },
);
export type NotificationSettings = Static<typeof NotificationSettings>;

export const SavedNotificationSettings = Type.Object(
  { url, enabled, secret: Type.Optional(secret) },
  {
    title: 'SavedNotificationSettings',
    description: '`secret` is present only if the address is new.',
    examples: [{ ...settingsExample, secret: secretExample }],
  },
);
export type SavedNotificationSettings = Static<typeof SavedNotificationSettings>;

export const RotatedNotificationSecret = Type.Object(
  { secret },
  { title: 'RotatedNotificationSecret', examples: [{ secret: secretExample }] },
);
export type RotatedNotificationSecret = Static<typeof RotatedNotificationSecret>;

/** A delivery record with its order. */
export const NotificationRecord = Type.Object(
  { order_no: OrderNo, ...DeliveryRecord.properties },
  { title: 'NotificationRecord' },
);
export type NotificationRecord = Static<typeof NotificationRecord>;

export const NotificationRecordPage = Type.Object(
  { items: Type.Array(NotificationRecord, { description: 'Newest first.' }), next_cursor: nextCursor },
  {
    title: 'NotificationRecordPage',
    examples: [
      {
        items: [
          {
            order_no: 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
            event_id: 'ne_01JNXW900E4S8D2G6J1KC5P7VA',
            status_version: 2,
            event: statusNotificationExample,
            delivery_status: 'failed',
            attempts: 10,
            next_attempt_at: null,
            last_http_status: null,
            last_error: 'connect_failed',
            delivery_attempts: [],
          },
        ],
        next_cursor: 'bmVfMDFKTlhXOTAwRTRTOEQyRzZKMUtDNVA3VkE',
      },
    ],
  },
);
export type NotificationRecordPage = Static<typeof NotificationRecordPage>;

/** A replay of all notifications that failed since a time. */
export const ReplayFailed = Type.Object(
  {
    since: Type.String({
      maxLength: 40,
      description: 'Notifications generated at this time or later are replayed. RFC 3339.',
    }),
    cursor: Type.Optional(Text('`next_cursor` of the previous call.')),
  },
  { title: 'ReplayFailed', examples: [{ since: '2026-03-02T08:00:00.000Z' }] },
);
export type ReplayFailed = Static<typeof ReplayFailed>;

export const FailedReplayed = Type.Object(
  {
    requeued: Type.Integer({
      minimum: 0,
      maximum: 1_000,
      description: 'Number of notifications that get another attempt.',
    }),
    next_cursor: nextCursor,
  },
  { title: 'FailedReplayed', examples: [{ requeued: 37 }] },
);
export type FailedReplayed = Static<typeof FailedReplayed>;
