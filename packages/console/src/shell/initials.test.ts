import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Zoë 👩‍🚀 O’Brien', 'Z👩'],
  ['𝒜da <b>Admin</b>', '𝒜B'],
  ['\u202EAda “Lovelace”', 'AL'],
  ['  ', ''],
])('D-1404 the initials of %s are whole signs: %s', (name, initials) => {
  expect(initialsOf(name, 2)).toBe(initials);
});
