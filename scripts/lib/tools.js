import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, isExecutable, onPath, postgresBins, sdkTools } from './find-programs.js';
import { run } from './workspace.js';

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string[]} packages the Debian packages that bring it
 * @property {() => string | undefined} found where it is
 * @property {RegExp} [for] the paths of the test files that need it
 * @property {boolean} [optional] where it cannot be had, its tests are skipped
 */

/** The directory with the newest PostgreSQL server from 15 on, laid out as Debian does it. */
function postgresBin() {
  const fromEnvironment = process.env.PAYDESK_PG_BIN;
  if (fromEnvironment) return isExecutable(join(fromEnvironment, 'postgres')) ? fromEnvironment : undefined;
  return postgresBins().findLast((bin) =>
    ['postgres', 'initdb', 'pgbench'].every((name) => isExecutable(join(bin, name))),
  );
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

const server = /^packages\/server\/test\//;
const servers = /\/test\/(scenarios|simulation|browser)\//;
const browsers = /\/test\/browser\//;
const verifiers = /\/verifiers\.test\.ts$/;

const sdks = /\/sdks\.test\.ts$/;

/** What the tests need beside Node.js. @type {Tool[]} */
const tools = [
  {
    name: 'PostgreSQL 15 or newer (server and pgbench)',
    packages: ['postgresql'],
    found: postgresBin,
    for: servers,
  },
  {
    name: 'Redis (redis-server)',
    packages: ['redis-server'],
    found: () => onPath('redis-server'),
    for: servers,
  },
  { name: 'Chromium', packages: ['chromium-headless-shell'], found: chromium, for: browsers },
  {
    name: 'Noto fonts',
    packages: ['fonts-noto-core'],
    found: () => font('NotoSans-Regular'),
    for: browsers,
  },
  { name: 'curl', packages: ['curl'], found: () => onPath('curl'), for: server },
  { name: 'Python 3', packages: ['python3-minimal'], found: () => onPath('python3'), for: verifiers },
  { name: 'PHP', packages: ['php-cli'], found: () => onPath('php'), for: verifiers },
  { name: 'Go', packages: ['golang-go'], found: () => onPath('go'), for: /\/(verifiers|sdks)\.test\.ts$/ },
  {
    name: 'the library of Python 3',
    packages: ['python3'],
    found: sdkTools.python,
    for: sdks,
    optional: true,
  },
  {
    name: 'PHP with curl',
    packages: ['php-cli', 'php-curl'],
    found: sdkTools.php,
    for: sdks,
    optional: true,
  },
  {
    name: 'promtool',
    packages: ['prometheus'],
    found: () => onPath('promtool'),
    for: /\/alerts\.test\.ts$/,
    optional: true,
  },
  {
    name: 'Noto CJK fonts',
    packages: ['fonts-noto-cjk'],
    found: () => font('NotoSansCJK-Regular'),
    for: browsers,
  },
];

/** What only pictures need. @type {Tool[]} */
export const pictureTools = [{ name: 'pngquant', packages: ['pngquant'], found: () => onPath('pngquant') }];

/** What only the test of the container needs: it makes a system and runs the image there. @type {Tool[]} */
export const containerTools = [
  ...tools.filter((tool) => /^(PostgreSQL|Redis)/.test(tool.name)),
  { name: 'debootstrap', packages: ['debootstrap'], found: () => onPath('debootstrap') },
  { name: 'podman', packages: ['podman', 'crun'], found: () => onPath('podman') },
  { name: 'strip', packages: ['binutils'], found: () => onPath('strip') },
];

/** @type {Tool} */
const pooler = { name: 'PgBouncer', packages: ['pgbouncer'], found: () => onPath('pgbouncer') };

/**
 * What a drill needs.
 *
 * @param {string} drill
 */
export const drillTools = (drill) => [
  ...tools.filter((tool) => tool.for === servers),
  ...(drill === 'pgbouncer' ? [pooler] : []),
];

const missingOf = (/** @type {Tool[]} */ wanted) => wanted.filter((tool) => tool.found() === undefined);

/** What all tests need. */
export const allTools = tools;

/**
 * What these test files need.
 *
 * @param {string[]} files their paths from the root
 */
export const toolsFor = (files) => tools.filter((tool) => files.some((file) => tool.for?.test(file)));

/**
 * Runs apt-get without questions. The environment keeps package scripts from starting services: the tests run
 * servers of their own.
 *
 * @param {string[]} args
 */
async function apt(args) {
  const env = {
    ...process.env,
    DEBIAN_FRONTEND: 'noninteractive',
    SYSTEMD_OFFLINE: '1',
    NEEDRESTART_SUSPEND: '1',
  };
  const { code, output } = await run('apt-get', ['-q', '-y', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env,
    quiet: true,
  });
  if (code === 0) return;
  process.stderr.write(output);
  throw new Error(`"apt-get ${args.join(' ')}" failed (output above).`);
}

/**
 * Makes sure that tools are there: installs what is missing on Debian as root, and otherwise says what to install.
 *
 * @param {(line: string) => void} say
 * @param {Tool[]} wanted
 * @throws {Error} whose message tells the user what to do
 */
export async function ensureTools(say, wanted) {
  const installable = process.getuid?.() === 0 && onPath('apt-get') !== undefined;
  const absent = missingOf(wanted);
  const missing = installable ? absent : absent.filter((tool) => !tool.optional);
  const skipped = absent.filter((tool) => !missing.includes(tool));
  if (skipped.length > 0)
    say(`without ${skipped.map((tool) => tool.name).join(', ')}: its tests are skipped`);
  if (missing.length === 0) return;
  const packages = missing.flatMap((tool) => tool.packages).join(' ');
  const names = missing.map((tool) => tool.name).join(', ');
  if (!installable) {
    throw new Error(
      `The tests need ${names}.\nOn Debian or Ubuntu: sudo apt-get install --no-install-recommends ${packages}`,
    );
  }
  say(`installing ${packages}`);
  await apt(['update']);
  await apt(['install', '--no-install-recommends', ...packages.split(' ')]);
  const still = missingOf(wanted);
  if (still.length > 0) {
    throw new Error(`Still missing after the installation: ${still.map((tool) => tool.name).join(', ')}.`);
  }
}
