import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '../../base/pg/index.ts';
import { watchOrders } from './watch-orders.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('D-1078 a stream that ends twice, such as at its time and with its connection, ends no other one', async () => {
  vi.useFakeTimers();
  const order = { merchant_id: 'm', order_no: 'mp_1', status_version: 1, payment_no: '', attempts: '' };
  const query = () => Promise.resolve([{ ...order, status_version: 2 }]);
  const watch = watchOrders({ query } as unknown as Database, pino({ level: 'silent' }));
  const end = watch.watch(order, () => undefined);
  end();
  const changed = vi.fn();
  watch.watch(order, changed);
  end();
  await vi.advanceTimersByTimeAsync(1_000);
  watch.stop();
  expect(changed).toHaveBeenCalledTimes(1);
});
