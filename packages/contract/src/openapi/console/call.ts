/** What the calls of the consoles share. */
import Type from 'typebox';
import { anyCall } from '../common-errors.ts';
import type { Parameter } from '../operation.ts';

export const consoleBase = '/console/v1/merchants/{merchant_no}';
export const consoleCall = [...anyCall, 'authentication_required', 'not_found'] as const;
export const consoleWrite = [...consoleCall, 'cross_site_request', 'role_required'] as const;

export const merchantNoParameter: Parameter = {
  name: 'merchant_no',
  in: 'path',
  required: true,
  description: 'A merchant of the person who is signed in.',
  schema: Type.String(),
  example: 'mr_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
};

export const query = (name: string, description: string, schema: Type.TSchema): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

/** `limit` of lists that go on with a cursor: anything outside its range is refused. */
export const pageParameters: readonly Parameter[] = [
  query('limit', 'How many at most.', Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  query('cursor', '`next_cursor` of the page before.', Type.String()),
];

/** `from` and `to`: a span of time, its end left out. */
export const timeParameters = (done: string): readonly Parameter[] => [
  query('from', `Only what was ${done} at this time or later: RFC 3339.`, Type.String({ maxLength: 40 })),
  query('to', `Only what was ${done} before this time: RFC 3339.`, Type.String({ maxLength: 40 })),
];
