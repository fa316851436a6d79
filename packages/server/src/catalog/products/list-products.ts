import type { Database } from '../../base/pg/index.ts';
import type { Product } from './product.ts';
import { selectProduct } from './product.sql.ts';
import { type CountProducts, fold, foldedOf, type Selection } from '../search/index.ts';
import { selectCounted, selectFewNewest, selectManyNewest } from './product-page.sql.ts';

export interface ListDeps {
  db: Database;
  countProducts: CountProducts;
}

/** A well-formed question for products; empty texts do not filter. */
export interface ProductQuery {
  /** From 1. */
  page: number;
  limit: number;
  gd_no: string;
  search_value: string;
}

export interface ProductPage {
  list: Product[];
  /** How many there are on all pages. */
  total: number;
}

/** Longer texts are found nowhere (D-188). */
const longestSearch = 100;

/**
 * A page of a merchant's products for sale, newest first (R-337 to R-341, D-188). Two look-ups where the same was counted
 * since a product last changed; else a count: of a text together with the page, as both have to find it.
 */
export async function listProducts(
  deps: ListDeps,
  merchant_id: string,
  { page, limit, gd_no, search_value }: ProductQuery,
): Promise<ProductPage> {
  const offset = (page - 1) * limit;
  if (Array.from(search_value).length > longestSearch) return { list: [], total: 0 };
  const selection: Selection = { merchant_id, disabled_too: false, folded: fold(search_value) };
  if (gd_no !== '') {
    const found = await findForSale(deps.db, selection, gd_no);
    return { list: found.slice(offset, offset + limit), total: found.length };
  }
  if (selection.folded === '') {
    const total = await deps.countProducts(selection);
    return { list: await selectNewest(deps, selection, total, offset, limit), total };
  }
  const onTheWay: { list?: Product[] } = {};
  const total = await deps.countProducts(selection, async () => {
    const counted = await selectCounted(deps.db, selection, offset, limit);
    onTheWay.list = counted.list;
    return counted;
  });
  return { list: onTheWay.list ?? (await selectNewest(deps, selection, total, offset, limit)), total };
}

/** The one product of a number, where it is for sale and contains the text: a list of none or one. */
async function findForSale(
  db: Database,
  { merchant_id, folded }: Selection,
  gd_no: string,
): Promise<Product[]> {
  const product = await selectProduct(db.lookups, merchant_id, gd_no);
  return product?.enabled === true && foldedOf(product).includes(folded) ? [product] : [];
}

/**
 * What is on a page, by the way that looks at fewer rows: finding all that match, or going from the newest on until
 * the page is full.
 */
async function selectNewest(
  { db, countProducts }: ListDeps,
  selection: Selection,
  total: number,
  offset: number,
  limit: number,
): Promise<Product[]> {
  if (offset >= total) return [];
  const all = selection.folded === '' ? total : await countProducts({ ...selection, folded: '' });
  const passed = ((offset + limit) / total) * all;
  return passed < total || selection.folded === ''
    ? selectManyNewest(db, selection, offset, limit)
    : selectFewNewest(db, selection, offset, limit);
}
