/** The HTTP routes of catalog orders and their payment in the merchant API. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { JsonValue } from '../../base/input/json.ts';
import type { Limiter, LimitGroup } from '../../http/rate-limit.ts';
import type { Bearer, UserCaller } from '../../oauth/tokens/index.ts';
import type { Scope } from '../../oauth/clients/index.ts';
import type { PaymentDeps } from '../../payments/engine/index.ts';
import { createOrder } from './create-order.ts';
import { decodeOrderRequest, decodePaymentRequest } from './create-request.ts';
import type { CatalogOrderDeps } from './deps.ts';
import { orderJson, paymentJson } from './order-json.ts';
import { type OrderPage, payOrder } from './pay-order.ts';
import { readOwnOrder, readTradeNo } from './read-order.ts';

export interface CatalogOrderRoutesDeps extends CatalogOrderDeps {
  bearer: Bearer;
  limiter: Limiter;
  payments: PaymentDeps;
  orderPage: OrderPage;
  /** Starts a pass that assigns codes. Called when an order may have been paid. */
  wakeFulfilment: () => void;
}

/** The paths of catalog orders, apart from those of collection orders. */
const base = '/openapi/v1/orders';

interface ByOrder {
  Params: { order_no: string };
}

/**
 * Adds the routes. They accept only tokens that a user has authorized. A creation answers 201 with the number
 * a start the payment's number, redirect and deadline, and the status 0, 1 or 2. Starting a
 * payment and reading its status check the owner as reading the order does.
 */
export function catalogOrderRoutes(app: FastifyInstance, deps: CatalogOrderRoutesDeps): void {
  const callers = new WeakMap<FastifyRequest, UserCaller>();

  /** Checks token, kind, scope and merchant, then the rate limit, before the body is read (D-011). */
  const guard = (scope: Scope, group: LimitGroup) => async (request: FastifyRequest) => {
    const caller = await deps.bearer(request, { scope, kind: 'user' });
    await deps.limiter.take(group, caller.client_id);
    callers.set(request, caller);
  };
  const callerOf = (request: FastifyRequest): UserCaller => {
    const caller = callers.get(request);
    if (caller === undefined) throw new AppError('invalid_token');
    return caller;
  };

  app.post(base, { onRequest: guard('orders.create', 'catalog_write') }, async (request, reply) => {
    const wanted = decodeOrderRequest(request.body as JsonValue | undefined);
    const { merchant_id, user_id, client_id } = callerOf(request);
    const { order_no } = await createOrder(deps, { merchant_id, user_id, client_id }, wanted);
    return reply.code(201).send({ order_no });
  });

  app.get<ByOrder>(
    `${base}/:order_no`,
    { onRequest: guard('orders.read', 'catalog_read') },
    async (request) => {
      const order = await readOwnOrder(deps, callerOf(request), request.params.order_no);
      return orderJson(order, await readTradeNo(deps, order));
    },
  );

  app.post<ByOrder>(
    `${base}/:order_no/payment`,
    { onRequest: guard('payments.create', 'catalog_write') },
    async (request, reply) => {
      const { payment_no } = decodePaymentRequest(request.body as JsonValue | undefined);
      // The token may have ended while the body was on the way (D-973).
      const caller = await deps.bearer(request, { scope: 'payments.create', kind: 'user' });
      const order = await readOwnOrder(deps, caller, request.params.order_no);
      const by = { payment_no, client_id: caller.client_id };
      const session = await payOrder(deps.payments, order, by, deps.orderPage);
      deps.wakeFulfilment();
      if (session !== null) return session;
      return reply.code(202).send({
        error: 'provider_result_pending',
        error_description: 'The payment channel has not answered yet. Keep this order; do not pay again.',
      });
    },
  );

  app.get<ByOrder>(
    `${base}/:order_no/payment`,
    { onRequest: guard('payments.read', 'catalog_read') },
    async (request) => {
      const order = await readOwnOrder(deps, callerOf(request), request.params.order_no);
      return paymentJson(order);
    },
  );
}
