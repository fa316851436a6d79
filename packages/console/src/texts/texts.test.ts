import { describe as describeCode, type ErrorCode } from '@paydesk/contract';
import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { texts as errorTexts } from './errors/en.ts';

/** The modules as a page in this language loads them. */
async function pageIn(lang: string, dir: string) {
  vi.resetModules();
  vi.stubGlobal('document', { documentElement: { lang, dir, dataset: {} } });
  const [texts, format] = await Promise.all([import('./texts.ts'), import('./format.ts')]);
  vi.unstubAllGlobals();
  const { loadTexts, loadErrorTexts, textOfError, textsOf } = texts;
  await Promise.all([loadTexts(['core', 'order']), loadErrorTexts()]);
  return { core: textsOf('core'), order: textsOf('order'), textOfError, ...format };
}

let en: Awaited<ReturnType<typeof pageIn>>;
let de: Awaited<ReturnType<typeof pageIn>>;
let ar: Awaited<ReturnType<typeof pageIn>>;
beforeAll(async () => {
  en = await pageIn('en', 'ltr');
  de = await pageIn('de', 'ltr');
  ar = await pageIn('ar', 'rtl');
});

// Files share a worker: the next one begins in English again.
afterAll(() => vi.resetModules());

test('D-275 a text takes the plural form of its count', () => {
  expect([0, 1, 12_345].map((count) => en.order('count_attempts', { count }))).toEqual([
    '0 attempts',
    '1 attempt',
    '12,345 attempts',
  ]);
});

test('D-275 an element stands where the text has its placeholder', () => {
  const shown = en.order.rich('the_hold_ended_on_time', { time: createElement('time', null, 'today') });
  expect(renderToStaticMarkup(shown)).toBe('The hold ended on <time>today</time>.');
});

test('D-275 amounts are grouped exactly, as each language writes them', () => {
  const amount = '-90071992547409931.50';
  expect(en.decimalText(amount)).toBe('−90,071,992,547,409,931.50');
  expect(de.decimalText(amount)).toBe('−90.071.992.547.409.931,50');
  // Western figures everywhere; the isolate keeps the minus in front of its number.
  expect(ar.decimalText(amount)).toBe('\u2066−90,071,992,547,409,931.50\u2069');
});

test.each([
  [-30, '30 seconds ago'],
  [-7_200, '2 hours ago'],
  [-86_400, 'yesterday'],
  [86_400 * 3, 'in 3 days'],
])('D-275 %s seconds from now is %s', (seconds, words) => {
  const now = new Date('2026-11-23T12:00:00Z');
  expect(en.agoText(new Date(now.getTime() + seconds * 1_000), now)).toBe(words);
});

test('D-492 an error is said in the language of the page', () => {
  const usual = describeCode('role_required');
  expect(en.textOfError('role_required', usual)).toBe(usual);
  expect(de.textOfError('role_required', usual)).toBe('Ihre Rolle erlaubt das nicht.');
});

test('D-492 what the service says about one case is kept beside the words of the code', () => {
  expect(de.textOfError('invalid_request', 'At most 80 characters.')).toBe(
    'Die Anfrage ist ungültig, oder eine Angabe fehlt. (At most 80 characters.)',
  );
  expect(ar.textOfError('already_exists', 'The address has an account already.')).toBe(
    'يوجد هذا من قبل. (\u2068The address has an account already.\u2069)',
  );
});

test('D-492 an error of a newer service is said as the service says it', () => {
  expect(de.textOfError('not_invented_yet', 'Something new.')).toBe('Something new.');
});

test('D-492 the English texts of errors are those of the service', () => {
  for (const [code, text] of Object.entries(errorTexts)) {
    expect([code, text]).toEqual([code, describeCode(code as ErrorCode)]);
  }
});

test('D-493 rates have one decimal, and two below one percent', () => {
  expect(['0.6956', '1.0000', '0.0065', '0.0000'].map(en.percentText)).toEqual([
    '69.6%',
    '100%',
    '0.65%',
    '0%',
  ]);
  expect(de.percentText('0.6956')).toBe('69,6\u00a0%');
});

test('D-275 a value that runs the other way is isolated', () => {
  expect(ar.core('title_name', { title: 'Orders', name: 'Paydesk' })).toContain('\u2068Orders\u2069');
  expect(en.core('title_name', { title: 'Orders', name: 'Paydesk' })).toBe('Orders · Paydesk');
});
