import { expect, test } from 'vitest';
import { searchOf, textsOf } from './products.ts';

const count = 2_000;
const all = Array.from({ length: count }, (_, i) => {
  const { gd_name, gd_description, keywords } = textsOf(i);
  return `${gd_name}\n${gd_description}\n${keywords}`.toLowerCase();
});

test('every search finds something, and more of them the more common its text is', () => {
  const found = Array.from({ length: 10 }, (_, i) => {
    const text = searchOf(i, count);
    return all.filter((product) => product.includes(text)).length;
  });
  expect(found.slice(0, 6)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(Math.min(...found)).toBeGreaterThan(0);
  expect(found[9]).toBeGreaterThan(count / 8);
});

test('hardly any number on a box is searched for twice', () => {
  const texts = Array.from({ length: 10_000 }, (_, i) => searchOf(i, 100_000)).filter((_, i) => i % 10 < 6);
  expect(new Set(texts).size).toBe(texts.length);
});
