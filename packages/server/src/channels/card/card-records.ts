/** The records of an account at the card provider over a time: everything that was made there, by Paydesk or by others. */
import type Stripe from 'stripe';
import type { CardClients, Lookup } from './card-client.ts';
import { type CardDispute, type CardRefund, disputeFrom, refundFrom } from './card-losses.ts';
import {
  type CardSession,
  type CatalogRecovery,
  type CollectionRecovery,
  type OrderRecovery,
  sessionFrom,
} from './card-sessions.ts';
import type { Channel } from '../index.ts';

/** A time by Unix seconds; both ends belong to it. */
export interface Span {
  from: number;
  to: number;
  /** Ends the reading before its next page. */
  signal?: AbortSignal | undefined;
}

/** A session with what only a list needs. */
export interface ListedSession extends CardSession {
  /** What the session says about its order; null if it says too little. */
  recovery: OrderRecovery | null;
}

/** An event of the provider: the news that a webhook brings. */
export interface ListedEvent {
  id: string;
  type: string;
  /** The id of the object that it is about. */
  object_id: string | null;
}

/** Lists of everything that was created in a time, newest first. */
export interface CardRecords {
  sessionsIn(channel: Channel, span: Span): Promise<Lookup<ListedSession[]>>;
  refundsIn(channel: Channel, span: Span): Promise<Lookup<CardRefund[]>>;
  disputesIn(channel: Channel, span: Span): Promise<Lookup<CardDispute[]>>;
  eventsIn(channel: Channel, span: Span): Promise<Lookup<ListedEvent[]>>;
}

interface Page<T> {
  data: T[];
  has_more: boolean;
}

interface PageRequest {
  created: { gte: number; lte: number };
  limit: number;
  starting_after?: string;
}

export function cardRecords({ ask, lookup }: CardClients): CardRecords {
  /** Reads all pages; the time limit holds for each, because an account may have much. */
  const readAll = <T extends { id: string }, R>(
    channel: Channel,
    { from, to, signal }: Span,
    list: (client: Stripe, page: PageRequest) => Promise<Page<T>>,
    read: (item: T) => R,
  ): Promise<Lookup<R[]>> =>
    lookup(async () => {
      const all: R[] = [];
      let last: string | undefined;
      for (;;) {
        signal?.throwIfAborted();
        const created = { gte: from, lte: to };
        const after = last === undefined ? {} : { starting_after: last };
        const page = await ask(channel, (client) => list(client, { created, limit: 100, ...after }));
        all.push(...page.data.map(read));
        last = page.data.at(-1)?.id;
        if (!page.has_more || last === undefined) return all;
      }
    });
  return {
    sessionsIn: (channel, span) =>
      readAll(
        channel,
        span,
        (client, page) => client.checkout.sessions.list(page),
        (session) => ({
          ...sessionFrom(channel, session),
          recovery: recoveryIn(session.metadata),
        }),
      ),
    refundsIn: (channel, span) =>
      readAll(channel, span, (client, page) => client.refunds.list(page), refundFrom),
    disputesIn: (channel, span) =>
      readAll(channel, span, (client, page) => client.disputes.list(page), disputeFrom),
    eventsIn: (channel, span) =>
      readAll(
        channel,
        span,
        (client, page) => client.events.list(page),
        ({ id, type, data }) => {
          const { id: object_id } = data.object as { id?: unknown };
          return { id, type, object_id: typeof object_id === 'string' ? object_id : null };
        },
      ),
  };
}

function recoveryIn(metadata: Record<string, string> | null): OrderRecovery | null {
  const known = collectionRecoveryIn(metadata ?? {}) ?? catalogRecoveryIn(metadata ?? {});
  // The owner of the account can edit them. PostgreSQL stores no zero byte, so a value with one is not from Paydesk.
  return known === null || Object.values(known).some((text: string) => text.includes('\0')) ? null : known;
}

type Metadata = Partial<Record<string, string>>;

const isMinor = (text: string): boolean => /^(0|[1-9]\d{0,38})$/.test(text);

function collectionRecoveryIn(metadata: Metadata): CollectionRecovery | null {
  const { idempotency_key, external_reference, amount_minor, currency } = metadata;
  if (idempotency_key === undefined || external_reference === undefined) return null;
  if (currency === undefined || amount_minor === undefined) return null;
  if (!isMinor(amount_minor) || amount_minor === '0') return null;
  return { idempotency_key, external_reference, amount_minor, currency };
}

function catalogRecoveryIn(metadata: Metadata): CatalogRecovery | null {
  const { gd_no, quantity, user_id, client_id, total_minor, discount_minor, currency } = metadata;
  if (gd_no === undefined || client_id === undefined || currency === undefined) return null;
  if (quantity === undefined || !/^[1-9]\d{0,9}$/.test(quantity)) return null;
  if (user_id === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(user_id)) return null;
  if (total_minor === undefined || discount_minor === undefined) return null;
  if (!isMinor(total_minor) || !isMinor(discount_minor)) return null;
  return { gd_no, quantity, user_id, client_id, total_minor, discount_minor, currency };
}
