/** The history of an order, computed from stored records (D-280, D-478). Pure. */
import type { timelineKinds } from '@paydesk/contract';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { type CollectionOrder, confirmedAt, type OrderStatus } from '../orders/index.ts';
import type { TransferRow } from '../../ledger/books/index.ts';
import type { DeliveryRecord } from '../../notifications/delivery-records/index.ts';
import type { Attempt } from '../../payments/attempts/index.ts';
import type { Complaint, Refund } from '../../payments/losses/index.ts';
import type { Hold } from '../../payments/holds/index.ts';

export interface TimelineEntry {
  /** By the service's clock. */
  at: string;
  kind: (typeof timelineKinds)[number];
  status: string | null;
  status_version: number | null;
  /** The attempt, refund, complaint or file of the archive that it is about. */
  subject: string | null;
  /** How the refund or complaint ended. */
  outcome: string | null;
  /** The provider's time of a payment. Its clock may be off, and may know only whole seconds. */
  provider_at: string | null;
  what: string;
}

/** The stored records about an order. */
export interface OrderHistory {
  order: CollectionOrder;
  attempts: readonly Attempt[];
  transfers: readonly TransferRow[];
  hold: Hold | null;
  refunds: readonly Refund[];
  complaints: readonly Complaint[];
  notifications: readonly Pick<DeliveryRecord, 'status_version' | 'event'>[];
  /** The file of the archive that has its events and unused quotes; null if these are here. */
  archived: { archived_at: Date; file: string } | null;
}

const statusWords: Readonly<Record<OrderStatus, string>> = {
  pending: 'Created, and waiting for the buyer.',
  paid: 'The payment is confirmed and booked.',
  review: 'The time is up while a payment is unresolved.',
  expired: 'The time is up, and nothing was paid.',
  refunded: 'The payment went back to the buyer.',
  chargeback: 'The payment was lost to a complaint.',
};

/**
 * The events of an order in the order in which they happened, with the service's own times (D-280). Notifications give
 * each status with its version and time. Without notifications, the times come from payments and losses.
 *
 * Invariant: a status comes after the version before it, an attempt after the one before it, and the result of an
 * attempt after its start, even if the clocks of processes and providers disagree.
 */
export function timelineOf(history: OrderHistory): TimelineEntry[] {
  const statuses = inSequence(statusesOf(history));
  const isCreation = ({ status_version }: TimelineEntry): boolean => status_version === 1;
  const created = statuses.filter(isCreation);
  // At the same instant, the event that caused a status comes before the status.
  const entries = [
    ...created,
    ...attemptsOf(history, created.at(-1)?.at ?? ''),
    ...lossesOf(history),
    ...statuses.filter((entry) => !isCreation(entry)),
    ...holdOf(history),
    ...archivedOf(history),
  ];
  return entries
    .map((entry, i) => ({ entry, i }))
    .sort((a, b) => compareTexts(a.entry.at, b.entry.at) || a.i - b.i)
    .map(({ entry }) => entry);
}

/** All instants here are in UTC with milliseconds, so they sort as texts. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const latest = (a: string, b: string): string => (a > b ? a : b);

/** The same entries, none earlier than the one before it. */
function inSequence(entries: readonly TimelineEntry[]): TimelineEntry[] {
  let reached = '';
  return entries.map((entry) => {
    reached = latest(reached, entry.at);
    return { ...entry, at: reached };
  });
}

/** The statuses, in ascending order of version. */
function statusesOf(history: OrderHistory): TimelineEntry[] {
  const { order, notifications } = history;
  const entries = new Map<number, TimelineEntry>();
  const put = (version: number, status: string, at: string | null): void => {
    if (at === null || entries.has(version)) return;
    const what = Object.hasOwn(statusWords, status) ? statusWords[status as OrderStatus] : status;
    entries.set(version, { ...plain('status', at, what), status, status_version: version });
  };
  for (const { event, status_version } of notifications) {
    const { created_at, data } = event as unknown as { created_at: string; data: { status: string } };
    put(status_version, data.status, rfc3339(new Date(created_at)));
  }
  // A historical order was created elsewhere.
  if (order.fee_status !== 'legacy') put(1, 'pending', rfc3339(order.created_at));
  const { status, status_version } = order;
  const isReversed = status === 'refunded' || status === 'chargeback';
  if (isReversed) put(status_version - 1, 'paid', paidAt(history));
  put(status_version, status, statusAt(history));
  return [...entries].sort(([a], [b]) => a - b).map(([, entry]) => entry);
}

/** When the order took its current status; null if unknown. */
function statusAt(history: OrderHistory): string | null {
  const { order, refunds, complaints } = history;
  switch (order.status) {
    case 'pending':
      return rfc3339(order.created_at);
    case 'expired':
    case 'review':
      return rfc3339(order.expires_at);
    case 'paid':
      return paidAt(history);
    case 'refunded':
      return rfc3339OrNull(refunds.find((refund) => refund.status === 'succeeded')?.ended_at ?? null);
    case 'chargeback':
      return rfc3339OrNull(
        complaints.find((complaint) => complaint.status === 'confirmed')?.decided_at ?? null,
      );
  }
}

const payments = ['P1', 'P2', 'P4b', 'P4d'];

/** When the service confirmed the payment; for an order of an older service, the payment time that it stored. */
function paidAt({ order, transfers }: OrderHistory): string | null {
  const booked = transfers.find(({ posting }) => payments.includes(posting))?.at;
  return rfc3339OrNull(booked ?? confirmedAt(order) ?? order.occurred_at);
}

const plain = (
  kind: TimelineEntry['kind'],
  at: string,
  what: string,
  subject: string | null = null,
): TimelineEntry => ({
  ...{ at, kind, status: null, status_version: null },
  ...{ subject, outcome: null, provider_at: null, what },
});

/** The attempts, none before the order was created. */
function attemptsOf(history: OrderHistory, created: string): TimelineEntry[] {
  let reached = created;
  return history.attempts.flatMap((attempt) => {
    const { attempt_id, seq, provider, paid_at, closed_at } = attempt;
    reached = latest(reached, rfc3339(attempt.created_at));
    const start = reached;
    const entries = [plain('attempt_started', start, `Attempt ${seq} began.`, attempt_id)];
    if (paid_at !== null) {
      const at = latest(start, attemptPaidAt(history, attempt, paid_at));
      const paid = plain('attempt_paid', at, `Attempt ${seq} was paid.`, attempt_id);
      // A payment with PTK has no other clock than the service's.
      entries.push({ ...paid, provider_at: provider === 'ptk' ? null : rfc3339(paid_at) });
    }
    if (closed_at !== null) {
      const at = latest(start, rfc3339(closed_at));
      entries.push(plain('attempt_closed', at, `Attempt ${seq} ended without a payment.`, attempt_id));
    }
    return entries;
  });
}

/** When the service learned of the payment of an attempt; the provider's time if the payment is not the order's. */
function attemptPaidAt(history: OrderHistory, attempt: Attempt, paid_at: Date): string {
  const isOfOrder = attempt.provider_trade_no === history.order.provider_trade_no;
  return (isOfOrder ? paidAt(history) : null) ?? rfc3339(paid_at);
}

const holdOf = ({ hold }: OrderHistory): TimelineEntry[] =>
  hold?.released_at == null
    ? []
    : [plain('hold_ended', rfc3339(hold.released_at), 'The hold on the proceeds ended.')];

const archivedOf = ({ archived }: OrderHistory): TimelineEntry[] => {
  if (archived === null) return [];
  const { archived_at, file } = archived;
  const what = `Its notifications and unused methods left for the archive: ${file}.`;
  return [plain('archived', rfc3339(archived_at), what, file)];
};

function lossesOf({ refunds, complaints }: OrderHistory): TimelineEntry[] {
  const ended = (entry: TimelineEntry, outcome: string): TimelineEntry => ({ ...entry, outcome });
  return [
    ...refunds.flatMap(({ refund_id, requested_at, ended_at, status }) => [
      plain('refund_requested', rfc3339(requested_at), 'A refund was asked for.', refund_id),
      ...(ended_at === null
        ? []
        : [
            ended(
              plain('refund_ended', rfc3339(ended_at), `The refund has ended: ${status}.`, refund_id),
              status,
            ),
          ]),
    ]),
    ...complaints.flatMap(({ complaint_id, opened_at, decided_at, status }) => [
      plain('complaint_opened', rfc3339(opened_at), 'A complaint was opened.', complaint_id),
      ...(decided_at === null
        ? []
        : [
            ended(
              plain(
                'complaint_decided',
                rfc3339(decided_at),
                `The complaint has ended: ${status}.`,
                complaint_id,
              ),
              status,
            ),
          ]),
    ]),
  ];
}
