/** The loop of a worker process: looks for due notifications until it is stopped. */
import { createWatchdog, usualLongest_ms } from '../../base/watchdog.ts';
import { type DeliveryDeps, openDelivery } from './start-deliveries.ts';
import { merchantsDue, runPass } from './delivery-pass.ts';
import { createMerchantTurns } from './merchant-turns.ts';

/** Delivers notifications until it is stopped. */
export interface Deliverer {
  start(): void;
  /** Looks for due notifications now instead of at the next poll. */
  wake(): void;
  /** Runs one pass beside the loop, with the same connections and limits; returns the number of attempts. */
  runOnce(options?: { limit?: number }): Promise<number>;
  /** Starts nothing more and finishes what is under way, which takes at most 8 s. */
  stop(): Promise<void>;
  /** Its name where a look for due notifications does not end, else nothing. */
  stuck(): string[];
}

export interface DelivererDeps extends DeliveryDeps {
  /** Time between two looks for due notifications. Commits do not announce them: that would serialize all commits. */
  poll_ms?: number;
  /** Lets the loop rest while nothing happens on the platform (D-420); absent: it never rests. */
  rest?: DelivererRest;
  /** Called after each look for due notifications that did not fail, and while it rests. */
  onLooked?: () => void;
}

/** What the loop knows of the rest of the platform (`jobs/rest.ts`). */
export interface DelivererRest {
  allows(began_ms: number): boolean;
  stir(): void;
}

/** Default maximum of attempts in one pass. */
const passLimit = 10_000;

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { clock, log, rest, poll_ms = 250 } = deps;
  const delivery = openDelivery(deps);
  const turns = createMerchantTurns({ delivery, clock, onError: reportFailure });
  const watchdog = createWatchdog({ name: 'deliver', log, longest_ms: usualLongest_ms });
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | undefined;
  let stopped = true;
  let reachable = true;
  /** When the last look began, by the monotonic clock, if it found nothing; else null. */
  let idle_since_ms: number | null = null;

  function poll(): void {
    if (stopped || polling !== undefined) return;
    clearTimeout(timer);
    if (idle_since_ms !== null && rest?.allows(idle_since_ms) === true) {
      deps.onLooked?.();
      timer = setTimeout(poll, poll_ms);
      return;
    }
    const end = watchdog.begin();
    polling = lookForWork().finally(() => {
      end();
      polling = undefined;
      if (!stopped) timer = setTimeout(poll, reachable ? poll_ms : 4 * poll_ms);
    });
  }

  async function lookForWork(): Promise<void> {
    const began_ms = performance.now();
    let found = false;
    idle_since_ms = null;
    try {
      for await (const merchant_id of merchantsDue(deps, clock.now())) {
        // A call, because the compiler does not know that `stopped` can change at an `await`.
        if (isStopped()) return;
        turns.add(merchant_id);
        found = true;
      }
      if (found) rest?.stir();
      else idle_since_ms = began_ms;
      reachable = true;
      deps.onLooked?.();
    } catch (error) {
      reportFailure(error);
    }
  }

  const isStopped = (): boolean => stopped;

  function reportFailure(error: unknown): void {
    // Once for each outage, not at every poll.
    if (reachable) log.error({ err: error }, 'due notifications cannot be read: is the database available?');
    reachable = false;
  }

  return {
    start() {
      stopped = false;
      poll();
    },
    wake: poll,
    stuck: () => watchdog.stuck(),
    runOnce: ({ limit = passLimit } = {}) => runPass(delivery, deps, { limit }),
    async stop() {
      stopped = true;
      turns.stop();
      clearTimeout(timer);
      await polling;
      await delivery.close();
    },
  };
}
