/** Counts the work that waits for the background workers of payments, for the operator. */
import { later, minutes } from '../../base/time/clock.ts';
import type { Queryable } from '../../base/pg/index.ts';
import {
  type DueWork,
  selectDueCases,
  selectDueWebhooks,
  selectDueWork,
  selectUnclear,
  type Unclear,
  type Waiting,
} from './backlog.sql.ts';

/** Maximum number counted per merchant, so that a long backlog stays cheap to count. */
const maxCounted = 1_000;

export type PaymentQueue = DueWork | 'cases' | 'webhooks';

/** Due items in each queue. */
export async function readPaymentBacklog(db: Queryable, now: Date): Promise<Record<PaymentQueue, Waiting>> {
  const of = (kind: DueWork): Promise<Waiting> => selectDueWork(db, kind, now, maxCounted);
  const [attempts, refunds, disputes, holds, cases, webhooks] = await Promise.all([
    of('attempts'),
    of('refunds'),
    of('disputes'),
    of('holds'),
    selectDueCases(db, now),
    selectDueWebhooks(db, now),
  ]);
  return { attempts, refunds, disputes, holds, cases, webhooks };
}

/** How long a provider may be unclear before an alarm is raised. Workers ask again within seconds. */
const unclearAfter_ms = minutes(5);

/** Channels whose provider has been unclear about payments for too long. */
export const readUnclearChannels = (db: Queryable, now: Date): Promise<Unclear[]> =>
  selectUnclear(db, later(now, -unclearAfter_ms), maxCounted);
