import { expect, test } from 'vitest';
import { apiPath, eventsPath, pagePath, payPath, receiptPath, returnAddress, signInPath } from './links.ts';

const context = { base_path: '/pay', order_no: 'mp_1', token: 'a+b/c' };

test('D-115 paths lie below the prefix of the public address', () => {
  expect(pagePath(context)).toBe('/pay/checkout/mp_1?token=a%2Bb%2Fc');
  expect(receiptPath(context)).toBe('/pay/checkout/mp_1/receipt?token=a%2Bb%2Fc');
  expect(payPath(context)).toBe('/pay/checkout/mp_1/pay');
  expect(apiPath(context, '')).toBe('/pay/checkout/api/mp_1');
  expect(apiPath(context, '/payments')).toBe('/pay/checkout/api/mp_1/payments');
});

test('D-117 the token is in no path of the JSON calls', () => {
  expect(eventsPath({ ...context, locale: 'de' }, 'v1')).toBe('/pay/checkout/api/mp_1/events?version=v1');
  expect(eventsPath(context, undefined)).toBe('/pay/checkout/api/mp_1/events');
});

test('signing in comes back to the previewed method', () => {
  const url = signInPath('/sign-in?return_to=%2Fcheckout%2Fmp_1%3Ftoken%3Dt', 'm_ptk');
  expect(new URLSearchParams(url.split('?')[1]).get('return_to')).toBe('/checkout/mp_1?token=t&method=m_ptk');
  expect(signInPath('/sign-in?return_to=%2Fx', null)).toBe('/sign-in?return_to=%2Fx');
  expect(signInPath('/checkout/mp_1?token=t&sign_in=1', 'm_ptk')).toBe(
    '/checkout/mp_1?token=t&sign_in=1&method=m_ptk',
  );
});

test.each([
  ['https://shop.example/ok?x=1#y', 'https://shop.example/ok?x=1#y'],
  ['HTTPS://H.EXAMPLE/A', 'HTTPS://H.EXAMPLE/A'],
  ['http://shop.example/', null],
  ['javascript:alert(1)', null],
  ['/relative', null],
  [undefined, null],
])('D-123 R-222 the return address %s becomes %s', (address, href) => {
  expect(returnAddress(address)).toBe(href);
});
