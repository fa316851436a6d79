import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { floors, refusal, rooms } from '../../../../scripts/lint/rooms.js';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const architecture = readFileSync(new URL('../../../../docs/ARCHITECTURE.md', import.meta.url), 'utf8');

/** In these examples, every room but these has an index.ts. */
const hasFace = (room: string): boolean => !['base', 'base/pg/driver', 'http', 'compose'].includes(room);

describe('an import is allowed', () => {
  test.each([
    ['within a room', 'ledger/books/post.ts', 'ledger/books/ledger.sql.ts'],
    ['down the floors, by the face', 'ledger/books/post.ts', 'base/pg/index.ts'],
    ['down the rooms of a module, by the face', 'ledger/wallets/top-up.ts', 'ledger/books/index.ts'],
    ['of a file in a room without a face', 'ledger/books/post.ts', 'base/money.ts'],
    ['of a room inside its own', 'base/pg/db.ts', 'base/pg/driver/lookups.ts'],
    ['of http by routes', 'console/routes.ts', 'http/same-origin.ts'],
    ['of http by compose', 'compose/service.ts', 'http/server.ts'],
    ['of routes by routes', 'console/routes.ts', 'console/home/home-routes.ts'],
    ['of routes by compose', 'compose/web.ts', 'console/routes.ts'],
  ])('%s', (_, from, to) => {
    const faces = to.endsWith('routes.ts') ? () => false : hasFace;
    expect(refusal(from, to, faces)).toBeNull();
  });
});

describe('an import is refused', () => {
  test.each([
    ['up the floors', 'base/pg/db.ts', 'ledger/books/index.ts', 'not on a floor below'],
    ['up the rooms', 'ledger/books/post.ts', 'ledger/wallets/index.ts', 'not on a floor below'],
    ['of a neighbour', 'merchants/merchant.ts', 'identity/people/index.ts', 'not on a floor below'],
    ['of a neighbouring room', 'base/time/clock.ts', 'base/input/json.ts', 'not on a floor below'],
    ['of a room inside another', 'base/caches/live-cache.ts', 'base/pg/driver/wire.ts', 'private to base/pg'],
    ['of SQL of another room', 'ledger/wallets/top-up.ts', 'ledger/books/ledger.sql.ts', 'SQL is private'],
    [
      'past the face',
      'ledger/wallets/top-up.ts',
      'ledger/books/post.ts',
      'import from ledger/books/index.ts',
    ],
    ['of http by a verb', 'catalog/products/list-products.ts', 'http/page.ts', 'and compose/ know http/'],
    ['of routes by a verb', 'cli/serve.ts', 'console/routes.ts', 'routes are known to compose/'],
    ['of a room that is on no floor', 'cli/serve.ts', 'nowhere/index.ts', 'nowhere is on no floor'],
  ])('%s', (_, from, to, why) => {
    expect(refusal(from, to, hasFace)).toContain(why);
  });
});

describe('the lint rule', () => {
  type Kind = 'ImportDeclaration' | 'ImportExpression' | 'ExportNamedDeclaration' | 'ExportAllDeclaration';
  const lint = (file: string, kind: Kind, specifier?: string): string[] => {
    const found: string[] = [];
    const report = ({ data }: { data: { why: string } }): number => found.push(data.why);
    rooms.create({ filename: join(src, file), report })[kind]?.({ source: { value: specifier } });
    return found;
  };

  test.each<[string, string, Kind, string, string]>([
    ['the driver', 'ledger/books/x.ts', 'ImportDeclaration', 'pg', 'only base/pg knows the driver'],
    ['an import', 'base/x.ts', 'ImportDeclaration', '../main.ts', 'base may not know main'],
    ['an import expression', 'base/x.ts', 'ImportExpression', '../main.ts', 'base may not know main'],
    ['a named export', 'base/x.ts', 'ExportNamedDeclaration', '../main.ts', 'base may not know main'],
    ['an export of all', 'base/x.ts', 'ExportAllDeclaration', '../main.ts', 'base may not know main'],
  ])('reports %s', (_, file, kind, specifier, why) => {
    expect(lint(file, kind, specifier)).toEqual([expect.stringContaining(why)]);
  });

  test.each<[string, string, Kind, string | undefined]>([
    ['the driver in base/pg', 'base/pg/x.ts', 'ImportDeclaration', 'pg'],
    ['the driver in a room of base/pg', 'base/pg/driver/x.ts', 'ImportDeclaration', 'pg'],
    ['packages', 'base/x.ts', 'ImportDeclaration', 'fastify'],
    ['what stands outside src', 'base/x.ts', 'ImportDeclaration', '../../build.ts'],
    ['an export of its own', 'base/x.ts', 'ExportNamedDeclaration', undefined],
  ])('is silent about %s', (_, file, kind, specifier) => {
    expect(lint(file, kind, specifier)).toEqual([]);
  });
});

describe('the floors', () => {
  const modules = floors.flatMap((floor) => Object.entries(floor as Record<string, string[]>));

  test('have every folder of src, and nothing else', () => {
    const folders = readdirSync(src, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map(({ parentPath }) => parentPath.slice(src.length + 1))
      .filter((room) => room !== '');
    const named = modules.flatMap(([module, rows]) =>
      rows.flatMap((row) => row.split(' ').map((room) => (room === '.' ? module : `${module}/${room}`))),
    );
    const isFile = (room: string): boolean => existsSync(join(src, `${room}.ts`));
    expect(new Set(named.filter((room) => !isFile(room)))).toEqual(new Set(folders));
  });

  test('no folder of src holds more than 20 files', () => {
    const root = fileURLToPath(new URL('../../../..', import.meta.url));
    const sources = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'src'));
    const counts = new Map<string, number>();
    for (const folder of [...sources, join(root, 'bench/src')]) {
      for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
        if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
      }
    }
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });

  test.each(modules)('docs/ARCHITECTURE.md shows %s with all its rooms', (module, rows) => {
    const cell = rows
      .map((row) =>
        row
          .split(' ')
          .map((room) => `\`${room}\``)
          .join(' '),
      )
      .join(' ← ');
    const line = architecture.split('\n').find((text) => text.startsWith(`| \`${module}\` |`));
    expect(line).toContain(`| ${cell} |`);
  });

  test('docs/ARCHITECTURE.md draws the modules in this order', () => {
    const picture = floors.map((floor) => Object.keys(floor).join(', ')).join(' ← ');
    expect(architecture.replaceAll('\n', ' ')).toContain(picture);
  });
});
