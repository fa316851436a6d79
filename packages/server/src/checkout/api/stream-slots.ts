/**
 * Limits the event streams that are open at the same time, for an order and for an address. Invariant: a place that was
 * taken is given back exactly once. Each process counts its own streams, because they are its own connections.
 */
import { AppError } from '../../base/errors.ts';

export interface StreamLimits {
  per_order: number;
  per_address: number;
}

/** Enough for a buyer with several tabs, and for a shop whose customers share an address. A page without a stream polls. */
export const usualStreamLimits: StreamLimits = { per_order: 10, per_address: 40 };

/** The browser of a refused page polls instead. A program may try again after this time. */
const retryAfter_s = 20;

export interface StreamSlots {
  /**
   * Takes a place.
   *
   * @returns gives it back; further calls do nothing
   * @throws AppError `rate_limited`
   */
  take(order_no: string, address: string): () => void;
}

export function createStreamSlots({ per_order, per_address }: StreamLimits): StreamSlots {
  const orders = new Map<string, number>();
  const addresses = new Map<string, number>();

  return {
    take(order_no, address) {
      const ofOrder = orders.get(order_no) ?? 0;
      const ofAddress = addresses.get(address) ?? 0;
      if (ofOrder >= per_order || ofAddress >= per_address) {
        throw new AppError('rate_limited', { retry_after_s: retryAfter_s });
      }
      orders.set(order_no, ofOrder + 1);
      addresses.set(address, ofAddress + 1);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        decrease(orders, order_no);
        decrease(addresses, address);
      };
    },
  };
}

function decrease(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
