import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { without } from '../guards/guard.ts';
import { guards } from '../guards/guards.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test.each(guards)('R-142 the guard "$name" is where `npm run guards` takes it away', (guard) => {
  for (const [file, text] of without(guard, read)) expect(text).not.toBe(read(file));
});

test('guards have names of their own', () => {
  expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length);
});
