import type { Limits } from '../base/pg/index.ts';
import { seconds } from '../base/time/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config.ts';
import type { Limiter } from '../http/rate-limit.ts';
import type { DemoShop } from '../checkout/pages/allowed-frames.ts';
import type { Tracing } from './tracing.ts';

/** What a process does: serve requests, do background work, or both. */
export type Role = 'all' | 'web' | 'worker';

/** What a process is started with. */
export interface ServiceOptions {
  config: Config;
  database_url: string;
  /** The first key seals; any of them opens. */
  secret_keys: readonly [Buffer, ...Buffer[]];
  role: Role;
  log: Logger;
  /** The traces of the process. Null where they are off. */
  tracing?: Tracing | null;
  /** The demo shop of `paydesk start`, whose pages show the checkout in a frame. No other command has one. */
  demo_shop?: DemoShop | null;
  /** What this process has of the others of `serve --processes`; absent where it is alone. */
  family?: Family;
  /** Shorter waits, for tests. */
  timings?: Partial<Timings>;
  /** Shorter limits for the database, for tests. */
  database_limits?: Partial<Limits>;
}

/** How a process is one of several on one port (`serve --processes`). */
export interface Family {
  /** Whether it takes connections from the port. */
  listens: boolean;
  /** The limits that all share where there is no Redis. */
  limiter: Limiter;
  /** The figures of all as text. */
  metrics: () => Promise<string>;
}

/** How long this process waits for the network and for other processes; real milliseconds. */
export interface Timings {
  /** The limit of one call to the card provider. */
  provider_timeout_ms: number;
  /** How long a request to the provider may hold an attempt. Longer than the call, or two requests would run at once. */
  lease_ms: number;
  /** How long a start waits for the creation that another request has begun (D-094). */
  wait_ms: number;
  /** How long after something has happened background work continues at its usual pace (D-420). */
  awake_ms: number;
  /** After this time a stopping process gives up what still waits for the database (H-24). */
  stop_ms: number;
  /**
   * How long a stopping process still answers what comes on kept connections: a proxy may have sent it already (D-960). Part
   * of `stop_ms`.
   */
  linger_ms: number;
}

export const usualTimings: Timings = {
  provider_timeout_ms: seconds(8),
  lease_ms: seconds(12),
  wait_ms: seconds(10),
  awake_ms: seconds(10),
  stop_ms: seconds(9),
  linger_ms: seconds(1),
};
