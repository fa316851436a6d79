/** The search for products, and cached counts of its results. */
export { type CountProducts, createProductCounter } from './product-counts.ts';
export {
  compared,
  found,
  insertSearch,
  raiseVersion,
  selectProductsOfAll,
  type Selection,
  updateSearch,
} from './product-search.sql.ts';
export { fold, foldedOf } from './search-text.ts';
