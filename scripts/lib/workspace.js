import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleOpenTelemetry } from './bundle-opentelemetry.js';
import { bundleService } from './bundle-service.js';
import { inlinePackages, inlineSdk } from './inline-packages.js';
import { refusalOfNode } from '../../packages/server/bin/node-version.js';

/** What the scripts of this directory share. They run on a fresh clone, before anything is installed. */

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Ends the process with one sentence where this Node.js cannot go on. */
export function requireNode() {
  const refusal = refusalOfNode(process.versions.node);
  if (refusal === null) return;
  console.error(refusal);
  process.exit(1);
}

/**
 * @typedef {object} RunOptions
 * @property {boolean} [quiet] keep the output back, for the result
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [niceness] how much it gives way to other programs: 0, the default, to 19
 */

/**
 * Runs a program in the root of the workspace.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>} the output only where it was kept back
 */
export function run(command, args, { quiet = false, env = process.env, niceness = 0 } = {}) {
  return new Promise((resolve) => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, args, { cwd: root, env, stdio });
    endWithUs(child);
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => (output += chunk.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
const endings = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** Passes a signal on, and ends: a program that was started for us has no work without us. */
const passOn = (/** @type {NodeJS.Signals} */ signal) => {
  for (const child of running) child.kill(signal);
  process.exit(128 + constants.signals[signal]);
};

/** @param {import('node:child_process').ChildProcess} child */
function endWithUs(child) {
  if (running.size === 0) for (const signal of endings) process.on(signal, passOn);
  running.add(child);
  const forget = () => {
    if (running.delete(child) && running.size === 0) {
      for (const signal of endings) process.off(signal, passOn);
    }
  };
  child.once('close', forget);
  child.once('error', forget);
}

/**
 * Runs npm: the one that runs us, else the one on PATH.
 *
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export function npm(args, options) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith('npm-cli.js')) return run(process.execPath, [cli, ...args], options);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options);
}

/**
 * The file that an installed package's program starts from.
 *
 * @param {string} path below `node_modules`
 */
export const installed = (path) => join(root, 'node_modules', ...path.split('/'));

/**
 * The time of a file's last change, or zero where there is none.
 *
 * @param {string} path
 */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Installs exactly the locked dependencies, unless that was done already, by us or by hand.
 *
 * @param {(line: string) => void} say
 * @throws {Error} where npm fails
 */
export async function ensureInstalled(say) {
  const lock = join(root, 'package-lock.json');
  const stamp = installed('.paydesk-lock');
  const digest = createHash('sha256').update(readFileSync(lock)).digest('hex');
  const wanted = `${digest} ${process.platform}-${process.arch}`;
  if (existsSync(stamp)) {
    if (readFileSync(stamp, 'utf8') === wanted) return;
  } else if (changedAt(installed('.package-lock.json')) > changedAt(lock)) {
    writeFileSync(stamp, wanted);
    return;
  }
  say('installing the locked dependencies');
  const { code } = await npm(['ci', '--include=dev', '--no-audit', '--no-fund']);
  if (code !== 0) throw new Error('"npm ci" failed (output above).');
  writeFileSync(stamp, wanted);
}

/**
 * Every file below a directory.
 *
 * @param {string} dir
 * @returns {string[]}
 */
function filesBelow(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** Written by the build itself. */
const generated = join(root, 'packages', 'console', 'src', 'api', 'schema.d.ts');

/** What the build reads, as one digest: a change anywhere in it asks for another build. */
function sourceDigest() {
  const packages = filesIn('packages');
  const shared = ['package-lock.json', 'tsconfig.build.json', 'tsconfig.base.json'].map((name) =>
    join(root, name),
  );
  const hash = createHash('sha256');
  for (const file of [...shared, ...packages, ...documentation()].sort()) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** Pages that the service shows, apart from those of packages. */
const documentation = () =>
  [
    join(root, 'CHANGELOG.md'),
    join(root, 'SECURITY.md'),
    ...['docs', 'examples', 'sdks'].flatMap((name) => filesBelow(join(root, name))),
  ].filter((path) => path.endsWith('.md') && !/[/\\](adr|recipes|node_modules)[/\\]|requirements/.test(path));

/**
 * The sources of all packages, their own build scripts and settings included, tests left out.
 *
 * @param {string} parent
 */
function filesIn(parent) {
  return readdirSync(join(root, parent)).flatMap((name) => {
    const home = join(root, parent, name);
    const own = readdirSync(home, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(home, entry.name));
    const sources = filesBelow(join(home, 'src')).filter((path) => !/\.test\.tsx?$/.test(path));
    return [...own, ...sources].filter((path) => path !== generated && !path.includes(`${sep}dist${sep}`));
  });
}

const buildStamp = join(root, 'packages', 'server', 'dist', '.build-stamp');

const packages = () => readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));

/** Whether every package is built from the sources that are here now. */
export function isBuilt() {
  const complete = packages().every((home) => existsSync(join(home, 'dist')));
  return complete && existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === sourceDigest();
}

/** Whether there is what browsers load, of these sources or of earlier ones. */
const hasAssets = () =>
  ['checkout', 'console'].every((name) =>
    existsSync(join(root, 'packages', name, 'dist', 'assets', 'manifest.json')),
  );

/**
 * Compiles every package and bundles what browsers load.
 *
 * @param {RunOptions} [options]
 * @param {() => void} [onTypes] called when all types are there: a check of the sources can begin
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function build(options, onTypes = () => undefined) {
  if (!existsSync(installed('@typescript/native/bin/tsc'))) {
    const output =
      'The build needs the tools of development. Run "npm ci --include=dev" first, then "npm run build".\n' +
      'Afterwards "npm prune --omit=dev" removes them.';
    if (options?.quiet !== true) console.error(output);
    return { code: 1, output };
  }
  const digest = sourceDigest();
  const tsc = (...projects) =>
    run(process.execPath, [installed('@typescript/native/bin/tsc'), '-b', ...projects], options);
  const script = (name, home) => npm(['run', '--silent', name, '-w', `packages/${home}`], options);
  const steps = [
    // The console's types come from the contract.
    () => [tsc('packages/contract/tsconfig.build.json')],
    () => [script('build:types', 'console')],
    () => [tsc('tsconfig.build.json')],
    () => {
      onTypes();
      return [
        script('build:assets', 'console'),
        script('build:assets', 'checkout'),
        script('build:site', 'docs'),
      ];
    },
  ];
  let last = { code: 0, output: '' };
  for (const step of steps) {
    const ended = await Promise.all(step());
    last = ended.find(({ code }) => code !== 0) ?? last;
    if (last.code !== 0) return last;
  }
  // The files beside it are CommonJS, although the package is not.
  writeFileSync(join(root, 'packages', 'sdk', 'dist', 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
  inlinePackages(join(root, 'packages'));
  inlineSdk(join(root, 'packages'));
  await bundleOpenTelemetry(join(root, 'packages'));
  await bundleService(join(root, 'packages'));
  const bill = await writeBillOfMaterials(join(root, 'packages', 'server', 'dist', 'sbom.cdx.json'));
  if (bill.code !== 0) return bill;
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, digest);
  return last;
}

/** The packages whose dependencies are part of the built service: what it loads, and what browsers load. */
const shipped = ['server', 'checkout', 'console'];

/**
 * Writes what the built service consists of, in the form of CycloneDX, for scanners. npm makes it from the lock file and
 * asks no registry.
 *
 * @param {string} file
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function writeBillOfMaterials(file) {
  const form = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const workspaces = shipped.flatMap((name) => ['--workspace', `packages/${name}`]);
  const { code, output } = await npm(['sbom', ...form, ...workspaces, '--loglevel', 'silent'], {
    quiet: true,
  });
  if (code !== 0) return { code, output: `npm sbom failed: ${output}` };
  const bill = JSON.parse(output.slice(output.indexOf('{')));
  // npm takes the name of the directory.
  bill.metadata.component.name = 'paydesk';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
  return { code: 0, output: '' };
}

/**
 * Builds, unless nothing has changed since the last time.
 *
 * @param {(line: string) => void} say
 * @throws {Error} where the build fails
 */
export async function ensureBuilt(say) {
  if (isBuilt()) return;
  say('building');
  const { code } = await build();
  if (code !== 0) throw new Error('The build failed (output above).');
}

/**
 * Builds where test files need it. Most run the sources. Tests of the built program and of what browsers load need a
 * build of these very sources; the other tests of the service take what browsers load as it is.
 *
 * @param {string[]} files paths of test files from the root
 * @param {(line: string) => void} say
 * @throws {Error} where the build fails
 */
export async function ensureBuiltFor(files, say) {
  const needs = (/** @type {RegExp} */ folders) => files.some((file) => folders.test(file));
  if (
    needs(/\/test\/(crash|embedded|browser)\/|\/guide-commands\./) ||
    (needs(/\/test\/scenarios\//) && !hasAssets())
  ) {
    await ensureBuilt(say);
  }
}
