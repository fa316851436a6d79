/** Waiting notifications, failed notifications and failed webhooks of card providers. */
import { frequency } from '../console/statement-export.ts';
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

/** A merchant's receiver of notifications that failed at least twice in a row. */
export const FailingReceiverAnswer = Type.Object({
  merchant_no: Type.String(),
  merchant_name: Type.String(),
  destination: Type.String({ description: 'The receiver’s host and port.' }),
  failures: Type.Integer({ minimum: 0, description: 'Failed attempts in a row.' }),
  failing_since: Stamp,
  last_failure_at: Stamp,
  last_http_status: Type.Union([Type.Integer(), Type.Null()]),
  last_error: Type.Union([Type.String(), Type.Null()]),
});

export const FailingReceiversAnswer = Type.Object({ items: Type.Array(FailingReceiverAnswer) });

/** A merchant's scheduled export of statements that fails. */
export const FailingExportAnswer = Type.Object({
  merchant_no: Type.String(),
  merchant_name: Type.String(),
  export_id: Type.String({ description: 'The scheduled export.' }),
  frequency,
  failing_since: Stamp,
});

export const FailingExportsAnswer = Type.Object({ items: Type.Array(FailingExportAnswer) });

/** A notification of any merchant whose automatic attempts are used up. */
export const FailedNotification = Type.Object({
  merchant_no: Type.String(),
  merchant_name: Type.String(),
  event_id: Type.String(),
  order_no: Type.String(),
  status_version: Type.Integer(),
  destination: Type.String({ description: 'The receiver’s host and port.' }),
  attempts: Count,
  last_http_status: Type.Union([Type.Integer(), Type.Null()]),
  last_error: Type.Union([Type.String(), Type.Null()]),
  created_at: Stamp,
});
export type FailedNotification = Static<typeof FailedNotification>;

/** A webhook of a card provider that could not be processed for a day. */
export const FailedWebhook = Type.Object({
  payment_no: Type.String({ description: 'The channel of the webhook.' }),
  provider_event_id: Type.String(),
  type: Type.String({ description: 'The provider’s event type.' }),
  received_at: Stamp,
  tries: Count,
  outcome: Type.Union([Type.String({ description: 'The result of the last try.' }), Type.Null()]),
  given_up_at: Stamp,
});
export type FailedWebhook = Static<typeof FailedWebhook>;
