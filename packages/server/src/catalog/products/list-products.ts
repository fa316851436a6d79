/** Lists the products of a merchant's public catalog. */
import type { Database } from '../../base/pg/index.ts';
import type { Product } from './product.ts';
import { selectProduct } from './product.sql.ts';
import { type CountProducts, fold, foldedOf, type Selection } from '../search/index.ts';
import { selectCounted, selectFewNewest, selectManyNewest } from './product-page.sql.ts';

export interface ListDeps {
  db: Database;
  countProducts: CountProducts;
}

/** A well-formed query for products. Empty texts do not filter. */
export interface ProductQuery {
  /** From 1. */
  page: number;
  limit: number;
  gd_no: string;
  search_value: string;
}

/** One page of products. */
export interface ProductPage {
  list: Product[];
  /** Number of products on all pages. */
  total: number;
}

/** A longer text matches no product (D-188). */
const longestSearch = 100;

/**
 * Lists a page of a merchant's products for sale, newest first. Beyond the end the list is empty and the
 * total still right. A number filters exactly, a text by search (R-341, D-188). The total is
 * remembered until a product changes. If it is not remembered, a search counts and reads the page in one query.
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

/** Finds the merchant's product with a number if it is for sale and contains the text. At most one item. */
async function findForSale(
  db: Database,
  { merchant_id, folded }: Selection,
  gd_no: string,
): Promise<Product[]> {
  const product = await selectProduct(db.lookups, merchant_id, gd_no);
  return product?.enabled === true && foldedOf(product).includes(folded) ? [product] : [];
}

/**
 * Selects the products of a page by the plan that reads fewer rows: find all matches, or scan from the newest product
 * until the page is full.
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
