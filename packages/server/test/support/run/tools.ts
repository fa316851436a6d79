/** Where the programs are that the tests run. A missing one fails the test run: nothing is skipped. */
import { join } from 'node:path';
import {
  chromium as findChromium,
  isExecutable,
  onPath,
  postgresBins,
} from '../../../../../scripts/lib/find-programs.js';

export { sdkTools } from '../../../../../scripts/lib/find-programs.js';

function found(what: string, path: string | undefined): string {
  if (path === undefined) throw new Error(`The tests need ${what}: "npm test" installs it or says how.`);
  return path;
}

/** The directory of Debian's PostgreSQL binaries: version 15, else the oldest newer one. */
export function debianPostgresBin(): string {
  const bins = postgresBins();
  const bin = process.env.PAYDESK_PG_BIN ?? bins.find((dir) => isExecutable(join(dir, 'postgres')));
  return found('a PostgreSQL server from version 15 on', bin);
}

export const redisServer = (): string => found('redis-server', onPath('redis-server'));

export const pgbouncer = (): string => found('PgBouncer', onPath('pgbouncer'));

/** Languages in which examples are written. */
export const python = (): string => found('Python 3', onPath('python3'));
export const php = (): string => found('PHP', onPath('php'));
export const go = (): string => found('Go', onPath('go'));

/** Checks and tests alerts. Undefined where it is missing: npm test says so, and its tests are skipped. */
export const promtool = (): string | undefined => onPath('promtool');

export const chromium = (): string => found('Chromium', findChromium());
