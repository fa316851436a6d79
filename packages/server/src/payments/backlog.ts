import type { Queryable } from '../base/db.ts';
import {
  type DueWork,
  selectDueCases,
  selectDueWebhooks,
  selectDueWork,
  type Waiting,
} from './backlog.sql.ts';

export { countUndecided } from './backlog.sql.ts';
export type { Waiting } from './backlog.sql.ts';

/** Of one merchant so many are counted, so that a long backlog does not make the figure dear. */
const mostCounted = 1_000;

export type PaymentQueue = DueWork | 'cases' | 'webhooks';

/** What the background work on payments has before it. */
export async function paymentBacklog(db: Queryable, now: Date): Promise<Record<PaymentQueue, Waiting>> {
  const of = (kind: DueWork): Promise<Waiting> => selectDueWork(db, kind, now, mostCounted);
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
