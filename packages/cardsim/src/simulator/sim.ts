import type { SimClock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { NewId } from '../records/ids.ts';
import type { RequestLog } from './request-log.ts';
import type { Persistence, Store } from '../records/store.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** One running simulator. Every operation gets it as an argument. */
export type Sim = {
  clock: SimClock;
  newId: NewId;
  store: Store;
  persistence: Persistence;
  faults: Faults;
  webhooks: Webhooks;
  /** The methods that an account has activated, by account, where the control API has said so. */
  methods: Map<string, string[]>;
  requests: RequestLog;
  /** Origin and path prefix of the payment pages; empty until the server listens. */
  publicUrl: () => string;
  /** Webhooks that must arrive before the delayed answer to a creation, by session. */
  early_webhooks: Map<string, Promise<unknown>>;
  /** When `passTime` last ran, in seconds of the simulator’s clock. */
  ticked_at: number;
  /** Aborted when the simulator closes. */
  closing: AbortSignal;
};
