import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';

await loadTexts(['core', 'platform-orders']);
const { Lost } = await import('./lost.tsx');

test.each([
  ['a loss', { loss_amount: '2.66', external_cost: null }, '2.66 USD'],
  [
    'a loss and its cost',
    { loss_amount: '2.66', external_cost: '15.00' },
    '2.66 USD External costs: 15.00 USD',
  ],
  ['no loss', { loss_amount: null, external_cost: null }, '–'],
])('D-1068 a dispute says what it has taken and what the provider charged: %s', (_, amounts, said) => {
  const page = renderToStaticMarkup(
    <MantineProvider>
      <Lost of={{ ...amounts, currency: 'USD' }} />
    </MantineProvider>,
  );
  const text = page.replaceAll(/<style.*?<\/style>/gs, '').replaceAll(/<[^>]*>/g, ' ');
  expect(text.replaceAll(/\s+/g, ' ').replaceAll(' : ', ': ').trim()).toBe(said);
});
