/** Creates the database directory of the embedded PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { role } from './access.ts';
import { type Binaries, program } from './binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import { type Layout, makePrivateDirectory } from './layout.ts';
import { spawnBound } from './processes.ts';
import type { SystemUser } from './run-as.ts';

/** What every step of opening the database needs. */
export interface DatabaseSetup {
  layout: Layout;
  binaries: Binaries;
  user: SystemUser | null;
  /** False skips every fsync. Only for tests. */
  durable: boolean;
}

/**
 * Creates the database directory if it is missing, first under a temporary name; a complete directory is renamed. If the
 * process is killed before that, the next call deletes the incomplete directory.
 *
 * @throws EmbeddedError if the directory belongs to another major version
 */
export async function initialise(setup: DatabaseSetup): Promise<void> {
  const { layout, binaries } = setup;
  await removeDrafts(layout);
  if (!existsSync(layout.database)) await create(setup);
  await checkMajor(layout.database, binaries.major);
}

const draftPrefix = 'postgres.new-';

async function removeDrafts({ data_dir }: Layout): Promise<void> {
  const drafts = (await readdir(data_dir)).filter((name) => name.startsWith(draftPrefix));
  await Promise.all(drafts.map((name) => rm(join(data_dir, name), { recursive: true, force: true })));
}

/**
 * The options of initdb for a database whose texts are sorted by bytes, which is the same on every machine and release. The
 * built-in provider, which version 15 lacks, also supports the letters of Unicode. Compose has the same (D-1302).
 */
export const sortedByBytes = (major: number): string[] => [
  '--encoding=UTF8',
  ...(major >= 17
    ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    : ['--locale=C.UTF-8']),
];

async function create({ layout, binaries, user, durable }: DatabaseSetup): Promise<void> {
  const draft = join(layout.data_dir, `${draftPrefix}${randomUUID().slice(0, 8)}`);
  await makePrivateDirectory(draft, user);
  const identity = ['--username', role, ...sortedByBytes(binaries.major)];
  // The rules of initdb admit no connection. Our own rules are written at each start.
  const access = ['--auth-local=reject', '--auth-host=reject'];
  const sync = durable ? [] : ['--no-sync'];
  const args = ['-D', draft, ...identity, ...access, ...sync];
  const child = spawnBound(program(binaries.bin, 'initdb'), args, {
    user,
    cwd: draft,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: 'SIGINT',
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new EmbeddedError(
      `PostgreSQL could not create its database in ${layout.data_dir} (PAYDESK_DATA_DIR): ${complaint.trim()}`,
    );
  await rename(draft, layout.database);
  await syncDirectory(dirname(layout.database));
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory, and a rename there needs no sync.
  if (process.platform === 'win32') return;
  const dir = await open(path, 'r');
  try {
    await dir.sync();
  } finally {
    await dir.close();
  }
}

async function checkMajor(database_dir: string, major: number): Promise<void> {
  const text = await readFile(join(database_dir, 'PG_VERSION'), 'utf8');
  if (Number(text.trim()) === major) return;
  throw new EmbeddedError(
    `${database_dir} was created by PostgreSQL ${text.trim()}, but this Paydesk includes PostgreSQL ${major}: dump it with the release that created it and restore it into a new PAYDESK_DATA_DIR, or set DATABASE_URL.`,
  );
}
