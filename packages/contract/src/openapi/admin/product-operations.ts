import { ManagedProduct, ManagedProductPage, NewProduct, ProductChange } from '../../product.ts';
import { change, read } from './call.ts';
import { pageParameters, productSearch } from '../parameters.ts';
import type { Operation } from '../operation.ts';

/** The administration’s calls about a merchant’s products: the same as its owner has. */
export const productOperations: readonly Operation[] = [
  read({
    id: 'listProductsOfMerchant',
    path: '/merchants/{merchant_no}/products',
    summary: 'List a merchant’s products',
    description: 'Newest first, including products that are not for sale.',
    query: [productSearch, ...pageParameters],
    answer: ManagedProductPage,
  }),
  change({
    id: 'createProduct',
    method: 'post',
    path: '/merchants/{merchant_no}/products',
    summary: 'Add a product for a merchant',
    body: NewProduct,
    answer: ManagedProduct,
    statuses: [201],
  }),
  read({
    id: 'readProduct',
    path: '/merchants/{merchant_no}/products/{gd_no}',
    summary: 'Read a merchant’s product',
    answer: ManagedProduct,
  }),
  change({
    id: 'changeProduct',
    method: 'patch',
    path: '/merchants/{merchant_no}/products/{gd_no}',
    summary: 'Change a merchant’s product',
    description: 'Omitted members stay unchanged. Existing orders keep their price.',
    body: ProductChange,
    answer: ManagedProduct,
  }),
];
