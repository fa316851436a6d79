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

/** Of one merchant so many are counted, so that a long backlog does not make the figure dear. */
const maxCounted = 1_000;

export type PaymentQueue = DueWork | 'cases' | 'webhooks';

/** What the background work on payments has before it. */
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

/** How long a provider may take to be clear before somebody is told: workers ask again within seconds. */
const unclearAfter_ms = minutes(5);

/** Channels whose providers have not said clearly what became of payments, for longer than they may. */
export const readUnclearChannels = (db: Queryable, now: Date): Promise<Unclear[]> =>
  selectUnclear(db, later(now, -unclearAfter_ms), maxCounted);
