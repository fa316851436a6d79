/** Looks for the attempt of an unmatched receipt, and opens its case for a person. */
import { hours, later, minutes } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import { type CardSession, tradeNo } from '../../channels/card/index.ts';
import { type Channel, selectChannels } from '../../channels/index.ts';
import { selectCurrencies } from '../../currencies/index.ts';
import { post } from '../../ledger/books/index.ts';
import { countsAsMoney, describeSession } from '../settling/index.ts';
import {
  type PaymentCase,
  resolved,
  receiptEntry,
  isBookedElsewhere,
  lockCasesByKey,
  selectCaseForUpdate,
  updateCase,
} from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { findAttempt, followAttempt, type SessionHint, readPaidAt } from '../card/index.ts';
import { firstWait_ms, receiptKey } from './keep-unmatched-receipt.ts';

/** How long to look for the attempt of a session before a person decides (D-107). */
const matchWithin_ms = hours(24);

/**
 * Examines an unmatched receipt again. If its attempt is known by now, the session is followed as usual. After a day
 * the case opens for a person: the provider is asked for the payment, and money is booked in the platform's own book
 * (P11).
 *
 * @param open_now whether the case opens before the day is over, because a person decides
 * @returns the case after it
 */
export async function examineUnmatchedReceipt(
  deps: PaymentDeps,
  before: PaymentCase,
  { open_now = false } = {},
): Promise<PaymentCase> {
  const { session_id, payment_no, detail, opened_at } = before;
  const { reference = null, merchant_id = null } = detail.asked ?? {};
  const hint: SessionHint = {
    id: session_id ?? '',
    client_reference_id: typeof reference === 'string' ? reference : null,
    metadata: typeof merchant_id === 'string' ? { merchant_id } : null,
  };
  const attempt = await findAttempt(deps, hint);
  if (attempt !== null && attempt.payment_no !== payment_no && before.state === 'waiting') {
    // Two channels of one account receive webhooks about each other's sessions. The other one books the payment (D-206).
    const now = deps.clock.now();
    return updateLockedCase(deps, before, (open) => resolved(open, 'cleared', 'of another channel', now));
  }
  if (attempt !== null && attempt.payment_no === payment_no) {
    const { outcome, again } = await followAttempt(deps, attempt, hint);
    const now = deps.clock.now();
    return updateLockedCase(deps, before, (open) =>
      again ? postponed(open, outcome, now) : resolved(open, 'cleared', outcome, now),
    );
  }
  const now = deps.clock.now();
  if (!open_now && now.getTime() - opened_at.getTime() < matchWithin_ms) {
    return updateLockedCase(deps, before, (waiting) => postponed(waiting, undefined, now));
  }
  return openUnmatched(deps, before, now);
}

/** The case with its next check: soon at first, then every minute; every hour once it is open. */
function postponed({ tries, state, ...open }: PaymentCase, last: string | undefined, now: Date): PaymentCase {
  const wait_ms = state === 'open' ? hours(1) : Math.min(minutes(1), firstWait_ms * 2 ** Math.min(tries, 10));
  const detail = { ...open.detail, ...(last === undefined ? {} : { last }) };
  return { ...open, state, detail, tries: tries + 1, check_at: later(now, wait_ms) };
}

async function openUnmatched(deps: PaymentDeps, before: PaymentCase, now: Date): Promise<PaymentCase> {
  const channel = await deps.channels.find(before.payment_no ?? '');
  if (channel === null)
    return updateLockedCase(deps, before, (c) => ({ ...c, state: 'open', check_at: null }));
  const found = await deps.cards.session(channel, before.session_id ?? '');
  const session = found.kind === 'found' ? found.value : null;
  const paid_at = session?.paid === true ? await readPaidAt(deps, channel, session) : null;
  if (found.kind === 'failed' || (session?.paid === true && paid_at === null)) {
    const last = found.kind === 'failed' ? found.reason : 'the payment could not be read';
    return updateLockedCase(deps, before, (c) => postponed({ ...c, state: 'open' }, last, now));
  }
  const { last: _, ...detail } = before.detail;
  const seen: CaseChange =
    session === null
      ? { detail: { ...detail, seen: { status: 'not found' } }, check_at: null }
      : {
          detail: { ...detail, seen: { ...describeSession(session), merchant_id: session.merchant_id } },
          check_at: session.status === 'open' ? later(now, hours(1)) : null,
          ...(session.paid ? await readReceipt(deps, channel, session) : {}),
          paid_at,
        };
  if (seen.booked !== true) return updateLockedCase(deps, before, (c) => ({ ...c, ...seen, state: 'open' }));
  const payment_id = seen.provider_payment_id ?? '';
  const keys = await keysOfSession(deps, before);
  const change = async (c: PaymentCase, tx: Tx): Promise<PaymentCase> =>
    (await isBookedElsewhere(tx, channel.payment_no, payment_id))
      ? resolved(c, 'cleared', 'of another channel', now)
      : { ...c, ...seen, state: 'open' };
  return updateLockedCase(deps, before, change, keys);
}

/** The keys that a session can have: one for each of the platform's channels. Several channels may share an account. */
async function keysOfSession({ db }: PaymentDeps, { session_id }: PaymentCase): Promise<string[]> {
  const channels = await selectChannels(db);
  return channels
    .filter(({ merchant_id, provider }) => merchant_id === null && provider === 'cardprov')
    .map(({ payment_no }) => receiptKey(payment_no, session_id ?? ''));
}

type CaseChange = Partial<PaymentCase>;

/** What was received, and whether the platform has it (P5). A test payment on a live account is not money. */
async function readReceipt(deps: PaymentDeps, channel: Channel, session: CardSession): Promise<CaseChange> {
  const { amount, currency } = session;
  const isAmount = amount !== null && amount > 0n && currency !== null && countsAsMoney(session);
  const known = (await selectCurrencies(deps.db)).find(({ code }) => code === currency);
  return {
    provider_payment_id: tradeNo(session),
    test_mode: channel.test_mode && !session.livemode,
    amount: isAmount ? amount : null,
    currency,
    currency_decimals: known?.decimals ?? null,
    booked: isAmount && channel.merchant_id === null,
  };
}

/**
 * Changes a case under its lock, and books its receipt. A case that has been resolved or has its amount stays
 * unchanged.
 *
 * @param keys of the cases that are locked with it, so that one of them at a time looks whether another one has the money
 *   (D-206)
 */
function updateLockedCase(
  deps: PaymentDeps,
  before: PaymentCase,
  change: (locked: PaymentCase, tx: Tx) => PaymentCase | Promise<PaymentCase>,
  keys: readonly string[] = [],
): Promise<PaymentCase> {
  return deps.db.transaction(async (tx) => {
    if (keys.length > 0) await lockCasesByKey(tx, before, keys);
    const locked = await selectCaseForUpdate(tx, before);
    if (locked === null || locked.state === 'resolved' || locked.amount !== null) return locked ?? before;
    const after = await change(locked, tx);
    const book = after.booked ? post([receiptEntry(after)], deps.clock.now()).book : [];
    await tx.write([updateCase(locked, after), ...book]);
    return after;
  });
}
