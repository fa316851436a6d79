/**
 * The migrations of this build: numbered SQL files, each with a header that says how it runs
 * (docs/recipes/migration.md).
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRelease } from '../../release.ts';
import { SchemaError } from './schema-error.ts';

/** The directory of the packaged migrations. It is next to `src/` and next to `dist/`. */
export const migrationsDir = fileURLToPath(new URL('../../../../migrations', import.meta.url));

/**
 * - `transaction`: the whole file in one transaction. The default, unless the file builds an index concurrently.
 * - `statements`: one statement after the other, such as `CREATE INDEX CONCURRENTLY` and `VALIDATE CONSTRAINT`.
 * - `batches`: the one statement again and again, each time on the next rows, until no row remains.
 */
const modes = ['transaction', 'statements', 'batches'] as const;

export interface Migration {
  version: number;
  name: string;
  text: string;
  /** The checksum of the text. */
  checksum: string;
  /** What databases keep: the checksum of the text that landed first. */
  recorded_checksum: string;
  mode: (typeof modes)[number];
  /** The oldest release that may serve on the schema after this migration; null where the file does not say. */
  compatible_from: string | null;
}

/** Migrations up to this one may lack a header. The first release may serve after each of them. */
const lastWithoutHeader = 37;
const firstRelease = '0.1.0';

/**
 * The former checksums, by version, of the only migrations that were rewritten. The new texts do the same in a form that
 * a distributed database accepts. Databases keep the former checksum: so both texts count as applied, for this release
 * and the one before it.
 */
const formerChecksums = new Map([
  [16, '2e8764357c9f066fbc837b9dbc0114334aa6b049d513b338c292ee39d9fc4e62'],
  [18, 'a71915d136816af296df683bb7ad7b5f6928aac3a235d5dabd6ab8d054c0ac4e'],
]);

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
  const recorded_checksum = formerChecksums.get(version) ?? checksum;
  return { version, name, text, checksum, recorded_checksum, mode, compatible_from };
}
