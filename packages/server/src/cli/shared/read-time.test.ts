import { expect, test } from 'vitest';
import { readTime } from './read-time.ts';

const now = new Date('2026-03-10T12:00:00Z');

test.each([
  ['2026-02-28', '2026-02-28T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2026-02-28 23:30+01:00', '2026-02-28T22:30:00.000Z'],
  ['26h', '2026-03-09T10:00:00.000Z'],
])('R-006 the time %s of a command is %s', (text, at) => {
  expect(readTime('since', text, now).toISOString()).toBe(at);
});

test.each([
  '2026-02-30',
  '2026-02-29T10:00:00Z',
  '2026-06-31 10:00+02:00',
  '2026-13-01',
  '2026-02-28T10:00',
  'noon',
])('D-1296 a command refuses %s: there is no such day, or it has no zone', (text) => {
  expect(() => readTime('since', text, now)).toThrow(/--since must be a time/);
});
