/** The build of the release before this one, as `npm run release:artefact` has kept it, ready to run. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { migrationsDir } from '../../../src/base/pg/index.ts';
import { isOlder, release } from '../../../src/base/release.ts';

export interface PreviousRelease {
  version: string;
  /** Its `paydesk` program. */
  program: string;
  /** The directory of its migrations. */
  migrations: string;
  /** Whether it may be ready on a newer schema. Builds before 0.2.0 demand exactly their own. */
  bears_newer_schema: boolean;
}

const artefacts = fileURLToPath(new URL('../../releases', import.meta.url));
/** Below the workspace, so that the program finds native code where npm has installed it. */
const unpacked = fileURLToPath(new URL('../../../../../.cache/releases', import.meta.url));

/**
 * Unpacks the newest artefact of an older release, once for all tests.
 *
 * @throws Error if a migration of that release has changed since
 */
export async function previousRelease(): Promise<PreviousRelease> {
  const older = (await readdir(artefacts)).filter((version) => isOlder(version, release));
  const version = older.reduce((newest, one) => (isOlder(newest, one) ? one : newest), '0.0.0');
  const compressed = await readFile(join(artefacts, version, 'paydesk.mjs.br'));
  const digest = createHash('sha256').update(compressed).digest('hex').slice(0, 12);
  const home = join(unpacked, `${version}-${digest}`);
  if ((await stat(home).catch(() => null)) === null) await unpack(version, compressed, home);
  return {
    version,
    program: join(home, 'dist', 'main.mjs'),
    migrations: join(home, 'migrations'),
    bears_newer_schema: !isOlder(version, '0.2.0'),
  };
}

async function unpack(version: string, compressed: Buffer, home: string): Promise<void> {
  const draft = `${home}.${process.pid}`;
  for (const name of ['dist', 'migrations']) await mkdir(join(draft, name), { recursive: true });
  await writeFile(join(draft, 'dist', 'main.mjs'), brotliDecompressSync(compressed));
  await writeFile(join(draft, 'package.json'), JSON.stringify({ version, type: 'module' }));
  const list = await readFile(join(artefacts, version, 'migrations.txt'), 'utf8');
  for (const line of list.trimEnd().split('\n')) {
    const [checksum = '', name = ''] = line.split('  ');
    const text = await releasedText(version, name);
    if (createHash('sha256').update(text).digest('hex') !== checksum) {
      throw new Error(`${name} was changed after release ${version}: restore it, and write a new migration`);
    }
    await writeFile(join(draft, 'migrations', name), text);
  }
  // Another process may have been faster.
  await rename(draft, home).catch(() => rm(draft, { recursive: true }));
}

/** The text of a migration as the release had it: kept beside its artefact if the text was rewritten since. */
async function releasedText(version: string, name: string): Promise<Buffer> {
  const kept = join(artefacts, version, 'migrations', name);
  return readFile(kept).catch(() => readFile(join(migrationsDir, name)));
}
