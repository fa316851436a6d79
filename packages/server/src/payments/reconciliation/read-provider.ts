/** Reads what a channel's account at the provider has of a time. Never call it inside a transaction. */
import type { CardDispute, CardRefund, CardSession, Channel, ListedSession } from '../../channels/index.ts';
import type { PaymentDeps } from '../engine/index.ts';

/** A session can be paid for a day after it was made, so the list begins earlier. */
const sessionLife_s = 25 * 3_600;

/** The provider's records of a time. */
export interface ProviderRecords {
  /** Sessions that were made in the time or up to a day before it. */
  sessions: readonly (CardSession & Partial<ListedSession>)[];
  refunds: readonly CardRefund[];
  disputes: readonly CardDispute[];
  /** Number of events; null if the key may not read them. */
  events: number | null;
}

/**
 * Reads sessions, refunds, disputes and events. Events lead to sessions that the list does not have, and to older refunds
 * of which there is news: a refund can fail weeks later. A key that may not read events does no harm.
 *
 * @returns the reason if the provider could not be read
 */
export async function readProvider(
  { cards }: Pick<PaymentDeps, 'cards'>,
  channel: Channel,
  since: Date,
  until: Date,
): Promise<ProviderRecords | { failure: string }> {
  const span = { from: Math.floor(since.getTime() / 1_000), to: Math.ceil(until.getTime() / 1_000) };
  const wide = { ...span, from: span.from - sessionLife_s };
  const [sessions, refunds, disputes, events] = await Promise.all([
    cards.sessionsIn(channel, wide),
    cards.refundsIn(channel, span),
    cards.disputesIn(channel, span),
    cards.eventsIn(channel, span),
  ]);
  for (const read of [sessions, refunds, disputes]) {
    if (read.kind !== 'found') return { failure: read.kind === 'failed' ? read.reason : 'nothing was found' };
  }
  const listed = valueOf<ListedSession>(sessions);
  const named = events.kind === 'found' ? events.value : [];
  const more = await readNamedSessions({ cards }, channel, listed, named);
  if ('failure' in more) return more;
  const older = await readNamedRefunds({ cards }, channel, valueOf<CardRefund>(refunds), named);
  if ('failure' in older) return older;
  return {
    sessions: [...listed, ...more.sessions],
    refunds: [...valueOf<CardRefund>(refunds), ...older.refunds],
    disputes: valueOf<CardDispute>(disputes),
    events: events.kind === 'found' ? events.value.length : null,
  };
}

const valueOf = <T>(read: { kind: string; value?: T[] }): T[] => read.value ?? [];

async function readNamedSessions(
  { cards }: Pick<PaymentDeps, 'cards'>,
  channel: Channel,
  listed: readonly ListedSession[],
  events: readonly { type: string; object_id: string | null }[],
): Promise<{ sessions: CardSession[] } | { failure: string }> {
  const known = new Set(listed.map(({ id }) => id));
  const named = new Set(
    events
      .filter(({ type, object_id }) => type.startsWith('checkout.session.') && !known.has(object_id ?? ''))
      .map(({ object_id }) => object_id ?? ''),
  );
  const sessions: CardSession[] = [];
  for (const id of named) {
    const found = await cards.session(channel, id);
    if (found.kind === 'failed') return { failure: found.reason };
    if (found.kind === 'found') sessions.push(found.value);
  }
  return { sessions };
}

async function readNamedRefunds(
  { cards }: Pick<PaymentDeps, 'cards'>,
  channel: Channel,
  listed: readonly CardRefund[],
  events: readonly { type: string; object_id: string | null }[],
): Promise<{ refunds: CardRefund[] } | { failure: string }> {
  const known = new Set(listed.map(({ id }) => id));
  const named = new Set(
    events
      .filter(({ type, object_id }) => /^(charge\.)?refund\./.test(type) && object_id !== null)
      .map(({ object_id }) => object_id ?? ''),
  );
  const refunds: CardRefund[] = [];
  for (const id of named) {
    if (known.has(id)) continue;
    const found = await cards.refundById(channel, id);
    if (found.kind === 'failed') return { failure: found.reason };
    if (found.kind === 'found') refunds.push(found.value);
  }
  return { refunds };
}
