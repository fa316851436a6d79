/** What the console shows of a merchant's recent API requests. */
import Type, { type Static } from 'typebox';
import { Instant, nextCursor, orNull, Text } from '../scalars.ts';

export const ApiRequest = Type.Object(
  {
    seen_id: Text('Identifies the entry: a request id may have been chosen by the client, and used twice.'),
    request_id: Text('What the answer carried as `X-Request-Id`.'),
    at: Instant('When it came.'),
    client_id: Text('The client whose token came with it, or that asked for one.'),
    method: Text('The HTTP method.'),
    route: Text('The call, with names in place of what varies.'),
    path: Text('The address that was asked for, without its query; cut after 512 characters.'),
    status: Type.Integer({ description: 'The HTTP status of the answer.' }),
    error: orNull(Text('The code of the error; null where it was none.')),
    duration_ms: Type.Integer({ minimum: 0, description: 'How long the answer took.' }),
  },
  { title: 'ApiRequest' },
);
export type ApiRequest = Static<typeof ApiRequest>;

export const ApiRequestPage = Type.Object(
  { items: Type.Array(ApiRequest, { description: 'Newest first.' }), next_cursor: nextCursor },
  {
    title: 'ApiRequestPage',
    examples: [
      {
        items: [
          {
            seen_id: '01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
            request_id: '0b9e1c6e-6b8f-4c57-9c0e-5d3f7a1f2b44',
            at: '2026-03-02T09:30:00.000Z',
            client_id: 'cl_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
            method: 'POST',
            route: '/openapi/v1/merchant-payments',
            path: '/openapi/v1/merchant-payments',
            status: 409,
            error: 'payment_conflict',
            duration_ms: 7,
          },
        ],
      },
    ],
  },
);
export type ApiRequestPage = Static<typeof ApiRequestPage>;
