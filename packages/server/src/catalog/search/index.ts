export { type ListDeps, listProducts } from './list-products.ts';
export { readPage } from './page-number.ts';
export { fold } from './search-text.ts';
export { insertSearch, raiseVersion, selectFewNewest, selectManyNewest, updateSearch } from './search.sql.ts';
export { createCounts } from './totals.ts';
