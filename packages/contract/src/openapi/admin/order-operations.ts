/** The administration’s calls that read orders of all merchants. */
import Type from 'typebox';
import { AdminOrder, CatalogOrderDetailAnswer, OrderDetailAnswer } from '../../admin/order.ts';
import { OrderCount } from '../../console/order.ts';
import { query, orderFilters, orderSort } from '../parameters.ts';
import { list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const ofMerchant = query('merchant_no', 'Only orders of this merchant.', Type.String());

export const orderOperations: readonly Operation[] = [
  list({
    id: 'listAllOrders',
    path: '/collection-orders',
    summary: 'List collection orders of all merchants',
    description:
      'A call looks at 50,000 orders at most, so a page of a long list can be short or empty and still have a ' +
      '`next_cursor`. Of all merchants together, `from` and `to` find the orders that this service numbered; to find ' +
      'imported ones, name the merchant.',
    query: [ofMerchant, ...orderFilters, orderSort],
    item: titled('AdminOrder', AdminOrder),
  }),
  read({
    id: 'countAllOrders',
    path: '/collection-order-count',
    summary: 'Count collection orders of all merchants',
    description: 'The number of orders that match the search and the filters: exact up to 10,000.',
    query: [ofMerchant, ...orderFilters],
    answer: OrderCount,
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
