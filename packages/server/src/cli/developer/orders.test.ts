import { expect, test } from 'vitest';
import { lineOf } from './orders.ts';

test('D-972 an order is one line, whatever its reference has', () => {
  const order = {
    ...{ order_no: 'mp_1', status: 'pending', amount: '10.00', currency: 'USD', test_mode: false },
    external_reference: 'cart 7\nmp_2  paid\u001b[2J\u202e',
  } as const;
  expect(lineOf(order)).toBe('mp_1  pending            10.00 USD  cart 7\\nmp_2  paid\\u{1b}[2J\\u{202e}');
});
