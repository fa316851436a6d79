import { expect, test } from 'vitest';
import { loadTexts } from '../texts/texts.ts';

await loadTexts(['core', 'codes']);
const { described } = await import('./search.tsx');

test('D-533 a found request shows its time in the usual form, and an order its status in words', () => {
  const found = {
    kind: 'request',
    id: 'r-1',
    title: 'GET /openapi/v1/products',
    about: '200 · cl_1',
  } as const;
  expect(described({ ...found, at: '2026-10-03T09:00:00Z' })).toMatch(/^200 · cl_1 · Oct 3, 2026, \d\d:00$/);
  expect(described({ ...found, kind: 'order', about: '10.00 USD', status: 'chargeback' })).toBe(
    'Chargeback · 10.00 USD',
  );
});
