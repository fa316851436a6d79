/** Compares the records of a channel's account at the provider with ours, and keeps the result. */
import { hours, later } from '../../base/time/clock.ts';
import { ulidBefore } from '../../base/ids.ts';
import { tradeNo } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { compareAgain } from './compare-again.ts';
import { compareDispute } from './compare-dispute.ts';
import { comparePayment } from './compare-payment.ts';
import { compareRefund } from './compare-refund.ts';
import type { Difference, Found } from './difference.ts';
import { missingThere } from './missing-there.ts';
import { partsOf, type ProviderRecords, readProvider } from './read-provider.ts';
import {
  insertReconciliation,
  nextTime,
  type Reconciliation,
  type RunBy,
  selectPaidAttempts,
} from './reconciliation.sql.ts';

export interface ReconciliationRequest {
  since: Date;
  until: Date;
  run_by: RunBy;
  /** Earlier results, whose differences are compared again one by one (D-1153). */
  earlier?: readonly Pick<Reconciliation, 'since' | 'differences'>[];
  /** Ends the comparison without a result. */
  signal?: AbortSignal;
}

/** A usual night is one part; memory holds one part at a time (D-1124). */
const part_s = hours(36) / 1_000;

/**
 * Reads the provider's sessions, payments, refunds, disputes and events of a time, part by part, and lists what one side lacks
 * (D-103). It changes only the kept result. Never call it inside a transaction.
 *
 * @returns the result, and the last part of the records, which is all of them after a restore; null where it could not be read
 */
export async function reconcileChannel(
  deps: PaymentDeps,
  channel: Channel,
  request: ReconciliationRequest,
): Promise<{ result: Reconciliation; records: ProviderRecords | null }> {
  const { since, until, run_by, earlier = [], signal } = request;
  const { payment_no } = channel;
  const ran_at = deps.clock.now();
  const sums = { sessions: 0, payments: 0, events: 0 };
  const list = createList();
  let records: ProviderRecords | null = null;
  let before: Seen = { sessions: new Set(), payments: new Set() };
  for (const part of partsOf(since, until, run_by === 'after-restore' ? Infinity : part_s)) {
    // The records of the part before are free before the next is read.
    records = null;
    const read = await readProvider(deps, channel, part, { known: before.sessions, signal });
    signal?.throwIfAborted();
    if ('failure' in read) {
      list.add(read);
      break;
    }
    records = read;
    const now = seenIn(read);
    await compare(deps, channel, { request, records: read, list });
    await compareAttempts(deps, channel, {
      ...{ signal, list, known: [before.payments, now.payments] },
      from: new Date(Math.max(since.getTime(), part.from * 1_000)),
      to: new Date(Math.min(until.getTime(), (part.to + 1) * 1_000)),
    });
    sums.sessions += read.sessions.length;
    sums.payments += read.sessions.filter(({ paid }) => paid).length;
    sums.events += read.events ?? 0;
    before = now;
  }
  for (const difference of earlier.flatMap(({ differences }) => differences)) {
    signal?.throwIfAborted();
    if (list.has(difference)) continue;
    if (list.failure() === null) list.add(await compareAgain(deps, channel, difference, run_by));
    if (list.failure() !== null) list.add(difference);
  }
  const result: Reconciliation = {
    reconciliation_id: `rc_${deps.ids.ulid(await nextTime(deps.db, payment_no, ran_at))}`,
    ...{
      payment_no,
      run_by,
      since: new Date(Math.min(+since, ...earlier.map((run) => +run.since))),
      until,
      ran_at,
    },
    ...{ ...sums, differences: list.differences(), failure: list.failure() },
  };
  await deps.db.transaction((tx) => tx.finish([insertReconciliation(result)]));
  return { result, records };
}

/** What was found, each difference once. */
interface List {
  add(found: Found): void;
  has(difference: Difference): boolean;
  differences(): Difference[];
  /** Why the provider could not be asked for all of it. Its time is compared again (D-905). */
  failure(): string | null;
}

function createList(): List {
  const found = new Map<string, Difference>();
  let failure: string | null = null;
  const keyOf = ({ kind, session_id, provider_payment_id, provider_id, attempt_id }: Difference): string =>
    JSON.stringify([kind, session_id, provider_payment_id, provider_id, attempt_id]);
  return {
    add(one) {
      if (one === null) return;
      if ('failure' in one) failure ??= one.failure;
      else found.set(keyOf(one), one);
    },
    has: (one) => found.has(keyOf(one)),
    differences: () => [...found.values()],
    failure: () => failure,
  };
}

/** The sessions of a part, and the numbers of those that are paid and of their payments. */
interface Seen {
  sessions: ReadonlySet<string>;
  payments: ReadonlySet<string>;
}

const seenIn = ({ sessions }: ProviderRecords): Seen => ({
  sessions: new Set(sessions.map(({ id }) => id)),
  payments: new Set(sessions.flatMap((session) => (session.paid ? [session.id, tradeNo(session)] : []))),
});

async function compare(
  deps: PaymentDeps,
  channel: Channel,
  {
    request: { run_by, signal },
    records,
    list,
  }: { request: ReconciliationRequest; records: ProviderRecords; list: List },
): Promise<void> {
  for (const session of records.sessions) {
    signal?.throwIfAborted();
    list.add(await comparePayment(deps, channel, session, run_by));
  }
  for (const refund of records.refunds) {
    signal?.throwIfAborted();
    list.add(await compareRefund(deps, channel, refund));
  }
  for (const dispute of records.disputes) {
    signal?.throwIfAborted();
    list.add(await compareDispute(deps, channel, dispute));
  }
}

/** Payments that settled orders here in a part, and that the provider does not have. */
async function compareAttempts(
  deps: PaymentDeps,
  channel: Channel,
  {
    signal,
    list,
    known,
    from,
    to,
  }: {
    signal: AbortSignal | undefined;
    list: List;
    /** Numbers of payments that the provider has. */
    known: readonly ReadonlySet<string>[];
    from: Date;
    to: Date;
  },
): Promise<void> {
  const { payment_no } = channel;
  // A session can be paid for a day.
  const from_attempt_id = `pa_${ulidBefore(later(from, -hours(25)))}`;
  const span = { payment_no, from_attempt_id, since: from, until: to };
  for (const attempt of await selectPaidAttempts(deps.db, span)) {
    signal?.throwIfAborted();
    const numbers = [attempt.session_id, attempt.provider_trade_no].flatMap((number) => number ?? []);
    if (numbers.some((number) => known.some((there) => there.has(number)))) continue;
    const found = await missingThere(deps, channel, attempt);
    list.add(found);
    if (found !== null && 'failure' in found) return;
  }
}
