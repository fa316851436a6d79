import { describe, expect, test } from 'vitest';
import { dayAt, dayBefore, daysUpTo, readTimeZone, startOfDay, zoneDays } from './zone-days.ts';

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

  test.each(['Mars/Olympus', '+02:00', 'utc', "UTC'", 'Europe/Berlin ', 5, ['UTC']])(
    '%s is not a zone',
    (zone) => {
      expect(() => readTimeZone(zone)).toThrow(/time_zone must be the name/);
    },
  );

  test.each(['BST', 'IST', 'AST', 'CST', 'Bst'])(
    'D-1308 %s is no name: several zones are called so',
    (zone) => {
      expect(() => readTimeZone(zone)).toThrow(/time_zone must be the name/);
    },
  );

  test.each([
    ['EST5EDT', 'America/New_York'],
    ['GMT', 'UTC'],
    ['CET', 'Europe/Brussels'],
    ['NZ-CHAT', 'Pacific/Chatham'],
    ['America/Port-au-Prince', 'America/Port-au-Prince'],
  ])('D-1304 %s, which a browser may name, begins its days as %s', (named, zone) => {
    expect(startOfDay('2026-11-02', readTimeZone(named))).toEqual(startOfDay('2026-11-02', zone));
  });

  test('the default is UTC', () => {
    expect([readTimeZone(undefined), readTimeZone('')]).toEqual(['UTC', 'UTC']);
  });
});

describe('D-380 a day begins', () => {
  test.each([
    ['UTC', '2026-11-23', '2026-11-23T00:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
    ['Asia/Kolkata', '2026-01-01', '2025-12-31T18:30:00.000Z'],
    // The clocks of Cairo go forward at midnight: the day begins at one o'clock.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    // Clocks in Asunción went back at midnight: the hour before it came twice, and the day begins after the second.
    ['America/Asuncion', '2024-03-24', '2024-03-24T04:00:00.000Z'],
  ])('in %s on %s at %s', (zone, day, at) => {
    expect(startOfDay(day, zone).toISOString()).toBe(at);
  });
});

test.each([
  ['UTC', 3],
  // Days of 23 and 25 hours.
  ['Europe/Berlin', 400],
  // Half an hour of summer time.
  ['Australia/Lord_Howe', 400],
  // Clocks go forward at midnight.
  ['Africa/Cairo', 400],
  ['Asia/Kathmandu', 400],
])('D-1301 each day in %s begins where it would be searched for', (zone, length) => {
  const since = new Date('2026-02-27T23:40:00.000Z');
  const found = zoneDays(since, new Date(since.getTime() + length * 86_400_000), zone);
  expect(found.map(({ day }) => day)).toEqual(daysUpTo(found.at(-1)?.day ?? '', length + 1));
  expect(found).toEqual(found.map(({ day }) => ({ day, start: startOfDay(day, zone) })));
});
