/** Delivers events to webhook targets, with retries, and holds them on request. */
import type { SimClock } from '../simulator/clock.ts';
import type { EventRecord, WebhookTarget } from '../records/records.ts';
import { type Delivery, postEvent, wasAccepted } from './post-event.ts';
import type { Store } from '../records/store.ts';

export type WebhookOptions = {
  /** Pauses before the second, third, … attempt. Their number limits the number of retries. */
  retry_delays_ms: readonly number[];
  /** The timeout of one attempt. */
  timeout_ms: number;
};

export type Webhooks = {
  /** Sends each event in turn to every target of its account. Resolves after the first attempts. */
  send: (events: readonly EventRecord[]) => Promise<void>;
  /** Sends one event now, even while webhooks are held. Resolves with the first attempts. */
  sendNow: (record: EventRecord) => Promise<Delivery[]>;
  /** Holds all webhooks until {@link Webhooks.release}. `reverse` is the default order of the release. */
  hold: (reverse: boolean) => void;
  /** Sends the held events one after the other, so that they arrive in this order. Returns their number. */
  release: (reverse: boolean) => Promise<number>;
  deliveries: () => Delivery[];
  /** Drops pending retries and aborts running attempts. */
  close: () => Promise<void>;
};

const remembered_deliveries = 10_000;

/** @param onHeldChange is called when the held events change, so that they can be saved */
export function createWebhooks(
  store: Store,
  clock: SimClock,
  options: WebhookOptions,
  onHeldChange: () => void,
): Webhooks {
  const closing = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<unknown>>();
  const log: Delivery[] = [];
  let reverse_on_release = false;

  async function attempt(record: EventRecord, target: WebhookTarget, number: number): Promise<Delivery> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(options.timeout_ms)]);
    const delivery = await postEvent(record.event, target, { number, clock, signal });
    log.push(delivery);
    if (log.length > remembered_deliveries) log.shift();
    if (!wasAccepted(delivery)) retryLater(record, target, number);
    return delivery;
  }

  function retryLater(record: EventRecord, target: WebhookTarget, number: number): void {
    const delay_ms = options.retry_delays_ms[number - 1];
    if (delay_ms === undefined || closing.signal.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      // Meanwhile the target can have another secret, and webhooks can be on hold.
      const current = store.targets.get(target.url);
      if (current === undefined) return;
      if (store.held !== null) holdEvent(record);
      else void track(running, attempt(record, current, number + 1));
    }, delay_ms);
    timer.unref();
    timers.add(timer);
  }

  function holdEvent(record: EventRecord): void {
    store.held?.push(record.event.id);
    onHeldChange();
  }

  function sendNow(record: EventRecord): Promise<Delivery[]> {
    return track(running, Promise.all(targetsOf(store, record).map((target) => attempt(record, target, 1))));
  }

  async function send(events: readonly EventRecord[]): Promise<void> {
    for (const record of events) {
      if (closing.signal.aborted) return;
      if (store.held !== null) holdEvent(record);
      else await sendNow(record);
    }
  }

  return {
    send,
    sendNow,
    hold: (reverse) => {
      store.held ??= [];
      reverse_on_release = reverse;
      onHeldChange();
    },
    release: async (reverse) => {
      const ids = store.held ?? [];
      store.held = null;
      onHeldChange();
      for (const id of reverse || reverse_on_release ? ids.toReversed() : ids) {
        const record = store.events.get(id);
        if (record !== undefined) await sendNow(record);
      }
      return ids.length;
    },
    deliveries: () => log,
    close: async () => {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.allSettled(running);
    },
  };
}

/** The targets of an event: those of its account, and those of all accounts. */
function targetsOf(store: Store, record: EventRecord): WebhookTarget[] {
  return Array.from(store.targets.values()).filter(
    ({ account }) => account === null || account === record.account,
  );
}

/** Keeps the work in the set until it ends. */
function track<T>(running: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  running.add(work);
  void work.finally(() => running.delete(work)).catch(() => undefined);
  return work;
}
