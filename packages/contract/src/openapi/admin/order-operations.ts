/** Orders of all merchants. */
import Type from 'typebox';
import { AdminOrder, CatalogOrderDetailAnswer, OrderDetailAnswer } from '../../admin/order.ts';
import { query } from '../parameters.ts';
import { orderFilters } from '../parameters.ts';
import { list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

export const orderOperations: readonly Operation[] = [
  list({
    id: 'listAllOrders',
    path: '/collection-orders',
    summary: 'List collection orders of all merchants',
    description:
      'Newest first: those of one merchant by time, those of all by number. `from` and `to` narrow the orders of one ' +
      'merchant, and demand `merchant_no`.',
    query: [query('merchant_no', 'Only those of this merchant.', Type.String()), ...orderFilters],
    item: titled('AdminOrder', AdminOrder),
  }),
  read({
    id: 'readOrderDetail',
    path: '/collection-orders/{order_no}',
    summary: 'Read everything about an order',
    answer: titled('OrderDetail', OrderDetailAnswer),
  }),
  read({
    id: 'readCatalogOrderDetail',
    path: '/catalog-orders/{order_no}',
    summary: 'Read everything about an order of a product',
    answer: CatalogOrderDetailAnswer,
  }),
];
