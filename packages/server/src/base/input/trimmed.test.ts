import { describe, expect, test } from 'vitest';
import { trimmed } from './trimmed.ts';

describe('D-021 trimming', () => {
  test.each([
    ...[
      '\t',
      '\n',
      '\v',
      '\f',
      '\r',
      ' ',
      '\u0085',
      '\u00a0',
      '\u1680',
      '\u2000',
      '\u200a',
      '\u2028',
      '\u2029',
    ],
    ...['\u202f', '\u205f', '\u3000', '\ufeff'],
  ])('%j goes at both ends, and stays inside', (white) => {
    expect(trimmed(`${white}${white}a${white}b${white}`)).toBe(`a${white}b`);
  });

  test.each(['\u200b', '\u180e', '\u2060', '\0', '\u001f'])('%j is no white space', (char) => {
    expect(trimmed(`${char}a${char}`)).toBe(`${char}a${char}`);
  });

  test('a long run of white space inside does not take noticeable time', () => {
    const text = `a${' '.repeat(300_000)}b`;
    const before = process.cpuUsage();
    expect(trimmed(text)).toBe(text);
    const { user } = process.cpuUsage(before);
    // Of this process alone, whatever else the machine does. Quadratic time would be a minute.
    expect(user / 1_000_000).toBeLessThan(5);
  });
});
