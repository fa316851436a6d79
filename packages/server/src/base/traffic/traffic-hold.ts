/** Holds the traffic of all processes while `paydesk after-restore` puts a restored database in order. */
import type { Database } from '../pg/index.ts';
import type { LiveCache } from '../caches/live-cache.ts';
import { type Hold, selectHold } from './traffic-hold.sql.ts';

export {
  deleteHold,
  type Hold,
  insertHold,
  renewHold,
  selectHold,
  selectHoldForUpdate,
  updateHold,
} from './traffic-hold.sql.ts';

/** The hold as this process knows it: it learns of a change like of any other setting, within half a second. */
export interface TrafficHold {
  /** Null while traffic flows. */
  current(): Hold | null;
}

/** Reads the hold before anything else runs, and again after each change of a setting. */
export async function watchTrafficHold(db: Database, cache: LiveCache): Promise<TrafficHold> {
  let held: Hold | null = null;
  await cache.onChange(async () => {
    held = await selectHold(db);
  });
  return { current: () => held };
}
