import { expect, test } from 'vitest';
import { directionOf, localeTags, negotiateLocale } from './locale.ts';

test.each([
  [undefined, null, 'en'],
  ['', null, 'en'],
  ['de', null, 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', null, 'de'],
  ['pt-BR,es;q=0.7', null, 'es'],
  ['en;q=0.5,fr;q=0.9', null, 'fr'],
  ['fr;q=0,ja', null, 'ja'],
  ['zh-CN', null, 'zh-Hans'],
  ['zh-TW', null, 'zh-Hans'],
  ['AR-eg', null, 'ar'],
  ['*', null, 'en'],
  [';;q=;,,', null, 'en'],
  ['x'.repeat(100_000), null, 'en'],
  ['de', 'ja', 'ja'],
  ['de', 'tlh', 'de'],
  ['de', 'constructor', 'de'],
])('Accept-Language %j and the choice %j give %s', (header, chosen, locale) => {
  expect(negotiateLocale(header, chosen)).toBe(locale);
});

test('only Arabic runs from right to left', () => {
  expect(localeTags.filter((tag) => directionOf(tag) === 'rtl')).toEqual(['ar']);
});
