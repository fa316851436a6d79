import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { sign, signStandard, unixSeconds } from './signature.ts';

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

describe('Standard Webhooks', () => {
  const body = '{"name":"Bücher"}';
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
  const encoded = Buffer.from('k'.repeat(32)).toString('base64');

  // The second vector is the example of the specification's own libraries.
  test.each([
    [
      'a secret of Paydesk',
      { id: 'ne_01', timestamp: '1767323045', body: '{"id":"ne_01"}' },
      's'.repeat(32),
      'v1,6MEU4SZqZwt2JScBT+7zV6fAqxe6RKNgSsg6DPYe+Rg=',
    ],
    [
      'a secret that begins with whsec_',
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' },
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ],
  ])('the signature under %s', (_, message, secret, expected) => {
    expect(signStandard(message, secret)).toBe(expected);
    expect(signStandard({ ...message, body: Buffer.from(message.body) }, secret)).toBe(expected);
  });

  test.each([
    ['the bytes of a secret', 's'.repeat(32), () => new Webhook(bytes('s'.repeat(32)), { format: 'raw' })],
    ['a secret beyond ASCII', '€'.repeat(11), () => new Webhook(bytes('€'.repeat(11)), { format: 'raw' })],
    ['a whsec_ secret', `whsec_${encoded}`, () => new Webhook(`whsec_${encoded}`)],
    [
      'a whsec_ secret that is no base64, as bytes',
      `whsec_${'-'.repeat(32)}`,
      () => new Webhook(bytes(`whsec_${'-'.repeat(32)}`), { format: 'raw' }),
    ],
  ])('the library accepts what is signed with %s, and nothing else', (_, secret, verifier) => {
    const timestamp = unixSeconds(new Date());
    const headers = (id: string, text: string) => ({
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signStandard({ id: 'ne_01', timestamp, body: text }, secret),
    });
    expect(verifier().verify(body, headers('ne_01', body))).toEqual(JSON.parse(body));
    expect(() => verifier().verify(body, headers('ne_02', body))).toThrow('No matching signature');
    expect(() => verifier().verify(body, headers('ne_01', `${body} `))).toThrow('No matching signature');
  });
});
