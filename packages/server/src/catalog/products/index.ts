export { fixed8Text } from './fixed8.ts';
export { checkInputs } from './inputs.ts';
export { addProduct, changeProduct, listManagedProducts, readManagedProduct } from './manage-products.ts';
export { type Amounts, amountsOf } from './price.ts';
export { productJson, profileJson } from './product-json.ts';
export { selectProduct, selectProductForUpdate } from './product.sql.ts';
export type { Product } from './product.ts';
export { createProduct } from './save-product.ts';
