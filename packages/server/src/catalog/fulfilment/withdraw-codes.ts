import type { Tx } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import { countFreeCodes, deleteFreeCodes } from './codes.sql.ts';
import { type CodeDeps, type CodesLeft, digests, readCode, updateStockFromCodes } from './upload-codes.ts';
import { lockStock, readStock } from '../products/index.ts';

export interface Withdrawn extends CodesLeft {
  withdrawn: number;
  /** How many of the request have gone out, are not of this product, or came twice. */
  passed_over: number;
}

/**
 * Takes away codes of a product that have not gone out; they can be uploaded again. Its stock is then what is left and
 * not spoken for by orders. Never a code that an order is being given: both wait for the product (D-177).
 *
 * @param codes as they were uploaded, or all
 * @throws AppError `product_not_found`, `invalid_request` for a text that is no code
 */
export async function withdrawCodes(
  deps: Pick<CodeDeps, 'box'>,
  tx: Tx,
  { merchant_id, gd_no }: { merchant_id: string; gd_no: string },
  codes: readonly string[] | 'all',
): Promise<Withdrawn> {
  const named = codes === 'all' ? codes : [...new Set(codes.map(readCode))].map(digests(deps));
  if ((await readStock(tx, merchant_id, gd_no)) === null) throw new AppError('product_not_found');
  await lockStock(tx, merchant_id, gd_no);
  const withdrawn = await countFreeCodes(tx, merchant_id, gd_no, named);
  if (withdrawn > 0) await tx.write([deleteFreeCodes(merchant_id, gd_no, named, withdrawn)]);
  const stock = await updateStockFromCodes(tx, merchant_id, gd_no);
  return { withdrawn, passed_over: codes === 'all' ? 0 : codes.length - withdrawn, ...stock };
}
