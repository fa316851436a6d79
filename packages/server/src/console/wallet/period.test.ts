import { describe, expect, test } from 'vitest';
import { firstDayOf, nextFirstDay, periodName, periodOf, runningSince } from './period.ts';

const now = new Date('2026-11-23T12:00:00Z');
const spanOf = (name: string, zone?: string): string[] => {
  const { from, to } = periodOf(name, now, zone);
  return [from.toISOString(), to.toISOString()];
};

describe('D-380 periods of statements', () => {
  test('the day on which clocks change has 23 or 25 hours, and no instant is in two days or in none', () => {
    const zone = 'Europe/Berlin';
    expect(spanOf('2026-03-29', zone)).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
    expect(spanOf('2026-10-25', zone)).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
    for (let day = '2026-10-20'; day < '2026-11-01'; day = nextFirstDay('daily', day)) {
      expect(spanOf(day, zone)[1]).toBe(spanOf(nextFirstDay('daily', day), zone)[0]);
    }
  });

  test('a month ends with its last day, in its zone', () => {
    expect(spanOf('2024-02')).toEqual(['2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z']);
    expect(spanOf('2026-10', 'America/New_York')).toEqual([
      '2026-10-01T04:00:00.000Z',
      '2026-11-01T04:00:00.000Z',
    ]);
    expect(['2026-01-01', '2026-02-01', '2026-12-01'].map((day) => nextFirstDay('monthly', day))).toEqual([
      '2026-02-01',
      '2026-03-01',
      '2027-01-01',
    ]);
  });

  test.each([
    ['2026-11-23', '2026-W48'],
    ['2026-11-22', '2026-W47'],
    ['2027-01-03', '2026-W53'],
    ['2024-12-30', '2025-W01'],
    ['2023-01-01', '2022-W52'],
  ])('%s is in the ISO week %s', (day, week) => {
    expect(periodName('weekly', firstDayOf('weekly', day))).toBe(week);
  });

  test('a week begins on Monday and ends with the next', () => {
    expect(spanOf('2026-W47')).toEqual(['2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z']);
    expect(periodOf('2026-W48', now)).toMatchObject({ complete: false, to: now });
  });

  test('the running period follows the zone', () => {
    const late = new Date('2026-10-31T23:30:00Z');
    expect(runningSince('monthly', late, 'UTC')).toBe('2026-10-01');
    expect(runningSince('monthly', late, 'Europe/Berlin')).toBe('2026-11-01');
    expect(runningSince('weekly', late, 'UTC')).toBe('2026-10-26');
  });

  test.each(['2026-13', '2026-00', '2026-02-30', '2026-W00', '2025-W53', '2026-W9', '1999-01', '2026', 'x'])(
    '%s is no period',
    (name) => {
      expect(() => periodOf(name, now)).toThrow();
    },
  );

  test('a period that has not begun has no statement', () => {
    expect(() => periodOf('2026-11-24', now)).toThrow();
    expect(() => periodOf('2026-W49', now)).toThrow();
  });
});
