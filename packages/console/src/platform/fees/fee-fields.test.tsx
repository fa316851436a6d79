import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';

await loadTexts(['core', 'platform-money']);
const { errorOf, FeeEditor, freeDraft } = await import('./fee-fields.tsx');

test.each([
  ['percent', '2.9', null],
  ['percent', '101', 'Enter 0 to 100'],
  ['percent', '-1', 'Enter 0 to 100'],
  ['percent', '', 'Enter 0 to 100'],
  ['fixed', '0.30', null],
  ['fixed', 'abc', 'at most 2 decimals'],
  ['fixed', '0.305', 'at most 2 decimals'],
  ['cap', '', null],
  ['cap', '1,000', 'at most 2 decimals'],
  // D-1038
  ['percent', '2,9', null],
  ['fixed', '0,30', null],
  ['fixed', '٠٫٣٠', null],
  ['cap', '１２', null],
] as const)('D-514 a fee’s %s of "%s" is refused at its field: %s', (part, value, words) => {
  const error = errorOf(part, value, 2);
  if (words === null) expect(error).toBeNull();
  else expect(error).toContain(words);
});

test('D-1482 the field of a fee names its currency once one is chosen', () => {
  const labels = ['', 'USD'].map((currency) => {
    const fees = [{ currency, buyer: freeDraft, merchant: freeDraft }];
    const editor = <FeeEditor value={fees} currencies={[]} onChange={() => undefined} />;
    return /aria-label="(Fixed[^"]*)"/.exec(
      renderToStaticMarkup(<MantineProvider>{editor}</MantineProvider>),
    )?.[1];
  });
  expect(labels).toEqual(['Fixed, Buyer', 'Fixed, USD, Buyer']);
});
