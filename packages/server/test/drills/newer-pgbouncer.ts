import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Kept from one drill to the next. */
const home = fileURLToPath(new URL('../../../../.cache/pgbouncer', import.meta.url));
/** The suite of Debian whose source package has a PgBouncer that keeps prepared statements in transaction mode. */
const suite = 'trixie';
const buildPackages = ['build-essential', 'pkg-config', 'libevent-dev', 'libssl-dev'];

/**
 * A PgBouncer from 1.21 on: the one that PAYDESK_PGBOUNCER names, or one built from the source package of a newer Debian
 * than this machine's, by its own package server. Null with the reason if neither can be had.
 */
export function newerPgBouncer(log: (line: string) => void): { program: string | null; reason: string } {
  const named = process.env.PAYDESK_PGBOUNCER;
  if (named !== undefined && named !== '') return { program: named, reason: '' };
  const known = built();
  if (known !== undefined) return { program: known, reason: '' };
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return { program: null, reason: 'PAYDESK_PGBOUNCER names none, and only root on Debian can build one' };
  }
  try {
    log('building a newer PgBouncer from its Debian source package');
    build();
    return { program: built() ?? null, reason: 'the build made no program' };
  } catch (error) {
    return { program: null, reason: `it cannot be built: ${String(error).split('\n')[0] ?? ''}` };
  }
}

function built(): string | undefined {
  const names = existsSync(home) ? readdirSync(home) : [];
  return names.map((name) => join(home, name, 'pgbouncer')).find((path) => existsSync(path));
}

function build(): void {
  mkdirSync(join(home, 'lists', 'partial'), { recursive: true });
  const run = (program: string, args: readonly string[], cwd = home): string =>
    execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const servers = run('apt-get', ['indextargets', '--format', '$(REPO_URI) $(COMPONENT)']);
  const [server] = /^\S+(?= main$)/m.exec(servers.replace(/^.*security.*$/gm, '')) ?? [];
  if (server === undefined) throw new Error('apt-get knows no package server');
  const sources = join(home, 'sources.list');
  writeFileSync(sources, `deb-src ${server} ${suite} main\n`);
  const own = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(home, 'lists')}`,
  ];
  const options = own.flatMap((option) => ['-o', option]);
  run('apt-get', ['-q', '-y', 'install', '--no-install-recommends', ...buildPackages]);
  run('apt-get', ['-q', ...options, 'update']);
  run('apt-get', ['-q', ...options, '--download-only', 'source', 'pgbouncer']);
  const archive = readdirSync(home).find((name) => name.endsWith('.orig.tar.gz')) ?? '';
  run('tar', ['xzf', archive]);
  const folder = readdirSync(home).find((name) => /^pgbouncer-[\d.]+$/.test(name)) ?? '';
  run('./configure', ['--without-cares'], join(home, folder));
  run('make', [`-j${cpus().length}`, 'pgbouncer'], join(home, folder));
}
