/** Tells people by mail what concerns their accounts and merchants. */
import { noticeMail, passwordChangedMail } from '@paydesk/checkout';
import type { Clock } from '../../base/time/clock.ts';
import type { Queryable, Tx } from '../../base/pg/index.ts';
import type { SendDeps } from './mailer.ts';
import { selectLocale, selectPerson } from '../people/index.ts';
import type { IdSource } from '../../base/ids.ts';
import { claimNotice, deleteNotice, insertNotice, type Notice } from './notice.sql.ts';
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
  const notice = {
    notice_id: ids.uuid(),
    user_id,
    locale,
    kind: 'password_changed',
    detail: {},
    tries: 0,
  } as const;
  await insertNotice(tx, { ...notice, due_at: clock.real() });
}

/** Queues a notice; does nothing where it is there. Its text is English for a person who keeps no language. */
export const queueNotice = (db: Queryable, notice: Omit<Notice, 'locale' | 'tries'>): Promise<void> =>
  insertNotice(db, { ...notice, locale: 'en', tries: 0 });

/**
 * Sends one due notice, in the language that the person keeps (D-390); returns how many it found (0 or 1). Several workers
 * may call it at once.
 */
export const sendDueNotice = (deps: Omit<SendDeps, 'ids'>): Promise<number> =>
  sendQueued(deps, {
    claim: (now, next) => claimNotice(deps.db, now, next),
    remove: ({ notice_id }) => deleteNotice(deps.db, notice_id),
    async send({ user_id, kind, detail, ...notice }) {
      const person = await selectPerson(deps.db, user_id);
      if (person === null) return;
      const locale = (await selectLocale(deps.db, user_id)) ?? notice.locale;
      const mail =
        kind === 'password_changed'
          ? passwordChangedMail(locale, `${deps.public_url}/forgot-password`)
          : noticeMail(locale, { kind, detail }, deps.public_url);
      await deps.mailer.send({ to: person.email, ...mail });
    },
  });
