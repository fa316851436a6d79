/** The history of an order for its merchant, computed from stored records. Pure. */
import type { timelineKinds } from '@paydesk/contract';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import type { CollectionOrder, OrderStatus } from '../../collection/orders/index.ts';
import type { TransferRow } from '../../ledger/books/index.ts';
import type { DeliveryRecord } from '../../notifications/records/index.ts';
import type { Attempt } from '../../payments/attempts/index.ts';
import type { Complaint, Refund } from '../../payments/losses/index.ts';
import type { Hold } from '../../payments/holds/index.ts';

export interface TimelineEntry {
  at: string;
  kind: (typeof timelineKinds)[number];
  status: string | null;
  status_version: number | null;
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
 * The events of an order, oldest first. Notifications give each status with its version and time. Without
 * notifications, the times come from payments and losses.
 */
export function timelineOf(history: OrderHistory): TimelineEntry[] {
  const statuses = statusesOf(history);
  // At the same instant, the event that caused a status comes before the status.
  const isFirst = ({ status_version }: TimelineEntry): boolean => status_version === 1;
  const entries = [
    ...statuses.filter(isFirst),
    ...attemptsOf(history),
    ...lossesOf(history),
    ...statuses.filter((entry) => !isFirst(entry)),
    ...holdOf(history),
  ];
  return entries
    .map((entry, i) => ({ entry, i }))
    .sort((a, b) => a.entry.at.localeCompare(b.entry.at) || a.i - b.i)
    .map(({ entry }) => entry);
}

function statusesOf(history: OrderHistory): TimelineEntry[] {
  const { order, notifications } = history;
  const entries = new Map<number, TimelineEntry>();
  const put = (version: number, status: string, at: string | null): void => {
    if (at === null || entries.has(version)) return;
    const what = Object.hasOwn(statusWords, status) ? statusWords[status as OrderStatus] : status;
    entries.set(version, { at, kind: 'status', status, status_version: version, what });
  };
  for (const { event, status_version } of notifications) {
    const { created_at, data } = event as unknown as { created_at: string; data: { status: string } };
    put(status_version, data.status, created_at);
  }
  // A historical order was created elsewhere.
  if (order.fee_status !== 'legacy') put(1, 'pending', rfc3339(order.created_at));
  const { status, status_version } = order;
  const isReversed = status === 'refunded' || status === 'chargeback';
  if (isReversed) put(status_version - 1, 'paid', paidAt(history));
  put(status_version, status, statusAt(history));
  return [...entries.values()];
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

/** When the payment was booked; if nothing was booked, the payment time that the channel reports. */
function paidAt({ order, transfers }: OrderHistory): string | null {
  return rfc3339OrNull(transfers.find(({ posting }) => payments.includes(posting))?.at ?? order.occurred_at);
}

const plain = (kind: TimelineEntry['kind'], at: Date, what: string): TimelineEntry => ({
  at: rfc3339(at),
  kind,
  status: null,
  status_version: null,
  what,
});

const attemptsOf = ({ attempts }: OrderHistory): TimelineEntry[] =>
  attempts.flatMap(({ seq, created_at, paid_at, closed_at }) => [
    plain('attempt_started', created_at, `Attempt ${seq} began.`),
    ...(paid_at === null ? [] : [plain('attempt_paid', paid_at, `Attempt ${seq} was paid.`)]),
    ...(closed_at === null ? [] : [plain('attempt_closed', closed_at, `Nothing comes of attempt ${seq}.`)]),
  ]);

const holdOf = ({ hold }: OrderHistory): TimelineEntry[] =>
  hold?.released_at == null ? [] : [plain('hold_ended', hold.released_at, 'The hold on the proceeds ended.')];

function lossesOf({ refunds, complaints }: OrderHistory): TimelineEntry[] {
  return [
    ...refunds.flatMap(({ requested_at, ended_at, status }) => [
      plain('refund_requested', requested_at, 'A refund was asked for.'),
      ...(ended_at === null ? [] : [plain('refund_ended', ended_at, `The refund has ended: ${status}.`)]),
    ]),
    ...complaints.flatMap(({ opened_at, decided_at, status }) => [
      plain('complaint_opened', opened_at, 'A complaint was opened.'),
      ...(decided_at === null
        ? []
        : [plain('complaint_decided', decided_at, `The complaint has ended: ${status}.`)]),
    ]),
  ];
}
