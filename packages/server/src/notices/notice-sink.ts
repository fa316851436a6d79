/**
 * Queues mail to the people whom an act concerns. It follows the audit trail as its sinks do: so every recorded act is
 * reported to them, and no write has to name the recipients (ADR 21).
 */
import { createHash } from 'node:crypto';
import { isUuid } from '../base/input/decode.ts';
import { merchantIdOf } from '../base/ids.ts';
import type { Database, Queryable } from '../base/pg/index.ts';
import type { Clock } from '../base/time/clock.ts';
import { queueNotice } from '../identity/mail/index.ts';
import { selectPerson } from '../identity/people/index.ts';
import { ownersOf, selectMerchant } from '../merchants/index.ts';
import { selectClientsByIds } from '../oauth/clients/index.ts';
import type { AuditSink } from '../seals/index.ts';
import { type Entry, noticesOf, type Told } from './notices-of.ts';

interface NoticeSinkDeps {
  db: Database;
  clock: Clock;
  /** Whether a mail transport is configured. Without one, every entry is skipped. */
  mail: boolean;
  /** Called when mail was queued. */
  onMail: () => void;
}

/** The sink that queues the notices. Its cursor begins with the release that has it (migration 32). */
export const noticeSink = ({ db, clock, mail, onMail }: NoticeSinkDeps): AuditSink => ({
  name: 'notices',
  failure: 'mail about what the audit trail records could not be queued',
  heads: null,
  async send(lines) {
    if (!mail) return;
    for (const { kind, json } of lines) {
      if (kind !== 'audit') continue;
      const entry = JSON.parse(json) as Entry;
      for (const told of noticesOf(entry)) await queueFor(db, clock, entry, told);
    }
    onMail();
  },
});

async function queueFor(db: Database, clock: Clock, entry: Entry, told: Told): Promise<void> {
  const merchant = await merchantOf(db, told);
  const owners = merchant === null ? [] : await ownersOf(db, merchant);
  const about = await personOf(db, told.about);
  const detail = {
    ...told.detail,
    ...(merchant === null ? {} : { merchant: merchant.name }),
    ...(about === null ? {} : { name: about.name, email: about.email }),
    at: entry.at,
    address: entry.address ?? '',
  };
  for (const user_id of new Set([...(told.person === undefined ? [] : [told.person]), ...owners])) {
    if (!isUuid(user_id)) continue;
    // An entry that comes again makes the same notice, which is there already.
    const notice_id = uuidOf(`${entry.audit_id}/${told.kind}/${user_id}`);
    await queueNotice(db, { notice_id, user_id, kind: told.kind, detail, due_at: clock.real() });
  }
}

const personOf = (db: Queryable, user_id: string | undefined) =>
  user_id === undefined || !isUuid(user_id) ? Promise.resolve(null) : selectPerson(db, user_id);

async function merchantOf(db: Queryable, { merchant_no, client_id }: Told) {
  const [client] = client_id === undefined ? [] : await selectClientsByIds(db, [client_id]);
  const merchant_id = merchant_no === undefined ? (client?.merchant_id ?? null) : merchantIdOf(merchant_no);
  return merchant_id === null ? null : selectMerchant(db, merchant_id);
}

/** A UUID (version 8) that is always the same for the same text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
