import type { Json } from './ask.ts';
import { type PaymentDetail, paymentProblems, walletProblems } from './check-payment.ts';
import { expectedEnd, type OrderRecord } from './order-record.ts';

/** The members of an order in the administration API that the checks read. */
export interface Detail extends PaymentDetail {
  order: Json & { order_no: string; status: string; status_version: number; event_id?: string } & {
    settlement_ptk?: string;
    idempotency_key: string;
  };
  notifications: { event_id: string; status_version: number; delivery_status: string }[];
}

/** States of an attempt whose result at the provider is unknown. No attempt may stay in one. */
const unclear = ['creating', 'unknown', 'processing'];

/** Whether nothing more will happen to an order by itself, soon. */
export function isAtRest(record: OrderRecord, { order, attempts, notifications }: Detail): boolean {
  const { status, status_version } = expectedEnd(record);
  return (
    order.status === status &&
    order.status_version === status_version &&
    attempts.every(({ state }) => !unclear.includes(state)) &&
    notifications.every(({ delivery_status }) => delivery_status !== 'pending')
  );
}

/**
 * The problems of an order after all kills, in sentences. Pure.
 *
 * @param arrived the status versions that the receiver got, with their events
 */
export function problemsOf(
  record: OrderRecord,
  detail: Detail,
  arrived: ReadonlyMap<number, string>,
): string[] {
  const found = [
    ...stateProblems(record, detail),
    ...attemptProblems(record, detail),
    ...settlementProblems(record, detail),
    ...notificationProblems(detail, arrived),
  ];
  return found.map((problem) => `${record.kind} order ${record.order_no}: ${problem}`);
}

function stateProblems(record: OrderRecord, { order }: Detail): string[] {
  const found: string[] = [];
  const end = expectedEnd(record);
  if (order.status !== end.status || order.status_version !== end.status_version) {
    found.push(`is ${order.status} ${order.status_version}, not ${end.status} ${end.status_version}`);
  }
  if (order.idempotency_key !== record.request.idempotency_key) found.push('has the key of another');
  if ((order.status === 'paid') !== (order.event_id !== undefined)) found.push('is paid or has an event');
  return record.kind === 'ptk' ? [...found, ...walletProblems(record)] : found;
}

/** One attempt at most: none is ever refused here, so none may follow another. */
function attemptProblems(record: OrderRecord, { attempts }: Detail): string[] {
  const states = attempts.map(({ state }) => state).join(', ');
  const isPaid = expectedEnd(record).status === 'paid';
  const wanted = isPaid ? 'paid' : record.kind === 'card' || record.kind === 'abandoned' ? 'open' : '';
  const found = states === wanted ? [] : [`its attempts are "${states}", not "${wanted}"`];
  const [attempt] = attempts;
  if (attempt !== undefined && attempt.buyer_user_id !== record.buyer_user_id) found.push('another paid it');
  return found;
}

function settlementProblems({ kind, buyer_user_id }: OrderRecord, { order, ...payment }: Detail): string[] {
  if (order.status !== 'paid') return payment.postings.length === 0 ? [] : ['has postings without a payment'];
  const { order_no, settlement_ptk = '' } = order;
  return paymentProblems({ order_no, settlement_ptk, payer: kind === 'ptk' ? buyer_user_id : null }, payment);
}

function notificationProblems(
  { order, notifications }: Detail,
  arrived: ReadonlyMap<number, string>,
): string[] {
  const found: string[] = [];
  const versions = Array.from({ length: order.status_version }, (_, i) => i + 1);
  for (const version of versions) {
    const [stored, ...more] = notifications.filter(({ status_version }) => status_version === version);
    if (stored === undefined || more.length > 0) found.push(`has not one event of version ${version}`);
    const got = arrived.get(version);
    if (got === undefined) found.push(`no notification told of version ${version}`);
    else if (got !== stored?.event_id)
      found.push(`the event of version ${version} is not the one that arrived`);
    if (stored !== undefined && stored.delivery_status !== 'delivered') {
      found.push(`the event of version ${version} is ${stored.delivery_status}`);
    }
  }
  if (notifications.length !== versions.length) found.push(`has ${notifications.length} events`);
  return found;
}
