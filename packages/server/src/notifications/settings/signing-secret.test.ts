import { describe, expect, test } from 'vitest';
import { parseNotifySecret } from './signing-secret.ts';

describe('R-252 notify_secret', () => {
  test.each<[string, string]>([
    ['32 bytes', 'k'.repeat(32)],
    ['256 bytes', 'k'.repeat(256)],
    ['33 bytes in 11 characters', '€'.repeat(11)],
    ['D-138 any characters', 'ключ-🔑-"\\-'.repeat(3)],
  ])('%s', (_, text) => {
    expect(parseNotifySecret(text)).toBe(text);
  });

  test.each<[string, string]>([
    ['31 bytes', 'k'.repeat(31)],
    ['257 bytes', 'k'.repeat(257)],
    ['31 bytes in 11 characters', `${'€'.repeat(10)}1`],
    ['258 bytes in 86 characters', '€'.repeat(86)],
    ...[' ', '\t', '\n', '\r', '\xa0', '\u3000', '\u2028', '\ufeff', '\0', '\x1b', '\x7f', '\x85'].map(
      (char): [string, string] => [
        `${JSON.stringify(char)} inside`,
        `${'k'.repeat(16)}${char}${'k'.repeat(16)}`,
      ],
    ),
    ['D-135 outer space', ` ${'k'.repeat(40)} `],
    ['half a character', `${'k'.repeat(40)}\ud800`],
  ])('%s is refused', (_, text) => {
    expect(() => parseNotifySecret(text)).toThrow(
      expect.objectContaining({ code: 'invalid_notify_secret' }) as Error,
    );
  });

  test('R-258 the refusal does not repeat the secret', () => {
    const text = 'short-but-secret';
    expect(() => parseNotifySecret(text)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(text) as string }) as Error,
    );
  });
});
