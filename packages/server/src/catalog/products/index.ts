/** Products: their prices, stock and rules, and the calls that manage them. */
export { fixed8Text, unitsPerMinor } from './fixed8.ts';
export { checkInputs } from './buyer-inputs.ts';
export { findProducts } from './products-of-all-merchants.ts';
export { type ListDeps, listProducts } from './list-products.ts';
export {
  addProduct,
  changeProduct,
  listManagedProducts,
  type Manager,
  readManagedProduct,
} from './manage-products.ts';
export { readPage } from './page-number.ts';
export { type Amounts, amountsOf } from './price.ts';
export { productJson } from './product-json.ts';
export { readNewProduct, readProductChange } from './product-request.ts';
export { selectProduct, selectProductForUpdate } from './product.sql.ts';
export { checkQuantity, type Product } from './product.ts';
export { profileJson } from './profile-json.ts';
export { createProduct } from './save-product.ts';
export { addStock, lockStock, readStock, setStock, takeStock } from './stock.sql.ts';
