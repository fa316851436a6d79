import { hours, later, minutes, seconds } from '../../base/time/clock.ts';
import type { CardSession, Provider } from '../../channels/index.ts';
import type { PaymentCase } from '../cases/index.ts';
import { type Note, noted } from './attempt-history.ts';

export type AttemptState =
  | 'creating'
  | 'open'
  | 'unknown'
  | 'processing'
  | 'paid'
  | 'paid_late'
  | 'closed'
  | 'failed'
  | 'absent'
  | 'rejected'
  | 'mismatch';

/** What the provider is asked for when a session is created; a retry repeats it to the letter (D-092). */
export interface SessionRequest {
  attempt_id: string;
  order_no: string;
  title: string;
  success_url: string;
  cancel_url: string;
  /** Unix seconds in the provider's time (D-100). */
  expires_at: number;
  /** No session of the attempt is older; Unix seconds, with some room for clocks that differ. */
  created_from: number;
}

/** One try to pay an order through one channel. */
export interface Attempt {
  merchant_id: string;
  attempt_id: string;
  order_no: string;
  seq: number;
  method_id: string;
  payment_no: string;
  provider: Provider;
  test_mode: boolean;
  state: AttemptState;
  /** The buyer's total in minor units of `currency`. */
  amount: bigint;
  currency: string;
  currency_decimals: number;
  buyer_user_id: string | null;
  created_at: Date;
  lease_until: Date | null;
  unclear_since: Date | null;
  session_id: string | null;
  session_url: string | null;
  session_expires_at: Date | null;
  provider_trade_no: string | null;
  check_at: Date | null;
  paid_at: Date | null;
  closed_at: Date | null;
  request: SessionRequest | null;
  detail: AttemptDetail;
}

/** For the operator: what was asked of the provider and what it said, latest and before. */
export interface AttemptDetail {
  /** What was last asked or learned, in a few words. */
  last?: string;
  /** When that was. */
  at?: string;
  /** When the provider's records were first read without finding the session, after the deadline. */
  absent_at?: string;
  /** What was asked and seen, oldest first; only the latest are kept. */
  history?: Note[];
}

/** Whether an attempt holds the method of its order and keeps it from expiring unasked (D-090). */
export const counts = (attempt: Pick<Attempt, 'state'>): boolean => attempt.state !== 'rejected';

/** The place of the next attempt among those of its order, newest first; only refused ones come before another. */
export const nextSeq = (attempts: readonly Pick<Attempt, 'seq'>[]): number => (attempts[0]?.seq ?? 0) + 1;

/** The state to show and to act on: a creation whose lease ran out left its result unknown (D-099). */
export function effectiveState(attempt: Pick<Attempt, 'state' | 'lease_until'>, real: Date): AttemptState {
  const { state, lease_until } = attempt;
  return state === 'creating' && (lease_until === null || lease_until <= real) ? 'unknown' : state;
}

/** The provider's name of what was paid through a session. */
export const tradeNo = (session: Pick<CardSession, 'id' | 'payment_id'>): string =>
  session.payment_id ?? session.id;

/** What a look at the provider has shown. */
export type Observation =
  /** Verified: session, reference, amount, currency, mode and payment agree. */
  | { kind: 'paid'; session: CardSession; trade_no: string; occurred_at: Date }
  /** Complete, but the money is still under way (D-101). */
  | { kind: 'processing'; session: CardSession }
  | { kind: 'open'; session: CardSession }
  /** Closed without payment, or an asynchronous payment that failed for good (D-102). */
  | { kind: 'closed' | 'failed'; session: CardSession }
  /** Paid or not, it is not what was asked for; `paid_at` where it is paid. */
  | { kind: 'mismatch'; session: CardSession; why: string; paid_at: Date | null }
  /** What a case holds already, or a person has decided on. */
  | { kind: 'settled_by_case'; session: CardSession; why: string }
  /** A definite refusal to create the session. */
  | { kind: 'refused'; why: string }
  /** No clear answer to a creation. */
  | { kind: 'unclear'; why: string }
  /** The records hold no session of this attempt. */
  | { kind: 'none' }
  /** A look-up that failed. */
  | { kind: 'failed_lookup'; why: string }
  /** A person has decided: the receipt that a case holds pays the order after all. */
  | { kind: 'accepted'; receipt: PaymentCase; trade_no: string; occurred_at: Date; why: string }
  /** A person has decided, and the provider has confirmed, that nothing comes of it: the session is closed. */
  | { kind: 'voided' | 'returned'; why: string }
  /** A person has decided that the provider knows of no session (D-093). */
  | { kind: 'given_up'; why: string };

/** What was seen, and by which question. */
export type Seen = Observation & { asked?: string };

/** When a look at the records counts as conclusive: the second clean one, and late enough (D-093). */
const apart_ms = seconds(60);
const afterCreation_ms = seconds(120);

/** States in which the session was still to be created, as far as we know. */
const creation: readonly AttemptState[] = ['creating', 'unknown'];

/** States that ended without payment: only a payment still moves them. */
const over: readonly AttemptState[] = ['closed', 'failed', 'absent', 'rejected'];

export const isOver = (attempt: Pick<Attempt, 'state'>): boolean => over.includes(attempt.state);

export const isPaid = ({ state }: Pick<Attempt, 'state'>): boolean =>
  state === 'paid' || state === 'paid_late';

/**
 * The attempt after an observation (the table in docs/states.md). Pure: the caller writes it guarded by the state
 * it was read in, together with what follows for the order. What comes late overwrites nothing that was learned
 * meanwhile.
 *
 * @param expires_at the order's deadline
 */
export function afterObservation(before: Attempt, seen: Seen, expires_at: Date, now: Date): Attempt {
  // A payment is final.
  if (isPaid(before)) return besideAccepted(before, seen, now);
  const told: Attempt = { ...before, detail: detailAfter(before, seen, now) };
  const known: Attempt = 'session' in seen ? withSession(told, seen.session) : told;
  if (seen.kind === 'paid' || seen.kind === 'accepted') {
    return {
      ...known,
      state: isOver(before) ? 'paid_late' : 'paid',
      provider_trade_no: seen.trade_no,
      paid_at: seen.occurred_at,
      lease_until: null,
      check_at: isOfAnother(seen, before) ? later(now, minutes(1)) : null,
    };
  }
  // What disagrees waits for a person: only a payment still moves it.
  if (before.state === 'mismatch') return waiting(known, seen, expires_at, now);
  // Money that disagrees is a person's to see, also when it comes late; only a refused attempt holds no session.
  const toSee = seen.kind === 'mismatch' && before.state !== 'rejected';
  if (isOver(before) && !toSee) return { ...known, check_at: nextRecheck(before, now) };
  const inCreation = creation.includes(before.state);
  switch (seen.kind) {
    case 'processing':
      return { ...known, state: 'processing', lease_until: null, check_at: later(now, minutes(1)) };
    case 'open':
      // A session that is complete never opens again: this is an older answer.
      if (before.state === 'processing') return { ...known, check_at: later(now, minutes(1)) };
      return { ...known, state: 'open', lease_until: null, check_at: nextLook(expires_at, now) };
    case 'closed':
    case 'failed':
      return { ...ended(known, seen.kind, now), check_at: nextLook(expires_at, now) };
    case 'mismatch':
      return waiting({ ...known, state: 'mismatch', lease_until: null }, seen, expires_at, now);
    case 'refused':
      // Only the refusal of the very first request proves that no session exists.
      if (before.state === 'creating' && before.unclear_since === null) return ended(known, 'rejected', now);
      if (!inCreation) return known;
      return { ...known, state: 'unknown', lease_until: null, check_at: nextTry(expires_at, now) };
    case 'unclear':
      if (!inCreation) return known;
      return {
        ...known,
        state: 'unknown',
        lease_until: null,
        unclear_since: now,
        check_at: nextTry(expires_at, now),
      };
    case 'given_up':
      if (!inCreation) return known;
      return { ...ended(known, 'absent', now), check_at: nextLook(expires_at, now) };
    case 'settled_by_case':
    case 'voided':
    case 'returned':
      return known;
    case 'none':
      return inCreation ? afterNothingFound(known, expires_at, now) : known;
    case 'failed_lookup':
      return { ...known, check_at: later(now, minutes(1)) };
  }
}

/** Whether a person let an attempt be paid by what came through another session than its own, which may be paid yet. */
const isOfAnother = (seen: Seen, { session_id }: Attempt): boolean =>
  seen.kind === 'accepted' && session_id !== null && seen.receipt.session_id !== session_id;

/**
 * A paid attempt keeps what it is. Where another session than its own has paid it, its own is closed and asked about
 * until nothing can come of it any more: a second payment is to be found although no webhook tells of it (D-082).
 */
function besideAccepted(paid: Attempt, seen: Seen, now: Date): Attempt {
  if (paid.check_at === null) return paid;
  if ('session' in seen && seen.session.id !== paid.session_id) return paid;
  const isUnderWay = seen.kind === 'open' || seen.kind === 'processing' || seen.kind === 'failed_lookup';
  const last = later(paid.session_expires_at ?? paid.created_at, hours(48));
  const next = isUnderWay && now < last ? nextWhileWaiting(paid, now) : null;
  return { ...paid, detail: detailAfter(paid, seen, now), check_at: next };
}

/** An attempt that ended without payment. */
function ended(attempt: Attempt, state: 'closed' | 'failed' | 'absent' | 'rejected', now: Date): Attempt {
  return { ...attempt, state, lease_until: null, closed_at: now, check_at: null };
}

/**
 * An attempt that a person is to decide on: its session is closed once they have. Until it is paid it is asked about
 * now and then, for its money may come without a webhook (D-111).
 */
function waiting(attempt: Attempt, seen: Seen, expires_at: Date, now: Date): Attempt {
  if (seen.kind === 'returned' || seen.kind === 'voided') {
    // At the deadline the order has yet to follow.
    return { ...ended(attempt, 'closed', now), check_at: nextLook(expires_at, now) };
  }
  if (seen.kind === 'settled_by_case' || (seen.kind === 'mismatch' && seen.session.paid)) {
    return { ...attempt, check_at: null };
  }
  const last = later(attempt.session_expires_at ?? attempt.created_at, hours(48));
  return { ...attempt, check_at: now < last ? nextWhileWaiting(attempt, now) : null };
}

/** Each minute for the first hour, then hourly. */
function nextWhileWaiting({ created_at }: Attempt, now: Date): Date {
  const age_ms = now.getTime() - created_at.getTime();
  return later(now, age_ms < hours(1) ? minutes(1) : hours(1));
}

/** What is noted of an observation; only clean looks in a row, after the deadline, prove an absence (D-093). */
function detailAfter({ detail }: Attempt, seen: Seen, now: Date): AttemptDetail {
  const { absent_at } = detail;
  return {
    last: wordsFor(seen),
    at: now.toISOString(),
    history: noted(detail.history ?? [], { asked: seen.asked ?? null, seen: wordsFor(seen) }, now),
    ...(seen.kind === 'none' && absent_at !== undefined ? { absent_at } : {}),
  };
}

/**
 * A creation of which the records show nothing. Before the deadline that proves nothing and changes nothing: it is
 * asked for again. After it, the second clean look ends the attempt, where it comes late enough (D-092, D-093).
 */
function afterNothingFound(known: Attempt, expires_at: Date, now: Date): Attempt {
  if (now < expires_at) return known;
  const { absent_at } = known.detail;
  if (absent_at === undefined) {
    const detail = { ...known.detail, absent_at: now.toISOString() };
    return { ...known, detail, check_at: later(now, apart_ms) };
  }
  const since = known.unclear_since ?? known.created_at;
  const lateEnough = now >= later(new Date(absent_at), apart_ms) && now >= later(since, afterCreation_ms);
  if (lateEnough) return { ...ended(known, 'absent', now), check_at: nextLook(expires_at, now) };
  return { ...known, check_at: later(now, apart_ms) };
}

function withSession(attempt: Attempt, session: CardSession): Attempt {
  return {
    ...attempt,
    session_id: attempt.session_id ?? session.id,
    session_url: attempt.session_url ?? session.url,
    provider_trade_no: attempt.provider_trade_no ?? session.payment_id,
  };
}

/** At the deadline, or now where that has passed: then the order still has to follow. */
const nextLook = (expires_at: Date, now: Date): Date =>
  expires_at > now ? expires_at : later(now, minutes(1));

/** An unclear creation is tried again each minute, and looked up at the deadline (D-092). */
const nextTry = (expires_at: Date, now: Date): Date =>
  new Date(Math.min(later(now, minutes(1)).getTime(), nextLook(expires_at, now).getTime()));

/** An ended session is asked about every minute for an hour, then hourly for two days (D-111). */
function nextRecheck(attempt: Attempt, now: Date): Date | null {
  const age_ms = now.getTime() - (attempt.closed_at ?? now).getTime();
  if (age_ms < hours(1)) return later(now, minutes(1));
  return age_ms < hours(48) ? later(now, hours(1)) : null;
}

function wordsFor(seen: Observation): string {
  return 'why' in seen ? `${seen.kind}: ${seen.why}` : seen.kind;
}
