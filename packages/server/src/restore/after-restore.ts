/** Puts the books in order after the database was restored to an earlier time. */
import { listFreeCodes } from '../catalog/fulfilment/index.ts';
import type { CardSession } from '../channels/card/index.ts';
import type { Channel } from '../channels/index.ts';
import type { ArchivedNotification } from '../notifications/delivery/index.ts';
import { type Difference, type ProviderRecords, reconcileChannel } from '../payments/reconciliation/index.ts';
import { findLostEvents, markLostKeys } from './lost-orders.ts';
import { differenceKey, type Journal } from './journal.ts';
import type { Restored } from './letters.ts';
import {
  closeUnknownSessions,
  deliveryOf,
  type Handled,
  isKnownOrder,
  type RestoreDeps,
  settleDifference,
} from './settle-missing.ts';

export interface RestoreRequest {
  /** The time to which the database was restored, or a little earlier. */
  since: Date;
  until: Date;
  channels: readonly Channel[];
  /** The notifications that were sent; null without an archive. */
  archive: AsyncIterable<ArchivedNotification> | null;
  /** Called before each step. It throws when this run must stop. */
  demandTurn: () => Promise<void>;
  /** Keeps what is done until the letters have it. */
  journal: Journal;
  /** Gets lines about the progress. */
  tell: (line: string) => void;
}

/** What was found and done; `failures` names the channels whose provider could not be read. */
export interface RestoreResult extends Restored {
  failures: string[];
}

/**
 * Compares each channel with its provider since a time, settles or adopts the payments that the books have lost, closes
 * the sessions of lost attempts, marks the keys of lost orders, and tells the state of the events that merchants have
 * received. It can run again: settled payments no longer differ, and open ones are tried again. Call it while traffic
 * is held.
 */
export async function putInOrder(deps: RestoreDeps, request: RestoreRequest): Promise<RestoreResult> {
  const { since, until, channels, archive, demandTurn, journal, tell } = request;
  const payments: Handled[] = [];
  const failures: string[] = [];
  const sessions: CardSession[] = [];
  const unclosed = new Set<string>();
  const read = new Set<string>();
  for (const channel of channels) {
    const { payment_no } = channel;
    const span = { since, until, run_by: 'after-restore' } as const;
    const { result, records } = await reconcileChannel(deps, channel, span);
    if (records === null || result.failure !== null) {
      failures.push(`${payment_no}: ${result.failure ?? 'the provider could not be read'}`);
      continue;
    }
    read.add(payment_no);
    for (const difference of unreturnedFirst(result.differences, records)) {
      await demandTurn();
      payments.push(await settleInJournal(deps, difference, records, journal));
    }
    await demandTurn();
    const own = records.sessions.filter((session) => isOfChannel(channel, session));
    const { closed, left } = await closeUnknownSessions(deps, channel, { sessions: own, since });
    for (const { id } of left) unclosed.add(id);
    sessions.push(...own);
    tell(
      `${payment_no}: ${result.payments} payments at the provider, ${result.differences.length} differences, ` +
        `${closed} sessions of lost orders closed.`,
    );
  }
  payments.push(...(await settledEarlier(deps, journal, { channels: read, now: payments })));
  const recovered = new Set(payments.flatMap(({ recovered: is, order_no }) => (is ? (order_no ?? []) : [])));
  const lost = archive === null ? { events: [], lines: [] } : await findLostEvents(deps.db, archive, request);
  await demandTurn();
  const keys = await markLostKeys(deps, sessions, unclosed, { lines: lost.lines, recovered });
  const codes = await listFreeCodes(deps.db);
  return {
    since,
    until,
    has_archive: archive !== null,
    payments,
    events: lost.events,
    keys,
    codes,
    failures,
  };
}

/** Settles a difference. Its order may have been made again by an earlier run that was killed then. */
async function settleInJournal(
  deps: RestoreDeps,
  difference: Difference,
  records: ProviderRecords,
  journal: Journal,
): Promise<Handled> {
  await journal.begin({ ...difference, is_known_order: await isKnownOrder(deps, difference.order_no) });
  const handled = await settleDifference(deps, difference, records);
  const known = { ...handled, recovered: handled.recovered || (await wasMadeAgain(deps, journal, handled)) };
  await journal.end(known);
  return known;
}

/** Whether an order that an earlier run did not find is here now. Nobody else has made it: traffic is held. */
const wasMadeAgain = async (
  deps: RestoreDeps,
  { begun }: Journal,
  { order_no }: Difference,
): Promise<boolean> =>
  begun.some((one) => one.order_no === order_no && !one.is_known_order) &&
  (await isKnownOrder(deps, order_no));

/** What an earlier run has settled and told in no letter: it no longer differs (D-1393). */
async function settledEarlier(
  deps: RestoreDeps,
  journal: Journal,
  { channels, now }: { channels: ReadonlySet<string>; now: readonly Handled[] },
): Promise<Handled[]> {
  const done = new Map(journal.done.map((handled) => [differenceKey(handled), handled]));
  for (const begun of journal.begun) {
    const { is_known_order: _, ...difference } = begun;
    const key = differenceKey(difference);
    if (done.has(key)) continue;
    if (!channels.has(difference.payment_no)) {
      journal.leave(begun);
      continue;
    }
    done.set(key, {
      ...{ ...difference, verdict: 'settled', why: 'a run that was interrupted did it', case_id: null },
      recovered: await wasMadeAgain(deps, journal, difference),
      to_do: await deliveryOf(deps, difference),
    });
  }
  for (const handled of now) done.delete(differenceKey(handled));
  return [...done.values()].filter(({ verdict }) => verdict !== 'listed');
}

/** A merchant writes the metadata of its own account, so what this says about another merchant is not trusted. */
const isOfChannel = (channel: Channel, { merchant_id }: CardSession): boolean =>
  channel.merchant_id === null || merchant_id === channel.merchant_id;

/** If an order has two payments, the one that has not been refunded settles it. */
function unreturnedFirst(
  differences: readonly Difference[],
  { refunds }: Pick<ProviderRecords, 'refunds'>,
): Difference[] {
  const returned = new Set(refunds.map(({ payment_id }) => payment_id));
  const isLater = ({ provider_payment_id }: Difference): number => Number(returned.has(provider_payment_id));
  return differences.toSorted((a, b) => isLater(a) - isLater(b));
}
