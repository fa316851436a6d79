import { describe, expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { parseJson } from '../../base/input/json.ts';
import {
  decode,
  decodeRaw,
  json,
  type RawBody,
  refusal,
  valid,
} from '../../../test/support/desks/create-request.ts';
import { decodeCreateRequest } from './create-request.ts';

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
