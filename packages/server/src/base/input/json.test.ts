import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { InexactNumber, isJsonObject, parseJson, writeJson } from './json.ts';

const read = (text: string) => parseJson(Buffer.from(text, 'utf8'));

function refusal(body: string | Uint8Array): string {
  try {
    parseJson(typeof body === 'string' ? Buffer.from(body, 'utf8') : body);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('D-013 R-096 numbers are judged by their text', () => {
  test.each<[string, number | bigint]>([
    ['1800', 1_800],
    ['1800.0', 1_800],
    ['1800.000000000000000000000', 1_800],
    ['18e2', 1_800],
    ['18E+2', 1_800],
    ['180000e-2', 1_800],
    ['1.8e3', 1_800],
    ['0', 0],
    ['-0', 0],
    ['-60', -60],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740991.0', 9_007_199_254_740_991],
    ['90071992547409910e-1', 9_007_199_254_740_991],
    ['9007199254740992', 9_007_199_254_740_992n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['1e30', 10n ** 30n],
  ])('%s is the whole number %s', (text, value) => {
    expect(read(`[${text}]`)).toEqual([value]);
  });

  test.each([
    '1800.5',
    '1800.0000000000000000001',
    '9007199254740991.4',
    '1e-1',
    '5e-324',
    '1e401',
    '1e99999999999',
    '-1e-999999999',
  ])('%s is no whole number, whatever a double makes of it', (text) => {
    expect(read(`[${text}]`)).toEqual([new InexactNumber(text)]);
  });

  test('every whole number that a double holds exactly survives, in every notation', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(6), (value, zeros) => {
        const plain = value.toString();
        const shifted = (BigInt(value) * 10n ** BigInt(zeros)).toString();
        expect(read(`[${plain}, ${plain}.${'0'.repeat(zeros + 1)}, ${shifted}e-${zeros}]`)).toEqual([
          value,
          value,
          value,
        ]);
      }),
    );
  });
});

describe('H-08 what is no JSON', () => {
  test.each([
    '',
    ' ',
    '{',
    '}',
    '{}{}',
    '{} x',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":undefined}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '{"a":1.}',
    '{"a":0x10}',
    '{"a":1} // x',
    '/* x */ {}',
    '{"a":"\n"}',
    '{"a":"\\x41"}',
    '{"a":tru}',
    'nil',
  ])('%j is refused', (text) => {
    expect(refusal(text)).toBe('invalid_request');
  });

  test('R-059 any value at the top is read; that it must be an object is the decoder’s to say', () => {
    expect([read('[]'), read('"x"'), read('null'), read('1'), read(' {} ')]).toEqual([[], 'x', null, 1, {}]);
  });
});

describe('D-015 H-10 duplicate members', () => {
  test.each([
    ['different values', '{"amount":"1","amount":"2"}'],
    ['equal values', '{"amount":"1","amount":"1"}'],
    ['null twice', '{"a":null,"a":null}'],
    ['equal objects', '{"a":{"b":1},"a":{"b":1}}'],
    ['spelt with an escape', '{"amount":1,"\\u0061mount":1}'],
    ['deeper down', '{"x":[{"a":1,"a":1}]}'],
    ['in an object that a number follows', '{"x":{"a":1,"a":1},"y":2}'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":1}'],
    ['the empty name', '{"":1,"":1}'],
  ])('%s: refused', (_, text) => {
    expect(refusal(text)).toBe('invalid_request');
  });

  test.each([
    ['the same name in different objects', '{"a":{"a":1},"b":[{"a":1},{"a":1}]}'],
    ['names that differ in case', '{"a":1,"A":1}'],
    ['colons and braces within text', '{"a":"{\\"b\\":1,\\"b\\":1}::","c\\":":1}'],
    ['a text that ends in a backslash', '{"a":"x\\\\","b":":"}'],
  ])('%s: accepted', (_, text) => {
    expect(refusal(text)).toBe('accepted');
  });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'H-10 a member %s is only a member',
  (name) => {
    const value = read(`{"${name}":{"polluted":true}}`);
    if (!isJsonObject(value)) throw new Error('not an object');
    expect(Object.keys(value)).toEqual([name]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in value).toBe(false);
    expect('polluted' in {}).toBe(false);
  },
);

describe('D-016 H-09 text', () => {
  test.each<[string, Uint8Array]>([
    ['a lone continuation byte', Buffer.from([0x22, 0x80, 0x22])],
    ['a cut sequence', Buffer.from([0x22, 0xe2, 0x82, 0x22])],
    ['an overlong sequence', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['UTF-16 with its mark', Buffer.from('\ufeff{"a":1}', 'utf16le')],
    ['ISO 8859-1', Buffer.from('{"a":"é"}', 'latin1')],
  ])('%s: refused', (_, body) => {
    expect(refusal(body)).toBe('invalid_request');
  });

  test.each([
    ['a lone high surrogate', '{"a":"\\ud800"}'],
    ['a lone low surrogate', '{"a":"\\udc00"}'],
    ['surrogates the wrong way round', '{"a":"\\udc00\\ud800"}'],
    ['a lone surrogate in a name', '{"\\ud800":1}'],
    ['NUL', '{"a":"x\\u0000"}'],
    ['NUL in a name', '{"\\u0000":1}'],
    ['NUL deep inside', '{"a":[{"b":["\\u0000"]}]}'],
  ])('%s: refused', (_, text) => {
    expect(refusal(text)).toBe('invalid_request');
  });

  test('a refused body does not disturb the next', () => {
    expect(refusal(Buffer.from([0x22, 0xe2, 0x82]))).toBe('invalid_request');
    expect(read('"€"')).toBe('€');
  });

  test('a byte-order mark is tolerated, once and only in front', () => {
    expect(read('\ufeff{"a":1}')).toEqual({ a: 1 });
    expect(refusal('\ufeff\ufeff{"a":1}')).toBe('invalid_request');
  });

  test('surrogates in pairs, in either spelling, are one character', () => {
    expect(read('["\\ud83d\\ude00","😀"]')).toEqual(['😀', '😀']);
  });
});

describe('D-017 depth', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  test.each([
    [32, 'accepted'],
    [33, 'invalid_request'],
    [30_000, 'invalid_request'],
  ])('%i levels: %s', (depth, outcome) => {
    expect(refusal(nested(depth))).toBe(outcome);
    expect(refusal('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))).toBe(outcome);
  });

  test('brackets within text are no levels', () => {
    expect(refusal(`["${'['.repeat(100)}", "\\"${'{'.repeat(100)}"]`)).toBe('accepted');
  });
});

describe('D-023 writing', () => {
  test('bigint as raw digits, exact beyond 2^53', () => {
    expect(writeJson({ amount_minor: 9_007_199_254_740_991n, gross: 90_071_992_547_409_910_000_000n })).toBe(
      '{"amount_minor":9007199254740991,"gross":90071992547409910000000}',
    );
  });

  test('dates in RFC 3339, nothing for what is undefined, null as null', () => {
    const at = new Date('2026-01-02T03:04:05.678Z');
    expect(writeJson({ at, none: undefined, empty: null, list: [1, 'x'] })).toBe(
      '{"at":"2026-01-02T03:04:05.678Z","empty":null,"list":[1,"x"]}',
    );
  });

  test('what is no JSON value is a defect', () => {
    expect(() => writeJson(undefined)).toThrow(TypeError);
  });

  test('every other value is written as the language does it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        expect(JSON.parse(writeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 50 },
    );
  });
});
