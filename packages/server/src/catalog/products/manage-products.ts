/**
 * Creates, changes, reads and lists products for administrators and for members of the merchant. Every write adds an
 * entry to the audit log (D-194). The caller must be allowed to manage `merchant_id`.
 */
import type { ManagedProduct } from '@paydesk/contract';
import type { Act, AuditDeps, Done } from '../../base/audit/index.ts';
import type { Tx } from '../../base/pg/index.ts';
import { selectCurrency } from '../../currencies/index.ts';
import { selectFewNewest, selectManyNewest } from './product-page.sql.ts';
import { fold } from '../search/index.ts';
import { AppError, InvariantError } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import { type Page, pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { trimmed } from '../../base/input/trimmed.ts';
import type { Product } from './product.ts';
import { managedJson } from './product-json.ts';
import { selectProduct } from './product.sql.ts';
import {
  createProduct,
  type NewProductSettings,
  type ProductSettings,
  updateProduct,
} from './save-product.ts';

type ManageDeps = Omit<AuditDeps, 'cache'>;

/** Who writes. `run` makes an audited write, and refuses it if they may not make it any more. */
export interface Manager {
  actor: string;
  run: <D extends Done<unknown, unknown>>(
    deps: ManageDeps,
    act: Act,
    work: (tx: Tx) => Promise<D>,
  ) => Promise<D>;
}

/** Creates a product. Throws AppError `invalid_request`, and as `run`. */
export async function addProduct(
  deps: ManageDeps,
  { actor, run }: Manager,
  merchant_id: string,
  settings: NewProductSettings,
): Promise<ManagedProduct> {
  const { after } = await run(deps, { actor, action: 'product.create' }, async (tx) => {
    const made = await createProduct(tx, deps.ids, merchant_id, settings, deps.clock.now());
    const after = managedJson(made);
    return { target: targetOf(merchant_id, after.gd_no), before: null, after };
  });
  return after;
}

/** Changes a product. Throws AppError `not_found`, `invalid_request`, and as `run`. */
export async function changeProduct(
  deps: ManageDeps,
  { actor, run }: Manager,
  merchant_id: string,
  gd_no: string,
  settings: ProductSettings,
): Promise<ManagedProduct> {
  const act: Act = { actor, action: 'product.change' };
  const { after } = await run(deps, act, async (tx) => {
    const change = await updateProduct(tx, merchant_id, gd_no, settings, deps.clock.now());
    return {
      target: targetOf(merchant_id, gd_no),
      before: managedJson(change.before),
      after: managedJson(change.after),
    };
  });
  return after;
}

/** Reads a product, for sale or not. Throws AppError `not_found`. */
export async function readManagedProduct(
  { db }: Pick<ManageDeps, 'db'>,
  merchant_id: string,
  gd_no: string,
): Promise<ManagedProduct> {
  const product = isProductNo(gd_no) ? await selectProduct(db.lookups, merchant_id, gd_no) : null;
  if (product === null) throw new AppError('not_found');
  return (await withDecimals({ db }, [product]))[0] ?? throwMissingCurrency();
}

/**
 * Lists a page of a merchant's products, newest first, for sale or not. `search` filters as in the catalog.
 *
 * @throws AppError `invalid_request` on `limit`, `cursor` or `search`
 */
export async function listManagedProducts(
  { db }: Pick<ManageDeps, 'db'>,
  merchant_id: string,
  query: Readonly<Record<string, unknown>>,
): Promise<Page<ManagedProduct>> {
  const { limit, after } = readPageRequest(query, isProductNo);
  const search = typeof query.search === 'string' ? trimmed(query.search) : '';
  const selection = { merchant_id, disabled_too: true, folded: fold(search), behind: after };
  const select = search === '' ? selectManyNewest : selectFewNewest;
  const products = await withDecimals({ db }, await select(db, selection, 0, limit + 1));
  return pageOf(
    products,
    limit,
    ({ gd_no }) => gd_no,
    (product) => product,
  );
}

const isProductNo = (text: string): boolean => /^gd_[0-9A-Z]{26}$/.test(text);

const targetOf = (merchant_id: string, gd_no: string): string =>
  `product:${merchantNo(merchant_id)}/${gd_no}`;

async function withDecimals(
  { db }: Pick<ManageDeps, 'db'>,
  products: readonly Product[],
): Promise<ManagedProduct[]> {
  const codes = [...new Set(products.map(({ currency }) => currency))];
  const currencies = await Promise.all(codes.map((code) => selectCurrency(db, code)));
  const decimals = new Map(currencies.map((currency) => [currency?.code, currency?.decimals]));
  return products.map((product) =>
    managedJson({ product, decimals: decimals.get(product.currency) ?? throwMissingCurrency() }),
  );
}

function throwMissingCurrency(): never {
  throw new InvariantError('the currency of a product does not exist');
}
