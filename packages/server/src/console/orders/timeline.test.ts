import { describe, expect, test } from 'vitest';
import { later, minutes } from '../../base/time/clock.ts';
import { sampleAttempt, sampleOrder } from '../../../test/support/samples.ts';
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
  return { order, ...none, ...change } as OrderHistory;
}

const lines = (of: OrderHistory): string[] =>
  timelineOf(of).map(
    ({ at: when, kind, status, status_version }) =>
      `${when.slice(14, 16)} ${kind}${status === null ? '' : ` ${status_version ?? ''} ${status}`}`,
  );

const attempt = sampleAttempt({ seq: 1, created_at: at(1), paid_at: null, closed_at: null });
const booked = [{ posting: 'P1', at: at(3) }];
const notified = (status: string, status_version: number, minute: number) => ({
  status_version,
  event: { created_at: text(minute), data: { status } },
});

describe('what happened to an order, oldest first', () => {
  test.each<[string, OrderHistory, string[]]>([
    ['it waits', history(), ['00 status 1 pending']],
    [
      'its time is up',
      history({ status: 'expired', version: 2 }),
      ['00 status 1 pending', '30 status 2 expired'],
    ],
    [
      'it was paid, and nobody is told',
      history({
        status: 'paid',
        version: 2,
        attempts: [{ ...attempt, paid_at: at(2) }],
        transfers: booked,
      }),
      ['00 status 1 pending', '01 attempt_started', '02 attempt_paid', '03 status 2 paid'],
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

describe('how a status is told', () => {
  test('a historical order began elsewhere: nobody knows when it was made', () => {
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
