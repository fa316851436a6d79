/** The two kinds of orders that can be refunded or complained about, and how calls find them. */
import type { Queryable } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import { selectCatalogOrderByNo, selectTestCatalogOrders } from '../../catalog/orders/index.ts';
import { selectOrderByNo, selectTestOrders } from '../../collection/orders/index.ts';
import type { Refund } from '../../payments/losses/index.ts';

/** An order of any kind, by its owner and number. */
export type OrderKey = Pick<Refund, 'merchant_id' | 'order_no'>;

/** The path and the look-ups of each kind of order. */
export const orderKinds: readonly {
  path: string;
  find: (db: Queryable, order_no: string) => Promise<OrderKey | null>;
  tests: (db: Queryable, orders: readonly OrderKey[]) => Promise<string[]>;
}[] = [
  { path: '/collection-orders', find: selectOrderByNo, tests: selectTestOrders },
  { path: '/catalog-orders', find: selectCatalogOrderByNo, tests: selectTestCatalogOrders },
];

/** The order of one kind with this number. Throws AppError `not_found`. */
export async function orderInPath(
  db: Queryable,
  { find }: Pick<(typeof orderKinds)[number], 'find'>,
  order_no: string,
): Promise<OrderKey> {
  const order = await find(db, order_no);
  if (order === null) throw new AppError('not_found');
  return order;
}

/** Finds which of these orders, of either kind, are tests. */
export async function findTests(db: Queryable, orders: readonly OrderKey[]): Promise<Set<string>> {
  const found = await Promise.all(orderKinds.map(({ tests }) => tests(db, orders)));
  return new Set(found.flat());
}
