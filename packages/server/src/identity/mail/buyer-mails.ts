/**
 * Mails to buyers about their orders. Invariant: a mail is queued in the transaction of the change that it reports, so
 * it is sent for what has happened, once.
 */
import type { Database, Write } from '../../base/pg/index.ts';
import { type Clock, days, later } from '../../base/time/clock.ts';
import { type BuyerMailKind, deleteOldBuyerMails, insertBuyerMail } from './buyer-mail.sql.ts';

/** The writes that queue a mail about an order. */
export type QueueBuyerMail = (
  kind: BuyerMailKind,
  order: { merchant_id: string; order_no: string },
  now: Date,
) => Write[];

/**
 * Queues mails, one of each kind for an order (D-237) or a top-up (D-362), which a worker sends within ten seconds; without a mail transport it
 * queues none.
 */
export const createBuyerMails =
  ({ clock, mail }: { clock: Clock; mail: boolean }): QueueBuyerMail =>
  (kind, { merchant_id, order_no }, now) =>
    mail
      ? [
          insertBuyerMail({
            ...{ mail_id: `${order_no}.${kind}`, merchant_id, order_no, kind },
            ...{ address_box: null, locale: null, created_at: now, due_at: clock.real(), tries: 0 },
          }),
        ]
      : [];

/** For how long the record of a mail is kept. */
const kept_ms = days(90);

/** Deletes old records; returns how many. */
export const purgeOldBuyerMails = ({ db, clock }: { db: Database; clock: Clock }): Promise<number> =>
  deleteOldBuyerMails(db, later(clock.real(), -kept_ms), 1_000);
