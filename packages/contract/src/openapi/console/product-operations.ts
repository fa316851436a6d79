import Type from 'typebox';
import { PaymentChannelList } from '../../channel.ts';
import { ManagedProduct, ManagedProductPage, NewProduct, ProductChange } from '../../product.ts';
import { MerchantSettings, MerchantSettingsChange } from '../../merchant.ts';
import { withBody } from '../common-errors.ts';
import { consoleBase as base, consoleCall, consoleWrite, merchantNoParameter } from './call.ts';
import { pageParameters, productSearch } from '../parameters.ts';
import type { Operation, Parameter } from '../operation.ts';

const gdNo: Parameter = {
  name: 'gd_no',
  in: 'path',
  required: true,
  description: 'A product of the merchant.',
  schema: Type.String(),
  example: 'gd_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
};

const shared = { tag: 'Console', security: { by: 'session_cookie' }, limits: [] } as const;

const at = (path: string) => ({ below: 'base_url', path: `${base}${path}` }) as const;

/** The console’s calls about products and the merchant’s settings. */
export const consoleProductOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'listOwnProducts',
    method: 'get',
    place: at('/products'),
    summary: 'List products',
    description: 'Newest first, including products that are not for sale.',
    parameters: [merchantNoParameter, productSearch, ...pageParameters],
    successes: [{ status: 200, description: 'A page.', schemas: [ManagedProductPage] }],
    errors: consoleCall,
  },
  {
    ...shared,
    id: 'createOwnProduct',
    method: 'post',
    place: at('/products'),
    summary: 'Add a product',
    description:
      'The product is for sale immediately unless `enabled` is false. An error names the member or the list entry ' +
      'that is wrong.',
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: NewProduct },
    successes: [{ status: 201, description: 'Created.', schemas: [ManagedProduct] }],
    errors: [...consoleWrite, ...withBody],
  },
  {
    ...shared,
    id: 'readOwnProduct',
    method: 'get',
    place: at('/products/{gd_no}'),
    summary: 'Read a product',
    description: 'The product, whether it is for sale or not.',
    parameters: [merchantNoParameter, gdNo],
    successes: [{ status: 200, description: 'The product.', schemas: [ManagedProduct] }],
    errors: consoleCall,
  },
  {
    ...shared,
    id: 'changeOwnProduct',
    method: 'patch',
    place: at('/products/{gd_no}'),
    summary: 'Change a product',
    description: 'Omitted members stay unchanged. Existing orders keep their price.',
    parameters: [merchantNoParameter, gdNo],
    body: { type: 'application/json', schema: ProductChange },
    successes: [{ status: 200, description: 'The product after the change.', schemas: [ManagedProduct] }],
    errors: [...consoleWrite, ...withBody],
  },
  {
    ...shared,
    id: 'listOwnPaymentChannels',
    method: 'get',
    place: at('/payment-channels'),
    summary: 'List the merchant’s payment channels',
    description: 'The channel directory: products and orders can be restricted to these channels.',
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The channels.', schemas: [PaymentChannelList] }],
    errors: consoleCall,
  },
  {
    ...shared,
    id: 'readOwnSettings',
    method: 'get',
    place: at('/settings'),
    summary: 'Read the settings',
    description: 'The profile, and whether guests can buy.',
    parameters: [merchantNoParameter],
    successes: [{ status: 200, description: 'The settings.', schemas: [MerchantSettings] }],
    errors: consoleCall,
  },
  {
    ...shared,
    id: 'changeOwnSettings',
    method: 'patch',
    place: at('/settings'),
    summary: 'Change the settings',
    description: 'Omitted members stay unchanged.',
    parameters: [merchantNoParameter],
    body: { type: 'application/json', schema: MerchantSettingsChange },
    successes: [{ status: 200, description: 'The settings after the change.', schemas: [MerchantSettings] }],
    errors: [...consoleWrite, ...withBody],
  },
];
