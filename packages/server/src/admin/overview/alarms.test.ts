import { describe, expect, test } from 'vitest';
import { days, hours, later, minutes } from '../../base/time/clock.ts';
import { type Alarm, alarmsOf, type AlarmInputs } from './alarms.ts';
import { queues, decisionKinds, type Waiting } from './work.ts';

const now = new Date('2026-03-02T12:00:00Z');
const ago = (ms: number): Date => later(now, -ms);
const nothing: Waiting = { due: 0, oldest_at: null };
const waiting = (due: number, ms: number): Waiting => ({ due, oldest_at: ago(ms) });

const eachNothing = <K extends string>(names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, nothing])) as Record<K, Waiting>;

const work = { now, queues: eachNothing(queues), undecided: eachNothing(decisionKinds) };
const usd = { code: 'USD', decimals: 2, enabled: true, min_minor: 1n, max_minor: 10n };
const rate = { currency: 'USD', price_e12: 1n, valid_until: null };

/** A platform without problems. */
const well: AlarmInputs = {
  work,
  books: { findings: 0, since: null },
  providers: [],
  limiter_ready: true,
  off_clocks: [],
  receivers: { due: 0, oldest_at: null },
  exports: { due: 0, oldest_at: null },
  audit: { waiting: 0n, oldest_at: null },
  currencies: [usd, { ...usd, code: 'PTK', decimals: 8 }, { ...usd, code: 'JPY', enabled: false }],
  rates: [rate],
  unclear: [],
};

const missing = { kind: 'payment_missing_here' } as AlarmInputs['providers'][number]['differences'][number];

const withQueue = (queue: (typeof queues)[number], one: Waiting): AlarmInputs => ({
  ...well,
  work: { ...work, queues: { ...work.queues, [queue]: one } },
});
const withUndecided = (subject: (typeof decisionKinds)[number], one: Waiting): AlarmInputs => ({
  ...well,
  work: { ...work, undecided: { ...work.undecided, [subject]: one } },
});

describe('what is wrong, since when', () => {
  test.each<[string, AlarmInputs]>([
    ['all is well', well],
    ['work is due, but not for long', withQueue('attempts', waiting(3, minutes(5) - 1))],
    ['decisions wait, but not for a day', withUndecided('cases', waiting(3, hours(24) - 1))],
    [
      'entries of the audit log wait, but not for long',
      { ...well, audit: { waiting: 3n, oldest_at: ago(minutes(5) - 1) } },
    ],
    ['a rate ends later', { ...well, rates: [{ ...rate, valid_until: later(now, 1) }] }],
  ])('nothing where %s', (_what, inputs) => {
    expect(alarmsOf(inputs)).toEqual([]);
  });
});

test('each process whose clock is off raises its own alarm', () => {
  const off_clocks = ['web on desk-1, process 7', 'worker on desk-2, process 8'].map((process) => ({
    process,
    since: ago(minutes(1)),
  }));
  expect(alarmsOf({ ...well, off_clocks })).toEqual(
    off_clocks.map(({ process, since }) => ({
      ...{ alarm: 'clock_off', severity: 'alarm', about: process, count: null, since },
    })),
  );
});

test.each([
  ['receivers of notifications', 'receivers', 'receivers_failing'],
  ['D-391 scheduled exports', 'exports', 'exports_failing'],
] as const)('%s that fail raise a warning', (_, input, alarm) => {
  const found = alarmsOf({ ...well, [input]: { due: 2, oldest_at: ago(minutes(1)) } });
  expect(found).toEqual([{ alarm, severity: 'warning', about: null, count: 2, since: ago(minutes(1)) }]);
});

describe('each fault raises its alarm', () => {
  test.each<[string, AlarmInputs, Partial<Alarm>]>([
    [
      'the books differ',
      { ...well, books: { findings: 2, since: ago(days(1)) } },
      { alarm: 'books_differ', severity: 'alarm', count: 2, since: ago(days(1)) },
    ],
    [
      'a provider has a payment that is unknown here',
      { ...well, providers: [{ payment_no: 'ch_1', ran_at: ago(1), differences: [missing], failure: null }] },
      { alarm: 'provider_differs', severity: 'alarm', about: 'ch_1', count: 1, since: ago(1) },
    ],
    [
      'a provider could not be compared',
      { ...well, providers: [{ payment_no: 'ch_1', ran_at: ago(1), differences: [], failure: 'timeout' }] },
      { alarm: 'provider_differs', severity: 'warning', about: 'ch_1', count: null, since: ago(1) },
    ],
    [
      'the limiter does not answer',
      { ...well, limiter_ready: false },
      { alarm: 'limiter_unreachable', severity: 'alarm', since: null },
    ],
    [
      'the sink of the audit trail is behind',
      { ...well, audit: { waiting: 3n, oldest_at: ago(minutes(5)) } },
      { alarm: 'audit_sink_behind', severity: 'alarm', count: 3, since: ago(minutes(5)) },
    ],
    [
      'a queue waits for too long',
      withQueue('holds', waiting(7, minutes(5))),
      { alarm: 'queue_late', severity: 'alarm', about: 'holds', count: 7, since: ago(minutes(5)) },
    ],
    [
      'webhooks were given up',
      withUndecided('webhooks_failed', waiting(1, 1)),
      { alarm: 'webhooks_failed', severity: 'alarm', count: 1, since: ago(1) },
    ],
    [
      'notifications were given up',
      withUndecided('notifications_failed', waiting(4, 1)),
      { alarm: 'notifications_failed', severity: 'warning', count: 4, since: ago(1) },
    ],
    [
      'orders are in review',
      withUndecided('orders_in_review', waiting(1, hours(23))),
      { alarm: 'orders_in_review', severity: 'warning', count: 1, since: ago(hours(23)) },
    ],
    [
      'orders are in review for long',
      withUndecided('orders_in_review', waiting(1, hours(24))),
      { alarm: 'orders_in_review', severity: 'alarm' },
    ],
    [
      'a decision has waited for a day',
      withUndecided('withdrawals', waiting(2, hours(24))),
      { alarm: 'decision_late', severity: 'warning', about: 'withdrawals', count: 2 },
    ],
    [
      'a provider is unclear',
      { ...well, unclear: [{ payment_no: 'ch_1', attempts: 3, since: ago(minutes(9)) }] },
      { alarm: 'provider_unclear', severity: 'alarm', about: 'ch_1', count: 3, since: ago(minutes(9)) },
    ],
    [
      'a rate is over',
      { ...well, rates: [{ ...rate, valid_until: now }] },
      { alarm: 'rate_missing', severity: 'alarm', about: 'USD', since: now },
    ],
    ['a rate was never set', { ...well, rates: [] }, { alarm: 'rate_missing', about: 'USD', since: null }],
  ])('an alarm where %s', (_what, inputs, wanted) => {
    const [found, ...others] = alarmsOf(inputs);
    expect(others).toEqual([]);
    expect(found).toMatchObject(wanted);
  });
});

test('alarms come before warnings, the books before all', () => {
  const inputs: AlarmInputs = {
    ...well,
    work: {
      ...work,
      undecided: {
        ...work.undecided,
        notifications_failed: waiting(1, 1),
        webhooks_failed: waiting(1, 1),
      },
    },
    books: { findings: 1, since: now },
  };
  expect(alarmsOf(inputs).map(({ alarm }) => alarm)).toEqual([
    'books_differ',
    'webhooks_failed',
    'notifications_failed',
  ]);
});
