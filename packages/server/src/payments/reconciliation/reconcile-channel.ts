/** Compares the records of a channel's account at the provider with ours, and keeps the result. */
import { later, minutes } from '../../base/time/clock.ts';
import { ulidBefore } from '../../base/ids.ts';
import { type CardSession, tradeNo } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { compareDispute } from './compare-dispute.ts';
import { comparePayment } from './compare-payment.ts';
import { compareRefund } from './compare-refund.ts';
import type { Difference, Found } from './difference.ts';
import { type ProviderRecords, readProvider } from './read-provider.ts';
import {
  insertReconciliation,
  type Reconciliation,
  type RunBy,
  selectPaidAttempts,
} from './reconciliation.sql.ts';

export interface ReconciliationRequest {
  since: Date;
  until: Date;
  run_by: RunBy;
}

/**
 * Reads the provider's sessions, payments, refunds, disputes and events of a time, and lists what one side lacks (D-103).
 * It changes only the kept result. Never call it inside a transaction.
 */
export async function reconcileChannel(
  deps: PaymentDeps,
  channel: Channel,
  request: ReconciliationRequest,
): Promise<{ result: Reconciliation; records: ProviderRecords | null }> {
  const { since, until, run_by } = request;
  const ran_at = deps.clock.now();
  const read = await readProvider(deps, channel, since, until);
  const isRead = !('failure' in read);
  const compared = isRead ? await compare(deps, channel, read, request) : { differences: [], failure: null };
  const result: Reconciliation = {
    ...{ reconciliation_id: `rc_${deps.ids.ulid(ran_at)}`, payment_no: channel.payment_no },
    ...{ run_by, since, until, ran_at },
    sessions: isRead ? read.sessions.length : 0,
    payments: isRead ? read.sessions.filter(({ paid }) => paid).length : 0,
    events: isRead ? (read.events ?? 0) : 0,
    differences: compared.differences,
    failure: isRead ? compared.failure : read.failure,
  };
  await deps.db.transaction((tx) => tx.finish([insertReconciliation(result)]));
  return { result, records: isRead ? read : null };
}

interface Compared {
  differences: Difference[];
  /** Why the provider could not be asked for all of it. Its time is compared again (D-905). */
  failure: string | null;
}

async function compare(
  deps: PaymentDeps,
  channel: Channel,
  { sessions, refunds, disputes }: ProviderRecords,
  request: ReconciliationRequest,
): Promise<Compared> {
  const differences: Difference[] = [];
  const failures: string[] = [];
  const add = (found: Found): void => {
    if (found !== null && 'failure' in found) failures.push(found.failure);
    else if (found !== null) differences.push(found);
  };
  for (const session of sessions) add(await comparePayment(deps, channel, session, request.run_by));
  for (const refund of refunds) add(await compareRefund(deps, channel, refund));
  for (const dispute of disputes) add(await compareDispute(deps, channel, dispute));
  const there = await findMissingThere(deps, channel, sessions, request);
  return { differences: [...differences, ...there.differences], failure: failures[0] ?? there.failure };
}

/** Payments that settled orders here in this time, and that the provider does not have. */
async function findMissingThere(
  deps: PaymentDeps,
  channel: Channel,
  sessions: readonly CardSession[],
  { since, until }: ReconciliationRequest,
): Promise<Compared> {
  const { payment_no } = channel;
  const paidThere = new Set(sessions.filter(({ paid }) => paid).map(({ id }) => id));
  const differences: Difference[] = [];
  const from_attempt_id = `pa_${ulidBefore(later(since, -minutes(25 * 60)))}`;
  for (const attempt of await selectPaidAttempts(deps.db, { payment_no, from_attempt_id, since, until })) {
    const { session_id, amount, provider_trade_no, ...names } = attempt;
    if (session_id !== null && paidThere.has(session_id)) continue;
    // A payment of another session was accepted: the provider has it under its own number.
    if (provider_trade_no !== null && (await hasPayment(deps, channel, sessions, provider_trade_no)))
      continue;
    const found = session_id === null ? null : await deps.cards.session(channel, session_id);
    if (found?.kind === 'failed') return { differences, failure: found.reason };
    if (found?.kind === 'found' && found.value.paid) continue;
    differences.push({
      ...{ ...names, session_id, payment_no, kind: 'payment_missing_there' },
      ...{ provider_payment_id: provider_trade_no, provider_id: null, amount_minor: amount.toString() },
    });
  }
  return { differences, failure: null };
}

async function hasPayment(
  { cards }: PaymentDeps,
  channel: Channel,
  sessions: readonly CardSession[],
  payment_id: string,
): Promise<boolean> {
  if (sessions.some((session) => session.paid && tradeNo(session) === payment_id)) return true;
  if (!payment_id.startsWith('pi_')) return false;
  const found = await cards.payment(channel, payment_id);
  return found.kind === 'found' && found.value.state === 'succeeded';
}
