import { expect, test } from 'vitest';
import { callerOfRoute } from './caller-class.ts';

test.each([
  ['/openapi/v1/merchant-payments/:order_no', 'merchant'],
  ['/oauth/token', 'merchant'],
  ['/oauth/authorize/:uid', 'person'],
  ['/console/v1/merchants', 'console'],
  ['/admin/v1/users', 'admin'],
  ['/platform/*', 'admin'],
  ['/checkout/api/:order_no/payments', 'buyer'],
  ['/pay/:link', 'buyer'],
  ['/orders/:order_no/payment', 'buyer'],
  ['/webhooks/cardprov/:channel_key', 'provider'],
  ['/session/passkey', 'person'],
  ['/readyz', 'operator'],
  ['/openapi.json', 'none'],
  ['/embed/v1.js', 'none'],
  ['none', 'none'],
])('D-1047 %s is called by: %s', (route, caller) => {
  expect(callerOfRoute(route)).toBe(caller);
});
