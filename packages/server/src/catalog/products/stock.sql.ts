/** The SQL statements that read and change the stock of products. */
import { type Queryable, sql, type Tx, type Write } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';

/** A quantity of a product. */
export interface Items {
  gd_no: string;
  quantity: number;
}

/** Takes items out of stock. The statement itself fails with `out_of_stock` if there are too few (D-178). */
export function takeStock(merchant_id: string, { gd_no, quantity }: Items): Write {
  return {
    statement: sql`UPDATE products SET in_stock = in_stock - ${quantity}::integer
      WHERE merchant_id = ${merchant_id}::uuid AND gd_no = ${gd_no}
        AND in_stock >= ${quantity}::integer /* guard: stock-taken-where-it-covers */`,
    rows: 1,
    otherwise: () => new AppError('out_of_stock'),
  };
}

/** The largest stock that a product can have. */
const mostStock = 2_147_483_647;

/**
 * Adds items to the stock. An empty list makes no write. Items whose codes the merchant has withdrawn meanwhile do not come
 * back (D-1376), and what does not fit, because the merchant has set the largest stock, is lost (D-1161): both also leave
 * what was supplied.
 */
export function addStock(merchant_id: string, items: readonly Items[]): Write[] {
  const byProduct = new Map<string, number>();
  for (const { gd_no, quantity } of items) byProduct.set(gd_no, (byProduct.get(gd_no) ?? 0) + quantity);
  if (byProduct.size === 0) return [];
  const added = sql`least(greatest(c.quantity - p.codes_missing, 0), ${mostStock} - p.in_stock)`;
  return [
    {
      statement: sql`UPDATE products p SET in_stock = p.in_stock + ${added}::integer,
          supplied = p.supplied + ${added} - c.quantity,
          codes_missing = greatest(p.codes_missing - c.quantity, 0)::integer
        FROM unnest(${[...byProduct.keys()]}::text[], ${[...byProduct.values()]}::bigint[])
          AS c (gd_no, quantity)
        WHERE p.merchant_id = ${merchant_id}::uuid AND p.gd_no = c.gd_no`,
      rows: byProduct.size,
    },
  ];
}

/**
 * Locks a product until the transaction ends, and reads its stock. A number below zero says how many items of open orders have
 * no code. 0 for an unknown product.
 */
export async function lockStock(tx: Tx, merchant_id: string, gd_no: string): Promise<number> {
  const [row] = await tx.query<{ free: bigint | number }>(
    sql`SELECT in_stock - codes_missing AS free FROM products
      WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no} FOR UPDATE`,
  );
  return Number(row?.free ?? 0);
}

/** Reads the stock of a product without a lock. Null for an unknown product. */
export async function readStock(db: Queryable, merchant_id: string, gd_no: string): Promise<number | null> {
  const [row] = await db.query<{ in_stock: bigint | number }>(
    sql`SELECT in_stock FROM products WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no}`,
  );
  return row === undefined ? null : Number(row.in_stock);
}

/** Sets the stock of a product to `free`; below zero are items of open orders without a code. Call under the product's lock. */
export async function setStock(tx: Tx, merchant_id: string, gd_no: string, free: number): Promise<number> {
  const in_stock = Math.max(0, free);
  await tx.query(
    sql`UPDATE products SET in_stock = ${in_stock}::integer, supplied = supplied + ${in_stock}::integer - in_stock,
        codes_missing = ${in_stock - free}::integer
      WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no}`,
  );
  return in_stock;
}
