import { passwordChangedMail } from '@paydesk/checkout';
import { type Clock, later, minutes } from '../base/clock.ts';
import type { Tx } from '../base/db.ts';
import type { IdSource } from '../base/ids.ts';
import { claimNotice, deleteNotice, insertNotice } from './notice.sql.ts';
import type { SendDeps } from './password-reset.ts';
import { selectPerson } from './person.sql.ts';

/** A mail that was not accepted is tried again after so long, this often. */
const retryAfter_ms = minutes(2);
const tries = 5;

export interface NoticeDeps {
  clock: Clock;
  ids: Pick<IdSource, 'uuid'>;
  /** Whether mail can be sent at all. */
  mail: boolean;
}

/** Owes a person the mail that says that their password was changed, together with the change itself. */
export async function owePasswordNotice(
  tx: Tx,
  { clock, ids, mail }: NoticeDeps,
  { user_id, locale }: { user_id: string; locale: string },
): Promise<void> {
  if (!mail) return;
  const notice = { notice_id: ids.uuid(), user_id, locale, kind: 'password_changed', tries: 0 } as const;
  await insertNotice(tx, { ...notice, due_at: clock.real() });
}

/** Sends one mail that is due: how many that were. Safe beside other workers. */
export async function sendDueNotice(deps: Omit<SendDeps, 'ids'>): Promise<number> {
  const { db, clock, log, mailer, public_url } = deps;
  const now = clock.real();
  const notice = await claimNotice(db, now, later(now, retryAfter_ms));
  if (notice === null) return 0;
  try {
    const person = await selectPerson(db, notice.user_id);
    const link = `${public_url}/forgot-password`;
    if (person !== null) await mailer.send({ to: person.email, ...passwordChangedMail(notice.locale, link) });
  } catch (error) {
    // The log says what the mail server said, never to whom.
    log.warn({ err: error, tries: notice.tries }, 'a mail was not accepted');
    if (notice.tries < tries) return 1;
  }
  await deleteNotice(db, notice.notice_id);
  return 1;
}
