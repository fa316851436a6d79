import { describe, expect, test } from 'vitest';
import { sealed } from './sealed-columns.ts';
import { sameBytes, secretBox, SecretError, tokenHash } from './secret-box.ts';

const [first, second, third] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
const box = secretBox([first]);
const row = sealed.totpSecret.row({ user_id: 'one' });

describe('sealing', () => {
  test.each(['', 'secret', 'ü€😀', 'x'.repeat(10_000)])('%#: what was sealed opens again', (text) => {
    expect(box.open(box.seal(text, row), row)).toBe(text);
  });

  test('the same text never seals to the same bytes, and does not show', () => {
    const [one, other] = [box.seal('whsec_123', row), box.seal('whsec_123', row)];
    expect(one.equals(other)).toBe(false);
    expect(one.includes('whsec_123')).toBe(false);
  });

  test('any byte changed or missing: it does not open', () => {
    for (const text of ['', 'secret']) {
      const value = box.seal(text, row);
      for (let i = 0; i < value.length; i++) {
        const changed = Buffer.from(value);
        changed.writeUInt8(changed.readUInt8(i) ^ 1, i);
        expect(() => box.open(changed, row)).toThrow();
      }
      for (let length = 0; length < value.length; length++) {
        expect(() => box.open(value.subarray(0, length), row)).toThrow();
      }
      expect(() => box.open(Buffer.concat([value, Buffer.of(0)]), row)).toThrow();
    }
  });
});

/** Sealed by a release that bound no value to its row. */
const unboundSecret = 'AbhVVLnK0rgkPQKNtkvrhSo0tNnuaV3Eoymg/LadnKlsmqvE3tM5oAKl+xk=';

describe('R-383 a value belongs to its row', () => {
  const others = [
    sealed.totpSecret.row({ user_id: 'two' }),
    sealed.merchantNotifySecret.row({ merchant_id: 'one' }),
    sealed.catalogCode.row({ merchant_id: 'one', gd_no: '', code_id: '' }),
  ];
  test.each(others)('sealed for %s, it does not open in another row', (other) => {
    expect(() => box.open(box.seal('secret', other), row)).toThrow(/does not open in totp_factors/);
    expect(() => box.open(box.seal('secret', row), other)).toThrow(SecretError);
  });

  test('parts of a key cannot be moved between its columns', () => {
    const [one, two] = [
      sealed.webhookBody.row({ payment_no: 'a', provider_event_id: 'b/c' }),
      sealed.webhookBody.row({ payment_no: 'a/b', provider_event_id: 'c' }),
    ];
    expect(one).not.toBe(two);
  });

  test('a value from before there were rows still opens, wherever it is', () => {
    const older = Buffer.from(unboundSecret, 'base64');
    expect(box.open(older, row)).toBe('from before');
    expect(box.open(older, others[0] ?? row)).toBe('from before');
  });
});

describe('keys can be rotated', () => {
  const rotated = secretBox([second, first]);

  test('an older key still opens what it sealed; new texts are sealed under the current one', () => {
    expect(rotated.open(box.seal('old', row), row)).toBe('old');
    expect(() => box.open(rotated.seal('new', row), row)).toThrow(/no secret key with id/);
  });

  test('digests under an older key still match', () => {
    const digest = box.digest('notify-secret', 'text');
    expect(rotated.matches('notify-secret', 'text', digest)).toBe(true);
    expect(rotated.digest('notify-secret', 'text').equals(digest)).toBe(false);
  });

  test('a key that is gone opens and matches nothing', () => {
    const gone = secretBox([second, third]);
    expect(() => gone.open(box.seal('old', row), row)).toThrow(/no secret key/);
    expect(gone.matches('p', 'text', box.digest('p', 'text'))).toBe(false);
    expect(() => gone.derive('p', box.key_id)).toThrow(/no secret key/);
  });

  test('the id of a key is its own, and does not tell it', () => {
    expect(rotated.key_id).toBe(secretBox([second]).key_id);
    expect(rotated.key_id).not.toBe(box.key_id);
    expect(box.key_id).toMatch(/^[0-9a-f]{8}$/);
    expect(first.toString('hex')).not.toContain(box.key_id);
  });
});

describe('D-027 digests', () => {
  const digest = box.digest('purpose', 'text');

  test.each<[string, boolean, boolean]>([
    ['the same text', box.matches('purpose', 'text', digest), true],
    ['another text', box.matches('purpose', 'texT', digest), false],
    ['another purpose', box.matches('other', 'text', digest), false],
    ['part of it', box.matches('purpose', 'text', digest.subarray(0, 31)), false],
    ['nothing', box.matches('purpose', '', Buffer.alloc(0)), false],
  ])('%s', (_, matches, expected) => {
    expect(matches).toBe(expected);
  });

  test('keys for different purposes differ', () => {
    expect(box.derive('a', box.key_id).equals(box.derive('b', box.key_id))).toBe(false);
  });
});

test('sameBytes compares lengths too', () => {
  expect(sameBytes(Buffer.from('ab'), Buffer.from('ab'))).toBe(true);
  expect(sameBytes(Buffer.from('ab'), Buffer.from('ac'))).toBe(false);
  expect(sameBytes(Buffer.from('ab'), Buffer.from('abc'))).toBe(false);
});

test('R-326 a token is stored as its SHA-256', () => {
  expect(tokenHash('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
