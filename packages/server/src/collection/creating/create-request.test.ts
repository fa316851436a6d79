import { describe, expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { parseJson } from '../../base/input/json.ts';
import { type CreateRequest, decodeCreateRequest } from './create-request.ts';

/** A body as raw JSON texts by member, so that a test can write what no serializer would. */
type RawBody = Record<string, string>;

const valid: RawBody = {
  external_reference: '"INV-1"',
  idempotency_key: '"key-1"',
  amount: '"10.00"',
  currency: '"USD"',
};

function decodeRaw(body: RawBody): CreateRequest {
  const members = Object.entries(body).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return decodeCreateRequest(parseJson(Buffer.from(`{${members.join(',')}}`, 'utf8')));
}

/** The valid body with changes; null takes a member away. */
function decode(change: Record<string, string | null> = {}): CreateRequest {
  const body = { ...valid, ...change };
  return decodeRaw(
    Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => entry[1] !== null)),
  );
}

/** How a body is refused: `code` or `code field`; `accepted` where it is not. */
function refusal(change: Record<string, string | null>): string {
  try {
    decode(change);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.body().error_description).not.toBe('');
    return error.detail.field === undefined ? error.code : `${error.code} ${error.detail.field}`;
  }
  return 'accepted';
}

const json = (value: unknown): string => JSON.stringify(value);

test('D-027 a complete request, normalized', () => {
  const secret = 'x'.repeat(32);
  expect(
    decode({
      external_reference: json('  INV-1\t'),
      idempotency_key: json(' key 1 '),
      amount: json('0010.500'),
      payment_no: json(' ch_1 '),
      description: json('\n Two books '),
      expires_in: '6e1',
      return_url: json(' https://shop.example/ok?a=1#b '),
      notify_url: json('https://shop.example/notify'),
      notify_secret: json(secret),
    }),
  ).toEqual({
    external_reference: 'INV-1',
    idempotency_key: ' key 1 ',
    amount: { form: 'decimal', value: { digits: 10_500n, scale: 3 } },
    currency: 'USD',
    payment_no: 'ch_1',
    description: 'Two books',
    expires_in: 60,
    return_url: 'https://shop.example/ok?a=1#b',
    notify: { mode: 'explicit', url: 'https://shop.example/notify', secret },
  });
});

test('R-081 the least request: everything optional omitted, and null for each is the same', () => {
  const least = {
    external_reference: 'INV-1',
    idempotency_key: 'key-1',
    amount: { form: 'decimal', value: { digits: 1_000n, scale: 2 } },
    currency: 'USD',
    payment_no: '',
    description: '',
    expires_in: 1_800,
    return_url: '',
    notify: { mode: 'unspecified' },
  };
  expect(decode()).toEqual(least);
  const optional = [
    'payment_no',
    'description',
    'expires_in',
    'return_url',
    'notify_enabled',
    'notify_url',
    'notify_secret',
  ];
  expect(decode(Object.fromEntries(optional.map((name) => [name, 'null'])))).toEqual(least);
});

test('R-015 D-014 unknown members change nothing', () => {
  const strangers = {
    merchant_id: '"m"',
    merchant_no: '"mr_1"',
    user_id: '"u"',
    buyer_id: '1',
    status: '"paid"',
    __proto__x: '{}',
    '': '[]',
  };
  expect(decode(strangers)).toEqual(decode());
  expect(decodeRaw({ ...valid, ['__proto__']: '{"currency":"EUR"}' })).toEqual(decode());
});

test.each(['[]', '"x"', 'null', '1', '[{}]', 'true'])('R-059 a body of %s is refused', (text) => {
  const body = parseJson(Buffer.from(text, 'utf8'));
  expect(() => decodeCreateRequest(body)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  expect(() => decodeCreateRequest(undefined)).toThrow(AppError);
});

// ------------------------------------------------------------------ one parameter after the other

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

describe('payment_no', () => {
  test.each(['1', 'true', '{}', '["ch_1"]'])('R-066 %s is invalid_request', (payment_no) => {
    expect(refusal({ payment_no })).toBe('invalid_request payment_no');
  });

  test.each([
    ['""', ''],
    ['"  "', ''],
    ['"\\u0085\\u3000"', ''],
    ['" ch_1 "', 'ch_1'],
    ['"CH_1"', 'CH_1'],
  ])('R-066 %s is %j', (text, payment_no) => {
    expect(decode({ payment_no: text }).payment_no).toBe(payment_no);
  });
});

describe('description', () => {
  test.each<[string, string]>([
    ['a number', '1'],
    ['false', 'false'],
    ['501 bytes', json('d'.repeat(501))],
    ['167 characters of 3 bytes', json('€'.repeat(167))],
  ])('R-064 %s is invalid_request', (_, description) => {
    expect(refusal({ description })).toBe('invalid_request description');
  });

  test.each<[string, string]>([
    ['d'.repeat(500), 'd'.repeat(500)],
    [`  ${'d'.repeat(500)}  `, 'd'.repeat(500)],
    ['€'.repeat(166), '€'.repeat(166)],
    ['', ''],
    ['   ', ''],
    [' x ', 'x'],
  ])('R-064 R-065 %#: trimmed, then measured', (text, description) => {
    expect(decode({ description: json(text) }).description).toBe(description);
  });
});

describe('expires_in', () => {
  test.each([
    '59',
    '7201',
    '0',
    '-60',
    '1800.5',
    '60.0000000000000000001',
    '"1800"',
    '""',
    'true',
    '[]',
    '{}',
    '1e9',
    '1e400',
  ])('R-070 %s is invalid_expires_in', (expires_in) => {
    expect(refusal({ expires_in })).toBe('invalid_expires_in expires_in');
  });

  test.each<[string, number]>([
    ['60', 60],
    ['7200', 7_200],
    ['1800.0', 1_800],
    ['18e2', 1_800],
  ])('R-070 D-013 %s is accepted', (expires_in, value) => {
    expect(decode({ expires_in }).expires_in).toBe(value);
  });
});

describe('return_url', () => {
  const long = (bytes: number): string => 'https://shop.example/'.padEnd(bytes, 'x');

  test.each<[string, string]>([
    ['a number', '1'],
    ['a list', '[]'],
    ['false', 'false'],
    ['R-075 http', json('http://shop.example/')],
    ['R-075 relative', json('/ok')],
    ['R-076 credentials', json('https://u:p@shop.example/')],
    ['R-077 a backslash', json('https://shop.example\\@evil.example/')],
    ['R-078 a space inside', json('https://shop.example/a b')],
    ['R-074 2049 bytes', json(long(2_049))],
  ])('R-073 %s is invalid_return_url', (_, return_url) => {
    expect(refusal({ return_url })).toBe('invalid_return_url return_url');
  });

  test.each<[string, string]>([
    ['', ''],
    ['  \t ', ''],
    [` ${long(2_048)} `, long(2_048)],
    ['https://H.example/a%2Fb?x=1&x=2#f', 'https://H.example/a%2Fb?x=1&x=2#f'],
  ])('R-074 R-079 %#: trimmed, then kept as sent', (text, return_url) => {
    expect(decode({ return_url: json(text) }).return_url).toBe(return_url);
  });
});

describe('notification parameters', () => {
  test.each<[string, RawBody, string]>([
    ['D-137 R-072 notify_enabled is a text', { notify_enabled: '"true"' }, 'invalid_request notify_enabled'],
    ['D-137 R-072 notify_enabled is 1', { notify_enabled: '1' }, 'invalid_request notify_enabled'],
    ['D-137 notify_url is a number', { notify_url: '1' }, 'invalid_notify_url notify_url'],
    ['D-137 notify_secret is a number', { notify_secret: '1' }, 'invalid_notify_secret notify_secret'],
    ['R-242 an address alone', { notify_url: '"https://h.example/"' }, 'invalid_notify_config'],
  ])('%s', (_, change, expected) => {
    expect(refusal(change)).toBe(expected);
  });

  test('D-141 an allowed range reaches the address check', () => {
    const body = {
      ...valid,
      notify_url: '"https://127.0.0.1:9/"',
      notify_secret: json('s'.repeat(32)),
    };
    const members = Object.entries(body).map(([name, text]) => `"${name}":${text}`);
    const parsed = parseJson(Buffer.from(`{${members.join(',')}}`, 'utf8'));
    expect(() => decodeCreateRequest(parsed)).toThrow(
      expect.objectContaining({ code: 'invalid_notify_url' }),
    );
    expect(decodeCreateRequest(parsed, ['127.0.0.0/8']).notify.mode).toBe('explicit');
  });
});

describe('D-012 R-098 the first fault in the order of the parameters decides', () => {
  /** A fault of each parameter, in the order in which they are judged. */
  const faults: [fault: RawBody, answer: string][] = [
    [{ external_reference: '""' }, 'invalid_request external_reference'],
    [{ idempotency_key: '""' }, 'invalid_request idempotency_key'],
    [{ amount: '"x"' }, 'invalid_amount amount'],
    [{ currency: '1' }, 'invalid_request currency'],
    [{ payment_no: '1' }, 'invalid_request payment_no'],
    [{ description: '1' }, 'invalid_request description'],
    [{ expires_in: '1' }, 'invalid_expires_in expires_in'],
    [{ return_url: '"x"' }, 'invalid_return_url return_url'],
    [{ notify_enabled: '1' }, 'invalid_request notify_enabled'],
  ];

  test.each(faults)(
    '%j is named before all that follow, wherever they stand in the body',
    (fault, answer) => {
      const from = faults.findIndex(([candidate]) => candidate === fault);
      const worse = Object.assign({}, ...faults.slice(from).map(([change]) => change)) as RawBody;
      expect(refusal(worse)).toBe(answer);
      const backwards = Object.fromEntries(Object.entries({ ...valid, ...worse }).reverse());
      expect(() => decodeRaw(backwards)).toThrow(expect.objectContaining({ code: answer.split(' ')[0] }));
    },
  );

  test.each<[string, RawBody, string]>([
    ['amount_minor before currency', { amount_minor: '0', currency: '1' }, 'invalid_request amount_minor'],
    [
      'types before the combination',
      { notify_enabled: 'false', notify_url: '1' },
      'invalid_notify_url notify_url',
    ],
    [
      'the combination before the address',
      { notify_enabled: 'false', notify_url: '"x"', notify_secret: '"x"' },
      'invalid_notify_config',
    ],
    [
      'the address before the secret',
      { notify_url: '"x"', notify_secret: '"x"' },
      'invalid_notify_url notify_url',
    ],
    [
      'the secret last',
      { notify_url: '"https://h.example/"', notify_secret: '"x"' },
      'invalid_notify_secret notify_secret',
    ],
  ])('%s', (_, change, expected) => {
    expect(refusal('amount_minor' in change ? { ...change, amount: null } : change)).toBe(expected);
  });
});
