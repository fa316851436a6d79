/** Reads what a channel's account at the provider has of a time. Never call it inside a transaction. */
import type {
  CardDispute,
  CardRefund,
  CardSession,
  ListedEvent,
  ListedSession,
  Lookup,
} from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import type { PaymentDeps } from '../engine/index.ts';

/** A session can be paid for a day after it was made, so the list begins earlier. */
const sessionLife_s = 25 * 3_600;

/** A part of the time that is compared, by Unix seconds; both ends belong to it. */
export interface Part {
  from: number;
  to: number;
  /** Where its sessions begin: those of the first part a day before it. */
  sessions_from: number;
  /** Where the sessions of the first part begin. */
  begin: number;
}

/**
 * The parts of a time, oldest first. Each object of the provider is in the lists of one part.
 *
 * @param longest_s the length of a part
 */
export function* partsOf(since: Date, until: Date, longest_s: number): Generator<Part> {
  const last = Math.ceil(until.getTime() / 1_000);
  let from = Math.floor(since.getTime() / 1_000);
  const begin = from - sessionLife_s;
  for (let sessions_from = begin; ; sessions_from = from) {
    const to = Math.min(from + longest_s - 1, last);
    yield { from, to, sessions_from, begin };
    if (to >= last) return;
    from = to + 1;
  }
}

/** The provider's records of a part. */
export interface ProviderRecords {
  /** Sessions that were made in the part, of the first part up to a day before it. */
  sessions: readonly (CardSession & Partial<ListedSession>)[];
  refunds: readonly CardRefund[];
  disputes: readonly CardDispute[];
  /** Number of events; null if the key may not read them. */
  events: number | null;
}

/**
 * Reads sessions, refunds, disputes and events. Events lead to what the lists do not have, because it is older and there is
 * news of it: a refund can fail weeks later. A key that may not read events does no harm.
 *
 * @param known ids of sessions of the part before this one
 * @param signal ends the reading, by a failure or an error
 * @returns the reason if the provider could not be read
 */
export async function readProvider(
  { cards }: Pick<PaymentDeps, 'cards'>,
  channel: Channel,
  { from, to, sessions_from, begin }: Part,
  { known, signal }: { known: ReadonlySet<string>; signal: AbortSignal | undefined },
): Promise<ProviderRecords | { failure: string }> {
  const span = { from, to, signal };
  const [sessions, refunds, disputes, events] = await Promise.all([
    cards.sessionsIn(channel, { ...span, from: sessions_from }),
    cards.refundsIn(channel, span),
    cards.disputesIn(channel, span),
    cards.eventsIn(channel, span),
  ]);
  for (const read of [sessions, refunds, disputes]) {
    if (read.kind !== 'found') return { failure: read.kind === 'failed' ? read.reason : 'nothing was found' };
  }
  const news = events.kind === 'found' ? events.value : [];
  const named = {
    sessions: await readNamed<CardSession>(valueOf<ListedSession>(sessions), news, {
      types: /^checkout\.session\./,
      lookUp: (id) => cards.session(channel, id),
      known,
      signal,
    }),
    refunds: await readNamed(valueOf<CardRefund>(refunds), news, {
      types: /^(charge\.)?refund\./,
      lookUp: (id) => cards.refundById(channel, id),
      signal,
    }),
    disputes: await readNamed(valueOf<CardDispute>(disputes), news, {
      types: /^charge\.dispute\./,
      lookUp: (id) => cards.dispute(channel, id),
      signal,
    }),
  };
  if ('failure' in named.sessions) return named.sessions;
  if ('failure' in named.refunds) return named.refunds;
  if ('failure' in named.disputes) return named.disputes;
  const isOfEarlierPart = ({ created }: CardSession): boolean => created >= begin && created < sessions_from;
  return {
    sessions: named.sessions.all.filter((session) => !isOfEarlierPart(session)),
    refunds: named.refunds.all,
    disputes: named.disputes.all,
    events: events.kind === 'found' ? news.length : null,
  };
}

const valueOf = <T>(read: { kind: string; value?: T[] }): T[] => read.value ?? [];

/** News of one object: the events that tell of it, and how to look it up. */
interface Named<T> {
  types: RegExp;
  lookUp: (id: string) => Promise<Lookup<T>>;
  /** Ids of objects that need no look-up. */
  known?: ReadonlySet<string>;
  signal: AbortSignal | undefined;
}

/** Looks up what events name and the list does not have. */
async function readNamed<T extends { id: string }>(
  listed: readonly T[],
  events: readonly ListedEvent[],
  { types, lookUp, known, signal }: Named<T>,
): Promise<{ all: T[] } | { failure: string }> {
  const here = new Set(listed.map(({ id }) => id));
  const named = new Set(
    events.flatMap(({ type, object_id }) => (object_id !== null && types.test(type) ? [object_id] : [])),
  );
  const more: T[] = [];
  for (const id of named) {
    if (here.has(id) || known?.has(id) === true) continue;
    signal?.throwIfAborted();
    const found = await lookUp(id);
    if (found.kind === 'failed') return { failure: found.reason };
    if (found.kind === 'found') more.push(found.value);
  }
  return { all: [...listed, ...more] };
}
