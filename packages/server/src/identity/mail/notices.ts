import { passwordChangedMail } from '@paydesk/checkout';
import type { Clock } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import type { SendDeps } from './mailer.ts';
import { selectPerson } from '../people/index.ts';
import type { IdSource } from '../../base/ids.ts';
import { claimNotice, deleteNotice, insertNotice } from './notice.sql.ts';
import { sendOwed } from './mail-queue.ts';

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
export const sendDueNotice = (deps: Omit<SendDeps, 'ids'>): Promise<number> =>
  sendOwed(deps, {
    claim: (now, next) => claimNotice(deps.db, now, next),
    remove: ({ notice_id }) => deleteNotice(deps.db, notice_id),
    async send({ user_id, locale }) {
      const person = await selectPerson(deps.db, user_id);
      const mail = passwordChangedMail(locale, `${deps.public_url}/forgot-password`);
      if (person !== null) await deps.mailer.send({ to: person.email, ...mail });
    },
  });
