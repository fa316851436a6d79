import type { Database } from '../base/db.ts';
import type { Logger } from '../base/log.ts';
import { selectPulses } from './watch.sql.ts';

type Key = string;

interface Watched {
  merchant_id: string;
  order_no: string;
  pulse: string | null;
  listeners: Set<() => void>;
}

/** Tells who watches an order that something about it has changed; what, they read themselves. */
export interface OrderWatch {
  /** @returns how to stop watching */
  watch(merchant_id: string, order_no: string, changed: () => void): () => void;
  stop(): void;
}

/**
 * Watches orders for any number of open pages: one look a second per merchant with watched orders, whatever the
 * number of pages. Nothing is looked at while nobody watches.
 */
export function watchOrders(db: Database, log: Logger, every_ms = 1_000): OrderWatch {
  const watched = new Map<Key, Watched>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  async function look(): Promise<void> {
    const byMerchant = groups(watched.values());
    for (const [merchant_id, orders] of byMerchant) {
      const pulses = await selectPulses(
        db,
        merchant_id,
        orders.map(({ order_no }) => order_no),
      );
      for (const { order_no, status_version, payment_no } of pulses) {
        const order = watched.get(keyOf(merchant_id, order_no));
        if (order === undefined) continue;
        const pulse = `${status_version} ${payment_no}`;
        const isNews = order.pulse !== null && order.pulse !== pulse;
        order.pulse = pulse;
        if (isNews) for (const tell of order.listeners) tell();
      }
    }
  }

  function tick(): void {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'watched orders could not be looked at');
      })
      .finally(() => {
        looking = false;
      });
  }

  return {
    watch(merchant_id, order_no, changed) {
      const key = keyOf(merchant_id, order_no);
      const order = watched.get(key) ?? { merchant_id, order_no, pulse: null, listeners: new Set() };
      order.listeners.add(changed);
      watched.set(key, order);
      timer ??= setInterval(tick, every_ms);
      return () => {
        order.listeners.delete(changed);
        if (order.listeners.size === 0) watched.delete(key);
        if (watched.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    stop() {
      clearInterval(timer);
      watched.clear();
    },
  };
}

const keyOf = (merchant_id: string, order_no: string): Key => `${merchant_id}/${order_no}`;

function groups(orders: Iterable<Watched>): Map<string, Watched[]> {
  const byMerchant = new Map<string, Watched[]>();
  for (const order of orders) {
    const group = byMerchant.get(order.merchant_id) ?? [];
    group.push(order);
    byMerchant.set(order.merchant_id, group);
  }
  return byMerchant;
}
