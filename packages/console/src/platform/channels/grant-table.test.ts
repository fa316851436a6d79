import { describe, expect, test, vi } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';

await loadTexts(['platform-channels']);
const { grantRows } = await import('./grant-table.ts');

/** Named merchant × (named buyer, other buyer, guest), then any other merchant × the same. */
const allowed = (lists: { merchants: boolean; users: boolean }, enabled = true): string =>
  grantRows({ ...lists, enabled })
    .map((row) => (row.allowed ? 'y' : 'n'))
    .join('');

describe('D-127 the table of a test channel says who may pay', () => {
  test.each([
    ['neither list', { merchants: false, users: false }, 'nnnnnn'],
    ['merchants alone', { merchants: true, users: false }, 'yyynnn'],
    ['buyers alone', { merchants: false, users: true }, 'ynnynn'],
    ['both lists', { merchants: true, users: true }, 'ynnnnn'],
  ])('with %s', (_name, lists, expected) => {
    expect(allowed(lists)).toBe(expected);
    expect(allowed(lists, false)).toBe('nnnnnn');
  });
});

test('D-127 a guest is told to sign in, in every language', async () => {
  vi.resetModules();
  vi.stubGlobal('document', { documentElement: { lang: 'ja', dir: 'ltr', dataset: {} } });
  const texts = await import('../../texts/texts.ts');
  await texts.loadTexts(['platform-channels']);
  const table = await import('./grant-table.ts');
  vi.unstubAllGlobals();
  vi.resetModules();
  const guest = table.grantRows({ merchants: false, users: true, enabled: true })[2];
  expect(guest?.why).toBe(texts.textsOf('platform-channels')('buyers_are_listed_so_the_buyer'));
});
