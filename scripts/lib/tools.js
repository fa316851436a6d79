import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @typedef {{ name: string, packages: string[], found: () => string | undefined }} Tool */

/** @param {string} path */
function isExecutable(path) {
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
function onPath(...names) {
  // Debian keeps servers in sbin, which an ordinary user's PATH may lack.
  const dirs = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return names
    .flatMap((name) => dirs.filter((dir) => dir !== '').map((dir) => join(dir, name)))
    .find(isExecutable);
}

/** The directory with the newest PostgreSQL server from 15 on, laid out as Debian does it. */
function postgresBin() {
  const fromEnvironment = process.env.PAYDESK_PG_BIN;
  if (fromEnvironment) return isExecutable(join(fromEnvironment, 'postgres')) ? fromEnvironment : undefined;
  const root = '/usr/lib/postgresql';
  const majors = existsSync(root) ? readdirSync(root).map(Number) : [];
  return majors
    .filter((major) => major >= 15)
    .sort((a, b) => b - a)
    .map((major) => join(root, String(major), 'bin'))
    .find((bin) => ['postgres', 'initdb', 'pgbench'].every((name) => isExecutable(join(bin, name))));
}

function chromium() {
  const fromEnvironment = process.env.PAYDESK_CHROMIUM;
  if (fromEnvironment) return isExecutable(fromEnvironment) ? fromEnvironment : undefined;
  return onPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
}

/**
 * A font file below the usual directories whose name starts so.
 *
 * @param {string} prefix
 */
function font(prefix) {
  const root = '/usr/share/fonts';
  if (!existsSync(root)) return undefined;
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).find((path) =>
    (path.split('/').at(-1) ?? '').startsWith(prefix),
  );
}

/** What the tests need beside Node.js, and the Debian packages that bring it. @type {Tool[]} */
const tools = [
  { name: 'PostgreSQL 15 or newer (server and pgbench)', packages: ['postgresql'], found: postgresBin },
  { name: 'Redis (redis-server)', packages: ['redis-server'], found: () => onPath('redis-server') },
  { name: 'Chromium', packages: ['chromium'], found: chromium },
  { name: 'Noto fonts', packages: ['fonts-noto-core'], found: () => font('NotoSans-Regular') },
  { name: 'curl', packages: ['curl'], found: () => onPath('curl') },
  { name: 'Python 3', packages: ['python3-minimal'], found: () => onPath('python3') },
  { name: 'PHP', packages: ['php-cli'], found: () => onPath('php') },
  { name: 'Go', packages: ['golang-go'], found: () => onPath('go') },
  { name: 'Noto CJK fonts', packages: ['fonts-noto-cjk'], found: () => font('NotoSansCJK-Regular') },
];

/** What only pictures need. @type {Tool[]} */
export const pictureTools = [{ name: 'pngquant', packages: ['pngquant'], found: () => onPath('pngquant') }];

const missingOf = (/** @type {Tool[]} */ wanted) => wanted.filter((tool) => tool.found() === undefined);

/**
 * Runs apt-get without questions. The environment keeps package scripts from starting services: the tests run
 * servers of their own.
 *
 * @param {string[]} args
 */
function apt(args) {
  const env = {
    ...process.env,
    DEBIAN_FRONTEND: 'noninteractive',
    SYSTEMD_OFFLINE: '1',
    NEEDRESTART_SUSPEND: '1',
  };
  const result = spawnSync('apt-get', ['-q', '-y', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status === 0) return;
  process.stderr.write(`${result.stdout}${result.stderr}`);
  throw new Error(`"apt-get ${args.join(' ')}" failed (output above).`);
}

/**
 * Makes sure that everything the tests run is there: installs what is missing on Debian as root, and otherwise
 * says what to install.
 *
 * @param {(line: string) => void} say
 * @param {Tool[]} [more] what is needed beside what every test run needs
 * @throws {Error} whose message tells the user what to do
 */
export function ensureTools(say, more = []) {
  const wanted = [...tools, ...more];
  const missing = missingOf(wanted);
  if (missing.length === 0) return;
  const packages = missing.flatMap((tool) => tool.packages).join(' ');
  const names = missing.map((tool) => tool.name).join(', ');
  const installable = process.getuid?.() === 0 && onPath('apt-get') !== undefined;
  if (!installable) {
    throw new Error(
      `The tests need ${names}.\nOn Debian or Ubuntu: sudo apt-get install --no-install-recommends ${packages}`,
    );
  }
  say(`installing ${packages}`);
  apt(['update']);
  apt(['install', '--no-install-recommends', ...packages.split(' ')]);
  const still = missingOf(wanted);
  if (still.length > 0) {
    throw new Error(`Still missing after the installation: ${still.map((tool) => tool.name).join(', ')}.`);
  }
}
