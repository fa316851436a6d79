/** Tells open checkout pages when their order changes, by polling the database. */
import { createHash } from 'node:crypto';
import type { Database } from '../../base/pg/index.ts';
import type { Logger } from '../../base/log.ts';
import { selectAttemptStates } from '../../payments/attempts/index.ts';
import type { CollectionOrder } from '../orders/index.ts';
import { selectOrderStates } from './watched-order.sql.ts';

type Key = string;

/** A page that watches an order, and the state that it has read. */
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
  /** The states of its payment attempts, as `selectAttemptStates` returns them. */
  attempts: string;
}

/** Tells watchers that an order has changed. They read the change themselves. */
export interface OrderWatch {
  /**
   * Calls `changed` each time the order differs from the state that the watcher knows.
   *
   * @param order the state that the watcher has read; a change since then is reported, even before the first poll
   * @returns a function that stops watching
   */
  watch(order: WatchedOrder, changed: () => void): () => void;
  stop(): void;
}

const pollEvery_ms = 1_000;

/**
 * Watches orders for any number of open pages. It polls once per second for each merchant with watched orders,
 * whatever the number of pages. It does not poll while no order is watched.
 */
export function watchOrders(db: Database, log: Logger): OrderWatch {
  const watched = new Map<Key, Watched>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  async function look(): Promise<void> {
    const byMerchant = groups(watched.values());
    for (const [merchant_id, orders] of byMerchant) {
      const order_nos = orders.map(({ order_no }) => order_no);
      // An attempt can change without its order, such as when a provider refuses a payment.
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
        log.warn({ err: error }, 'the orders of open checkout pages could not be read; they are read again');
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
      timer ??= setInterval(tick, pollEvery_ms);
      return () => {
        entry.listeners.delete(listener);
        // Called again, it may find the entry of others under this key.
        if (entry.listeners.size === 0 && watched.get(key) === entry) watched.delete(key);
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

/** A short digest of the values whose changes wake watchers. */
export const versionOf = (order: Omit<WatchedOrder, 'merchant_id' | 'order_no'>): string =>
  createHash('sha256').update(fingerprintOf(order)).digest('base64url').slice(0, 12);

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
