/** The administration’s calls that read orders of all merchants. */
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
      'Newest first: orders of one merchant by time, orders of all merchants by number. `from` and `to` require ' +
      '`merchant_no`.',
    query: [query('merchant_no', 'Only orders of this merchant.', Type.String()), ...orderFilters],
    item: titled('AdminOrder', AdminOrder),
  }),
  read({
    id: 'readOrderDetail',
    path: '/collection-orders/{order_no}',
    summary: 'Read a collection order in detail',
    answer: titled('OrderDetail', OrderDetailAnswer),
  }),
  read({
    id: 'readCatalogOrderDetail',
    path: '/catalog-orders/{order_no}',
    summary: 'Read a catalog order in detail',
    answer: CatalogOrderDetailAnswer,
  }),
];
