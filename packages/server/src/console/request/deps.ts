import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { LiveCache } from '../../base/live/live-cache.ts';
import type { Logger } from '../../base/log.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { SessionUser } from '../../identity/people/index.ts';
import type { KindOf } from '../../payments/engine/index.ts';

/** Counts what a person does. Throws `rate_limited` or `rate_limit_unavailable`. */
export interface ConsoleLimits {
  take(group: 'exports' | 'invitations', key: string): Promise<void>;
}

/** What the consoles work with. */
export interface ConsoleDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
  cache: LiveCache;
  log: Logger;
  kindOf: KindOf;
  /** Who is signed in by these cookies; null where nobody is. */
  sessionUser: (cookies: string | undefined) => Promise<Pick<SessionUser, 'user_id'> | null>;
  /** Refuses an address that resolves to a private one now (D-133). */
  vetNotifyUrl: (url: string) => Promise<void>;
  notify_allow_cidrs: readonly string[];
  limits: ConsoleLimits;
}
