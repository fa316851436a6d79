/** Tells people that a scheduled export fails, or arrives again. */
import { type IdSource, merchantNo } from '../../base/ids.ts';
import type { Tx } from '../../base/pg/index.ts';
import { type Clock, rfc3339 } from '../../base/time/clock.ts';
import { queueNotice } from '../../identity/mail/index.ts';
import { selectPerson } from '../../identity/people/index.ts';
import { type Merchant, peopleOf } from '../../merchants/index.ts';
import { mostRead } from './failing-exports.ts';
import { failingSince, type StatementDelivery, type StatementExport } from './statement-export.ts';
import { selectDeliveries, updateFailingSince } from './statement-export.sql.ts';

export interface TellDeps {
  clock: Clock;
  ids: Pick<IdSource, 'uuid'>;
  /** Null where no mail can be sent: then only the console shows it. */
  mailer: object | null;
}

/**
 * Notices that an export begins to fail or arrives again, in the transaction that stores an attempt (D-391), and queues
 * a mail to each owner and finance person. The caller has locked the export, so each incident is reported only once.
 */
export async function tellFailing(
  tx: Tx,
  deps: TellDeps,
  { of, merchant }: { of: StatementExport; merchant: Merchant },
  tried: StatementDelivery,
): Promise<void> {
  const since = failingSince(of, await selectDeliveries(tx, of, mostRead));
  if ((since === null) === (of.failing_since === null)) return;
  await updateFailingSince(tx, of, since);
  const kind = since === null ? 'export_recovered' : 'export_failing';
  const recipient = tried.user_id === null ? null : await selectPerson(tx, tried.user_id);
  await tell(tx, deps, merchant, kind, {
    period: tried.period,
    // The host alone: the rest of an address may be secret.
    receiver: recipient?.email ?? (of.url === null ? '' : new URL(of.url).host),
    answer: tried.last_http_status === null ? (tried.last_error ?? '') : `HTTP ${tried.last_http_status}`,
    since: rfc3339(since ?? of.failing_since ?? tried.created_at),
  });
}

/** Tells the same people that an export was paused, because it has no recipient any longer (D-664). */
export function tellStopped(tx: Tx, deps: TellDeps, merchant: Merchant, period: string): Promise<void> {
  const since = rfc3339(deps.clock.now());
  return tell(tx, deps, merchant, 'export_failing', { period, receiver: '—', answer: 'nobody_left', since });
}

async function tell(
  tx: Tx,
  deps: TellDeps,
  merchant: Merchant,
  kind: 'export_failing' | 'export_recovered',
  about: Record<string, string>,
): Promise<void> {
  if (deps.mailer === null) return;
  const { name, merchant_id } = merchant;
  const at = rfc3339(deps.clock.now());
  const detail = { merchant: name, merchant_no: merchantNo(merchant_id), ...about, at };
  for (const user_id of await peopleOf(tx, merchant, ['owner', 'finance'])) {
    const person = await selectPerson(tx, user_id);
    if (person === null || person.disabled_at !== null) continue;
    const due_at = deps.clock.real();
    await queueNotice(tx, { notice_id: deps.ids.uuid(), user_id, kind, detail, due_at });
  }
}
