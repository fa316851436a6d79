import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const program = fileURLToPath(new URL('../../dist/program', import.meta.url));

/** The libraries that a program loads before its first line runs: what it imports, and what that imports. */
function librariesOf(folder: string, ...entries: string[]): Set<string> {
  const libraries = new Set<string>();
  const files = entries.map((entry) => join(folder, entry));
  const seen = new Set(files);
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    const text = readFileSync(file, 'utf8');
    for (const [, types, name = ''] of text.matchAll(
      /^(?:import|export) (type )?[^;]*?from ["']([^"']+)["'];/gms,
    )) {
      if (types !== undefined || name.startsWith('node:')) continue;
      if (!name.startsWith('.')) libraries.add(name);
      else if (!seen.has(join(dirname(file), name))) {
        seen.add(join(dirname(file), name));
        files.push(join(dirname(file), name));
      }
    }
  }
  return libraries;
}

test('D-560 a start loads no library of what is rare', () => {
  const loaded = librariesOf(src, 'main.ts', 'cli/serve.ts', 'compose/service.ts');
  expect(loaded).toContain('fastify');
  for (const rare of [
    ...['pdfkit', 'stripe', 'undici', 'oidc-provider', '@zxcvbn-ts/language-common'],
    ...['nodemailer', 'ioredis', '@simplewebauthn/server', '@opentelemetry/sdk-trace-base', 'selfsigned'],
  ]) {
    expect(loaded, rare).not.toContain(rare);
  }
});

test('D-1090 the files of the built program are ASCII', () => {
  const files = readdirSync(program).filter((name) => name.endsWith('.js'));
  expect(files).toContain('main.js');
  // eslint-disable-next-line no-control-regex
  expect(files.filter((name) => /[^\0-\x7f]/.test(readFileSync(join(program, name), 'utf8')))).toEqual([]);
});

test('D-780 the built program loads no library before it knows the command, and few for a small one', () => {
  const main = readFileSync(join(program, 'main.js'), 'utf8');
  const fileOf = (command: string): string => new RegExp(`"\\./(${command}-[^"]+)"`).exec(main)?.[1] ?? '';
  expect([...librariesOf(program, 'main.js')]).toEqual([]);
  expect([...librariesOf(program, fileOf('orders'))]).toEqual([]);
  expect([...librariesOf(program, fileOf('migrate'))].sort()).toEqual(['pg', 'sql-template-tag']);
});
