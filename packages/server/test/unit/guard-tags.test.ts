import { expect, test } from 'vitest';
import { tagsIn, withoutTagged } from '../guards/tags.ts';

const without = (source: string, ...names: string[]): string => withoutTagged('a.ts', source, names);

test.each([
  ['a statement', 'f();\n// guard: x\nif (a) {\n  throw b;\n}\ng();', 'f();\n// guard: x\n\ng();'],
  ['an operand of &&', 'const a = b && /* guard: x */ c.d !== 1;', 'const a = b && /* guard: x */ true;'],
  [
    'the first operand',
    'const a = /* guard: x */ b(c) && d ? e : f;',
    'const a = /* guard: x */ true && d ? e : f;',
  ],
  ['an operand of ||', 'if (a || /* guard: x */ b) c();', 'if (a || /* guard: x */ false) c();'],
  [
    'an expression with what stands in its place',
    'const a = b.find(/* guard: x = () => false */ counts);',
    'const a = b.find(/* guard: x = () => false */ () => false);',
  ],
  [
    'a template',
    'const a = { key: /* guard: x = `k${Math.random()}` */ `k${id}` };',
    'const a = { key: /* guard: x = `k${Math.random()}` */ `k${Math.random()}` };',
  ],
  [
    'a line of SQL',
    'sql`SELECT 1\n  WHERE a = ${a}\n    AND b = ${b} /* guard: x */`',
    'sql`SELECT 1\n  WHERE a = ${a}\n`',
  ],
])('%s is taken away by its tag', (_, source, expected) => {
  expect(without(source, 'x')).toBe(expected);
  expect(without(source, 'y')).toBe(source);
});

test('places of one name are one guard, and others stay', () => {
  const source = '// guard: x\na();\n// guard: y\nb();\n// guard: x\nc();';
  expect(without(source, 'x')).toBe('// guard: x\n\n// guard: y\nb();\n// guard: x\n');
  expect(tagsIn('a.ts', source).map(({ name }) => name)).toEqual(['x', 'y', 'x']);
});

test.each(['// guard: x\n', 'const a = /* guard: x */ b;'])('%j marks nothing', (source) => {
  expect(() => tagsIn('a.ts', source)).toThrow('guard: x');
});
