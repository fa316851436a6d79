import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/**
 * What must hold of each package before it is published. Every check gives what is wrong, as sentences; empty if nothing is.
 *
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} home the folder of the package
 * @property {string} tarball the file
 * @property {string[]} files paths in the package
 * @property {Record<string, any>} manifest
 */

/** Licences under which a library may be part of what we publish. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Of fonts, which may be shipped with software.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]);

/** Libraries whose manifest does not name their licence: a person has read it (D-369). */
const licencesRead = new Map([
  // The fonts of documents: they may be shipped with software, under their name only if unchanged.
  ['dejavu-fonts-ttf', 'Bitstream-Vera'],
  ['png-js', 'MIT'],
]);

/**
 * Versions are equal everywhere, and the changelog has a section with a date for them.
 *
 * @param {string} version
 * @param {Packed[]} packages
 * @param {string} changelog
 * @returns {string[]}
 */
export function wrongVersions(version, packages, changelog) {
  const wrong = packages
    .filter(({ manifest }) => manifest.version !== version)
    .map(({ name, manifest }) => `${name} has version ${manifest.version} instead of ${version}`);
  const section = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)`, 'm');
  if (!section.test(changelog)) wrong.push(`CHANGELOG.md has no section "## ${version} (date)"`);
  return wrong;
}

/**
 * The address of the sources: without it npm accepts no provenance. The root's manifest names the place once, and each package
 * repeats it. While nothing is published, none of them names one (D-370).
 *
 * @param {string | undefined} repository of the root's manifest
 * @param {Packed[]} packages
 * @returns {string[]} why nothing can be published
 */
export function wrongRepository(repository, packages) {
  if (repository === undefined)
    return [
      'package.json does not say where the sources are: give it "repository": "https://…", and each package an object with that url and its directory',
    ];
  return packages
    .filter(({ manifest }) => manifest.repository?.url !== repository)
    .map(({ name }) => `${name} has not the repository ${repository}`);
}

/** The files that name the version of an SDK in another language. */
const sdk_versions = [
  { sdk: 'python', file: 'src/paydesk/_version.py', at: /^__version__ = "(.+)"$/m },
  { sdk: 'php', file: 'composer.json', at: /^ {4}"version": "(.+)",$/m },
  { sdk: 'php', file: 'src/Client.php', at: /const VERSION = '(.+)';$/m },
  { sdk: 'go', file: 'doc.go', at: /^const Version = "(.+)"$/m },
];

/**
 * The SDKs in other languages carry the version of the packages, and the licence (D-287).
 *
 * @param {string} version
 * @param {string} folder of the SDKs
 * @returns {string[]}
 */
export function wrongSdks(version, folder) {
  const wrong = sdk_versions.flatMap(({ sdk, file, at }) => {
    const [, found] = at.exec(readFileSync(join(folder, sdk, file), 'utf8')) ?? [];
    return found === version
      ? []
      : [`sdks/${sdk}/${file} has version ${found ?? '(none)'} instead of ${version}`];
  });
  const licence = readFileSync(join(folder, '..', 'LICENSE'), 'utf8');
  for (const sdk of new Set(sdk_versions.map((one) => one.sdk))) {
    const own = join(folder, sdk, 'LICENSE');
    if (!existsSync(own) || readFileSync(own, 'utf8') !== licence)
      wrong.push(`sdks/${sdk} lacks the LICENSE`);
  }
  return wrong;
}

/**
 * A package has what a reader looks for, nothing of its workshop, and needs no package of this workspace from a registry.
 *
 * @param {Packed} packed
 * @returns {string[]}
 */
export function wrongContents({ name, home, files, manifest }) {
  const wrong = ['LICENSE', 'README.md', 'package.json']
    .filter((file) => !files.includes(file))
    .map((file) => `${name} has no ${file}`);
  const stray = /\.test\.|\.tsbuildinfo$|\.build-stamp$|(^|\/)\.env|\.d\.ts\.map$/;
  wrong.push(...files.filter((file) => stray.test(file)).map((file) => `${name} contains ${file}`));
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies']) {
    const ours = Object.keys(manifest[kind] ?? {}).filter((one) => one.startsWith('@paydesk/'));
    wrong.push(...ours.map((one) => `${name} needs ${one} from a registry`));
  }
  if (manifest.license !== 'Apache-2.0') wrong.push(`${name} has the licence ${manifest.license}`);
  if (manifest.engines?.node === undefined) wrong.push(`${name} does not say which Node.js it needs`);
  if (manifest.publishConfig?.provenance !== true)
    wrong.push(`${name} would be published without provenance`);
  wrong.push(
    ...files
      .filter((file) => isLeftOver(home, file))
      .map((file) => `${name} contains ${file}, whose source is gone: build in a fresh clone`),
  );
  for (const file of files.filter((one) => /\.[cm]?js$/.test(one))) {
    const fault = faultOfMap(home, file, files);
    if (fault !== undefined) wrong.push(`${name}: ${file} ${fault}`);
  }
  return wrong;
}

/**
 * Whether a compiled file is of an earlier build: the compiler does not remove it with its source.
 *
 * @param {string} home
 * @param {string} file
 */
function isLeftOver(home, file) {
  const [, path] = /^dist\/(?!(?:cjs\/)?packages\/|program\/)(?:cjs\/)?(.+)\.js$/.exec(file) ?? [];
  return path !== undefined && !['.ts', '.tsx'].some((end) => existsSync(join(home, 'src', path + end)));
}

/**
 * A source map that a program names is there, and so are the sources that it names.
 *
 * @param {string} home
 * @param {string} file
 * @param {string[]} files
 * @returns {string | undefined}
 */
function faultOfMap(home, file, files) {
  const [, map] = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(join(home, file), 'utf8')) ?? [];
  if (map === undefined) return undefined;
  const path = join(dirname(file), map).replaceAll('\\', '/');
  if (!files.includes(path)) return `names ${map}, which is not there`;
  const { sources, sourcesContent = [] } = JSON.parse(readFileSync(join(home, path), 'utf8'));
  const missing = sources.filter((_source, i) => typeof sourcesContent[i] !== 'string');
  return missing.length === 0 ? undefined : `has a map without ${missing.join(', ')}`;
}

/** Libraries of development that the build puts into a package. */
const bundled = /\/@opentelemetry\//;

/**
 * Libraries that are installed with our packages, or are part of them, have a licence that allows it (D-369).
 *
 * @param {string} lock_file
 * @returns {string[]}
 */
export function wrongLicences(lock_file) {
  /** @type {{ packages: Record<string, { license?: string, dev?: boolean, link?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(lock_file, 'utf8'));
  const fits = (/** @type {string} */ text) =>
    text
      .replaceAll(/[()]/g, '')
      .split(' OR ')
      .some((choice) => choice.split(' AND ').every((one) => allowed.has(one.trim())));
  return Object.entries(packages)
    .filter(
      ([path, one]) =>
        path.includes('node_modules/') && (one.dev !== true || bundled.test(path)) && one.link !== true,
    )
    .filter(([path]) => !licencesRead.has(path.slice(path.lastIndexOf('node_modules/') + 13)))
    .filter(([, { license }]) => license === undefined || !fits(license))
    .map(([path, { license }]) => `${path} has the licence ${license ?? '(none)'}`);
}

/**
 * Types and entries are found under every resolution that the package promises. A package that can be required promises
 * all of them; others are ES modules only.
 *
 * @param {Packed} packed
 * @returns {Promise<string[]>}
 */
export async function wrongTypes({ name, home, tarball, manifest }) {
  const bytes = readFileSync(tarball);
  const { messages } = await publint({
    level: 'suggestion',
    strict: true,
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) },
  });
  const wrong = messages.map((message) => `${name}: ${formatMessage(message, manifest) ?? message.code}`);
  const isRequired = existsSync(join(home, 'dist', 'cjs'));
  if (manifest.types === undefined) return wrong;
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
  const esmOnly = new Set(['node10', 'node16-cjs']);
  const problems = analysis.types === false ? [{ kind: 'no types' }] : analysis.problems;
  for (const problem of problems) {
    const resolution = 'resolutionKind' in problem ? problem.resolutionKind : undefined;
    if (!isRequired && resolution !== undefined && esmOnly.has(resolution)) continue;
    const entry = 'entrypoint' in problem ? problem.entrypoint : '';
    wrong.push(`${name}: types: ${problem.kind} ${entry} ${resolution ?? ''}`.trimEnd());
  }
  return wrong;
}
