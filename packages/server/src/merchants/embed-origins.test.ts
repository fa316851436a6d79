import { describe, expect, test } from 'vitest';
import { checkEmbedOrigins, embedOrigin } from './embed-origins.ts';

describe('D-265 an origin of pages that embed the checkout', () => {
  test.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['HTTPS://Shop.Example', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://localhost:8443', 'https://localhost:8443'],
    ['https://127.0.0.1:8443', 'https://127.0.0.1:8443'],
  ])('%s is stored as %s', (text, origin) => {
    expect(embedOrigin(text)).toBe(origin);
  });

  test.each([
    '',
    '*',
    'null',
    'shop.example',
    '//shop.example',
    'http://shop.example',
    'http://localhost',
    'http://localhost:3000',
    'http://127.0.0.1:8092',
    'https:shop.example',
    'https:/shop.example',
    'https://',
    'https://shop.example/',
    'https://shop.example/shop',
    'https://shop.example?',
    'https://shop.example#',
    'https://shop.example\\evil',
    'https://user@shop.example',
    'https://shop.example:',
    'https://shop.example:0',
    'https://shop.example:65536',
    'https://*.shop.example',
    'https://*',
    'https://shop.example.',
    'https://.example',
    'https://shop_1.example',
    'https://-shop.example',
    `https://${'a'.repeat(64)}.example`,
    "https://shop.example;script-src'unsafe-inline'",
    'https://shop.example,https://evil.example',
    "https://'self'",
    ' https://shop.example',
    'https://shop.example\n',
    'https://shop.example https://evil.example',
    'https://[::1]',
    'data:text/html,x',
    'blob:https://shop.example/x',
  ])('%j is not an origin', (text) => {
    expect(embedOrigin(text)).toBeNull();
  });

  test('each counts once and keeps its place, and there are at most twenty', () => {
    const twenty = Array.from({ length: 20 }, (_, i) => `https://shop${20 - i}.example`);
    expect(checkEmbedOrigins([...twenty, 'https://SHOP1.example:443'])).toEqual(twenty);
    expect(() => checkEmbedOrigins([...twenty, 'https://one-more.example'])).toThrow('at most 20 origins');
  });
});
