/** How administration calls look up the merchant that a path, a query or a body names by its number. */
import { AppError, invalid } from '../../base/errors.ts';
import { merchantIdOf } from '../../base/ids.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { type Merchant, selectMerchant } from '../../merchants/index.ts';
import { textIn } from './decode.ts';

/** The merchant id of a number in a path, computed without the database. Throws AppError `not_found`. */
export function merchantIdInPath(merchant_no: string): string {
  const merchant_id = merchantIdOf(merchant_no);
  if (merchant_id === null) throw new AppError('not_found');
  return merchant_id;
}

/** The merchant with this number. Throws AppError `not_found`. */
export async function findMerchant(db: Queryable, merchant_no: string): Promise<Merchant> {
  const merchant = await selectMerchant(db, merchantIdInPath(merchant_no));
  if (merchant === null) throw new AppError('not_found');
  return merchant;
}

/** The id of the merchant that a body or a filter names. Throws AppError `invalid_request` on `field`. */
export async function demandMerchant(db: Queryable, field: string, merchant_no: string): Promise<string> {
  const merchant_id = merchantIdOf(merchant_no);
  if (merchant_id === null || (await selectMerchant(db, merchant_id)) === null) {
    throw invalid(field, `There is no merchant ${merchant_no}.`);
  }
  return merchant_id;
}

/**
 * The merchant id of `merchant_no` in a list's query; null if it is empty or absent.
 *
 * @throws AppError `invalid_request`
 */
export function merchantIdInQuery(query: Readonly<Record<string, unknown>>): string | null {
  const merchant_no = textIn(query, 'merchant_no');
  if (merchant_no === null) return null;
  const merchant_id = merchantIdOf(merchant_no);
  if (merchant_id === null) throw invalid('merchant_no', 'This is not a merchant number.');
  return merchant_id;
}
