import { mostNamedOrders, NamedOrdersRequest } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { reader } from '../../base/input/decode.ts';
import { findNamedOrders } from '../../collection/reading/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { actorOf, type ByMerchant, memberOf, type Request } from '../request/member.ts';
import { consoleOrderJson } from './order-json.ts';

const readRequest = reader(NamedOrdersRequest);

/** Enough for a thousand order numbers and a thousand references in any script. */
const mostBytes = 1_048_576;

/**
 * `POST reconciliation`: returns the orders that a merchant's own records name, of any age. The console compares them
 * in the browser with the code of `@paydesk/sdk`. The call changes nothing. It has a limit (D-1084).
 */
export function reconciliationRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const options = {
    config: { max_body_bytes: mostBytes },
    // Before the body is read.
    onRequest: (request: Request) => deps.limits.take('reconciliation', actorOf(request)),
  };
  app.post<ByMerchant>('/reconciliation', options, async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const orders = await findNamedOrders(deps, merchant_id, readRequest(request.body), mostNamedOrders + 1);
    return {
      items: orders.slice(0, mostNamedOrders).map(consoleOrderJson),
      complete: orders.length <= mostNamedOrders,
    };
  });
}
