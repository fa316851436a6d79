/** Reads channels through the live cache. */
import type { Database } from '../base/pg/index.ts';
import type { LiveCache } from '../base/caches/live-cache.ts';
import type { Channel } from './channel.ts';
import { selectChannel, selectChannelByWebhookKey, selectChannelsFor } from './channel.sql.ts';

/** Cached channels. Decisions about money read the row itself (D-169). */
export interface Channels {
  /** The platform's channels and the merchant's own, also disabled ones, in order of creation. */
  of(merchant_id: string): Promise<Channel[]>;
  find(payment_no: string): Promise<Channel | null>;
  byWebhookKey(webhook_key: string): Promise<Channel | null>;
}

export function createChannels(db: Database, cache: LiveCache): Channels {
  return {
    of: cache.keyed((merchant_id: string) => selectChannelsFor(db.lookups, merchant_id)),
    find: cache.keyed((payment_no: string) => selectChannel(db.lookups, payment_no)),
    byWebhookKey: cache.keyed((key: string) => selectChannelByWebhookKey(db.lookups, key)),
  };
}
