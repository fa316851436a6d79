import Type from 'typebox';
import { ApiRequestPage } from '../../console/request.ts';
import { OneOf } from '../../scalars.ts';
import { consoleBase, consoleCall, merchantNoParameter } from './call.ts';
import { pageParameters, query } from '../parameters.ts';
import type { Operation } from '../operation.ts';

/** The console’s call that lists recent API requests. */
export const consoleRequestOperations: readonly Operation[] = [
  {
    id: 'listApiRequests',
    tag: 'Console',
    method: 'get',
    place: { below: 'base_url', path: `${consoleBase}/api-requests` },
    summary: 'List recent API requests',
    description:
      'The recent requests of the merchant’s clients, shown one or two seconds after the answer, without bodies, ' +
      'queries and tokens. They are kept for seven days, at most the newest 20,000. A request with a wrong token or ' +
      'secret belongs to no merchant and is not listed.',
    security: { by: 'session_cookie' },
    parameters: [
      merchantNoParameter,
      query('request_id', 'Only requests with this `X-Request-Id`.', Type.String()),
      query('client_id', 'Only requests of this client.', Type.String()),
      query(
        'status',
        'Only requests with this class of HTTP status.',
        OneOf(['2xx', '4xx', '5xx'], 'A class of HTTP status.'),
      ),
      ...pageParameters,
    ],
    successes: [{ status: 200, description: 'A page.', schemas: [ApiRequestPage] }],
    errors: consoleCall,
    limits: [],
  },
];
