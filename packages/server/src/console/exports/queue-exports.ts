/** Queues the statements of periods that have ended (D-381). */
import type { Database } from '../../base/pg/index.ts';
import { type Clock, days, later } from '../../base/time/clock.ts';
import { selectMerchant } from '../../merchants/index.ts';
import { nextFirstDay, periodName } from '../wallet/period.ts';
import { hasRecipient } from './recipients.ts';
import { deliveriesOf, dueAfter } from './statement-export.ts';
import { deleteOldDeliveries, insertDelivery, lockDueExport, updateExport } from './statement-export.sql.ts';
import { type TellDeps, tellStopped } from './tell-failing.ts';

interface QueueDeps {
  db: Database;
  clock: Clock;
}

/**
 * Queues one period of one export; returns how many it found (0 or 1). Invariant: the deliveries and the move to the
 * next period commit together, under the lock of the export, so each period is queued once, however many workers there
 * are and wherever they stop. After a long stop, the periods that were missed follow one by one. An export without
 * a recipient is paused instead, and its merchant is told (D-664).
 */
export const queueDueExport = (deps: QueueDeps & TellDeps): Promise<number> =>
  deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const due = await lockDueExport(tx, now);
    if (due === null) return 0;
    const { frequency, time_zone, next_day } = due;
    const merchant = await selectMerchant(tx, due.merchant_id);
    if (merchant !== null && !(await hasRecipient(tx, due, merchant))) {
      await updateExport(tx, { ...due, next_at: null });
      await tellStopped(tx, deps, merchant, periodName(frequency, next_day));
      return 1;
    }
    for (const one of deliveriesOf(due, periodName(frequency, next_day), now)) await insertDelivery(tx, one);
    const following = nextFirstDay(frequency, next_day);
    await updateExport(tx, {
      ...due,
      next_day: following,
      next_at: dueAfter(frequency, following, time_zone),
    });
    return 1;
  });

/** For how long the record of a delivery is kept. */
const kept_ms = days(90);

/** Deletes old records; returns how many. */
export const purgeOldExports = ({ db, clock }: QueueDeps): Promise<number> =>
  deleteOldDeliveries(db, later(clock.now(), -kept_ms), 1_000);
