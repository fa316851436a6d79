import Type from 'typebox';
import { ApiRequestPage } from '../../console/request.ts';
import { OneOf } from '../../scalars.ts';
import { consoleBase, consoleCall, merchantNoParameter } from './call.ts';
import { pageParameters, query } from '../parameters.ts';
import type { Operation } from '../operation.ts';

/** What a merchant's clients have asked lately. */
export const consoleRequestOperations: readonly Operation[] = [
  {
    id: 'listApiRequests',
    tag: 'Console',
    method: 'get',
    place: { below: 'base_url', path: `${consoleBase}/api-requests` },
    summary: 'List recent API requests',
    description:
      'What the merchant’s clients have asked, within a second or two of the answer: never a body, a query or a token. ' +
      'Kept for seven days, the newest 20,000 at most. A request whose token or secret was wrong is nobody’s, and is ' +
      'not among them.',
    security: { by: 'session_cookie' },
    parameters: [
      merchantNoParameter,
      query('request_id', 'Only those with this `X-Request-Id`.', Type.String()),
      query('client_id', 'Only those of this client.', Type.String()),
      query('status', 'Only those that were answered so.', OneOf(['2xx', '4xx', '5xx'], 'Statuses.')),
      ...pageParameters,
    ],
    successes: [{ status: 200, description: 'A page.', schemas: [ApiRequestPage] }],
    errors: consoleCall,
    limits: [],
  },
];
