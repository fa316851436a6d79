/** Withdraws unassigned codes of a product. */
import type { Tx } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import { countFreeCodes, deleteFreeCodes } from './codes.sql.ts';
import {
  type CodeDeps,
  type CodesLeft,
  digests,
  readCode,
  readCodesLeft,
  updateStockFromCodes,
} from './upload-codes.ts';
import { lockStock, readStock } from '../products/index.ts';

export interface Withdrawn extends CodesLeft {
  withdrawn: number;
  /** Number of requested codes that are assigned, unknown, or repeated in the request. */
  passed_over: number;
}

/**
 * Deletes unassigned codes of a product. They can be uploaded again.
 *
 * Invariants: an assigned code is never deleted, because withdrawing and assigning both lock the product (D-177).
 * Afterwards the stock is the number of unassigned codes less the items of open orders. If there is nothing to withdraw, the stock
 * stays: the product may be delivered by hand (D-1420).
 *
 * @param codes as they were uploaded, or all
 * @throws AppError `product_not_found`, `invalid_request` for a text that is not a code
 */
export async function withdrawCodes(
  deps: Pick<CodeDeps, 'box'>,
  tx: Tx,
  { merchant_id, gd_no }: { merchant_id: string; gd_no: string },
  codes: readonly string[] | 'all',
): Promise<Withdrawn> {
  const named = codes === 'all' ? codes : [...new Set(codes.map(readCode))].flatMap(digests(deps));
  if ((await readStock(tx, merchant_id, gd_no)) === null) throw new AppError('product_not_found');
  await lockStock(tx, merchant_id, gd_no);
  const withdrawn = await countFreeCodes(tx, merchant_id, gd_no, named);
  if (withdrawn > 0) await tx.write([deleteFreeCodes(merchant_id, gd_no, named, withdrawn)]);
  const counted = withdrawn > 0 ? updateStockFromCodes : readCodesLeft;
  const stock = await counted(tx, merchant_id, gd_no);
  return { withdrawn, passed_over: codes === 'all' ? 0 : codes.length - withdrawn, ...stock };
}
