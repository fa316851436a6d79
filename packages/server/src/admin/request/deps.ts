/** What the administration API needs of the rest of the service. */
import type { SessionUse } from '../../identity/sessions/index.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { LiveCache } from '../../base/caches/live-cache.ts';
import type { Logger } from '../../base/log.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { TestClock } from '../../base/clocks/test-clock.ts';
import type { Config } from '../../config.ts';
import type { AppTokens } from '../../identity/password-reset/index.ts';
import type { SignedInUser } from '../../identity/people/index.ts';
import type { Verification } from '../../ledger/verification/index.ts';
import type { PaymentDeps } from '../../payments/engine/index.ts';

/** A merchant's scheduled export that fails, and that people got mail about. */
export interface FailingExport {
  merchant_id: string;
  merchant_name: string;
  export_id: string;
  frequency: 'daily' | 'weekly' | 'monthly';
  failing_since: Date;
}

/** The parts of the service that the administration API uses. */
export interface AdminDeps {
  config: Pick<Config, 'admin_key' | 'public_url'>;
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
  cache: LiveCache;
  log: Logger;
  /** Checks all books now, and keeps the result under the name of who asked. */
  verifyBooks: (verified_by: string) => Promise<Verification>;
  /** The payment engine, for refunds, complaints and cases. */
  payments: PaymentDeps;
  /** The person who is signed in with these cookies; null if there is none. */
  sessionUser: (
    cookies: string | undefined,
    use?: SessionUse,
  ) => Promise<Pick<SignedInUser, 'user_id' | 'role' | 'proved_at'> | null>;
  /** The tokens that apps hold for people. */
  apps: AppTokens;
  /** Counts exports and wrong keys. Throws `rate_limited` or `rate_limit_unavailable`. */
  limits: {
    take(group: 'exports' | 'admin_key_failures', key: string): Promise<void>;
  };
  /** What the sink of the audit trail does not have yet. */
  auditBacklog: () => Promise<{ waiting: bigint; oldest_at: Date | null }>;
  /** The scheduled exports of all merchants that fail, the longest failing first. */
  failingExports: () => Promise<FailingExport[]>;
  /** Throws while the rate limiter does not answer. */
  limiterReady: () => Promise<void>;
  /** One pass of each job for `POST /jobs/{name}/run`, by name; it returns the number of processed items. */
  jobs: Readonly<Record<string, () => Promise<number>>>;
  /** Null if the test clock is not enabled. Its calls then do not exist. */
  testClock: TestClock | null;
}
