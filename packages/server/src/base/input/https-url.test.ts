import { describe, expect, test } from 'vitest';
import { destinationOf } from './https-url.ts';
import { parseReturnUrl } from './return-url.ts';

const long = (bytes: number): string => 'https://shop.example/'.padEnd(bytes, 'x');

describe('R-073 return_url', () => {
  test.each<[string, string]>([
    ['R-079 path, query and fragment', 'https://H.example/a%2Fb?x=1&x=2#f'],
    ['R-079 no path: no slash is added', 'https://shop.example'],
    ['R-079 upper-case scheme', 'HTTPS://H.EXAMPLE/A'],
    ['R-079 an empty fragment', 'https://shop.example/ok#'],
    ['R-074 2048 bytes', long(2_048)],
    ['R-077 an encoded backslash', 'https://shop.example/a%5Cb'],
    ['R-078 encoded white space', 'https://shop.example/a%20b%09%0A'],
    ['R-080 an international name', 'https://bücher.example/'],
    ['R-080 a port', 'https://h.example:8443/'],
    ['R-080 the default port', 'https://h.example:443/'],
    ['R-080 the largest port', 'https://h.example:65535/'],
    ['R-080 a public address', 'https://8.8.8.8/'],
    ['R-080 an IPv6 address', 'https://[::1]/x'],
    ['D-124 a private address', 'https://10.0.0.1/'],
    ['D-124 a private name', 'https://localhost./'],
    ['D-124 a single label', 'https://printer/'],
    ['D-124 characters beyond ASCII in the path', 'https://shop.example/größe?ü=é'],
    ['an @ behind the authority', 'https://shop.example/@me?to=a@b#@'],
  ])('%s is kept as sent', (_, text) => {
    expect(parseReturnUrl(text)).toBe(text);
  });

  test.each<[string, string]>([
    ['R-074 2049 bytes', long(2_049)],
    ['R-074 2048 characters but more bytes', `${long(2_047)}é`],
    ['R-075 http', 'http://h.example'],
    ['R-075 relative to the scheme', '//h.example/p'],
    ['R-075 a path', '/x'],
    ['R-075 one slash', 'https:/h.example'],
    ['R-075 no slash', 'https:h.example'],
    ['R-075 three slashes', 'https:///h.example'],
    ['R-075 no host', 'https://'],
    ['R-075 no host but a port', 'https://:443/'],
    ['R-075 no host but a query', 'https://?x'],
    ['R-075 script', 'javascript:alert(1)'],
    ['R-075 data', 'data:text/html,x'],
    ['R-075 ftp', 'ftp://h.example/'],
    ['R-076 user', 'https://u@h.example/'],
    ['R-076 user and password', 'https://u:p@h.example/'],
    ['R-076 empty user', 'https://@h.example/'],
    ['R-076 empty user and password', 'https://:@h.example/'],
    ['R-077 a backslash before the host ends', 'https://h.example\\@evil.example/'],
    ['R-077 a backslash in the path', 'https://h.example/a\\b'],
    ...[' ', '\t', '\r', '\n', '\0', '\x7f', '\x85', '\xa0', '\u2028', '\u3000', '\ufeff'].map(
      (char): [string, string] => [`R-078 ${JSON.stringify(char)} inside`, `https://h.example/a${char}b`],
    ),
    ['R-078 outer space that was not trimmed', ' https://h.example/'],
    ['port 0', 'https://h.example:0/'],
    ['a port too large', 'https://h.example:65536/'],
    ['no port at all', 'https://h.example:port/'],
    ['an address the parser refuses', 'https://256.256.256.256/'],
    ['a full-width @', 'https://u＠h.example/'],
    ['half a character', 'https://h.example/\ud800'],
    ['nothing', ''],
  ])('%s is refused', (_, text) => {
    expect(parseReturnUrl(text)).toBeNull();
  });
});

test.each([
  ['https://Shop.Example/a', 'shop.example:443'],
  ['https://shop.example.:443/a', 'shop.example:443'],
  ['https://shop.example:8443', 'shop.example:8443'],
  ['https://[2606:4700::1]/', '[2606:4700::1]:443'],
])('R-281 the destination of %s is %s', (url, destination) => {
  expect(destinationOf(new URL(url))).toBe(destination);
});
