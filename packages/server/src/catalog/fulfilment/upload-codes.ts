import type { Database, Tx } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Clock } from '../../base/time/clock.ts';
import { AppError, invalid } from '../../base/errors.ts';
import { countCodes, insertCodes, selectKnownDigests, type StoredCode } from './codes.sql.ts';
import { wakeOrders } from './due-orders.sql.ts';
import { lockStock, readStock, setStock } from '../products/index.ts';

export interface CodeDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
}

/** How the codes of a product stand. */
export interface CodesLeft {
  /** Not gone out yet. */
  left: number;
  /** Gone out with orders. */
  given: number;
  in_stock: number;
}

export interface Uploaded extends CodesLeft {
  added: number;
  /** How many of them the product had before, or came twice. */
  known: number;
}

const mostBytes = 1_000;

/**
 * Takes in codes of a product, sealed; what it has or had before is passed over. From now on its stock is what of its
 * codes is not spoken for by orders. Paid orders that wait for codes are looked at again.
 *
 * @param codes one text each; white space around it does not count
 * @throws AppError `product_not_found`, `invalid_request` for an empty code or one of more than 1000 bytes
 */
export async function uploadCodes(
  deps: CodeDeps,
  tx: Tx,
  { merchant_id, gd_no }: { merchant_id: string; gd_no: string },
  codes: readonly string[],
): Promise<Uploaded> {
  const texts = [...new Set(codes.map(readCode))];
  const digestOf = digests(deps);
  const now = deps.clock.now();
  if ((await readStock(tx, merchant_id, gd_no)) === null) throw new AppError('product_not_found');
  // Orders before products, as everywhere: what waits by now is locked before the product is.
  await wakeOrders(tx, merchant_id, gd_no, now);
  await lockStock(tx, merchant_id, gd_no);
  const known = await selectKnownDigests(tx, merchant_id, gd_no, texts.map(digestOf));
  const fresh = texts.filter((text) => !known.has(digestOf(text).toString('hex')));
  const stored = fresh.map((text): StoredCode => ({
    code_id: `cc_${deps.ids.ulid(now)}`,
    code_box: deps.box.seal(text),
    code_digest: digestOf(text),
  }));
  if (stored.length > 0) await tx.write([insertCodes(merchant_id, gd_no, stored, now)]);
  // Again: an order that a worker looked at meanwhile, or that was paid, was not there to be woken before and found none
  // of these codes. Workers look under the lock of the product, so no more of them come in between.
  await wakeOrders(tx, merchant_id, gd_no, now);
  const stock = await updateStockFromCodes(tx, merchant_id, gd_no);
  return { added: fresh.length, known: codes.length - fresh.length, ...stock };
}

/** Tells a code of a product without its text. */
export const digests =
  ({ box }: Pick<CodeDeps, 'box'>) =>
  (text: string): Buffer =>
    box.digest('catalog-code', text);

/** Makes the stock of a product what of its codes is not spoken for by orders. Call under the lock of the product. */
export async function updateStockFromCodes(tx: Tx, merchant_id: string, gd_no: string): Promise<CodesLeft> {
  const { left, assigned, outstanding } = await countCodes(tx, merchant_id, gd_no);
  const in_stock = Math.max(0, left - outstanding);
  await setStock(tx, merchant_id, gd_no, in_stock);
  return { left, given: assigned, in_stock };
}

/** A code as it is kept; white space around it does not count. */
export function readCode(text: string, index: number): string {
  const code = text.trim();
  if (code === '') throw invalid(`codes.${index}`, 'A code is a non-empty text.');
  if (Buffer.byteLength(code, 'utf8') > mostBytes) {
    throw invalid(`codes.${index}`, `A code has at most ${mostBytes} bytes.`);
  }
  return code;
}

/** How many codes of a product are left. Throws AppError `product_not_found`. */
export async function readCodesLeft(
  { db }: Pick<CodeDeps, 'db'>,
  merchant_id: string,
  gd_no: string,
): Promise<CodesLeft> {
  const [in_stock, { left, assigned }] = await Promise.all([
    readStock(db, merchant_id, gd_no),
    countCodes(db, merchant_id, gd_no),
  ]);
  if (in_stock === null) throw new AppError('product_not_found');
  return { left, given: assigned, in_stock };
}
