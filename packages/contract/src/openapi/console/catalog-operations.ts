import Type from 'typebox';
import {
  FulfilCatalogOrder,
  ProductCodes,
  SoldCatalogOrder,
  SoldCatalogOrderPage,
  UploadedProductCodes,
  WithdrawnProductCodes,
  WithdrawProductCodes,
  UploadProductCodes,
} from '../../catalog-order.ts';
import { withBody } from '../common-errors.ts';
import { consoleBase as base, consoleCall, consoleWrite, merchantNoParameter } from './call.ts';
import { pageParameters, query } from '../parameters.ts';
import type { Operation, Parameter } from '../operation.ts';

const inPath = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: Type.String(),
  example,
});
const orderNo = inPath('order_no', 'A catalog order.', 'co_01JNXW5R3M8Q4T0ZB6Y2C7D9EF');
const gdNo = inPath('gd_no', 'A product.', 'gd_01JNXW5R3M8Q4T0ZB6Y2C7D9EF');
const shared = { tag: 'Console', security: { by: 'session_cookie' }, limits: [] } as const;

/** The console’s calls about catalog orders and product codes. */
export const consoleCatalogOperations: readonly Operation[] = [
  {
    ...shared,
    id: 'listCatalogOrders',
    method: 'get',
    place: { below: 'base_url', path: `${base}/catalog-orders` },
    summary: 'List catalog orders',
    description: 'The orders of the merchant’s products, with the buyers’ inputs for the delivery.',
    parameters: [
      merchantNoParameter,
      query('status', 'Only orders in this status.', Type.Integer({ minimum: 0, maximum: 3 })),
      ...pageParameters,
    ],
    successes: [{ status: 200, description: 'A page.', schemas: [SoldCatalogOrderPage] }],
    errors: consoleCall,
  },
  {
    ...shared,
    id: 'readSoldCatalogOrder',
    method: 'get',
    place: { below: 'base_url', path: `${base}/catalog-orders/{order_no}` },
    summary: 'Read a catalog order of the merchant',
    description: 'The current state of the order.',
    parameters: [merchantNoParameter, orderNo],
    successes: [{ status: 200, description: 'The order.', schemas: [SoldCatalogOrder] }],
    errors: [...consoleCall, 'order_not_found'],
  },
  {
    ...shared,
    id: 'fulfilCatalogOrder',
    method: 'post',
    place: { below: 'base_url', path: `${base}/catalog-orders/{order_no}/fulfilment` },
    summary: 'Complete a catalog order',
    description:
      'Marks a paid order as delivered. This can be done only once, and not while a refund of the order is under way. The buyer sees the note on the order’s page.',
    parameters: [merchantNoParameter, orderNo],
    body: { type: 'application/json', schema: FulfilCatalogOrder, optional: true },
    successes: [{ status: 200, description: 'Completed.', schemas: [SoldCatalogOrder] }],
    errors: [...consoleWrite, 'request_timeout', 'request_too_large', 'order_not_found', 'payment_conflict'],
  },
  {
    ...shared,
    id: 'readProductCodes',
    method: 'get',
    place: { below: 'base_url', path: `${base}/products/{gd_no}/codes` },
    summary: 'Count the codes of a product',
    description: 'The number of codes that are left. The codes themselves are not shown.',
    parameters: [merchantNoParameter, gdNo],
    successes: [{ status: 200, description: 'The counts.', schemas: [ProductCodes] }],
    errors: [...consoleCall, 'product_not_found'],
  },
  {
    ...shared,
    id: 'uploadProductCodes',
    method: 'post',
    place: { below: 'base_url', path: `${base}/products/{gd_no}/codes` },
    summary: 'Upload codes of a product',
    description:
      'Each code is given out once: a paid order gets the ordered number of codes and is completed. An upload sets ' +
      'the stock of the product to the number of unassigned codes. Paid orders that wait for codes get codes first.',
    parameters: [merchantNoParameter, gdNo],
    body: { type: 'application/json', schema: UploadProductCodes },
    successes: [{ status: 201, description: 'The result of the upload.', schemas: [UploadedProductCodes] }],
    errors: [...consoleWrite, ...withBody, 'product_not_found'],
  },
  {
    ...shared,
    id: 'withdrawProductCodes',
    method: 'post',
    place: { below: 'base_url', path: `${base}/products/{gd_no}/codes/withdrawal` },
    summary: 'Withdraw codes of a product',
    description:
      'Deletes codes that were not given out. They can be uploaded again. Sets the stock of the product to the ' +
      'number of unassigned codes. Paid orders that then lack codes wait for new ones.',
    parameters: [merchantNoParameter, gdNo],
    body: { type: 'application/json', schema: WithdrawProductCodes },
    successes: [
      { status: 200, description: 'The result of the withdrawal.', schemas: [WithdrawnProductCodes] },
    ],
    errors: [...consoleWrite, ...withBody, 'product_not_found'],
  },
];
