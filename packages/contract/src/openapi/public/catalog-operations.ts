import Type from 'typebox';
import { MerchantProfile } from '../../merchant.ts';
import { ProductList } from '../../product.ts';
import { limitParameter } from '../parameters.ts';
import { anyTokenCall } from '../common-errors.ts';
import { query } from '../parameters.ts';
import { catalogReadLimit } from '../limits.ts';
import type { Operation } from '../operation.ts';

/** The profile of a merchant and what it sells. */
export const catalogOperations: readonly Operation[] = [
  {
    id: 'readMerchantProfile',
    tag: 'Catalog',
    method: 'get',
    place: { below: 'base_url', path: '/openapi/v1/merchant' },
    summary: 'Read the profile of the merchant',
    description: 'What the merchant that the client is bound to says of itself.',
    security: { by: 'any_token', scope: 'merchant.profile.read' },
    successes: [{ status: 200, description: 'The profile.', schemas: [MerchantProfile] }],
    errors: anyTokenCall,
    limits: [catalogReadLimit],
  },
  {
    id: 'listProducts',
    tag: 'Catalog',
    method: 'get',
    place: { below: 'base_url', path: '/openapi/v1/products' },
    summary: 'Find products',
    description:
      'The products of the merchant that are for sale, newest first. Filters must all fit; an empty one does not ' +
      'filter. A page behind the last is empty and still tells the `total`.',
    security: { by: 'any_token', scope: 'products.read' },
    parameters: [
      query(
        'page',
        'Which page. Anything that is no whole number from 1 counts as 1.',
        Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
      ),
      limitParameter,
      query('gd_no', 'Only the product of exactly this number.', Type.String()),
      {
        ...query(
          'search_value',
          'Only products with this text in name, description or keywords. Case does not matter, no character is a ' +
            'wildcard, and what is longer than 100 characters is found nowhere.',
          Type.String({ maxLength: 100 }),
        ),
        example: 'gift card',
      },
    ],
    successes: [{ status: 200, description: 'A page.', schemas: [ProductList] }],
    errors: anyTokenCall,
    limits: [catalogReadLimit],
  },
];
