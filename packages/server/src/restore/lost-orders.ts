/** What is known from outside of orders that the restored database does not have. */
import { merchantIdOf } from '../base/ids.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import type { CardSession, ListedSession } from '../channels/card/index.ts';
import { insertLostKey, type LostOrder, selectOrder, selectOrderByKey } from '../collection/orders/index.ts';
import type { ArchivedNotification } from '../notifications/delivery/index.ts';
import { hasNotification } from '../notifications/delivery-records/index.ts';
import { isTrueAgain, whatToDo } from './what-to-do.ts';

/** An event of the gap: merchants may have received it, and the restored database does not have it. */
export interface LostEvent {
  merchant_no: string;
  event_id: string;
  order_no: string;
  status: string;
  status_version: number;
  /** The trade number of its payment: `PTK:…` for a payment in PTK. Null if it had none, or in an old archive. */
  provider_trade_no: string | null;
  /** `adopted`: the order has this status again, or has had it. `void`: it is no longer true. */
  verdict: 'adopted' | 'void';
  /** The order's status now; null if the order is gone. */
  status_now: string | null;
  /** What the merchant must do about it, in words. */
  to_do: string;
}

/**
 * The events of an archive that the database does not have, each once, with the state of their orders now. Call it
 * after the payments were adopted.
 */
export async function findLostEvents(
  db: Database,
  archived: AsyncIterable<ArchivedNotification>,
  { since, until }: { since: Date; until: Date },
): Promise<{ events: LostEvent[]; lines: ArchivedNotification[] }> {
  const events = new Map<string, LostEvent>();
  const lines: ArchivedNotification[] = [];
  for await (const line of archived) {
    const sent_at = new Date(line.sent_at);
    if (sent_at < since || sent_at > until || events.has(line.event_id)) continue;
    const merchant_id = merchantIdOf(line.merchant_no);
    if (merchant_id === null || (await hasNotification(db, merchant_id, line.event_id))) continue;
    const { merchant_no, event_id, order_no, status, status_version, provider_trade_no = null } = line;
    const status_now = (await selectOrder(db, merchant_id, order_no))?.status ?? null;
    const verdict = isTrueAgain({ status, status_now }) ? 'adopted' : 'void';
    const to_do = whatToDo({ status, status_now, provider_trade_no });
    events.set(event_id, {
      ...{ merchant_no, event_id, order_no, status, status_version, provider_trade_no },
      ...{ verdict, status_now, to_do },
    });
    lines.push(line);
  }
  return { events: [...events.values()], lines };
}

/** A key that was marked: a creation with it is refused. */
export interface MarkedKey extends LostOrder {
  merchant_id: string;
  idempotency_key: string;
}

const paidStatuses: readonly string[] = ['paid', 'refunded', 'chargeback'];

/**
 * Marks the idempotency keys of lost orders whose buyers have paid or can still be charged, so that a retry cannot charge
 * twice. The keys come from the metadata of the provider's sessions and from the archive. A key whose order is here needs
 * no mark: a retry returns that order.
 */
export async function markLostKeys(
  { db, clock }: { db: Database; clock: Clock },
  sessions: readonly (CardSession & Partial<ListedSession>)[],
  unclosed: ReadonlySet<string>,
  { lines, recovered }: { lines: readonly ArchivedNotification[]; recovered: ReadonlySet<string> },
): Promise<MarkedKey[]> {
  const found = new Map<string, MarkedKey>();
  for (const session of sessions) {
    const { merchant_id, order_no, recovery, id, paid, status } = session;
    if (merchant_id === null || order_no === null || recovery === null || recovery === undefined) continue;
    // A catalog order has no key.
    if (!('idempotency_key' in recovery)) continue;
    const { idempotency_key } = recovery;
    if (!uuid.test(merchant_id) || (!paid && status !== 'complete' && !unclosed.has(id))) continue;
    found.set(`${merchant_id} ${idempotency_key}`, {
      ...{ merchant_id, idempotency_key, order_no, status: paid ? 'paid' : 'being paid' },
      provider_payment_id: session.payment_id,
      amount_minor: session.amount?.toString() ?? null,
      currency: session.currency,
      made_again: recovered.has(order_no),
    });
  }
  for (const { merchant_no, order_no, idempotency_key, status } of lines) {
    const merchant_id = merchantIdOf(merchant_no);
    if (merchant_id === null || idempotency_key === null || !paidStatuses.includes(status)) continue;
    const key = `${merchant_id} ${idempotency_key}`;
    if (found.has(key)) continue;
    const unknown = { provider_payment_id: null, amount_minor: null, currency: null, made_again: false };
    found.set(key, { merchant_id, idempotency_key, order_no, status, ...unknown });
  }
  const marked: MarkedKey[] = [];
  for (const key of found.values()) {
    const { merchant_id, idempotency_key, ...known } = key;
    const known_order = await selectOrderByKey(db, merchant_id, idempotency_key);
    // An order that was made again lacks parameters of its first creation: a retry could not be compared.
    if (known_order !== null && !recovered.has(known_order.order_no)) continue;
    await db.transaction((tx) =>
      tx.finish([insertLostKey(merchant_id, idempotency_key, known, clock.now())]),
    );
    marked.push(key);
  }
  return marked;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
