import { describe, expect, test } from 'vitest';
import { dayAt, dayBefore, daysUpTo, readTimeZone } from './zone-days.ts';

describe('days in a zone', () => {
  const at = new Date('2026-03-01T02:30:00.000Z');

  test.each([
    ['UTC', '2026-03-01'],
    ['America/New_York', '2026-02-28'],
    ['Pacific/Kiritimati', '2026-03-01'],
    ['Asia/Tokyo', '2026-03-01'],
  ])('in %s it is %s', (zone, day) => {
    expect(dayAt(at, readTimeZone(zone))).toBe(day);
  });

  test('cross the ends of months and years', () => {
    expect(dayBefore('2026-03-01', 1)).toBe('2026-02-28');
    expect(dayBefore('2024-03-01', 1)).toBe('2024-02-29');
    expect(daysUpTo('2026-01-01', 3)).toEqual(['2025-12-30', '2025-12-31', '2026-01-01']);
  });

  test.each(['Mars/Olympus', '+02:00', 'utc', "UTC'", 5, ['UTC']])('%s is not a zone', (zone) => {
    expect(() => readTimeZone(zone)).toThrow(/time_zone must be the name/);
  });

  test('the default is UTC', () => {
    expect([readTimeZone(undefined), readTimeZone('')]).toEqual(['UTC', 'UTC']);
  });
});
