import { describe, expect, test } from 'vitest';
import { isPublicAddress, isPublicName, parseNotifyUrl } from './public-address.ts';

const long = (bytes: number): string => 'https://shop.example/'.padEnd(bytes, 'x');
const refusal = expect.objectContaining({ code: 'invalid_notify_url' }) as Error;

describe('a notify_url that is accepted', () => {
  test.each<[string, string]>([
    ['a query', 'https://shop.example/ok?x=1'],
    ['R-244 2048 bytes', long(2_048)],
    ['encoded white space', 'https://shop.example/a%20b'],
    ['upper case', 'HTTPS://H.EXAMPLE/A'],
    ['an international name', 'https://bücher.example/'],
    ['D-134 a port', 'https://h.example:8443/'],
    ['D-134 the default port', 'https://h.example:443/'],
    ['a public IPv4 address', 'https://8.8.8.8/'],
    ['a public IPv6 address', 'https://[2606:4700:4700::1111]/'],
    ['a name that ends in a dot', 'https://shop.example./'],
    ['a name that only contains a private one', 'https://localhost.shop.example/'],
    ['a name made of an address', 'https://1.1.1.1.nip.io/'],
    ...[
      '172.15.0.1',
      '172.32.0.1',
      '100.63.0.1',
      '100.128.0.1',
      '192.0.1.1',
      '198.17.255.255',
      '223.255.255.255',
    ].map((ip): [string, string] => [`R-246 ${ip}, just outside a private range`, `https://${ip}/`]),
  ])('%s is kept as sent', (_, text) => {
    expect(parseNotifyUrl(text)).toBe(text);
  });
});

describe('a notify_url whose host is not public', () => {
  const literals = [
    ...['127.0.0.1', '127.255.255.255', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...[
      '169.254.169.254',
      '168.63.129.16',
      '100.64.0.1',
      '100.127.255.255',
      '0.0.0.0',
      '0.1.2.3',
      '192.0.0.8',
      '192.0.2.1',
    ],
    ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.1.1.1', '240.0.0.1'],
    ...['255.255.255.255', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
    ...['[::]', '[::1]', '[fc00::1]', '[fdff::1]', '[fe80::1]', '[ff02::1]', '[::ffff:127.0.0.1]'],
    ...['[::ffff:a00:1]', '[::ffff:8.8.8.8]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]'],
    ...['[2002:7f00:1::]', '[2001::1]', '[2001:1ff:ffff::]', '[2001:db8::1]', '[3fff::1]', '[3fff:fff::1]'],
    ...['[100::1]', '[5f00::1]', '[fec0::1]', '[2620:4f:8000::1]', '[4000::1]'],
  ];
  test.each(literals)('R-246 %s is refused', (host) => {
    expect(() => parseNotifyUrl(`https://${host}/`)).toThrow(refusal);
  });

  test.each([
    ...[
      '2130706433',
      '0177.0.0.1',
      '0x7f.1',
      '127.1',
      '0',
      '127.0.0.1.',
      '１２７.０.０.１',
      '①②⑦.0.0.1',
      '127。0。0。1',
    ],
    ...['0x7f000001', '017700000001', '10.1', '192.168.257', '%31%32%37.0.0.1'],
  ])('R-247 %s, another spelling of a private address, is refused', (host) => {
    expect(() => parseNotifyUrl(`https://${host}/`)).toThrow(refusal);
  });

  test.each([
    ...['localhost', 'localhost.', 'LOCALHOST', 'loc%61lhost', 'ⓛocalhost', 'a.localhost', 'printer.local'],
    ...[
      'db.internal',
      'db.internal.',
      'DB.Internal',
      'nas.home.arpa',
      'home.arpa',
      'printer',
      'printer.',
      'internal',
    ],
    ...['shop..example', 'shop.example..'],
  ])('R-248 %s, no public name, is refused', (host) => {
    expect(() => parseNotifyUrl(`https://${host}/`)).toThrow(refusal);
  });
});

describe('a notify_url whose form is wrong', () => {
  test.each<[string, string]>([
    ['R-243 http', 'http://h.example'],
    ['R-243 relative to the scheme', '//h.example'],
    ['R-243 a path', '/x'],
    ['R-243 no host', 'https://'],
    ['R-243 one slash', 'https:/h.example'],
    ['R-243 no slash', 'https:h.example'],
    ['R-243 three slashes', 'https:///h.example'],
    ['R-244 2049 bytes', long(2_049)],
    ['R-245 a fragment', 'https://shop.example/ok#frag'],
    ['R-245 an empty fragment', 'https://shop.example/ok#'],
    ['R-245 user and password', 'https://u:p@h.example/'],
    ['R-245 user', 'https://u@h.example/'],
    ['R-245 empty user', 'https://@h.example/'],
    ['R-245 empty user and password', 'https://:@h.example/'],
    ['R-249 a backslash', 'https://shop.example\\@127.0.0.1/'],
    ...[' ', '\t', '\r', '\n', '\u3000', '\0', '\x1f', '\x7f', '\xa0'].map((char): [string, string] => [
      `R-249 ${JSON.stringify(char)} inside`,
      `https://shop.example/a${char}b`,
    ]),
    ['D-135 outer white space', '  https://shop.example/ok  '],
    ['D-134 port 0', 'https://h.example:0/'],
    ['a port too large', 'https://h.example:65536/'],
    ['a port far too large', 'https://h.example:99999/'],
    ['an address the parser refuses', 'https://256.256.256.256/'],
    ['D-136 an empty text', ''],
  ])('%s is refused', (_, text) => {
    expect(() => parseNotifyUrl(text)).toThrow(refusal);
  });
});

describe('a notify_url in the ranges that the operator allows', () => {
  test('D-141 allowed ranges admit the literals inside them and nothing else', () => {
    const allowed = ['127.0.0.0/8', 'fd00::/8'];
    expect(parseNotifyUrl('https://127.0.0.1:9443/hook', allowed)).toBe('https://127.0.0.1:9443/hook');
    expect(parseNotifyUrl('https://[fd00::1]/hook', allowed)).toBe('https://[fd00::1]/hook');
    for (const host of ['10.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]']) {
      expect(() => parseNotifyUrl(`https://${host}/`, allowed)).toThrow(refusal);
    }
  });

  test('D-1079 the range of a NAT64 gateway admits no private address behind it', () => {
    const allowed = ['64:ff9b::/96'];
    expect(parseNotifyUrl('https://[64:ff9b::808:808]/hook', allowed)).toBe(
      'https://[64:ff9b::808:808]/hook',
    );
    for (const host of ['[64:ff9b::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::a00:1]']) {
      expect(() => parseNotifyUrl(`https://${host}/`, allowed)).toThrow(refusal);
    }
    const more = [...allowed, '10.0.0.0/8'];
    expect(parseNotifyUrl('https://[64:ff9b::a00:1]/', more)).toBe('https://[64:ff9b::a00:1]/');
  });

  test('D-141 allowed ranges leave the rules for names as they are', () => {
    for (const name of ['localhost', 'printer', 'db.internal']) {
      expect(() => parseNotifyUrl(`https://${name}/`, ['127.0.0.0/8', '::1/128'])).toThrow(refusal);
    }
  });
});

describe('D-132 public addresses', () => {
  test.each([
    ['8.8.8.8', true],
    ['2606:4700:4700::1111', true],
    ['2001:200::1', true],
    ['3ffe::1', true],
    ['127.0.0.1', false],
    ['::ffff:8.8.8.8', false],
    ['fe80::1%eth0', false],
    ['0x7f.1', false],
    ['shop.example', false],
    ['', false],
  ])('%s: %s', (ip, expected) => {
    expect(isPublicAddress(ip)).toBe(expected);
  });

  test.each([
    ['shop.example', true],
    ['shop.example.', true],
    ['mylocal.example', true],
    ['notlocal', false],
    ['x.LOCAL', false],
    ['.', false],
    ['', false],
  ])('the name "%s": %s', (name, expected) => {
    expect(isPublicName(name)).toBe(expected);
  });
});
