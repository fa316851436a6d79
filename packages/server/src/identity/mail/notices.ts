/** Tells a person by mail that the password of their account was changed. */
import { passwordChangedMail } from '@paydesk/checkout';
import type { Clock } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import type { SendDeps } from './mailer.ts';
import { selectPerson } from '../people/index.ts';
import type { IdSource } from '../../base/ids.ts';
import { claimNotice, deleteNotice, insertNotice } from './notice.sql.ts';
import { sendQueued } from './mail-queue.ts';

export interface NoticeDeps {
  clock: Clock;
  ids: Pick<IdSource, 'uuid'>;
  /** Whether a mail transport is configured. */
  mail: boolean;
}

/** Queues the notice in the transaction that changes the password. Without a mail transport it does nothing. */
export async function queuePasswordNotice(
  tx: Tx,
  { clock, ids, mail }: NoticeDeps,
  { user_id, locale }: { user_id: string; locale: string },
): Promise<void> {
  if (!mail) return;
  const notice = { notice_id: ids.uuid(), user_id, locale, kind: 'password_changed', tries: 0 } as const;
  await insertNotice(tx, { ...notice, due_at: clock.real() });
}

/** Sends one due notice; returns how many it found (0 or 1). Several workers may call it at once. */
export const sendDueNotice = (deps: Omit<SendDeps, 'ids'>): Promise<number> =>
  sendQueued(deps, {
    claim: (now, next) => claimNotice(deps.db, now, next),
    remove: ({ notice_id }) => deleteNotice(deps.db, notice_id),
    async send({ user_id, locale }) {
      const person = await selectPerson(deps.db, user_id);
      const mail = passwordChangedMail(locale, `${deps.public_url}/forgot-password`);
      if (person !== null) await deps.mailer.send({ to: person.email, ...mail });
    },
  });
