/** The administration’s calls about merchants. */
import Type from 'typebox';
import { MerchantAnswer, MerchantChange, MerchantFiguresAnswer, NewMerchant } from '../../admin/merchant.ts';
import { OneOf } from '../../scalars.ts';
import { query } from '../parameters.ts';
import { change, list, read, titled } from './call.ts';
import type { Operation } from '../operation.ts';

const merchant = titled('Merchant', MerchantAnswer);

export const merchantOperations: readonly Operation[] = [
  list({
    id: 'listMerchants',
    path: '/merchants',
    summary: 'List merchants',
    query: [
      query(
        'q',
        'Only merchants whose name contains this text, or the merchant with this number.',
        Type.String(),
      ),
      query('status', 'Only merchants in this status.', OneOf(['active', 'inactive'], 'A status.')),
      query('owner_user_id', 'Only merchants of this owner.', Type.String()),
    ],
    item: merchant,
  }),
  list({
    id: 'listMerchantFigures',
    path: '/merchant-figures',
    summary: 'Compare the figures of merchants',
    description:
      'Of orders that were created in the last `days` days, without test orders. The balances are those of now.',
    query: [
      query(
        'q',
        'Only merchants whose name contains this text, or the merchant with this number.',
        Type.String(),
      ),
      query('days', 'Days before now, 1 to 366; 30 if absent.', Type.Integer({ minimum: 1, maximum: 366 })),
      query(
        'sort',
        '`-volume`: by volume, the largest first. Currencies are added up in PTK at the prices of now; what has no price does not ' +
          'count. More than 5,000 merchants are not sorted. Without it, the list is in the order of the merchants’ numbers.',
        Type.Literal('-volume'),
      ),
    ],
    item: titled('MerchantFigures', MerchantFiguresAnswer),
  }),
  change({
    id: 'createMerchant',
    method: 'post',
    path: '/merchants',
    summary: 'Create a merchant',
    body: titled('NewMerchant', NewMerchant),
    answer: merchant,
    statuses: [201],
  }),
  read({
    id: 'readMerchant',
    path: '/merchants/{merchant_no}',
    summary: 'Read a merchant',
    answer: merchant,
  }),
  change({
    id: 'changeMerchant',
    method: 'patch',
    path: '/merchants/{merchant_no}',
    summary: 'Change a merchant',
    description: 'A change of the status or the credit limit requires a reason.',
    body: titled('MerchantChange', MerchantChange),
    answer: merchant,
  }),
];
