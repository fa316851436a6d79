import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { LiveCache } from '../../base/live/live-cache.ts';
import type { Logger } from '../../base/log.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { TestClock } from '../../base/live/test-clock.ts';
import type { Config } from '../../config.ts';
import type { SessionUser } from '../../identity/people/index.ts';
import type { PaymentDeps } from '../../payments/engine/index.ts';

/** What the administration API works with. */
export interface AdminDeps {
  config: Pick<Config, 'admin_key' | 'public_url'>;
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
  cache: LiveCache;
  log: Logger;
  /** What refunds, complaints and decisions on them work with. */
  payments: PaymentDeps;
  /** Who is signed in by these cookies; null where nobody is. */
  sessionUser: (cookies: string | undefined) => Promise<Pick<SessionUser, 'user_id' | 'role'> | null>;
  /** Counts what an administrator does. Throws `rate_limited` or `rate_limit_unavailable`. */
  limits: { take(group: 'exports', key: string): Promise<void> };
  /** Throws while the rate limiter does not answer. */
  limiterReady: () => Promise<void>;
  /** The passes that `POST /jobs/{name}/run` runs, by name; each answers how much it did. */
  jobs: Readonly<Record<string, () => Promise<number>>>;
  /** Null where the test clock is not enabled: then its calls do not exist. */
  testClock: TestClock | null;
}
