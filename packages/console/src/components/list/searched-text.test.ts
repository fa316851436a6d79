import { expect, test } from 'vitest';
import { searchedText } from './searched-text.ts';

const order_no = 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF';

test.each([
  [`https://pay.example/checkout/${order_no}?token=secret`, order_no],
  [`https://pay.example/pay/checkout/${order_no}/receipt?token=secret`, order_no],
  [`Order number\n${order_no}.`, order_no],
  [`#${order_no.toLowerCase()}`, order_no.toLowerCase()],
  [` ${order_no} `, order_no],
  [`INV-${order_no}`, `INV-${order_no}`],
  [' INV 1 ', 'INV 1'],
])('D-1407 the text %j searches for %s', (typed, text) => {
  expect(searchedText(typed)).toBe(text);
});
