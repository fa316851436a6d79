import type { FastifyInstance } from 'fastify';
import { actWrites } from '../../base/audit/index.ts';
import { AppError } from '../../base/errors.ts';
import type { JsonValue } from '../../base/input/json.ts';
import { createOrder, decodeCreateRequest } from '../../collection/creating/index.ts';
import { createdJson } from '../../collection/orders/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, memberOf } from '../request/member.ts';

/**
 * `POST /collection-orders`: a person creates an order by hand (D-223). It takes the body of the merchant API and runs the same
 * creation, under the same limit, counted for the person. Its entry in the audit log is stored with the order, once.
 */
export function newOrderRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  app.post<ByMerchant>('/collection-orders', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    await deps.limits.take('create', actor);
    if (merchant.status !== 'active') throw new AppError('merchant_inactive');
    const wanted = decodeCreateRequest(request.body as JsonValue | undefined, deps.notify_allow_cidrs);
    const order = await createOrder(deps.collection, merchant.merchant_id, wanted, {
      writes: (made) => {
        const { checkout_url: _, ...after } = createdJson(made, () => '');
        return actWrites(deps, { actor, action: 'order.create', target: `order:${made.order_no}`, after });
      },
    });
    return reply.code(201).send(createdJson(order, deps.checkoutUrl));
  });
}
