/** A merchant’s recent API requests, as the console shows them. */
import Type, { type Static } from 'typebox';
import { Instant, nextCursor, orNull, Text } from '../scalars.ts';

export const ApiRequest = Type.Object(
  {
    seen_id: Text('Identifies the entry. A request id is not unique, because a client can choose it.'),
    request_id: Text('The `X-Request-Id` of the answer.'),
    at: Instant('Time when the request arrived.'),
    client_id: Text('The client that sent the request or asked for a token.'),
    method: Text('The HTTP method.'),
    route: Text('The path of the call, with parameter names instead of values.'),
    path: Text('The requested path without the query, cut after 512 characters.'),
    status: Type.Integer({ description: 'The HTTP status of the answer.' }),
    error: orNull(Text('The error code; null if the call succeeded.')),
    field: orNull(Text('The member of the request that was at fault; null if the error names none.')),
    duration_ms: Type.Integer({ minimum: 0, description: 'Duration of the request, in milliseconds.' }),
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
            field: 'amount',
            duration_ms: 7,
          },
        ],
      },
    ],
  },
);
export type ApiRequestPage = Static<typeof ApiRequestPage>;
