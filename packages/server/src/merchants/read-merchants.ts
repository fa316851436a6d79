/** Reads merchants through the live cache. */
import type { Database } from '../base/pg/index.ts';
import type { LiveCache } from '../base/caches/live-cache.ts';
import type { Merchant } from './merchant.ts';
import { selectMerchant } from './merchant.sql.ts';

/** A merchant by id, cached; null where there is none. Decisions about money read the row itself (D-169). */
export type FindMerchant = (merchant_id: string) => Promise<Merchant | null>;

export function createFindMerchant(db: Database, cache: LiveCache): FindMerchant {
  return cache.keyed((merchant_id: string) => selectMerchant(db.lookups, merchant_id));
}
