import { expect, test } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';

await loadTexts(['core']);

const { errorsOf, isCount, toldAt, tooLarge, withPoints } = await import('./fields.ts');

test('D-512 a form is not sent without the file that was too large for it, also where the file may be left out', () => {
  const logo = { name: 'logo', label: 'Logo', kind: 'file', max_bytes: 128 * 1_024 } as const;
  expect(errorsOf([logo], { logo: tooLarge }).logo).toContain('128 kB');
  const evidence = { ...logo, max_bytes: 4_500_000 };
  expect(errorsOf([evidence], { logo: tooLarge }).logo).toContain('4.5 MB');
  expect(errorsOf([logo], { logo: '' }).logo).toBeNull();
  expect(errorsOf([logo], { logo: 'data:image/png;base64,AAAA' }).logo).toBeNull();
  expect(errorsOf([{ name: 'logo', label: 'Logo' }], { logo: tooLarge }).logo).toBeNull();
});

test('D-691 a field can be needed because the others are empty', () => {
  const needed = ({ people }: Readonly<Record<string, unknown>>): string | null =>
    people === '' ? 'A person or an address' : null;
  const fields = [
    { name: 'people', label: 'People' },
    { name: 'url', label: 'Address', needed },
  ];
  expect(errorsOf(fields, { people: '', url: ' ' }).url).toBe('A person or an address');
  expect(errorsOf(fields, { people: 'Mira', url: '' }).url).toBeNull();
  expect(errorsOf(fields, { people: '', url: 'https://shop.example' }).url).toBeNull();
});

test('D-1425 an error at a field begins with its label, where it began with the name of the API', () => {
  const field = { name: 'notify_url', label: 'Webhook address' };
  const told = (message: string): string => toldAt(field, 'notify_url', message);
  expect(told('notify_url must be an https address.')).toBe('Webhook address must be an https address.');
  expect(told('notify_urls are many.')).toBe('notify_urls are many.');
  expect(told('An https address.')).toBe('An https address.');
});

test.each([
  ['1', true],
  ['12', true],
  ['0', false],
  ['1.5', false],
  ['-1', false],
])('a count of %s: %s', (text, isRight) => {
  expect(isCount(text) === null).toBe(isRight);
});

test.each([
  ['12,5', '12.5', true],
  [' 12,50 ', '12.50', true],
  ['12.5', '12.5', true],
  ['١٢٫٥', '12.5', true],
  ['۱۲٫۵۰', '12.50', true],
  ['１２', '12', true],
  ['12,500', '12,500', false],
  ['1,234.50', '1,234.50', false],
  ['1²0', '1²0', false],
  ['a few', 'a few', false],
])('D-657 D-1038 D-1062 an amount typed as %j is %j, and right: %s', (typed, amount, isRight) => {
  const fields = [{ name: 'amount', label: 'Amount', kind: 'amount' }] as const;
  const values = withPoints(fields, { amount: typed, note: '1,5' });
  expect(values).toEqual({ amount, note: '1,5' });
  expect(errorsOf(fields, values).amount === null).toBe(isRight);
});

test('D-1038 a number is taken in the digits of any keyboard', () => {
  const fields = [{ name: 'days', label: 'Days', kind: 'number', check: isCount }] as const;
  const values = withPoints(fields, { days: '١٤' });
  expect([values.days, errorsOf(fields, values).days]).toEqual(['14', null]);
});
