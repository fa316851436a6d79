import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decode } from '../../../test/support/desks/create-request.ts';
import { merchant_id } from '../../../test/support/desks/samples.ts';
import { AppError } from '../../base/errors.ts';
import { seconds } from '../../base/time/clock.ts';
import type { CollectionDeps } from '../orders/index.ts';
import { createOrder } from './create-order.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('H-25 a creation that a silent database has kept waiting is answered within ten seconds, although its key cannot be looked up', async () => {
  const unavailable = new AppError('service_unavailable', { retry_after_s: 5 });
  const deps = {
    hasLostKeys: () => Promise.resolve(false),
    // As a statement that is given up.
    currencies: {
      currency: () =>
        new Promise((_, reject) => {
          setTimeout(reject, seconds(6), unavailable);
        }),
    },
    db: { query: () => new Promise(() => undefined) },
  } as unknown as CollectionDeps;
  const ended = vi.fn();
  createOrder(deps, merchant_id, decode({})).catch(ended);
  await vi.advanceTimersByTimeAsync(seconds(10));
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'service_unavailable' }));
});
