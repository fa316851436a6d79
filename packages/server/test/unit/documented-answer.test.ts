import { expect, test } from 'vitest';
import { demandDocumented } from '../support/rules/documented-answer.ts';

const answer = (status: number, error?: string) => ({
  status,
  headers: new Headers(),
  body: error === undefined ? {} : { error },
  text: '',
});

test.each([
  ['GET', '/openapi/v1/merchant-payments/mp_1?x=/', 200, undefined],
  ['GET', '/openapi/v1/merchant-payments/mp_1', 404, 'payment_not_found'],
  ['GET', '/oauth/userinfo', 403, 'insufficient_scope'],
  ['GET', '/session/list', 401, 'authentication_required'],
  ['GET', '/admin/v1/none', 418, undefined],
  ['GET', '/checkout/mp_1', 418, undefined],
])('D-1046 %s %s may answer %i %s', (method, path, status, error) => {
  expect(() => {
    demandDocumented(method, path, answer(status, error));
  }).not.toThrow();
});

test.each([
  ['GET', '/openapi/v1/merchant-payments/mp_1', 201, undefined],
  ['GET', '/openapi/v1/merchant-payments/mp_1', 403, 'payment_not_found'],
  ['POST', '/openapi/v1/merchant-payments?x', 404, 'payment_not_found'],
  ['GET', '/admin/v1/refunds', 409, 'payment_conflict'],
])('D-1046 %s %s may not answer %i %s: no document has it', (method, path, status, error) => {
  expect(() => {
    demandDocumented(method, path, answer(status, error));
  }).toThrow('in the OpenAPI document');
});
