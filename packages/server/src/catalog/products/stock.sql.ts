import { type Queryable, sql, type Tx, type Write } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';

/** Some of a product. */
export interface Items {
  gd_no: string;
  quantity: number;
}

/** Takes items out of stock; refuses where there are not enough, in the statement itself (D-178). */
export function takeStock(merchant_id: string, { gd_no, quantity }: Items): Write {
  return {
    statement: sql`UPDATE products SET in_stock = in_stock - ${quantity}::integer
      WHERE merchant_id = ${merchant_id}::uuid AND gd_no = ${gd_no}
        AND in_stock >= ${quantity}::integer /* guard: stock-taken-where-it-covers */`,
    rows: 1,
    otherwise: () => new AppError('out_of_stock'),
  };
}

/** Puts items back, or new ones in. Nothing for nothing. */
export function addStock(merchant_id: string, items: readonly Items[]): Write[] {
  const byProduct = new Map<string, number>();
  for (const { gd_no, quantity } of items) byProduct.set(gd_no, (byProduct.get(gd_no) ?? 0) + quantity);
  if (byProduct.size === 0) return [];
  return [
    {
      statement: sql`UPDATE products p SET in_stock = p.in_stock + c.quantity
        FROM unnest(${[...byProduct.keys()]}::text[], ${[...byProduct.values()]}::integer[])
          AS c (gd_no, quantity)
        WHERE p.merchant_id = ${merchant_id}::uuid AND p.gd_no = c.gd_no`,
      rows: byProduct.size,
    },
  ];
}

/** What is left of a product, which nobody takes before the transaction ends. */
export async function lockStock(tx: Tx, merchant_id: string, gd_no: string): Promise<number> {
  const [row] = await tx.query<{ in_stock: bigint | number }>(
    sql`SELECT in_stock FROM products WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no} FOR UPDATE`,
  );
  return Number(row?.in_stock ?? 0);
}

/** What is left of a product, for telling. */
export async function readStock(db: Queryable, merchant_id: string, gd_no: string): Promise<number | null> {
  const [row] = await db.query<{ in_stock: bigint | number }>(
    sql`SELECT in_stock FROM products WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no}`,
  );
  return row === undefined ? null : Number(row.in_stock);
}

/** Sets a product's stock. Call under its lock. */
export async function setStock(tx: Tx, merchant_id: string, gd_no: string, in_stock: number): Promise<void> {
  await tx.query(
    sql`UPDATE products SET in_stock = ${in_stock} WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no}`,
  );
}
