import { describe, expect, test } from 'vitest';
import { decode, json, refusal } from '../../../test/support/desks/create-request.ts';

describe('external_reference', () => {
  const wrong = 'invalid_request external_reference';

  test.each<[string, string | null]>([
    ['missing', null],
    ['null', 'null'],
    ['a number', '1'],
    ['an object', '{}'],
    ['empty', '""'],
    ['only spaces', '"   "'],
    ['only white space beyond ASCII', json('\u0085\u3000\ufeff\u2028')],
    ['R-061 192 bytes', json('a'.repeat(192))],
    ['R-061 64 characters of 3 bytes', json('€'.repeat(64))],
    ['R-061 48 characters of 4 bytes', json('😀'.repeat(48))],
  ])('R-060 %s is refused', (_, text) => {
    expect(refusal({ external_reference: text })).toBe(wrong);
  });

  test.each<[string, string]>([
    ['191 bytes', 'a'.repeat(191)],
    ['63 characters of 3 bytes', '€'.repeat(63)],
    ['47 characters of 4 bytes', '😀'.repeat(47)],
    ['one character', '0'],
    ['white space inside', 'a \u3000 b'],
  ])('R-061 %s is kept, and trimmed first, then measured', (_, reference) => {
    for (const text of [reference, `  ${reference}\t\n`, `\ufeff${reference}\u0085`]) {
      expect(decode({ external_reference: json(text) }).external_reference).toBe(reference);
    }
  });
});

describe('idempotency_key', () => {
  test.each<[string, string | null]>([
    ['missing', null],
    ['null', 'null'],
    ['a number', '1'],
    ['empty', '""'],
    ['D-032 only white space', '"  \\t"'],
    ['129 bytes', json('k'.repeat(129))],
    ['43 characters of 3 bytes', json('€'.repeat(43))],
    ['D-032 127 bytes and two spaces: not trimmed', json(` ${'k'.repeat(127)} `)],
  ])('R-063 %s is refused', (_, text) => {
    expect(refusal({ idempotency_key: text })).toBe('invalid_request idempotency_key');
  });

  test.each(['k'.repeat(128), '€'.repeat(42), ' k ', 'Key', 'key'])(
    'R-063 D-032 %j is kept as it is',
    (key) => {
      expect(decode({ idempotency_key: json(key) }).idempotency_key).toBe(key);
    },
  );
});

describe('amount and amount_minor', () => {
  test.each<[string, string | null, string | null]>([
    ['both', '"10"', '1000'],
    ['both, amount_minor null', '"10"', 'null'],
    ['both, amount_minor zero', '"10"', '0'],
    ['both, amount null', 'null', '1000'],
    ['both, amount empty', '""', '1000'],
    ['both null', 'null', 'null'],
  ])('R-084 %s', (_, amount, amount_minor) => {
    expect(refusal({ amount, amount_minor })).toBe('invalid_amount amount');
  });

  test.each<[string, string | null]>([
    ['D-036 R-085 neither', null],
    ['D-036 R-085 null alone', 'null'],
    ['R-086 a number', '10'],
    ['R-086 a number with a fraction', '10.5'],
    ['R-086 true', 'true'],
    ['R-086 an object', '{}'],
    ['R-086 a list', '["10"]'],
    ['R-087 no number', '"ten"'],
    ['R-087 a sign', '"+1"'],
    ['R-088 not trimmed', '" 10"'],
    ['R-088 not trimmed behind', '"10\\n"'],
    ['R-089 65 bytes of a small value', json(`10.${'0'.repeat(62)}`)],
    ['R-089 65 bytes of leading zeros', json('1'.padStart(65, '0'))],
    ['R-089 more bytes than characters', json(`${'1'.repeat(40)}${'１'.repeat(10)}`)],
    ['R-090 zero', '"0"'],
    ['R-090 zero with decimals', '"0.00"'],
    ['R-090 zeros', '"000"'],
    ['R-090 zero beyond any precision', '"0.000000000000"'],
  ])('%s is invalid_amount', (_, amount) => {
    expect(refusal({ amount })).toBe('invalid_amount amount');
  });

  test.each<[string, bigint, number]>([
    ['10', 10n, 0],
    ['007.50', 750n, 2],
    [`10.${'0'.repeat(61)}`, 10n ** 62n, 61],
    ['1.005', 1_005n, 3],
    ['90071992547409.92', 9_007_199_254_740_992n, 2],
  ])(
    'R-082 R-098 %s is well-formed: precision and range are the currency’s to judge',
    (text, digits, scale) => {
      expect(decode({ amount: json(text) }).amount).toEqual({ form: 'decimal', value: { digits, scale } });
    },
  );

  test.each<[string, string]>([
    ['null alone', 'null'],
    ['zero', '0'],
    ['minus one', '-1'],
    ['a fraction', '1.5'],
    ['a text', '"1000"'],
    ['true', 'true'],
    ['one above 2^53 − 1', '9007199254740992'],
    ['R-096 a fraction that a double drops', '9007199254740991.4'],
    ['R-096 what a double cannot hold', '9007199254740993'],
    ['1e400', '1e400'],
    ['1e999999999', '1e999999999'],
    ['the least fraction', '5e-324'],
  ])('R-095 D-037 amount_minor: %s is invalid_request', (_, amount_minor) => {
    expect(refusal({ amount: null, amount_minor })).toBe('invalid_request amount_minor');
  });

  test.each<[string, bigint]>([
    ['1', 1n],
    ['1000', 1_000n],
    ['1000.00', 1_000n],
    ['1e3', 1_000n],
    ['9007199254740991', 9_007_199_254_740_991n],
  ])('R-095 D-013 amount_minor: %s is accepted', (amount_minor, value) => {
    expect(decode({ amount: null, amount_minor }).amount).toEqual({ form: 'minor', value });
  });
});

describe('currency', () => {
  test.each<[string, string | null]>([
    ['missing', null],
    ['null', 'null'],
    ['a number', '840'],
    ['a list', '["USD"]'],
  ])('R-069 %s is invalid_request', (_, currency) => {
    expect(refusal({ currency })).toBe('invalid_request currency');
  });

  test.each(['usd', '', ' USD', 'XXX', 'U'.repeat(300)])(
    'D-035 R-068 %j is any text: whether it is enabled is asked later, and it is never changed',
    (currency) => {
      expect(decode({ currency: json(currency) }).currency).toBe(currency);
    },
  );
});
