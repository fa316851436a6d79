import type { ComparedMember } from '@paydesk/contract';
import { describe, expect, test } from 'vitest';
import {
  deadline,
  sampleAttempt,
  sampleQuote,
  sampleSession,
  t0,
} from '../../../test/support/desks/samples.ts';
import type { Tx } from '../../base/pg/index.ts';
import { systemIds } from '../../base/ids.ts';
import type { CardSession } from '../../channels/card/card-sessions.ts';
import { afterObservation } from '../attempts/attempt-states.ts';
import { type Attempt } from '../attempts/attempt.ts';
import { type Seen } from '../attempts/observation.ts';
import { accountForCases } from './known-cases.ts';
import { caseWrites } from './open-cases.ts';
import { newCase, type NewCase, type PaymentCase } from '../cases/case.ts';
import type { PaymentDeps } from '../engine/deps.ts';
import type { Payable } from '../engine/order-kind.ts';

const ids = systemIds();
const deps = { ids } as unknown as PaymentDeps;
const tx = { query: () => Promise.resolve([]) } as unknown as Tx;

const payable = (change: Partial<Payable> = {}): Payable => {
  const { merchant_id, order_no } = sampleAttempt();
  const money = { price_e12: 1n, gross_settlement_ptk: 1n, hold_days: 1 };
  const unpaid = { phase: 'open', reversed: null, provider_trade_no: null } as const;
  return {
    merchant_id,
    order_no,
    ...unpaid,
    expires_at: deadline,
    ...money,
    buyer_user_id: null,
    wallet_user_id: null,
    recovery: null,
    title: '',
    landing: '',
    canceled_landing: '',
    ...change,
  };
};

const session = (change: Partial<CardSession> = {}): CardSession =>
  sampleSession({ status: 'complete', paid: true, payment_id: 'pi_1', ...change });

const mismatch = (change: Partial<CardSession>, why: ComparedMember): Seen => ({
  kind: 'mismatch',
  session: session(change),
  why,
  paid_at: t0,
});

const paid = (change: Partial<CardSession> = {}): Seen => ({
  kind: 'paid',
  session: session(change),
  trade_no: change.payment_id ?? 'pi_1',
  occurred_at: t0,
});

const held = (change: Partial<NewCase> = {}): PaymentCase => {
  const { merchant_id, attempt_id } = sampleAttempt();
  const about = { merchant_id, attempt_id, kind: 'mismatch', dedupe_key: 'pi_1' } as const;
  const detail = { why: 'amount', asked: {} };
  return newCase({ ids }, { ...about, provider_payment_id: 'pi_1', detail, ...change }, t0);
};

interface Situation {
  before?: Partial<Attempt>;
  order?: Partial<Payable>;
  cases?: PaymentCase[];
  lapsed?: boolean;
  seen: Seen;
}

/** What is written for cases: what each statement does, and the values it carries. */
async function caseWritesOf({
  before: change,
  order,
  cases = [],
  lapsed = false,
  seen: observed,
}: Situation) {
  const before = sampleAttempt({ state: 'open', session_id: 'cs_1', ...change });
  const seen = accountForCases(observed, before, cases);
  const locked = payable(order);
  const after = afterObservation(before, seen, locked.expires_at, t0);
  const at = { order: locked, before, after, seen, cases, quotes: [sampleQuote()], lapsed, now: t0 };
  const writes = await caseWrites(deps, tx, at);
  return writes.map(({ statement }) => ({
    verb: /^\s*(INSERT INTO|UPDATE) (\w+)/.exec(statement.text)?.slice(1).join(' ') ?? '',
    values: statement.values,
  }));
}

const verbs = async (situation: Situation) => (await caseWritesOf(situation)).map(({ verb }) => verb);
const opened = ['INSERT INTO payment_cases'];
const booked = [...opened, 'INSERT INTO ledger_transfers', 'INSERT INTO ledger_balances'];

describe('R-227 whether money of another mode is money', () => {
  test.each<[string, Partial<CardSession>, string[]]>([
    ['a test session where real money was expected is not', { livemode: false, mode_matches: false }, opened],
    ['real money where a test was expected is', { livemode: true, mode_matches: false }, booked],
    [
      'a test of a test channel is booked as one',
      { livemode: false, mode_matches: true, amount: 1n },
      booked,
    ],
  ])('%s', async (_, change, expected) => {
    const seen = mismatch(change, change.amount === undefined ? 'mode' : 'amount');
    expect(await verbs({ before: { test_mode: true }, seen })).toEqual(expected);
  });

  test.each([
    [true, false],
    [false, true],
  ])('D-084 the entry of a session with livemode %s has test_mode %s', async (livemode, test_mode) => {
    const seen = mismatch({ livemode, amount: 1n }, 'amount');
    const [, transfers] = await caseWritesOf({ before: { test_mode: true }, seen });
    expect(transfers?.values.filter((value) => typeof value === 'boolean')).toEqual([test_mode]);
  });

  test('an amount that is no whole number is a case without money', async () => {
    expect(await verbs({ seen: mismatch({ amount: null }, 'amount') })).toEqual(opened);
  });
});

describe('D-082, D-083 a payment that a case holds', () => {
  test.each<[string, Seen]>([
    ['seen to disagree again', mismatch({}, 'amount')],
    ['seen to agree by now', paid()],
  ])('%s settles nothing and is not booked again', async (_, seen) => {
    for (const state of ['mismatch', 'closed', 'open'] as const) {
      const before = sampleAttempt({ state, session_id: 'cs_1' });
      expect(accountForCases(seen, before, [held()]).kind).toBe('settled_by_case');
      expect(afterObservation(before, accountForCases(seen, before, [held()]), t0, t0).state).toBe(state);
      expect(await verbs({ before: { state }, cases: [held()], seen })).toEqual([]);
    }
  });

  test('does not stand in the way of another payment', () => {
    const seen = paid({ payment_id: 'pi_2' });
    expect(accountForCases(seen, sampleAttempt({ state: 'mismatch' }), [held()])).toBe(seen);
  });

  test('of a session that is not the attempt’s own by now is a person’s to see', () => {
    const own = sampleAttempt({ state: 'open', session_id: 'cs_own' });
    expect(accountForCases(paid(), own, [])).toMatchObject({ kind: 'mismatch', why: 'session', paid_at: t0 });
    const unknown = sampleAttempt({ state: 'unknown', session_id: null });
    expect(accountForCases(paid(), unknown, []).kind).toBe('paid');
    expect(accountForCases(paid(), { ...own, state: 'paid' }, []).kind).toBe('paid');
  });

  test('D-104 what a person has voided is not put to them again, but what is paid then is', async () => {
    const voided = held({ provider_payment_id: null, state: 'resolved' });
    const unpaid = mismatch({ paid: false, status: 'expired', payment_id: null }, 'amount');
    expect(await verbs({ before: { state: 'closed' }, cases: [voided], seen: unpaid })).toEqual([]);
    const now = mismatch({ amount: 5n }, 'amount');
    expect(await verbs({ before: { state: 'closed' }, cases: [voided], seen: now })).toEqual(booked);
  });
});

describe('table 3.1 a second payment', () => {
  test.each<[string, Situation, string[]]>([
    ['through another attempt', { order: { phase: 'settled' }, seen: paid() }, booked],
    [
      'through a refused attempt',
      { before: { state: 'rejected' }, order: { phase: 'settled' }, seen: paid() },
      booked,
    ],
    [
      'of the attempt that paid, by another payment',
      { before: { state: 'paid', provider_trade_no: 'pi_0' }, order: { phase: 'settled' }, seen: paid() },
      booked,
    ],
    [
      'that is the first, seen again',
      { before: { state: 'paid', provider_trade_no: 'pi_1' }, order: { phase: 'settled' }, seen: paid() },
      [],
    ],
    [
      'that is the first, which the provider has named since',
      { before: { state: 'paid', provider_trade_no: 'cs_1' }, order: { phase: 'settled' }, seen: paid() },
      [],
    ],
    ['that is the only one', { seen: paid() }, []],
    [
      'a paid attempt that is seen to disagree afterwards',
      {
        before: { state: 'paid', provider_trade_no: 'pi_1' },
        order: { phase: 'settled' },
        seen: mismatch({ amount: 5n }, 'amount'),
      },
      [],
    ],
  ])('%s', async (_, situation, expected) => {
    expect(await verbs(situation)).toEqual(expected);
  });
});

describe('table 3.5 a late payment of what is gone', () => {
  const late = {
    before: { state: 'closed' },
    order: { phase: 'expired' },
    lapsed: true,
    seen: paid(),
  } as const;

  test('D-177 waits in suspense for a person, as a separate kind of case', async () => {
    expect(await verbs(late)).toEqual(booked);
    const [opening, transfer] = await caseWritesOf(late);
    expect(opening?.values).toContain('unfulfillable');
    expect(transfer?.values).toContain('P10');
  });

  test('opens no case where what was ordered is still there', async () => {
    expect(await verbs({ ...late, lapsed: false })).toEqual([]);
  });
});

describe('R-234 a creation that stays unknown', () => {
  const lost: Situation = { before: { state: 'unknown', session_id: null }, seen: { kind: 'none' } };
  const past = { phase: 'review', expires_at: new Date(t0.getTime() - 1) } as const;

  test('is a case once the order is in review, and once only', async () => {
    expect(await verbs(lost)).toEqual([]);
    expect(await verbs({ ...lost, order: past })).toEqual(opened);
    const known = held({ kind: 'unknown_creation', provider_payment_id: null });
    expect(await verbs({ ...lost, order: past, cases: [known] })).toEqual([]);
  });

  test('resolves itself with whatever is learned', async () => {
    const known = held({ kind: 'unknown_creation', provider_payment_id: null });
    const [write] = await caseWritesOf({ ...lost, order: past, cases: [known], seen: paid() });
    expect(write?.verb).toBe('UPDATE payment_cases');
    expect(write?.values).toEqual(expect.arrayContaining(['resolved', 'cleared', 'the attempt is paid']));
  });
});
