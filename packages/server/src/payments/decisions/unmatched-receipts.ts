import { hours, later, minutes } from '../../base/time/clock.ts';
import { platformBook } from '../../base/ids.ts';
import type { CardSession, Channel } from '../../channels/index.ts';
import { selectCurrencies } from '../../currencies/index.ts';
import { post } from '../../ledger/books/index.ts';
import { tradeNo } from '../attempts/index.ts';
import { isMoney, seenOf } from '../settling/index.ts';
import {
  newCase,
  type PaymentCase,
  resolved,
  receiptEntry,
  insertCaseOnce,
  selectCaseByKey,
  selectCaseForUpdate,
  updateCase,
} from '../cases/index.ts';
import { type PaymentDeps, ended, type Followed } from '../engine/index.ts';
import { attemptOf, followAttempt, type SessionHint, timeOf } from '../card/index.ts';

/** How long a session of nobody's may turn out to be somebody's (D-107). */
const patience_ms = hours(24);

/** A webhook about a session that no attempt is known for: a case that waits, one for each session. */
export async function keepUnmatched(
  deps: PaymentDeps,
  payment_no: string,
  { id, client_reference_id, metadata }: SessionHint,
): Promise<Followed> {
  if (typeof id !== 'string') return ended('no session named');
  const channel = await deps.channels.find(payment_no);
  // What else merchants sell through accounts of their own is theirs alone.
  const isOurs = client_reference_id?.startsWith('pa_') === true || metadata?.order_no !== undefined;
  if (channel?.merchant_id !== null && !isOurs) return ended('of the merchant’s own account');
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const about = {
      merchant_id: platformBook,
      kind: 'unmatched_receipt',
      dedupe_key: `${payment_no} ${id}`,
    } as const;
    const reference = client_reference_id ?? null;
    const asked = { reference, merchant_id: metadata?.merchant_id ?? null };
    const detail = { why: 'no attempt is known for the session', asked };
    const waiting = { state: 'waiting', payment_no, session_id: id, check_at: later(now, first_ms) } as const;
    await tx.write([insertCaseOnce(newCase(deps, { ...about, ...waiting, detail }, now))]);
    const known = await selectCaseByKey(tx, about);
    // News of a session that an open case has seen unpaid: it may be paid by now.
    if (known?.state === 'open' && known.amount === null && known.refund_status === null) {
      await tx.write([updateCase(known, { ...known, check_at: now })]);
    }
    return ended(`unmatched: ${known?.case_id ?? ''} is ${known?.state ?? ''}`);
  });
}

const first_ms = 2_000;

/**
 * Looks at an unmatched receipt again: followed as any session's where its attempt is known by now; open after a
 * day, when the provider is asked what came in through it, and money is booked in the platform's own book (P11).
 *
 * @returns the case as it now stands
 */
export async function examineReceipt(deps: PaymentDeps, before: PaymentCase): Promise<PaymentCase> {
  const { session_id, payment_no, detail, opened_at } = before;
  const { reference = null, merchant_id = null } = detail.asked ?? {};
  const hint: SessionHint = {
    id: session_id ?? '',
    client_reference_id: typeof reference === 'string' ? reference : null,
    metadata: typeof merchant_id === 'string' ? { merchant_id } : null,
  };
  const attempt = await attemptOf(deps, hint);
  if (attempt !== null && attempt.payment_no === payment_no) {
    const { outcome, again } = await followAttempt(deps, attempt, hint);
    const now = deps.clock.now();
    return stored(deps, before, (open) =>
      again ? putOff(open, outcome, now) : resolved(open, 'cleared', outcome, now),
    );
  }
  const now = deps.clock.now();
  if (now.getTime() - opened_at.getTime() < patience_ms) {
    return stored(deps, before, (waiting) => putOff(waiting, undefined, now));
  }
  return opened(deps, before, now);
}

/** Soon at first, then each minute; once it is open, each hour. */
function putOff({ tries, state, ...open }: PaymentCase, last: string | undefined, now: Date): PaymentCase {
  const wait_ms = state === 'open' ? hours(1) : Math.min(minutes(1), first_ms * 2 ** Math.min(tries, 10));
  const detail = { ...open.detail, ...(last === undefined ? {} : { last }) };
  return { ...open, state, detail, tries: tries + 1, check_at: later(now, wait_ms) };
}

async function opened(deps: PaymentDeps, before: PaymentCase, now: Date): Promise<PaymentCase> {
  const channel = await deps.channels.find(before.payment_no ?? '');
  if (channel === null) return stored(deps, before, (c) => ({ ...c, state: 'open', check_at: null }));
  const found = await deps.cards.session(channel, before.session_id ?? '');
  const session = found.kind === 'found' ? found.value : null;
  const paid_at = session?.paid === true ? await timeOf(deps, channel, session) : null;
  if (found.kind === 'failed' || (session?.paid === true && paid_at === null)) {
    const last = found.kind === 'failed' ? found.reason : 'the payment could not be read';
    return stored(deps, before, (c) => putOff({ ...c, state: 'open' }, last, now));
  }
  const { last: _, ...detail } = before.detail;
  const seen: CaseChange =
    session === null
      ? { detail: { ...detail, seen: { status: 'not found' } }, check_at: null }
      : {
          detail: { ...detail, seen: seenOf(session) },
          check_at: session.status === 'open' ? later(now, hours(1)) : null,
          ...(session.paid ? await receiptOf(deps, channel, session) : {}),
          paid_at,
        };
  return stored(deps, before, (c) => ({ ...c, ...seen, state: 'open' }));
}

type CaseChange = Partial<PaymentCase>;

/** What came in, and whether it reached the platform (P5): money in a test session is none. */
async function receiptOf(deps: PaymentDeps, channel: Channel, session: CardSession): Promise<CaseChange> {
  const { amount, currency } = session;
  const isAmount = amount !== null && amount > 0n && currency !== null && isMoney(session);
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

/** Writes what has become of a case, and books what it has received; what others have decided meanwhile stands. */
function stored(
  deps: PaymentDeps,
  before: PaymentCase,
  change: (locked: PaymentCase) => PaymentCase,
): Promise<PaymentCase> {
  return deps.db.transaction(async (tx) => {
    const locked = await selectCaseForUpdate(tx, before);
    if (locked === null || locked.state === 'resolved' || locked.amount !== null) return locked ?? before;
    const after = change(locked);
    const book = after.booked ? post([receiptEntry(after)], deps.clock.now()).book : [];
    await tx.write([updateCase(locked, after), ...book]);
    return after;
  });
}
