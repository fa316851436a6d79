/** The migrations of this build: numbered SQL files, each with a header that says how it runs (docs/recipes/migration.md). */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRelease } from '../../release.ts';
import { SchemaError } from './schema-error.ts';

/** The directory of the packaged migrations. It is next to `src/` and next to `dist/`. */
export const migrationsDir = fileURLToPath(new URL('../../../../migrations', import.meta.url));

/**
 * - `transaction`: the whole file in one transaction. So is a file that names no mode and builds no index concurrently.
 * - `statements`: one statement after the other, such as `CREATE INDEX CONCURRENTLY` and `VALIDATE CONSTRAINT`.
 * - `batches`: the one statement again and again, each time on the next rows, until none is left.
 */
const modes = ['transaction', 'statements', 'batches'] as const;

export interface Migration {
  version: number;
  name: string;
  text: string;
  checksum: string;
  mode: (typeof modes)[number];
  /** The oldest release that may serve on the schema after this migration; null where the file does not say. */
  compatible_from: string | null;
}

/** Migrations up to this one may lack a header. The first release may serve after each of them. */
const lastWithoutHeader = 37;
const firstRelease = '0.1.0';

/**
 * Reads the migrations of a directory, in their order.
 *
 * @throws SchemaError if a header is wrong
 */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const files = (await readdir(dir)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  return Promise.all(
    files.map(async (name) => parseMigration(name, await readFile(join(dir, name), 'utf8'))),
  );
}

export function parseMigration(name: string, text: string): Migration {
  const version = Number(name.slice(0, 4));
  const [head = ''] = /^(?:--[^\n]*\n)*/.exec(text) ?? [];
  const valueOf = (key: string): string | null =>
    new RegExp(`^-- ${key}: (.*)$`, 'm').exec(head)?.[1] ?? null;
  const compatible_from = valueOf('compatible_from') ?? (version <= lastWithoutHeader ? firstRelease : null);
  const named =
    valueOf('mode') ?? (/^[^-]*\bINDEX CONCURRENTLY\b/im.test(text) ? 'statements' : 'transaction');
  const mode = modes.find((known) => known === named);
  if (mode === undefined) throw new SchemaError(`${name}: the mode must be one of ${modes.join(', ')}.`);
  if (compatible_from !== null && !isRelease(compatible_from)) {
    throw new SchemaError(`${name}: compatible_from must be a release such as 0.2.0.`);
  }
  const checksum = createHash('sha256').update(text).digest('hex');
  return { version, name, text, checksum, mode, compatible_from };
}
