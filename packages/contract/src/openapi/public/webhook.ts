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

/** What a merchant's server receives, and how it answers. */
export function webhookOperation(components: Components): OperationObject {
  return {
    operationId: 'onStatusChanged',
    tags: ['Notifications'],
    summary: 'Your server: a status has changed',
    description:
      'Sent to the notification address of the order at each change of its status, the first `pending` included.\n\n' +
      'Check the signature first: HMAC-SHA256 of the timestamp text, a full stop and the raw bytes of the body, with ' +
      'the secret of the order as key; compare in constant time, and refuse a timestamp more than five minutes away ' +
      'from your clock. Do not parse and write the JSON again before that.\n\n' +
      'Deliveries may repeat and overtake one another: remember `id`, and let the higher `status_version` win. Only ' +
      '`paid` confirms a payment; post it once per `data.event_id`.\n\n' +
      'Answer with any 2xx within 8 seconds once you have stored it; the body of your answer is ignored. Anything ' +
      'else, a redirect included, is tried again after 1, 5, 15 and 30 minutes and 1, 2, 4, 6 and 8 hours: ten ' +
      'attempts in all, each with the same bytes under a fresh timestamp. After that it can be replayed.',
    security: [],
    parameters: [
      header(
        'X-Service-Event-ID',
        'The notification, equal to `id` in the body.',
        NotificationId,
        'ne_01JNXW900E4S8D2G6J1KC5P7VA',
      ),
      header(
        'X-Service-Timestamp',
        'When this attempt was signed, in Unix seconds.',
        Type.String({ pattern: '^[0-9]+$' }),
        '1772443930',
      ),
      header(
        'X-Service-Signature',
        '`sha256=` and 64 lower-case hexadecimal digits.',
        Type.String({ pattern: '^sha256=[0-9a-f]{64}$' }),
        'sha256=5f1d…',
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
      '2XX': { description: 'Stored. It is not sent again.' },
      default: { description: 'Anything else, or no answer within 8 seconds: it is tried again.' },
    },
  };
}
