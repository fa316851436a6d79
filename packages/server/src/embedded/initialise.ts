import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { role } from './access.ts';
import { type Binaries, program } from './binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import { type Layout, privateDirectory } from './layout.ts';
import { spawnBound } from './processes.ts';
import type { SystemUser } from './run-as.ts';

/** The parts that every step of opening needs. */
export interface Making {
  layout: Layout;
  binaries: Binaries;
  user: SystemUser | null;
  /** False skips every fsync: for tests alone. */
  durable: boolean;
}

/**
 * Makes the database directory where there is none. It is made under another name and moved into place when it is
 * whole, so that a kill in the middle leaves nothing but rubbish, which goes here.
 *
 * @throws EmbeddedError where the directory belongs to another major version
 */
export async function initialise(making: Making): Promise<void> {
  const { layout, binaries } = making;
  await removeDrafts(layout);
  if (!existsSync(layout.database)) await make(making);
  await checkMajor(layout.database, binaries.major);
}

const draftPrefix = 'postgres.new-';

async function removeDrafts({ data_dir }: Layout): Promise<void> {
  const drafts = (await readdir(data_dir)).filter((name) => name.startsWith(draftPrefix));
  await Promise.all(drafts.map((name) => rm(join(data_dir, name), { recursive: true, force: true })));
}

async function make({ layout, binaries, user, durable }: Making): Promise<void> {
  const draft = join(layout.data_dir, `${draftPrefix}${randomUUID().slice(0, 8)}`);
  await privateDirectory(draft, user);
  // Comparing bytes sorts alike on every machine and release; the built-in provider, newer than 15, knows the
  // letters of Unicode all the same.
  const locale =
    binaries.major >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      : ['--locale=C.UTF-8'];
  const identity = ['--username', role, '--encoding=UTF8', ...locale];
  // Nobody gets in by initdb's own rules: ours are written at each start.
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
  if (code !== 0) throw new EmbeddedError(`PostgreSQL could not make its database: ${complaint.trim()}`);
  await rename(draft, layout.database);
  await syncDirectory(dirname(layout.database));
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory, and needs no sync to keep a rename.
  if (process.platform === 'win32') return;
  const dir = await open(path, 'r');
  await dir.sync().finally(() => dir.close());
}

async function checkMajor(database_dir: string, major: number): Promise<void> {
  const text = await readFile(join(database_dir, 'PG_VERSION'), 'utf8');
  if (Number(text.trim()) === major) return;
  throw new EmbeddedError(
    `${database_dir} was made by PostgreSQL ${text.trim()}, and this Paydesk brings PostgreSQL ${major}: dump it with the release that made it and restore it into a new PAYDESK_DATA_DIR, or set DATABASE_URL.`,
  );
}
