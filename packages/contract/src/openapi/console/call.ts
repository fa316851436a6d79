/** What the calls of the merchant’s console share: their path, their merchant, and their errors. */
import Type from 'typebox';
import { anyCall } from '../common-errors.ts';
import type { Parameter } from '../operation.ts';

export const consoleBase = '/console/v1/merchants/{merchant_no}';

export const consoleCall = [
  ...anyCall,
  'authentication_required',
  'second_factor_setup_required',
  'not_found',
] as const;

export const consoleWrite = [
  ...consoleCall,
  'cross_site_request',
  'role_required',
  'reauthentication_required',
] as const;

export const merchantNoParameter: Parameter = {
  name: 'merchant_no',
  in: 'path',
  required: true,
  description: 'A merchant of the signed-in person.',
  schema: Type.String(),
  example: 'mr_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
};
