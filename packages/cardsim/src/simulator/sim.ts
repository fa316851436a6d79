import type { SimClock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { NewId } from '../records/ids.ts';
import type { RequestLog } from './request-log.ts';
import type { Persistence, Store } from '../records/store.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** One running simulator: what every operation needs, handed down as one argument. */
export type Sim = {
  clock: SimClock;
  newId: NewId;
  store: Store;
  persistence: Persistence;
  faults: Faults;
  webhooks: Webhooks;
  requests: RequestLog;
  /** Origin (and path prefix) of the payment pages; known once the port is. */
  publicUrl: () => string;
  /**
   * Webhooks that have to arrive before the answer to a creation which is still being delayed, by session.
   */
  early: Map<string, Promise<unknown>>;
  /** When the passing of time last took effect, in seconds of the simulator's clock. */
  ticked_at: number;
  /** Aborted when the simulator closes. */
  closing: AbortSignal;
};
