import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** The libraries that a program loads before its first line runs: what it imports, and what that imports. */
function librariesOf(...entries: string[]): Set<string> {
  const libraries = new Set<string>();
  const files = entries.map((entry) => join(src, entry));
  const seen = new Set(files);
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    const text = readFileSync(file, 'utf8');
    for (const [, types, name = ''] of text.matchAll(/^(?:import|export) (type )?[^;]*?from '([^']+)';/gms)) {
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
  const loaded = librariesOf('main.ts', 'cli/serve.ts', 'compose/service.ts');
  expect(loaded).toContain('fastify');
  for (const rare of [
    ...['pdfkit', 'stripe', 'undici', 'oidc-provider', '@zxcvbn-ts/language-common'],
    ...['nodemailer', 'ioredis', '@simplewebauthn/server', '@opentelemetry/sdk-trace-base', 'selfsigned'],
  ]) {
    expect(loaded, rare).not.toContain(rare);
  }
});
