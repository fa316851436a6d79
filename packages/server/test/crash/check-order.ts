import type { Json } from './ask.ts';
import { expectedEnd, isKnownPaid, type OrderRecord } from './order-record.ts';

/** What the administration API tells of an order, as far as it is checked here. */
export interface Detail {
  order: Json & { order_no: string; status: string; status_version: number; event_id?: string } & {
    settlement_ptk?: string;
    idempotency_key: string;
  };
  attempts: { state: string; provider: string; amount: string; buyer_user_id: string | null }[];
  postings: { posting: string; debit: string; credit: string; currency: string; amount_minor: string }[];
  notifications: { event_id: string; status_version: number; delivery_status: string }[];
}

/** States of an attempt in which nobody knows yet what the provider did: none may stay so. */
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
 * What is wrong with an order after all kills, in sentences; pure.
 *
 * @param arrived the status versions that the receiver has got, with their events
 */
export function problemsOf(
  record: OrderRecord,
  detail: Detail,
  arrived: ReadonlyMap<number, string>,
): string[] {
  const found = [
    ...stateProblems(record, detail),
    ...attemptProblems(record, detail),
    ...postingProblems(record, detail),
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
  if (record.kind !== 'ptk') return found;
  if (record.acknowledged > 1) found.push(`was acknowledged as paid ${record.acknowledged} times`);
  if (!isKnownPaid(record)) found.push('nobody was told whether it is paid');
  if (record.acknowledged === 0 && record.lost_starts === 0) found.push('is paid, and no answer was lost');
  return found;
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

/** A paid order is settled by one entry: the buyer is debited once, the merchant gets the net once. */
function postingProblems(record: OrderRecord, { order, attempts, postings }: Detail): string[] {
  if (order.status !== 'paid') return postings.length === 0 ? [] : ['has postings without a payment'];
  const entry = record.kind === 'ptk' ? { posting: 'P2', transfers: 3 } : { posting: 'P1', transfers: 4 };
  const names = postings.map(({ posting }) => posting).join(' ');
  const found: string[] = [];
  if (names !== Array.from({ length: entry.transfers }, () => entry.posting).join(' ')) {
    found.push(`its postings are "${names}"`);
  }
  const sum = (of: typeof postings): bigint =>
    of.reduce((total, { amount_minor }) => total + BigInt(amount_minor), 0n);
  const net = sum(postings.filter(({ credit }) => credit === `m:held:${order.order_no}`));
  if (net.toString() !== order.settlement_ptk)
    found.push(`settled ${net}, not ${order.settlement_ptk ?? '-'}`);
  const payer = record.kind === 'ptk' ? `user:${record.buyer_user_id ?? ''}:available` : 'prov:';
  const charged = sum(postings.filter(({ debit }) => debit.startsWith(payer)));
  if (charged !== amountOf(attempts[0]?.amount)) found.push(`charged ${charged}`);
  return found;
}

/** A decimal string without its point: all amounts here have the digits of their currency. */
export const amountOf = (text = '0'): bigint => BigInt(text.replace('.', ''));

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
    if (got === undefined) found.push(`nobody was told of version ${version}`);
    else if (got !== stored?.event_id)
      found.push(`the event of version ${version} is not the one that arrived`);
    if (stored !== undefined && stored.delivery_status !== 'delivered') {
      found.push(`the event of version ${version} is ${stored.delivery_status}`);
    }
  }
  if (notifications.length !== versions.length) found.push(`has ${notifications.length} events`);
  return found;
}
