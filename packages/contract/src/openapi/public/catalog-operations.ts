import Type from 'typebox';
import { MerchantProfile } from '../../merchant.ts';
import { ProductList } from '../../product.ts';
import { limitParameter, query } from '../parameters.ts';
import { anyTokenCall } from '../common-errors.ts';
import { catalogReadLimit } from '../rate-limits.ts';
import type { Operation } from '../operation.ts';

/** The calls that read the merchant’s profile and products. */
export const catalogOperations: readonly Operation[] = [
  {
    id: 'readMerchantProfile',
    tag: 'Catalog',
    method: 'get',
    place: { below: 'base_url', path: '/openapi/v1/merchant' },
    summary: 'Read the merchant’s profile',
    description: 'The profile of the client’s merchant.',
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
      'The merchant’s products that are for sale, newest first. A product must match all filters; an empty filter ' +
      'has no effect. A page after the last one is empty and still contains the `total`.',
    security: { by: 'any_token', scope: 'products.read' },
    parameters: [
      query(
        'page',
        'The page number, from 1. Any other value counts as 1.',
        Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
      ),
      limitParameter,
      query('gd_no', 'Only the product with exactly this number.', Type.String()),
      {
        ...query(
          'search_value',
          'Only products with this text in the name, description or keywords. Upper and lower case are equal, and there ' +
            'are no wildcards. A text longer than 100 characters matches nothing.',
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
