/** The OpenAPI description of notifications, which the service sends to merchants. */
import Type from 'typebox';
import { StatusNotification, statusNotificationExample } from '../../notification.ts';
import type { Components } from '../components.ts';
import type { OperationObject, ParameterObject } from '../model.ts';
import { NotificationId } from '../../scalars.ts';

export const webhookName = 'merchant_payment.status_changed';

const header = (
  name: string,
  description: string,
  schema: Type.TSchema,
  example: string,
): ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: schema,
  example,
});

/** The notification that a merchant’s server receives, and the answers it can give. */
export function webhookOperation(components: Components): OperationObject {
  return {
    operationId: 'onStatusChanged',
    tags: ['Notifications'],
    summary: 'Sent to your server: a status has changed',
    description:
      'Sent to the notification address of the order at each status change, including the first `pending`.\n\n' +
      'Check the signature first: HMAC-SHA256 over the timestamp text, a full stop and the raw bytes of the body, ' +
      'with the secret of the order as the key. Compare in constant time, and reject a timestamp that differs from ' +
      'your clock by more than five minutes. Use the raw bytes: do not parse and serialize the JSON before the ' +
      'check.\n\n' +
      'Deliveries can repeat and arrive out of order: store `id`, and let the higher `status_version` win. Only ' +
      '`paid` confirms a payment; post it once per `data.event_id`.\n\n' +
      'Store the notification, then answer with any 2xx within 8 seconds; the body of your answer is ignored. After ' +
      'any other answer, including a redirect, the service tries again after 1, 5, 15 and 30 minutes and 1, 2, 4, 6 ' +
      'and 8 hours: ten attempts in all, each with the same bytes and a new timestamp. After that the notification ' +
      'can be replayed.',
    security: [],
    parameters: [
      header(
        'X-Service-Event-ID',
        'The notification’s id, equal to `id` in the body.',
        NotificationId,
        'ne_01JNXW900E4S8D2G6J1KC5P7VA',
      ),
      header(
        'X-Service-Timestamp',
        'The time of the signature of this attempt, in Unix seconds.',
        Type.String({ pattern: '^[0-9]+$' }),
        '1772443930',
      ),
      header(
        'X-Service-Signature',
        '`sha256=` and 64 lower-case hexadecimal digits. The example signs the example body as compact JSON, with the key ' +
          '`example-secret-of-your-notifications`.',
        Type.String({ pattern: '^sha256=[0-9a-f]{64}$' }),
        'sha256=6d04c1bf059aa3bec88884a5f7f354b6912d87a7057400dc00297e3bfff73726',
      ),
      header(
        'webhook-id',
        'The notification’s id again, for libraries of Standard Webhooks.',
        NotificationId,
        'ne_01JNXW900E4S8D2G6J1KC5P7VA',
      ),
      header(
        'webhook-timestamp',
        'The time of the signature again, for libraries of Standard Webhooks.',
        Type.String({ pattern: '^[0-9]+$' }),
        '1772443930',
      ),
      header(
        'webhook-signature',
        '`v1,` and the base64 HMAC-SHA256 of id, timestamp and body with full stops between them (Standard Webhooks). ' +
          'The key is the UTF-8 bytes of the secret; after `whsec_`, it is what the base64 text encodes. The example signs the same body with the same key.',
        Type.String({ pattern: '^v1,[A-Za-z0-9+/]{43}=$' }),
        'v1,DMOQnMpRgUGrZjJ5eR0ISTYjq3CkXR6d3/4c9pZ3uHw=',
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: components.use(StatusNotification),
          example: statusNotificationExample,
        },
      },
    },
    responses: {
      '2XX': { description: 'Stored. The notification is not sent again.' },
      default: { description: 'Any other answer, or no answer within 8 seconds: the service tries again.' },
    },
  };
}
