import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where the programs are that the tests run. A missing one fails the test run: nothing is skipped. */

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath(names: string[]): string | undefined {
  // Debian keeps servers in sbin, which an ordinary user's PATH may lack.
  const dirs = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return names
    .flatMap((name) => dirs.filter((dir) => dir !== '').map((dir) => join(dir, name)))
    .find(isExecutable);
}

function found(what: string, path: string | undefined): string {
  if (path === undefined) throw new Error(`The tests need ${what}: "npm test" installs it or says how.`);
  return path;
}

/** The directory of Debian's PostgreSQL binaries: version 15, else the oldest newer one. */
export function debianPostgresBin(): string {
  const root = '/usr/lib/postgresql';
  const majors = existsSync(root) ? readdirSync(root).map(Number) : [];
  const bins = majors
    .filter((major) => major >= 15)
    .sort((a, b) => a - b)
    .map((major) => join(root, String(major), 'bin'));
  const bin = process.env.PAYDESK_PG_BIN ?? bins.find((dir) => isExecutable(join(dir, 'postgres')));
  return found('a PostgreSQL server from version 15 on', bin);
}

export const redisServer = (): string => found('redis-server', onPath(['redis-server']));

export const pgbouncer = (): string => found('PgBouncer', onPath(['pgbouncer']));

const runs = (path: string | undefined, ...args: string[]): string | undefined =>
  path !== undefined && spawnSync(path, args).status === 0 ? path : undefined;

/** What the SDKs need. Undefined where it is missing: npm test says so, and their tests are skipped. */
export const sdkTools = {
  python: () => runs(onPath(['python3']), '-c', 'import http.client, unittest'),
  php: () => runs(onPath(['php']), '-r', 'exit((int) !extension_loaded("curl"));'),
  go: () => onPath(['go']),
};

/** Languages in which examples are written. */
export const python = (): string => found('Python 3', onPath(['python3']));
export const php = (): string => found('PHP', onPath(['php']));
export const go = (): string => found('Go', onPath(['go']));

/** Checks and tests alerts. Undefined where it is missing: npm test says so, and its tests are skipped. */
export const promtool = (): string | undefined => onPath(['promtool']);

export function chromium(): string {
  // The shell has no windows, tabs and menus, and costs half as much.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ];
  return found('Chromium', process.env.PAYDESK_CHROMIUM ?? onPath(names));
}
