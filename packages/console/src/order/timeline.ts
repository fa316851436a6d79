import type { OrderDetail } from '../api/admin.ts';
import type { Moment, OrderStory } from '../api/order-detail.ts';
import { words } from '../components/values/status.tsx';

/** The events of an order, oldest first: its status versions as notified, its attempts, and what followed. */
export function timelineOf(
  story: Pick<OrderStory, 'order' | 'attempts' | 'notifications'> &
    Pick<OrderDetail, 'refunds' | 'complaints'>,
): Moment[] {
  const { order, attempts, notifications, refunds, complaints } = story;
  const told = notifications.map(({ event, status_version }) => ({
    title: `${words(event.data.status)} (version ${status_version})`,
    at: event.created_at,
  }));
  // If nobody is notified, the order has only its present status.
  const paid =
    told.length === 0 && order.occurred_at !== undefined && order.occurred_at !== null
      ? [{ title: 'Paid', at: order.occurred_at }]
      : [];
  const moments: Moment[] = [
    { title: 'Created', at: order.created_at, about: `Reference ${order.external_reference}` },
    ...attempts.flatMap(({ seq, provider, created_at, closed_at }) => [
      { title: `Attempt ${seq} began`, at: created_at, about: provider === 'ptk' ? 'PTK wallet' : 'Card' },
      ...(closed_at === null ? [] : [{ title: `Attempt ${seq} was closed`, at: closed_at }]),
    ]),
    ...told,
    ...paid,
    ...refunds.flatMap(({ requested_at, ended_at, status }) => [
      { title: 'Refund requested', at: requested_at },
      ...(ended_at === null ? [] : [{ title: `Refund ${status}`, at: ended_at }]),
    ]),
    ...complaints.flatMap(({ opened_at, decided_at, status, reason }) => [
      { title: 'Complaint opened', at: opened_at, about: reason },
      ...(decided_at === null ? [] : [{ title: `Complaint ${status}`, at: decided_at }]),
    ]),
  ];
  // Times are written in different zones, so compare instants rather than texts.
  return moments.sort((a, b) => new Date(a.at).getTime() - new Date(b.at).getTime());
}
