/** A scheduled export of a merchant's statement, and what was sent of it. Pure. */
import type { StatementExport as Shown } from '@paydesk/contract';
import { hours, later, minutes } from '../../base/time/clock.ts';
import { startOfDay } from '../../base/time/zone-days.ts';
import { type Frequency, nextFirstDay, periodName } from '../wallet/period.ts';

export interface StatementExport {
  export_id: string;
  merchant_id: string;
  frequency: Frequency;
  time_zone: string;
  /** Whether mails have the PDF beside the CSV. */
  with_pdf: boolean;
  /** The people who get it by mail. */
  user_ids: string[];
  /** The address that gets it by HTTPS, with the sealed key that signs it; null without one. */
  url: string | null;
  secret_box: Buffer | null;
  created_by: string;
  created_at: Date;
  /** The first day of the period that is sent next. */
  next_day: string;
  /** When it is sent; null while the export is paused. */
  next_at: Date | null;
  /** Since when it fails, as people were told; null while it arrives. Only an attempt changes it. */
  failing_since: Date | null;
}

/** What an operator sees of an export that fails. */
export interface FailingExport extends Pick<StatementExport, 'merchant_id' | 'export_id' | 'frequency'> {
  merchant_name: string;
  failing_since: Date;
}

export type ExportError = Exclude<Shown['deliveries'][number]['last_error'], null>;

/** What one recipient gets of one period. */
export interface StatementDelivery {
  delivery_id: string;
  merchant_id: string;
  export_id: string;
  period: string;
  time_zone: string;
  /** Null: the HTTPS address. */
  user_id: string | null;
  created_at: Date;
  /** When it is tried next; null when it is over. */
  due_at: Date | null;
  /** Attempts that were begun. */
  attempts: number;
  sent_at: Date | null;
  /** Its first failure; null without one, and once it was sent. */
  failing_since: Date | null;
  last_http_status: number | null;
  last_error: ExportError | null;
}

/** Entries of the books that were under way when a period ended are committed by then. */
const settled_ms = minutes(15);

/** A day ends in the last zones so long after it has ended in UTC. */
const lastZone_ms = hours(12);

/** When the period that begins on a day is sent: soon after its end. */
export const dueAfter = (frequency: Frequency, first: string, time_zone: string): Date =>
  later(endOf(frequency, first, time_zone), settled_ms);

/**
 * When the period that begins on a day ends. If this Node.js does not know the zone that a newer one has stored, that is once
 * the period has ended in every zone: its statement then fails, and people are told (D-1356).
 */
export function endOf(frequency: Frequency, first: string, time_zone: string): Date {
  const end = nextFirstDay(frequency, first);
  try {
    return startOfDay(end, time_zone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return later(startOfDay(end, 'UTC'), lastZone_ms);
  }
}

/** The deliveries of a period, one for each recipient. Their ids are always the same, so that there is one of each. */
export function deliveriesOf(
  { export_id, merchant_id, time_zone, user_ids, url }: StatementExport,
  period: string,
  now: Date,
): StatementDelivery[] {
  const recipients = [...user_ids, ...(url === null ? [] : [null])];
  return recipients.map((user_id) => ({
    delivery_id: [export_id, period, ...(user_id === null ? [] : [user_id])].join('-'),
    ...{ merchant_id, export_id, period, time_zone, user_id, created_at: now, due_at: now, attempts: 0 },
    ...{ sent_at: null, failing_since: null, last_http_status: null, last_error: null },
  }));
}

/** The deliveries of the periods that have ended and are not queued yet, each due when its export would have sent it. */
export function deliveriesOfEnded(of: StatementExport, now: Date): StatementDelivery[] {
  const { frequency, time_zone } = of;
  const found: StatementDelivery[] = [];
  let [day, due_at] = [of.next_day, of.next_at];
  while (due_at !== null && later(due_at, -settled_ms) <= now) {
    found.push(...deliveriesOf(of, periodName(frequency, day), due_at));
    day = nextFirstDay(frequency, day);
    due_at = dueAfter(frequency, day, time_zone);
  }
  return found;
}

export const isRecipient = ({ user_ids, url }: StatementExport, user_id: string | null): boolean =>
  user_id === null ? url !== null : user_ids.includes(user_id);

/** From this number of attempts on, a delivery that is still tried counts as failing. */
const attemptsToTell = 2;

/**
 * Since when a recipient of an export gets nothing: the first failure after what was sent last. Null if none fails.
 *
 * @param deliveries newest first
 */
export function failingSince(of: StatementExport, deliveries: readonly StatementDelivery[]): Date | null {
  let since: Date | null = null;
  for (const recipient of new Set(deliveries.map(({ user_id }) => user_id))) {
    if (!isRecipient(of, recipient)) continue;
    for (const { user_id, sent_at, failing_since, attempts, due_at } of deliveries) {
      if (user_id !== recipient) continue;
      if (sent_at !== null) break;
      if (failing_since === null || (due_at !== null && attempts < attemptsToTell)) continue;
      if (since === null || failing_since < since) since = failing_since;
    }
  }
  return since;
}

type Status = Shown['deliveries'][number]['status'];

export function statusOf({ sent_at, due_at, failing_since }: StatementDelivery): Status {
  if (due_at === null) return sent_at === null ? 'failed' : 'sent';
  return failing_since === null ? 'pending' : 'retrying';
}
