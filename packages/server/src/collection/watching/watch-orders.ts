import type { Database } from '../../base/pg/index.ts';
import type { Logger } from '../../base/log.ts';
import { selectAttemptStates } from '../../payments/attempts/index.ts';
import type { CollectionOrder } from '../orders/index.ts';
import { selectOrderStates } from './watched-order.sql.ts';

type Key = string;

/** Somebody who watches, and what they know already. */
interface Listener {
  known: string;
  changed: () => void;
}

interface Watched {
  merchant_id: string;
  order_no: string;
  listeners: Set<Listener>;
}

export interface WatchedOrder extends Pick<
  CollectionOrder,
  'merchant_id' | 'order_no' | 'status_version' | 'payment_no'
> {
  /** What has become of its attempts, by `readAttemptStates`. */
  attempts: string;
}

/** Tells who watches an order that something about it has changed; what, they read themselves. */
export interface OrderWatch {
  /**
   * Calls back whenever the order is no longer as the watcher knows it.
   *
   * @param order as the watcher has read it: what changed since is news, even if it changed before the first look
   * @returns how to stop watching
   */
  watch(order: WatchedOrder, changed: () => void): () => void;
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
      const order_nos = orders.map(({ order_no }) => order_no);
      // An attempt moves on without its order: a provider that works on a payment, one that it has refused.
      const [states, attempts] = await Promise.all([
        selectOrderStates(db, merchant_id, order_nos),
        selectAttemptStates(db, merchant_id, order_nos),
      ]);
      for (const { order_no, status_version, payment_no } of states) {
        const order = watched.get(keyOf(merchant_id, order_no));
        if (order === undefined) continue;
        const fingerprint = fingerprintOf({
          status_version,
          payment_no,
          attempts: attempts.get(order_no) ?? '',
        });
        for (const listener of order.listeners) {
          if (listener.known === fingerprint) continue;
          listener.known = fingerprint;
          listener.changed();
        }
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
    watch(order, changed) {
      const { merchant_id, order_no } = order;
      const key = keyOf(merchant_id, order_no);
      const entry = watched.get(key) ?? { merchant_id, order_no, listeners: new Set() };
      const listener = { known: fingerprintOf(order), changed };
      entry.listeners.add(listener);
      watched.set(key, entry);
      timer ??= setInterval(tick, every_ms);
      return () => {
        entry.listeners.delete(listener);
        if (entry.listeners.size === 0) watched.delete(key);
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

const fingerprintOf = ({
  status_version,
  payment_no,
  attempts,
}: Omit<WatchedOrder, 'merchant_id' | 'order_no'>): string => `${status_version} ${payment_no} ${attempts}`;

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
