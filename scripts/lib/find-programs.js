/** Finds the programs that the tests and scripts run beside Node.js. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The first of these commands that PATH knows, with its full path.
 *
 * @param {string[]} names
 */
export function onPath(...names) {
  // Debian keeps servers in sbin, which an ordinary user's PATH may lack.
  const dirs = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return names
    .flatMap((name) => dirs.filter((dir) => dir !== '').map((dir) => join(dir, name)))
    .find(isExecutable);
}

/** Chromium: PAYDESK_CHROMIUM, or one on PATH. The shell has no windows, tabs and menus, and costs half as much. */
export function chromium() {
  const fromEnvironment = process.env.PAYDESK_CHROMIUM;
  if (fromEnvironment) return isExecutable(fromEnvironment) ? fromEnvironment : undefined;
  return onPath(
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  );
}

/** The directories of PostgreSQL from version 15 on, laid out as Debian does it: the oldest first. */
export function postgresBins() {
  const root = '/usr/lib/postgresql';
  const majors = existsSync(root) ? readdirSync(root).map(Number) : [];
  return majors
    .filter((major) => major >= 15)
    .sort((a, b) => a - b)
    .map((major) => join(root, String(major), 'bin'));
}

/**
 * A program, if it runs this without an error.
 *
 * @param {string | undefined} path
 * @param {string[]} args
 */
const runs = (path, ...args) => (path !== undefined && spawnSync(path, args).status === 0 ? path : undefined);

/** What the SDKs need. Undefined where it is missing: npm test says so, and their tests are skipped. */
export const sdkTools = {
  python: () => runs(onPath('python3'), '-c', 'import http.client, unittest'),
  php: () => runs(onPath('php'), '-r', 'exit((int) !extension_loaded("curl"));'),
  go: () => onPath('go'),
};
