/** Serves merchants with due notifications one after the other, a batch at a time. */
import type { Clock } from '../../base/time/clock.ts';
import type { Delivery } from './start-deliveries.ts';

export interface MerchantTurns {
  /** Adds a merchant with due notifications, and starts to serve where a claim is free. */
  add(merchant_id: string): void;
  stop(): void;
}

export interface MerchantTurnsDeps {
  delivery: Delivery;
  clock: Clock;
  /** Called where due notifications cannot be claimed. */
  onError: (error: unknown) => void;
}

/** Maximum number of claims under way. */
const maxClaims = 4;
/** A merchant that waits for places gets its next batch when this many are free, or at the next poll. */
const minFreePlaces = 8;

/**
 * Invariant: one merchant has at most one claim under way, and a merchant that was served goes behind the others that
 * are ready.
 */
export function createMerchantTurns({ delivery, clock, onError }: MerchantTurnsDeps): MerchantTurns {
  /** Merchants to serve, in turn. */
  const ready = new Set<string>();
  /** Merchants with a claim under way. */
  const claiming = new Set<string>();
  /** Merchants with more due notifications than there were places for. */
  const waitingForPlaces = new Set<string>();
  let stopped = false;

  function serveReady(): void {
    for (const merchant_id of ready) {
      if (stopped || claiming.size >= maxClaims) return;
      if (claiming.has(merchant_id)) continue;
      ready.delete(merchant_id);
      claiming.add(merchant_id);
      void serve(merchant_id).finally(() => {
        claiming.delete(merchant_id);
        serveReady();
      });
    }
  }

  async function serve(merchant_id: string): Promise<void> {
    try {
      const { attempts, more } = await delivery.start(merchant_id, Infinity, clock.now());
      for (const attempt of attempts) {
        void attempt.finally(() => {
          resume(merchant_id);
        });
      }
      if (!more) waitingForPlaces.delete(merchant_id);
      else if (attempts.length > 0 && delivery.gate.freeFor(merchant_id) >= minFreePlaces)
        ready.add(merchant_id);
      else waitingForPlaces.add(merchant_id);
    } catch (error) {
      onError(error);
    }
  }

  /** Makes a waiting merchant ready where enough places are free. */
  function resume(merchant_id: string): void {
    if (!waitingForPlaces.has(merchant_id) || delivery.gate.freeFor(merchant_id) < minFreePlaces) return;
    waitingForPlaces.delete(merchant_id);
    add(merchant_id);
  }

  function add(merchant_id: string): void {
    ready.add(merchant_id);
    serveReady();
  }

  return {
    add,
    stop() {
      stopped = true;
    },
  };
}
