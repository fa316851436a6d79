import { expect, test } from 'vitest';
import { loadTexts } from '../texts/texts.ts';

await loadTexts(['core', 'order']);
const { feeWords } = await import('./amounts.tsx');

const [usual, capped] = [null, '1.00'];

test.each([
  ['0.30', '2.9000', usual, '0.90', '0.30 USD + 2.9% of 20.58 USD'],
  ['0.00', '2.9000', usual, '0.60', '2.9% of 20.58 USD'],
  ['0.30', '0.0000', usual, '0.30', '0.30 USD'],
  ['0.30', '9.0000', capped, '1.30', '0.30 USD + 1.00 USD (cap)'],
  ['0.00', '0.0000', usual, '0.00', undefined],
])('D-523 a fee of %s and %s%%, cap %s, comes to %s: %s', (fixed, percent, cap, merchant_fee, words) => {
  const parts = { fixed, percent, of: '20.58', cap };
  const quote = { payment_no: 'ch_1', currency: 'USD', merchant_fee, merchant_fee_parts: parts };
  const other = { ...quote, payment_no: 'ch_2', merchant_fee_parts: { ...parts, fixed: '7.00' } };
  expect(feeWords({ payment_no: 'ch_1' } as never, [other, quote] as never)).toBe(words);
});
