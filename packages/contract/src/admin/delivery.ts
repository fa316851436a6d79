/** Notifications that wait, and notifications and webhooks that the service has given up. */
import Type, { type Static } from 'typebox';
import { Count, Stamp } from './scalars.ts';

export const NotificationBacklogAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      merchant_no: Type.String(),
      name: Type.String(),
      due: Type.Integer(),
      oldest_due_at: Stamp,
    }),
  ),
});

/** A notification that was given up, whoever's it is. */
export const FailedNotification = Type.Object({
  merchant_no: Type.String(),
  merchant_name: Type.String(),
  event_id: Type.String(),
  order_no: Type.String(),
  status_version: Type.Integer(),
  destination: Type.String({ description: 'Host and port of the receiver.' }),
  attempts: Count,
  last_http_status: Type.Union([Type.Integer(), Type.Null()]),
  last_error: Type.Union([Type.String(), Type.Null()]),
  created_at: Stamp,
});
export type FailedNotification = Static<typeof FailedNotification>;

/** A webhook of a card provider that could not be followed for a day. */
export const FailedWebhook = Type.Object({
  payment_no: Type.String({ description: 'The channel that it came for.' }),
  provider_event_id: Type.String(),
  type: Type.String({ description: 'As the provider calls it.' }),
  received_at: Stamp,
  tries: Count,
  outcome: Type.Union([Type.String({ description: 'What the last try came to.' }), Type.Null()]),
  given_up_at: Stamp,
});
export type FailedWebhook = Static<typeof FailedWebhook>;
