/** The HTTP routes of collection orders in the merchant API. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { JsonValue } from '../base/input/json.ts';
import { trimmed } from '../base/input/trimmed.ts';
import { directoryOf } from '../channels/index.ts';
import { listAllDeliveries, replay } from '../notifications/delivery-records/index.ts';
import type { Bearer, Caller } from '../oauth/tokens/index.ts';
import type { Scope } from '../oauth/clients/index.ts';
import { createOrder, decodeCreateRequest } from './creating/index.ts';
import {
  type CollectionDeps,
  type CheckoutUrl,
  type CollectionOrder,
  createdJson,
  orderJson,
  snapshotOf,
} from './orders/index.ts';
import { listOrders, listOrdersByTime, readCreationSpan, readOrder } from './reading/index.ts';
import { readListLimit } from '../http/lists/list-limit.ts';
import type { Limiter, LimitGroup } from '../http/rate-limit.ts';
import { AppError } from '../base/errors.ts';

export interface CollectionRoutesDeps extends CollectionDeps {
  bearer: Bearer;
  limiter: Limiter;
  checkoutUrl: CheckoutUrl;
  notify_allow_cidrs: readonly string[];
}

/**
 * Within this version the API only grows (R-017, R-020, D-025). Catalog orders have separate paths and are
 * unknown on these.
 */
const base = '/openapi/v1';

/**
 * Adds the routes. They accept client-credentials tokens only. Creating and replaying need the create
 * scope, everything else the read scope. A success is the object itself:
 * 201 for a creation or its repetition, 202 for a replay, 200 otherwise (R-296, H-28). There is no
 * call to refund, cancel or withdraw.
 */
export function collectionRoutes(app: FastifyInstance, deps: CollectionRoutesDeps): void {
  const { guard, merchantOf } = createGuard(deps);

  app.post(
    `${base}/merchant-payments`,
    { onRequest: guard('merchant_payments.create', 'create') },
    async (request, reply) => {
      const wanted = decodeCreateRequest(request.body as JsonValue | undefined, deps.notify_allow_cidrs);
      const order = await createOrder(deps, merchantOf(request), wanted);
      return reply.code(201).send(createdJson(order, deps.checkoutUrl));
    },
  );

  app.get<{ Querystring: Query }>(
    `${base}/merchant-payments`,
    { onRequest: guard('merchant_payments.read', 'read') },
    async (request) => {
      const filter = {
        external_reference: readFilter(request.query.external_reference),
        order_no: readFilter(request.query.order_no),
      };
      const limit = readListLimit(request.query.limit);
      const show = (order: CollectionOrder) => orderJson(order, deps.checkoutUrl);
      const span = readCreationSpan(request.query);
      if (span !== null) {
        return listOrdersByTime(deps, merchantOf(request), { ...span, filter, limit }, show);
      }
      const orders = await listOrders(deps, merchantOf(request), filter, limit);
      // There are no members for paging.
      return { items: orders.map(show) };
    },
  );

  app.get<{ Params: OrderParams }>(
    `${base}/merchant-payments/:order_no`,
    { onRequest: guard('merchant_payments.read', 'read') },
    async (request) => {
      const order = await readOrder(deps, merchantOf(request), request.params.order_no);
      return orderJson(order, deps.checkoutUrl);
    },
  );

  app.get<{ Params: OrderParams; Querystring: Query }>(
    `${base}/merchant-payments/:order_no/notifications`,
    { onRequest: guard('merchant_payments.read', 'records') },
    async (request) => {
      const merchant_id = merchantOf(request);
      // An unknown or foreign order is 404, one without notifications has none to list.
      const order = await readOrder(deps, merchant_id, request.params.order_no);
      const limit = readListLimit(request.query.limit);
      return { items: await listAllDeliveries(deps.db, snapshotOf(order), limit) };
    },
  );

  app.post<{ Params: OrderParams & { event_id: string } }>(
    `${base}/merchant-payments/:order_no/notifications/:event_id/retry`,
    { onRequest: guard('merchant_payments.create', 'replay'), config: { body: 'ignored' } },
    async (request, reply) => {
      const { order_no, event_id } = request.params;
      const event = { merchant_id: merchantOf(request), order_no, event_id };
      const outcome = await deps.db.transaction((tx) => replay(tx, event, deps.clock.now()));
      if (outcome === 'unknown') throw new AppError('payment_not_found');
      return reply.code(202).send({ accepted: true });
    },
  );

  app.get(
    `${base}/merchant-payment-channels`,
    { onRequest: guard('merchant_payments.read', 'read') },
    async (request) => {
      const merchant_id = merchantOf(request);
      // No query parameter changes the directory.
      return { items: directoryOf(await deps.channels.of(merchant_id), merchant_id) };
    },
  );
}

/** Authenticates a client, and keeps the merchant of each accepted request. */
function createGuard({ bearer, limiter }: Pick<CollectionRoutesDeps, 'bearer' | 'limiter'>) {
  const callers = new WeakMap<FastifyRequest, Caller>();
  return {
    /**
     * Checks token, kind, scope and merchant, then the rate limit, before the body is read and a key is looked up
     * (R-115, R-313, D-011). Creations have one limit, reads and the directory another, replays another
     * and delivery records their own (D-010, D-159). Calls are counted per client, not per token.
     */
    guard: (scope: Scope, group: LimitGroup) => async (request: FastifyRequest) => {
      const caller = await bearer(request, { scope, kind: 'client' });
      await limiter.take(group, caller.client_id);
      callers.set(request, caller);
    },
    /** The merchant of the client. All clients of one merchant see the same orders. */
    merchantOf: (request: FastifyRequest): string => {
      const caller = callers.get(request);
      if (caller === undefined) throw new AppError('invalid_token');
      return caller.merchant_id;
    },
  };
}

interface OrderParams {
  order_no: string;
}

type Query = Record<string, string | string[] | undefined>;

/** Reads a filter and trims it. An empty or repeated one counts as missing (D-156). */
const readFilter = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? trimmed(value) : '';
