/** Takes in the codes that a merchant uploads for a product, and counts the codes that are left. */
import type { Database, Queryable, Tx } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { Clock } from '../../base/time/clock.ts';
import { AppError, invalid } from '../../base/errors.ts';
import { sealed } from '../../base/sealed-columns.ts';
import { countCodes, insertCodes, selectKnownDigests, type StoredCode } from './codes.sql.ts';
import { wakeOrders } from './due-orders.sql.ts';
import { lockStock, readStock, setStock } from '../products/index.ts';

export interface CodeDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
}

/** The number of codes of a product, and its stock. */
export interface CodesLeft {
  /** Number of unassigned codes. */
  left: number;
  /** Number of codes assigned to orders. */
  given: number;
  in_stock: number;
}

export interface Uploaded extends CodesLeft {
  added: number;
  /** Number of codes that the product already has or had, or that are repeated in the request. */
  known: number;
}

const mostBytes = 1_000;

/**
 * Stores new codes of a product, sealed. Known codes are skipped. Paid orders that wait for codes become due again.
 *
 * Invariants: afterwards the stock is the number of unassigned codes less the items of open orders. Each code is stored
 * once per product.
 *
 * @param codes one text each; white space around it is ignored
 * @throws AppError `product_not_found`, `invalid_request` for an empty code or a code of more than 1000 bytes
 */
export async function uploadCodes(
  deps: CodeDeps,
  tx: Tx,
  { merchant_id, gd_no }: { merchant_id: string; gd_no: string },
  codes: readonly string[],
): Promise<Uploaded> {
  const texts = [...new Set(codes.map(readCode))];
  const digestsOf = digests(deps);
  const now = deps.clock.now();
  if ((await readStock(tx, merchant_id, gd_no)) === null) throw new AppError('product_not_found');
  // Everywhere, orders are locked before products: this locks the waiting orders first.
  await wakeOrders(tx, merchant_id, gd_no, now);
  await lockStock(tx, merchant_id, gd_no);
  const known = await selectKnownDigests(tx, merchant_id, gd_no, texts.flatMap(digestsOf));
  const fresh = texts.filter((text) => !digestsOf(text).some((digest) => known.has(digest.toString('hex'))));
  const stored = fresh.map((text): StoredCode => {
    const code_id = `cc_${deps.ids.ulid(now)}`;
    return {
      code_id,
      code_box: deps.box.seal(text, sealed.catalogCode.row({ merchant_id, gd_no, code_id })),
      code_digest: deps.box.digest(digestPurpose, text),
    };
  });
  if (stored.length > 0) await tx.write([insertCodes(merchant_id, gd_no, stored, now)]);
  // Again: since the first call, a worker may have found no codes, or an order may have been paid. A worker
  // looks for codes under the product's lock, so no other order can miss these codes.
  await wakeOrders(tx, merchant_id, gd_no, now);
  const stock = await updateStockFromCodes(tx, merchant_id, gd_no);
  return { added: fresh.length, known: codes.length - fresh.length, ...stock };
}

const digestPurpose = 'catalog-code';

/** Returns a function that computes the keyed digests under which a code may be stored, without its text. */
export const digests =
  ({ box }: Pick<CodeDeps, 'box'>) =>
  (text: string): Buffer[] =>
    box.digests(digestPurpose, text);

/** Sets stock to the unassigned codes less the items of open orders. Call under the lock of the product. */
export async function updateStockFromCodes(tx: Tx, merchant_id: string, gd_no: string): Promise<CodesLeft> {
  const { left, assigned, outstanding } = await countCodes(tx, merchant_id, gd_no);
  const in_stock = await setStock(tx, merchant_id, gd_no, left - outstanding);
  return { left, given: assigned, in_stock };
}

/** Trims and checks a code. Throws AppError `invalid_request`. */
export function readCode(text: string, index: number): string {
  const code = text.trim();
  if (code === '') throw invalid(`codes.${index}`, 'A code must be a non-empty text.');
  if (Buffer.byteLength(code, 'utf8') > mostBytes) {
    throw invalid(`codes.${index}`, `A code must have at most ${mostBytes} bytes.`);
  }
  return code;
}

/** Counts the codes of a product. Throws AppError `product_not_found`. */
export async function readCodesLeft(db: Queryable, merchant_id: string, gd_no: string): Promise<CodesLeft> {
  const [in_stock, { left, assigned }] = await Promise.all([
    readStock(db, merchant_id, gd_no),
    countCodes(db, merchant_id, gd_no),
  ]);
  if (in_stock === null) throw new AppError('product_not_found');
  return { left, given: assigned, in_stock };
}
