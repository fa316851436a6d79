import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tagsOf, taggedSources, without } from '../guards/guard.ts';
import { guards } from '../guards/guards.ts';

const sources = taggedSources();
const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test.each(guards)('R-142 the guard "$name" is where `npm run guards` takes it away', (guard) => {
  for (const [file, text] of without(guard, sources)) expect(text).not.toBe(read(file));
});

test('every tag in the sources belongs to a guard', () => {
  const known = new Set(guards.flatMap(tagsOf));
  const tags = [...sources.values()].flatMap((names) => [...names]);
  expect(tags.filter((tag) => !known.has(tag))).toEqual([]);
});

test('each guard has a unique name', () => {
  expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length);
});
