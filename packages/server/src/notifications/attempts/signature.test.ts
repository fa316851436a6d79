import { expect, test } from 'vitest';
import { sign, unixSeconds } from './signature.ts';

// Checked with: printf '%s' '1767323045.{"id":"ne_01"}' | openssl dgst -sha256 -hmac "$secret"
test.each([
  ['s'.repeat(32), '{"id":"ne_01"}', '81573ada2661ff059dad6403c33f06675f5c8f868bc732dd766e9a3117a31e4d'],
  ['€'.repeat(11), '{"name":"Bücher"}', '3a2571c88ac132dcc39e892e894e5a1ff312fc8bb4103ba9a5528b351cf42170'],
])('R-269 R-270 the signature under "%s"', (secret, body, expected) => {
  expect(sign('1767323045', body, secret)).toBe(`sha256=${expected}`);
  expect(sign('1767323045', Buffer.from(body), secret)).toBe(`sha256=${expected}`);
});

test.each([
  ['2026-01-02T03:04:05.000Z', '1767323045'],
  ['2026-01-02T03:04:05.999Z', '1767323045'],
])('R-271 the timestamp of %s is %s', (at, expected) => {
  expect(unixSeconds(new Date(at))).toBe(expected);
});

test('R-272 another second gives another signature', () => {
  expect(sign('1767323045', '{}', 's')).not.toBe(sign('1767323046', '{}', 's'));
});
