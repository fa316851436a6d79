import type { FastifyInstance } from 'fastify';
import type { AdminDeps } from '../request/deps.ts';
import type { ByOrder } from '../request/request.ts';
import { catalogOrderDetail, orderDetail } from './order-detail.ts';

/** `GET /collection-orders/{order_no}` and `GET /catalog-orders/{order_no}`: one order with its payment. */
export function orderDetailRoutes(app: FastifyInstance, deps: AdminDeps): void {
  app.get<ByOrder>('/collection-orders/:order_no', ({ params }) => orderDetail(deps, params.order_no));
  app.get<ByOrder>('/catalog-orders/:order_no', ({ params }) => catalogOrderDetail(deps, params.order_no));
}
