/** What the merchant's console API needs of the rest of the service. */
import type { QueueBuyerMail } from '../../identity/mail/index.ts';
import type { SessionUse } from '../../identity/sessions/index.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { LiveCache } from '../../base/caches/live-cache.ts';
import type { Logger } from '../../base/log.ts';
import type { LiveBranding } from '../../base/settings/index.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { SignedInUser } from '../../identity/people/index.ts';
import type { CheckoutUrl, CollectionDeps } from '../../collection/orders/index.ts';
import type { KindOf } from '../../payments/engine/index.ts';

/** Counts a person's actions. Throws `rate_limited` or `rate_limit_unavailable`. */
export interface ConsoleLimits {
  take(
    group: 'create' | 'exports' | 'invitations' | 'invited_address' | 'reconciliation' | 'test_events',
    key: string,
  ): Promise<void>;
}

/** The parts of the service that the console API uses. */
export interface ConsoleDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
  cache: LiveCache;
  log: Logger;
  kindOf: KindOf;
  /** What creates collection orders. */
  collection: CollectionDeps;
  checkoutUrl: CheckoutUrl;
  /** The address of a payment link. */
  linkUrl: (link: string) => string;
  /** The person who is signed in with these cookies; null if there is none. */
  sessionUser: (
    cookies: string | undefined,
    use?: SessionUse,
  ) => Promise<Pick<SignedInUser, 'user_id' | 'proved_at'> | null>;
  /** Whether a mail transport is configured. Without one, invited people are added at once. */
  mail: boolean;
  /** Called when mail was queued. */
  onMail: () => void;
  /** Queues mails to buyers. */
  queueMail: QueueBuyerMail;
  /** Refuses an address that resolves to a private one now (D-133). */
  vetNotifyUrl: (url: string) => Promise<void>;
  notify_allow_cidrs: readonly string[];
  /** PEM certificates that notifications trust beside the built-in ones, or null. */
  notify_ca: string | null;
  limits: ConsoleLimits;
  /** The path of a merchant's logo on our origin: the console's policy allows images from nowhere else. */
  logoPath: (merchant_id: string) => Promise<string | null>;
  /** What the consoles show of the platform. */
  branding: Pick<LiveBranding, 'current'>;
}
