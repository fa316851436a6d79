/** Notifications to merchants’ servers, and the records of their delivery. */
import Type, { type Static } from 'typebox';
import { snapshotMembers } from './collection-order.ts';
import { Instant, NotificationId, OneOf, orNull, PaymentEventId, Text, ZonedInstant } from './scalars.ts';

/** The order at the time of a status change. */
export const StatusSnapshot = Type.Object(
  {
    ...snapshotMembers,
    status_version: Type.Integer({
      minimum: 0,
      description: 'Compare it within one order only. A lower version must not overwrite a higher one.',
    }),
    test_mode: Type.Boolean({ description: 'Whether the payment uses a test channel.' }),
    expires_at: Instant('Time when the order expires.'),
    event_id: Type.Optional(PaymentEventId),
    provider_trade_no: Type.Optional(
      Text('The channel’s number for the payment. Present after confirmation.'),
    ),
    occurred_at: Type.Optional(
      ZonedInstant(
        'Time when the payment was confirmed, in the channel’s time zone. Present after confirmation.',
      ),
    ),
  },
  {
    title: 'StatusSnapshot',
    description:
      'The order at the time of the change. `event_id`, `provider_trade_no` and `occurred_at` are present for a ' +
      'confirmed payment (`paid`, `refunded`, `chargeback`) and absent otherwise.',
  },
);
export type StatusSnapshot = Static<typeof StatusSnapshot>;

export const statusNotificationExample = {
  id: 'ne_01JNXW900E4S8D2G6J1KC5P7VA',
  type: 'merchant_payment.status_changed',
  api_version: 1,
  created_at: '2026-03-02T09:32:10.497Z',
  data: {
    order_no: 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
    external_reference: 'INV-2026-00417',
    payment_no: 'ch_01JNXVZX1B6W3F8Y0M5T2H9KRS',
    amount: '10.00',
    amount_minor: 1_000,
    currency: 'USD',
    currency_decimals: 2,
    status: 'paid',
    status_version: 2,
    test_mode: false,
    expires_at: '2026-03-02T10:00:00.000Z',
    event_id: 'pe_01JNXW8Z5K2V7H1R4N0QX3M6BT',
    provider_trade_no: 'PTK:mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
    occurred_at: '2026-03-02T09:32:10.482Z',
  },
};

/**
 * The body of a notification, in format version 1. `id` is also its header and is not the payment's
 * event; `created_at` is not the time of the payment.
 */
export const StatusNotification = Type.Object(
  {
    id: NotificationId,
    type: Type.Literal('merchant_payment.status_changed', { description: 'The only type.' }),
    api_version: Type.Literal(1, { description: 'The version of this format.' }),
    created_at: Instant(
      'Time when the notification was generated. The time of payment is `data.occurred_at`.',
    ),
    data: StatusSnapshot,
  },
  {
    title: 'StatusNotification',
    description:
      'A status change of one order. Retries send the same bytes with a new timestamp and signature.',
    examples: [statusNotificationExample],
  },
);
export type StatusNotification = Static<typeof StatusNotification>;

/** Why an attempt failed (D-147). */
export const deliveryErrors = [
  'timeout',
  'dns_failed',
  'connect_failed',
  'tls_failed',
  'private_target',
  'redirect',
  'http_error',
  'interrupted',
] as const;

/** One attempt to deliver (D-148). */
export const DeliveryAttempt = Type.Object(
  {
    attempt: Type.Integer({
      minimum: 1,
      description: 'The number of the attempt. Replays continue the count.',
    }),
    trigger: OneOf(['automatic', 'manual'], '`manual`: requested by a replay.'),
    started_at: Instant('Time when the attempt started.'),
    finished_at: Type.Optional(
      Instant('Time when the attempt ended. Absent if it still runs or was interrupted.'),
    ),
    http_status: Type.Optional(
      Type.Integer({ description: 'The HTTP status of your server’s answer, if there was one.' }),
    ),
    error: Type.Optional(OneOf(deliveryErrors, 'Why the attempt failed.')),
    duration_ms: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Duration of the attempt, in milliseconds.' }),
    ),
  },
  { title: 'DeliveryAttempt' },
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

/**
 * A notification and its delivery. All nine members are always present (R-290, D-147): the envelope as it is sent
 * the state and the count of attempts, and the latest 20 of them.
 */
export const DeliveryRecord = Type.Object(
  {
    event_id: Type.String({
      pattern: '^ne_[0-9A-Z]{26}$',
      description:
        'Identifies the notification, equal to `event.id`. It is not the payment event of the order.',
    }),
    status_version: Type.Integer({ minimum: 0, description: 'The status version of the notification.' }),
    event: StatusNotification,
    delivery_status: OneOf(
      ['pending', 'delivered', 'failed'],
      '`failed`: the automatic attempts are used up; the notification can be replayed. This does not say anything ' +
        'about the payment.',
    ),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts so far, including replays.' }),
    next_attempt_at: orNull(Instant('Time of the next attempt; null if none is due.')),
    last_http_status: orNull(
      Type.Integer({
        description: 'The HTTP status of your server’s last answer; null if it did not answer.',
      }),
    ),
    last_error: orNull(OneOf(deliveryErrors, 'Why the last attempt failed; null if it did not.')),
    delivery_attempts: Type.Array(DeliveryAttempt, {
      maxItems: 20,
      description: 'The latest 20 attempts, oldest first.',
    }),
  },
  {
    title: 'DeliveryRecord',
    description: 'A notification and its delivery. It never contains the signing secret.',
  },
);
export type DeliveryRecord = Static<typeof DeliveryRecord>;

export const DeliveryRecordList = Type.Object(
  {
    items: Type.Array(DeliveryRecord, {
      description: 'Highest status version first, at most `limit` records.',
    }),
  },
  {
    title: 'DeliveryRecordList',
    description: 'The notifications of one order; empty if the order sends none.',
    examples: [
      {
        items: [
          {
            event_id: 'ne_01JNXW900E4S8D2G6J1KC5P7VA',
            status_version: 2,
            event: statusNotificationExample,
            delivery_status: 'delivered',
            attempts: 1,
            next_attempt_at: null,
            last_http_status: 204,
            last_error: null,
            delivery_attempts: [
              {
                attempt: 1,
                trigger: 'automatic',
                started_at: '2026-03-02T09:32:10.610Z',
                finished_at: '2026-03-02T09:32:10.702Z',
                http_status: 204,
                duration_ms: 92,
              },
            ],
          },
        ],
      },
    ],
  },
);
export type DeliveryRecordList = Static<typeof DeliveryRecordList>;

/** The answer to a replay. */
export const ReplayAccepted = Type.Object(
  { accepted: Type.Literal(true, { description: 'Always true.' }) },
  {
    title: 'ReplayAccepted',
    description: 'A notification that is delivered or still pending stays unchanged; the answer is the same.',
    examples: [{ accepted: true }],
  },
);
export type ReplayAccepted = Static<typeof ReplayAccepted>;
