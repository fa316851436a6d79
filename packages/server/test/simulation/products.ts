import type { CatalogOrderDeps } from '../../src/catalog/orders/deps.ts';
import { createProduct } from '../../src/catalog/products/save-product.ts';
import { uploadCodes } from '../../src/catalog/fulfilment/upload-codes.ts';

/** A product with little stock. */
export interface Product {
  merchant_id: string;
  gd_no: string;
  /** How it is delivered: as a code, or by hand. */
  delivery: 'code' | 'by hand';
}

/** How many there are of each at first. */
export const firstStock = 3;

/** One product that is delivered by hand, and one that is delivered as codes. */
export async function addProducts(
  deps: Pick<CatalogOrderDeps, 'db' | 'clock' | 'ids' | 'box'>,
  [one, other]: readonly [string, string],
): Promise<readonly [Product, ...Product[]]> {
  const { db, clock, ids } = deps;
  return db.transaction(async (tx) => {
    const add = async (merchant_id: string, in_stock: number): Promise<string> => {
      const settings = { gd_name: 'Gift card', currency: 'USD', actual_price: 1_000_000_000n, in_stock };
      const { product } = await createProduct(tx, ids, merchant_id, settings, clock.now());
      return product.gd_no;
    };
    const by_hand = { merchant_id: one, gd_no: await add(one, firstStock), delivery: 'by hand' } as const;
    const by_code = { merchant_id: other, gd_no: await add(other, 0), delivery: 'code' } as const;
    await uploadCodes(deps, tx, by_code, codesFrom(0));
    return [by_hand, by_code];
  });
}

/** So many codes as there are at first, and none that another call has given. @param round counted from 0 */
export const codesFrom = (round: number): string[] =>
  Array.from({ length: firstStock }, (_, i) => `CODE-${round * firstStock + i}`);
