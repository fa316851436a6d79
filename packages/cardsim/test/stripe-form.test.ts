import { describe, expect, test } from 'vitest';
import { canonicalForm, parseForm } from '../src/api/stripe-form.ts';

/** The tree as plain JSON, for comparison. */
const parsed = (text: string): unknown => JSON.parse(JSON.stringify(parseForm(text)));

describe('parseForm', () => {
  test.each([
    ['', {}],
    ['a=1&b=x+y%20z', { a: '1', b: 'x y z' }],
    ['a[b][c]=1&a[d]=2', { a: { b: { c: '1' }, d: '2' } }],
    ['list[1]=b&list[0]=a', { list: ['a', 'b'] }],
    ['list[]=a&list[]=b', { list: ['a', 'b'] }],
    [
      'items[0][price_data][currency]=usd&items[0][quantity]=1',
      { items: [{ price_data: { currency: 'usd' }, quantity: '1' }] },
    ],
    ['a%5Bb%5D=%E2%82%AC', { a: { b: '€' } }],
    ['a=1&a=2', { a: '2' }],
    ['flag', { flag: '' }],
  ])('%s', (text, expected) => {
    expect(parsed(text)).toEqual(expected);
  });

  test('indices are ordered as numbers', () => {
    const text = Array.from({ length: 11 }, (_value, index) => `x[${10 - index}]=${10 - index}`).join('&');
    expect(parsed(text)).toEqual({ x: Array.from({ length: 11 }, (_value, index) => String(index)) });
  });

  test('keys named like a prototype are keys like any other', () => {
    const tree = parseForm('__proto__[polluted]=1&constructor=2');
    expect(Object.keys(tree)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test.each(['a=%zz', 'a[b=1', 'a]=1', '[a]=1', 'a=1&a[b]=2', 'a[b]=2&a=1', 'a[b][c][d][e][f][g][h][i]=1'])(
    'refuses %s',
    (text) => {
      expect(() => parseForm(text)).toThrow('Invalid request');
    },
  );

  test('refuses more pairs than any sensible request has', () => {
    expect(() => parseForm('a=1&'.repeat(2001))).toThrow('too many parameters');
  });
});

test('canonicalForm does not depend on the order of keys, and tells texts from structure', () => {
  const same = ['a=1&b[c]=2&b[d]=3', 'b[d]=3&a=1&b[c]=2'].map((text) => canonicalForm(parseForm(text)));
  expect(same[0]).toBe(same[1]);
  expect(canonicalForm(parseForm('a[0]=1'))).not.toBe(canonicalForm(parseForm('a=1')));
  expect(canonicalForm(parseForm('a=["1"]'))).not.toBe(canonicalForm(parseForm('a[0]=1')));
});
