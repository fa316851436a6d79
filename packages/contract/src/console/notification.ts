/** Bodies of the console’s calls about notification settings, delivery records and replays. */
import Type, { type Static } from 'typebox';
import { deliveryErrors, DeliveryRecord, statusNotificationExample } from '../notification.ts';
import { Instant, nextCursor, OneOf, OrderNo, orNull, Text } from '../scalars.ts';

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

const lastStatus = orNull(
  Type.Integer({ description: 'The HTTP status of the last failure; null if none came.' }),
);
const lastError = orNull(OneOf(deliveryErrors, 'Why the last attempt failed; null if it did not.'));
const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A receiver that fails, as the home screen shows it. */
export const FailingReceiver = Type.Object(
  {
    endpoint: Text('The address without its query.'),
    failures: count('Failed attempts in a row, over all notifications to this address.'),
    failing_since: Instant('Time of the first of these failures.'),
    last_failure_at: Instant('Time of the last of them.'),
    last_http_status: lastStatus,
    last_error: lastError,
  },
  { title: 'FailingReceiver' },
);

/** How the addresses for notifications do. */
export const NotificationHealth = Type.Object(
  {
    as_of: Instant('Time when the figures were computed.'),
    receivers: Type.Array(
      Type.Object(
        {
          endpoint: Text('The address without its query.'),
          is_default: Type.Boolean({ description: 'Whether it is the default address of the merchant.' }),
          failures: count('Failed attempts in a row, over all notifications to this address; 0 if it works.'),
          failing_since: orNull(Instant('Time of the first of these failures; null if it works.')),
          last_failure_at: orNull(Instant('Time of the last of them; null if it works.')),
          last_http_status: lastStatus,
          last_error: lastError,
          last_success_at: orNull(
            Instant('The last acknowledged attempt of 90 days; null if there is none.'),
          ),
          attempts_24h: count('Attempts that ended in the last 24 hours.'),
          failures_24h: count('Those of them that failed.'),
          p95_ms: orNull(
            count('Milliseconds within which 95 of 100 of these attempts ended; null without attempts.'),
          ),
        },
        { title: 'ReceiverHealth' },
      ),
      { description: 'The default address first, then every other that fails.' },
    ),
  },
  { title: 'NotificationHealth' },
);
export type NotificationHealth = Static<typeof NotificationHealth>;

/** The kind of test event to send. */
export const TestEventRequest = Type.Object(
  {
    forged: Type.Optional(
      Type.Boolean({
        description: 'Signs with another key: a receiver that verifies signatures must not answer 2xx.',
      }),
    ),
  },
  { title: 'TestEventRequest', examples: [{ forged: false }] },
);

export const TestEvent = Type.Object(
  {
    event_id: Text('The `id` of the event.'),
    forged: Type.Boolean({ description: 'Whether it was signed with another key.' }),
    sent_at: Instant('Time when it was made.'),
    delivered: Type.Boolean({ description: 'Whether the answer was 2xx.' }),
    request: Type.Object(
      {
        method: Text('POST.'),
        url: Text('The default address.'),
        headers: Type.Array(
          Type.Object({ name: Text('The name, in lower case.'), value: Text('The value.') }),
          { description: 'The headers of the request.' },
        ),
        body: Text('The bytes that were signed and sent, as UTF-8 text.'),
      },
      { description: 'What was sent.' },
    ),
    response: Type.Object(
      {
        http_status: orNull(Type.Integer({ description: 'The HTTP status; null if none came.' })),
        error: orNull(OneOf(deliveryErrors, 'Why it was not acknowledged; null if it was.')),
        duration_ms: count('How long it took, in milliseconds.'),
      },
      { description: 'What came back.' },
    ),
  },
  { title: 'TestEvent' },
);
export type TestEvent = Static<typeof TestEvent>;

export const quickstartSteps = [
  'client',
  'scopes',
  'token',
  'endpoint',
  'test_event',
  'verified',
  'order',
  'notification',
] as const;

/** The way of a developer from a client to the first verified notification. */
export const Quickstart = Type.Object(
  {
    base_url: Text('The address of the API.'),
    token_endpoint: Text('Where a client gets its access token.'),
    client_id: orNull(Text('A client that can be used; null if there is none.')),
    steps: Type.Array(
      Type.Object({
        step: OneOf(quickstartSteps, 'A step.'),
        done: Type.Boolean({ description: 'Whether the step is done.' }),
      }),
      { description: 'The steps, in order.' },
    ),
  },
  { title: 'Quickstart' },
);
export type Quickstart = Static<typeof Quickstart>;
