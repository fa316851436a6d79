import { beforeEach, expect, test, vi } from 'vitest';
import type { PaydeskClient } from '@paydesk/sdk';
import { trigger } from '../../src/cli/developer/trigger.ts';

const price = { amount: '10.00', currency: 'USD' };
const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});

/** A client whose order has these statuses, one after another. */
function given(...statuses: string[]) {
  const createOrder = vi.fn((input: object) => Promise.resolve({ order_no: 'mp_1', ...price, ...input }));
  const getOrder = () => Promise.resolve({ status: statuses.length > 1 ? statuses.shift() : statuses[0] });
  const client = { createOrder, getOrder } as unknown as PaydeskClient;
  const pause = vi.fn(() => Promise.resolve());
  return { client, url: 'http://127.0.0.1:1', admin_key: null, pause, createOrder };
}

test('paydesk trigger expired creates an order with the shortest life and waits for its end', async () => {
  const { createOrder, ...rest } = given('pending', 'pending', 'expired');
  await trigger(rest, 'expired', price);
  expect(createOrder).toHaveBeenCalledWith(expect.objectContaining({ ...price, expires_in: 60 }));
  expect(rest.pause).toHaveBeenCalledTimes(2);
  expect(printed.at(-1)).toBe('mp_1 is expired');
});

test('paydesk trigger ends with a sentence if the outcome does not come, or cannot', async () => {
  await expect(trigger(given('pending'), 'expired', price)).rejects.toThrow(
    'mp_1 is still pending after 90 seconds, and should be expired.',
  );
});

test('D-1206 without an administration key, paydesk trigger refunded creates no order', async () => {
  const { createOrder, ...rest } = given('pending');
  await expect(trigger(rest, 'refunded', price)).rejects.toThrow(/set PAYDESK_ADMIN_KEY/);
  expect(createOrder).not.toHaveBeenCalled();
});
