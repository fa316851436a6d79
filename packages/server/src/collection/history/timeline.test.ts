import { describe, expect, test } from 'vitest';
import { systemIds } from '../../base/ids.ts';
import { later, minutes } from '../../base/time/clock.ts';
import { sampleAttempt, sampleOrder } from '../../../test/support/desks/samples.ts';
import { type OrderHistory, timelineOf } from './timeline.ts';

const created_at = new Date('2026-03-02T09:00:00Z');
const at = (minute: number): Date => later(created_at, minutes(minute));
const text = (minute: number): string => at(minute).toISOString();

type Change = Partial<Record<keyof OrderHistory, unknown>> & { status?: string; version?: number };

/** An order with a deadline of half an hour, just created. */
function history({ status = 'pending', version = 1, ...change }: Change = {}): OrderHistory {
  const order = sampleOrder({
    status: status as OrderHistory['order']['status'],
    status_version: version,
    created_at,
    expires_at: at(30),
  });
  const none = { attempts: [], transfers: [], hold: null, refunds: [], complaints: [], notifications: [] };
  const here = { archived: null };
  return { order, ...none, ...here, ...change } as OrderHistory;
}

const lines = (of: OrderHistory): string[] =>
  timelineOf(of).map(
    ({ at: when, kind, status, status_version }) =>
      `${when.slice(14, 16)} ${kind}${status === null ? '' : ` ${status_version ?? ''} ${status}`}`,
  );

const attempt = sampleAttempt({ seq: 1, created_at: at(1), paid_at: null, closed_at: null });
const booked = [{ posting: 'P1', at: at(3) }];
const notifiedAt = (status: string, status_version: number, when: Date) => ({
  status_version,
  event: { created_at: when.toISOString(), data: { status } },
});
const notified = (status: string, status_version: number, minute: number) =>
  notifiedAt(status, status_version, at(minute));
const eventAt = (when: Date): string => `pe_${systemIds().ulid(when)}`;

describe('what happened to an order, oldest first', () => {
  test.each<[string, OrderHistory, string[]]>([
    ['it waits', history(), ['00 status 1 pending']],
    [
      'its time is up',
      history({ status: 'expired', version: 2 }),
      ['00 status 1 pending', '30 status 2 expired'],
    ],
    [
      'it was paid, and no notification is sent',
      history({
        status: 'paid',
        version: 2,
        attempts: [{ ...attempt, paid_at: at(2) }],
        transfers: booked,
      }),
      ['00 status 1 pending', '01 attempt_started', '03 attempt_paid', '03 status 2 paid'],
    ],
    [
      'it was in review first, which only a notification knows',
      history({
        status: 'paid',
        version: 3,
        transfers: [{ posting: 'P2', at: at(40) }],
        notifications: [notified('review', 2, 30), notified('paid', 3, 40)],
      }),
      ['00 status 1 pending', '30 status 2 review', '40 status 3 paid'],
    ],
    [
      'it was refunded: that it was paid is told of the version before',
      history({
        status: 'refunded',
        version: 3,
        transfers: booked,
        refunds: [{ requested_at: at(5), ended_at: at(9), status: 'succeeded' }],
        hold: { released_at: at(7) },
      }),
      [
        '00 status 1 pending',
        '03 status 2 paid',
        '05 refund_requested',
        '07 hold_ended',
        '09 refund_ended',
        '09 status 3 refunded',
      ],
    ],
    [
      'a complaint took the payment away',
      history({
        status: 'chargeback',
        version: 3,
        transfers: booked,
        complaints: [{ opened_at: at(5), decided_at: at(9), status: 'confirmed' }],
      }),
      [
        '00 status 1 pending',
        '03 status 2 paid',
        '05 complaint_opened',
        '09 complaint_decided',
        '09 status 3 chargeback',
      ],
    ],
    [
      'an attempt came to nothing at the very instant of the next',
      history({
        attempts: [
          { ...attempt, closed_at: at(4) },
          { ...attempt, seq: 2, created_at: at(4) },
        ],
      }),
      ['00 status 1 pending', '01 attempt_started', '04 attempt_closed', '04 attempt_started'],
    ],
  ])('%s', (_what, of, wanted) => {
    expect(lines(of)).toEqual(wanted);
  });
});

describe('D-280 the clock of a provider', () => {
  const exactly = (ms: number): Date => later(created_at, ms);
  const told = (of: OrderHistory) => timelineOf(of).map(({ at: when, kind }) => `${when.slice(17)} ${kind}`);
  // The provider knows whole seconds only, so its payment seems to precede the order.
  const paidAttempt = {
    ...attempt,
    created_at: exactly(800),
    paid_at: exactly(0),
    provider_trade_no: 'pi_1',
  };
  const order = { provider_trade_no: 'pi_1', occurred_at: exactly(0), event_id: eventAt(exactly(1_900)) };
  const started = ['00.700Z status', '00.800Z attempt_started'];

  const paidOrder = (change: Change): OrderHistory => {
    const of = history({ status: 'paid', version: 2, attempts: [paidAttempt], ...change });
    return { ...of, order: { ...of.order, created_at: exactly(700), ...order } };
  };

  test.each<[string, Change, string[]]>([
    [
      'the time of a payment is the time of its booking',
      { transfers: [{ posting: 'P1', at: exactly(1_900) }] },
      [...started, '01.900Z attempt_paid', '01.900Z status'],
    ],
    [
      'or the time of its event, if nothing was booked',
      {},
      [...started, '01.900Z attempt_paid', '01.900Z status'],
    ],
    [
      'a payment of another attempt is not before its start',
      { attempts: [{ ...paidAttempt, provider_trade_no: 'pi_other' }] },
      [...started, '00.800Z attempt_paid', '01.900Z status'],
    ],
    [
      'a status is not before the one that it follows, whichever process wrote it',
      {
        version: 3,
        notifications: [notifiedAt('review', 2, exactly(5_000)), notifiedAt('paid', 3, exactly(4_900))],
      },
      [...started, '01.900Z attempt_paid', '05.000Z status', '05.000Z status'],
    ],
  ])('%s', (_what, change, wanted) => {
    expect(told(paidOrder(change))).toEqual(wanted);
  });

  test('is told beside the service’s own time, for card payments only', () => {
    const told_by = (provider: 'cardprov' | 'ptk') =>
      timelineOf(paidOrder({ attempts: [{ ...paidAttempt, provider }] })).map(
        ({ provider_at }) => provider_at,
      );
    expect(told_by('cardprov')).toEqual([null, null, exactly(0).toISOString(), null]);
    expect(told_by('ptk')).toEqual([null, null, null, null]);
  });
});

test('D-478 the history says that rows of the order left for the archive, and for which file', () => {
  const archived = { archived_at: at(50), file: 'mr_1-01.jsonl.gz' };
  const told = timelineOf(history({ status: 'expired', version: 2, archived }));
  expect(told.map(({ kind }) => kind)).toEqual(['status', 'status', 'archived']);
  expect(told.at(-1)).toMatchObject({ at: text(50), subject: 'mr_1-01.jsonl.gz', status: null });
});

describe('how a status is told', () => {
  test('a historical order began elsewhere: when it was made is unknown', () => {
    const of = history({ status: 'paid', version: 0, transfers: booked });
    const historical = { ...of, order: { ...of.order, fee_status: 'legacy' as const } };
    expect(lines(historical)).toEqual(['03 status 0 paid']);
  });

  test('a status is told in words, once for each version', () => {
    const of = history({
      status: 'paid',
      version: 2,
      transfers: booked,
      notifications: [notified('paid', 2, 4)],
    });
    const [, paid, ...others] = timelineOf(of);
    expect(others).toEqual([]);
    expect(paid).toMatchObject({ at: text(4), what: 'The payment is confirmed and booked.' });
  });
});
