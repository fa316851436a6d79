import { describe, expect, test } from 'vitest';
import { timelineOf } from './timeline.ts';

type Story = Parameters<typeof timelineOf>[0];

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 2, 9, minute)).toISOString();

/** An order to which nothing has happened but its creation. */
const story = (of: Partial<Record<keyof Story, unknown>> = {}): Story =>
  ({
    order: { external_reference: 'INV-1', created_at: at(0), occurred_at: null },
    attempts: [],
    notifications: [],
    refunds: [],
    complaints: [],
    ...of,
  }) as Story;

const told = (of: Story): string[] => timelineOf(of).map(({ title }) => title);

const paidOrder = { external_reference: 'INV-1', created_at: at(0), occurred_at: at(3) };
const attempt = { seq: 1, provider: 'cardprov', created_at: at(1), closed_at: null };
const notification = (status: string, status_version: number, minute: number) => ({
  event: { data: { status }, created_at: at(minute) },
  status_version,
});

describe('what happened to an order, oldest first', () => {
  test.each<[string, Story, string[]]>([
    ['an order that nobody has paid', story(), ['Created']],
    [
      'a card payment that was told',
      story({ order: paidOrder, attempts: [attempt], notifications: [notification('paid', 2, 3)] }),
      ['Created', 'Attempt 1 began', 'Paid (version 2)'],
    ],
    [
      'a payment that nobody is told of',
      story({ order: paidOrder, attempts: [attempt] }),
      ['Created', 'Attempt 1 began', 'Paid'],
    ],
    [
      'an attempt that was closed before another',
      story({
        attempts: [
          { ...attempt, closed_at: at(2) },
          { ...attempt, seq: 2, created_at: at(3) },
        ],
      }),
      ['Created', 'Attempt 1 began', 'Attempt 1 was closed', 'Attempt 2 began'],
    ],
    [
      'a refund and a complaint, one of them still open',
      story({
        order: paidOrder,
        refunds: [{ requested_at: at(5), ended_at: at(7), status: 'succeeded' }],
        complaints: [{ opened_at: at(4), decided_at: null, status: 'open', reason: 'not delivered' }],
      }),
      ['Created', 'Paid', 'Complaint opened', 'Refund requested', 'Refund succeeded'],
    ],
    [
      'a complaint that was decided',
      story({
        complaints: [{ opened_at: at(4), decided_at: at(6), status: 'dismissed', reason: 'not delivered' }],
      }),
      ['Created', 'Complaint opened', 'Complaint dismissed'],
    ],
  ])('%s', (_what, of, titles) => {
    expect(told(of)).toEqual(titles);
  });

  test('times of other zones are ordered by the instant, not by how they are written', () => {
    // 17:01 in Shanghai is 09:01 in UTC, one minute before the other attempt.
    const shanghai = { ...attempt, created_at: '2026-03-02T17:01:00+08:00' };
    const order = { ...paidOrder, occurred_at: at(2) };
    expect(told(story({ order, attempts: [shanghai] }))).toEqual(['Created', 'Attempt 1 began', 'Paid']);
  });

  test('says what the order was for, by which way an attempt went, and why somebody complained', () => {
    const ptk = { ...attempt, provider: 'ptk' };
    const complaint = { opened_at: at(4), decided_at: null, status: 'open', reason: 'not delivered' };
    const about = timelineOf(story({ attempts: [attempt, ptk], complaints: [complaint] }));
    expect(about.map((one) => one.about)).toEqual(['Reference INV-1', 'Card', 'PTK wallet', 'not delivered']);
  });
});
