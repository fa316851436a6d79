import type { FaultMode } from '@paydesk/cardsim';
import type { End as Seen } from './fault-desk.ts';

/**
 * The result of an order under every fault of the provider, written by hand from the specified transitions of orders
 * and attempts (rows T1 to T11 of an order; `from → to` of an attempt). Nothing here asks the service how it decides.
 */
export const calls = {
  'sessions.create': 'createSession',
  'sessions.retrieve': 'session',
  'sessions.list': 'findSession',
  'sessions.expire': 'expireSession',
  'payment_intents.retrieve': 'payment',
} as const;
export type Endpoint = keyof typeof calls;

export const moments = ['before', 'at', 'after'] as const;
export type Moment = (typeof moments)[number];

/** A 4xx with the provider's own error: it did not do it. */
const refusals = ['status 400', 'status 402'];
/** No answer, or an unclear one, to a request that was not carried out. */
const notDone = [
  'status 408',
  'status 409',
  'status 425',
  'status 429',
  'status 500',
  'status 503',
  'hang_before',
];
/** The same, and it was carried out. */
const done = ['hang_after', 'reset_after', 'truncate'];
const late = ['delay'];
/** Another amount or currency than was asked for. */
const forged = ['amount', 'currency'];
const honest = [...refusals, ...notDone, ...done, ...late];
export const faults = [...honest, ...forged];

/** What each mode of the simulator needs besides; null: the matrix leaves it out. Name a new one in a list above. */
const members: Record<FaultMode, Record<string, unknown> | null> = {
  status: {},
  hang_before: {},
  hang_after: {},
  // The provider's client repeats the call at once; scenarios/attempt-rows has what follows.
  reset_before: null,
  reset_after: {},
  truncate: {},
  delay: { delay_ms: 40 },
  amount: { amount_total: 1 },
  currency: { currency: 'eur' },
  // Only refunds wait.
  pending: null,
};

export const faultOf = (endpoint: Endpoint, fault: string) => {
  const [mode, status] = fault.split(' ');
  return { endpoint, mode, ...members[mode as FaultMode], ...(status && { status: Number(status) }) };
};

const taken = ['P4a'];
const givenBack = ['P4a', 'P4c'];
const captured = ['P4a', 'P4b'];

/** Where an order ends, and the rows of the tables that lead there. */
interface End {
  rows: string;
  end: Seen;
}

/** No attempt was begun, and no request was sent. */
const neverBegun: End = {
  rows: 'T2',
  end: { statuses: ['pending', 'expired'], attempt: null, sessions: [], reservation: null, postings: [] },
};
/** A refused attempt does not count. */
const refused: End = {
  rows: '3.2 none → creating → rejected, T2',
  end: {
    statuses: ['pending', 'expired'],
    attempt: 'rejected',
    sessions: [],
    reservation: 'released',
    postings: givenBack,
  },
};
const closedEnd: Seen = {
  statuses: ['pending', 'review', 'expired'],
  attempt: 'closed',
  sessions: ['expired'],
  reservation: 'released',
  postings: givenBack,
};
const closed: End = { rows: '3.2 open → closed, T3, T7', end: closedEnd };
const closedAtLast: End = {
  rows: '3.2 open → open where closing fails, open → closed, T3, T7',
  end: closedEnd,
};
const closedAtOnce: End = { rows: '3.2 creating → open, open → closed, T3, T7', end: closedEnd };
const closedAfterRetry: End = {
  rows: '3.2 creating → unknown, unknown → open by the same key, open → closed, T3, T7',
  end: closedEnd,
};
const closedOnceFound: End = {
  rows: '3.2 creating → unknown, unknown → found by look-up, T3, T7',
  end: closedEnd,
};
const absent: End = {
  rows: '3.2 creating → unknown, unknown → absent, T3, T8',
  end: { ...closedEnd, attempt: 'absent', sessions: [] },
};
const paidInTime: End = {
  rows: '3.2 → paid, T5',
  end: {
    statuses: ['pending', 'paid'],
    attempt: 'paid',
    sessions: ['complete'],
    reservation: 'captured',
    postings: captured,
  },
};
const paidInReview: End = {
  rows: '3.2 → paid, T3, T6',
  end: { ...paidInTime.end, statuses: ['pending', 'review', 'paid'] },
};
/** Closed for buyers, in review until a person decides, the fee still set aside. */
const mismatchUnpaid: End = {
  rows: '3.2 creating → mismatch, T3',
  end: {
    statuses: ['pending', 'review'],
    attempt: 'mismatch',
    sessions: ['expired'],
    reservation: 'reserved',
    postings: taken,
  },
};
/** A payment that differs from the request does not pay the order. */
const mismatchPaid: End = {
  rows: '3.1 mismatched receipt, T3',
  end: { ...mismatchUnpaid.end, sessions: ['complete'] },
};

type Rule = [Endpoint, readonly Moment[], crash: readonly boolean[], faults: readonly string[], End];

const dies = [true];
const lives = [false];
const either = [true, false];

/** Exactly one rule speaks of each case. */
const rules: Rule[] = [
  // The first creation, in time. creating → rejected on a definite refusal; → unknown, and the same key again before
  // the deadline, on all else; → open; → mismatch. A process that died leaves unknown: a refusal it heard is lost.
  ['sessions.create', ['before'], lives, refusals, refused],
  ['sessions.create', ['before'], lives, [...notDone, ...done], closedAfterRetry],
  ['sessions.create', ['before'], lives, late, closedAtOnce],
  ['sessions.create', ['before'], dies, honest, closedAfterRetry],
  ['sessions.create', ['before'], either, forged, mismatchUnpaid],
  // The answer comes as the deadline passes: no session is created again, the records are read.
  ['sessions.create', ['at'], lives, refusals, refused],
  ['sessions.create', ['at'], dies, refusals, absent],
  ['sessions.create', ['at'], either, notDone, absent],
  ['sessions.create', ['at'], either, done, closedOnceFound],
  ['sessions.create', ['at'], lives, late, closedAtOnce],
  ['sessions.create', ['at'], dies, late, closedOnceFound],
  ['sessions.create', ['at'], either, forged, mismatchUnpaid],
  // Too late: the provider is not asked.
  ['sessions.create', ['after'], either, faults, neverBegun],

  // Reading a session that was paid: open → paid once it can be read; a look-up that fails proves nothing.
  ['sessions.retrieve', ['before'], lives, honest, paidInTime],
  ['sessions.retrieve', ['at', 'after'], lives, honest, paidInReview],
  ['sessions.retrieve', moments, lives, forged, mismatchPaid],
  ['sessions.retrieve', ['before'], dies, faults, paidInTime],
  ['sessions.retrieve', ['at', 'after'], dies, faults, paidInReview],

  // Searching the records for a session whose creation was never answered, and which was paid: unknown → paid.
  ['sessions.list', ['before'], lives, honest, paidInTime],
  ['sessions.list', ['at', 'after'], lives, honest, paidInReview],
  ['sessions.list', moments, lives, forged, mismatchPaid],
  ['sessions.list', ['before'], dies, faults, paidInTime],
  ['sessions.list', ['at', 'after'], dies, faults, paidInReview],

  // Closing an unpaid session: the session as it is read afterwards counts, not the answer.
  ['sessions.expire', moments, lives, [...late, ...forged], closed],
  ['sessions.expire', moments, dies, [...late, ...forged], closedAtLast],
  ['sessions.expire', moments, either, [...refusals, ...notDone, ...done], closedAtLast],

  // Reading when it was paid.
  ['payment_intents.retrieve', ['before'], either, honest, paidInTime],
  ['payment_intents.retrieve', ['at', 'after'], either, honest, paidInReview],
];

/** One case of the matrix, and where it has to end. */
export interface FaultCase {
  endpoint: Endpoint;
  fault: string;
  moment: Moment;
  crash: boolean;
  rows: string;
  end: Seen;
}

export const faultCases: readonly FaultCase[] = (Object.keys(calls) as Endpoint[]).flatMap((endpoint) =>
  (endpoint === 'payment_intents.retrieve' ? honest : faults).flatMap((fault) =>
    moments.flatMap((moment) =>
      either.map((crash) => ({ endpoint, fault, moment, crash, ...endOf(endpoint, fault, moment, crash) })),
    ),
  ),
);

function endOf(endpoint: Endpoint, fault: string, moment: Moment, crash: boolean): End {
  const found = rules.filter(
    ([of, when, crashes, kinds]) =>
      of === endpoint && when.includes(moment) && crashes.includes(crash) && kinds.includes(fault),
  );
  const [rule] = found;
  if (rule === undefined || found.length > 1) {
    throw new Error(
      `${found.length} rules for ${endpoint}, ${fault}, ${moment}, ${crash ? 'dying' : 'living'}`,
    );
  }
  return rule[4];
}
