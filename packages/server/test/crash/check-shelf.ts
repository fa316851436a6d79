import type { Bought } from './check-purchase.ts';
import { cancelled, type PurchaseRecord } from './purchase-record.ts';
import type { Product } from './shelf.ts';

/** How a product stands after all kills. */
export interface ShelfState {
  in_stock: number;
  /** Codes that have not gone out, and that have. */
  left: number;
  given: number;
}

/**
 * What is wrong with a product after all kills, in sentences; pure. What is gone was sold, once; what orders that were
 * given up had set aside is back (D-178); each code went out with one order, or not yet (D-177).
 *
 * @param orders every order of it
 * @param purchases what was to be bought of it
 */
export function shelfProblems(
  product: Product,
  state: ShelfState,
  orders: readonly Bought[],
  purchases: readonly PurchaseRecord[],
): string[] {
  const asked = sum(orders.map(({ sold }) => sold.quantity));
  const gone = sum(orders.filter(({ sold }) => sold.status !== cancelled).map(({ sold }) => sold.quantity));
  const found: string[] = [];
  if (state.in_stock < 0 || state.in_stock !== product.stocked - gone) {
    found.push(`${state.in_stock} are in stock, of ${product.stocked} of which ${gone} are sold`);
  }
  if (product.delivery === 'code') found.push(...codeProblems(product, state, orders, gone));
  for (const { refused_of, request } of purchases) {
    if (refused_of !== null && asked + request.quantity <= refused_of) {
      found.push(`${request.quantity} were refused of ${refused_of}, and only ${asked} were ever ordered`);
    }
  }
  return found.map((problem) => `product ${product.gd_no} (${product.delivery}): ${problem}`);
}

function codeProblems(
  { codes, stocked }: Product,
  { left, given }: ShelfState,
  orders: readonly Bought[],
  gone: number,
): string[] {
  const found: string[] = [];
  if (left + given !== stocked) found.push(`${left} codes are left and ${given} given, of ${stocked}`);
  if (given !== gone) found.push(`${given} codes are given, and ${gone} sold`);
  const known = new Set(codes);
  const holders = new Map<string, string>();
  for (const { sold, codes: handed } of orders) {
    for (const code of handed) {
      const other = holders.get(code);
      if (other !== undefined) found.push(`${code} went to ${other} and to ${sold.order_no}`);
      if (!known.has(code)) found.push(`${sold.order_no} has ${code}, which no merchant uploaded`);
      holders.set(code, sold.order_no);
    }
  }
  return found;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
