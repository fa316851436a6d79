import { type DeliveryDeps, openDelivery } from './delivery.ts';
import { merchantsDue, onePass } from './delivery-pass.ts';

/** Delivers notifications until it is stopped. */
export interface Deliverer {
  start(): void;
  /** Looks for due work now instead of at the next poll: call where something has just become due. */
  wake(): void;
  /** One pass beside the loop, with the same connections and bounds; answers how many attempts it made. */
  runOnce(options?: { limit?: number }): Promise<number>;
  /** Begins nothing more and finishes what is under way: at most 8 s. */
  stop(): Promise<void>;
}

export interface DelivererDeps extends DeliveryDeps {
  /** How often due work is looked for. Nobody announces it: notifying at each commit would serialize all commits. */
  poll_ms?: number;
}

/** Claims under way at once. */
const claimers = 4;
/** Attempts of one pass, unless told otherwise. */
const passLimit = 10_000;
/** A merchant that had to wait for places gets its next batch when so many are free, or at the next poll. */
const worthwhile = 8;

/** The loop of a worker process: finds merchants with due work and serves them in turn, batch by batch. */
export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { clock, log, poll_ms = 250 } = deps;
  const delivery = openDelivery(deps);
  /** Merchants to serve, in turn. */
  const ready = new Set<string>();
  /** Being served: one claim per merchant at a time. */
  const claiming = new Set<string>();
  /** With more due than there were places for. */
  const hungry = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let stopped = true;
  let reachable = true;

  function poll(): void {
    if (stopped || polling !== undefined) return;
    clearTimeout(timer);
    polling = lookForWork().finally(() => {
      polling = undefined;
      if (!stopped) timer = setTimeout(poll, reachable ? poll_ms : 4 * poll_ms);
    });
  }

  async function lookForWork(): Promise<void> {
    try {
      for await (const merchant_id of merchantsDue(deps, clock.now())) {
        // Read as `while` sees it: stopping may happen at any `await`.
        if (isStopped()) return;
        ready.add(merchant_id);
        serve();
      }
      reachable = true;
    } catch (error) {
      report(error);
    }
  }

  const isStopped = (): boolean => stopped;

  function report(error: unknown): void {
    // Once per outage, not four times a second.
    if (reachable) log.error({ err: error }, 'due notifications cannot be read; trying again');
    reachable = false;
  }

  function serve(): void {
    for (const merchant_id of ready) {
      if (stopped || claiming.size >= claimers) return;
      if (claiming.has(merchant_id)) continue;
      ready.delete(merchant_id);
      claiming.add(merchant_id);
      void serveOne(merchant_id).finally(() => {
        claiming.delete(merchant_id);
        serve();
      });
    }
  }

  async function serveOne(merchant_id: string): Promise<void> {
    try {
      const { attempts, more } = await delivery.start(merchant_id, Infinity, clock.now());
      for (const attempt of attempts) {
        void attempt.finally(() => {
          feed(merchant_id);
        });
      }
      if (!more) hungry.delete(merchant_id);
      else if (attempts.length > 0 && delivery.gate.freeFor(merchant_id) >= worthwhile)
        ready.add(merchant_id);
      else hungry.add(merchant_id);
    } catch (error) {
      report(error);
    }
  }

  function feed(merchant_id: string): void {
    if (!hungry.has(merchant_id) || delivery.gate.freeFor(merchant_id) < worthwhile) return;
    hungry.delete(merchant_id);
    ready.add(merchant_id);
    serve();
  }

  return {
    start() {
      stopped = false;
      poll();
    },
    wake: poll,
    runOnce: ({ limit = passLimit } = {}) => onePass(delivery, deps, { limit }),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await polling;
      await delivery.close();
    },
  };
}
