import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/**
 * Puts the packages of the workspace that the service loads into its own `dist`, so that the package `paydesk` installs by
 * itself (D-243): imports of `@paydesk/…` become relative. Other libraries stay dependencies, which can be updated by themselves.
 */

/** Loaded by the service, or read by it (the files of the console and of the documentation). */
const inlined = ['cardsim', 'checkout', 'console', 'contract', 'docs', 'sdk'];

/** The service needs only the output of the package that builds the documentation. */
const workshop = /[/\\]docs[/\\]dist[/\\](?!site([/\\.]|$))/;

/**
 * @param {string} packages the folder of all packages, which are compiled
 */
export function inlinePackages(packages) {
  const dist = join(packages, 'server', 'dist');
  const home = join(dist, 'packages');
  rmSync(home, { recursive: true, force: true });
  for (const name of inlined) {
    const skipped = /\.d\.ts$|\.map$|\.tsbuildinfo$|[/\\]cjs$/;
    cpSync(join(packages, name, 'dist'), join(home, name, 'dist'), {
      recursive: true,
      filter: (path) => !skipped.test(path) && !workshop.test(path),
    });
    const { exports: entries } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
    mkdirSync(join(home, name), { recursive: true });
    writeFileSync(join(home, name, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
    targets.set(`@paydesk/${name}`, entries);
  }
  for (const file of programsBelow(dist)) {
    const text = readFileSync(file, 'utf8');
    // Types are all that is missing in a program, so its source map would tell nothing that it does not.
    const inlinedText = text
      .replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
      .replaceAll(/(['"])(@paydesk\/\w+)(\/[\w./-]+)?\1/g, (_whole, quote, name, below = '') => {
        const path = relative(
          dirname(file),
          join(home, name.slice('@paydesk/'.length), entryOf(name, `.${below}`)),
        );
        return `${quote}${path.startsWith('.') ? '' : './'}${path.split(sep).join('/')}${quote}`;
      });
    if (inlinedText !== text) writeFileSync(file, inlinedText);
  }
}

/** Packages for shop systems, which install by themselves: they carry the SDK. */
const carriers = ['medusa-payment', 'vendure-payment'];

/**
 * Puts the SDK into the packages for shop systems, as CommonJS with its types.
 *
 * @param {string} packages the folder of all packages, which are compiled
 */
export function inlineSdk(packages) {
  for (const name of carriers) {
    const dist = join(packages, name, 'dist', 'cjs');
    const home = join(dist, 'packages', 'sdk');
    rmSync(home, { recursive: true, force: true });
    cpSync(join(packages, 'sdk', 'dist', 'cjs'), home, {
      recursive: true,
      filter: (path) => !path.endsWith('.tsbuildinfo'),
    });
    writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
    const files = readdirSync(dist).filter((file) => /\.(js|d\.ts)$/.test(file));
    for (const file of files.map((one) => join(dist, one))) {
      const text = readFileSync(file, 'utf8');
      const carried = text
        .replaceAll(/(['"])@paydesk\/sdk\1/g, '$1./packages/sdk/index.js$1')
        .replaceAll(/(['"])@paydesk\/sdk\/shop\1/g, '$1./packages/sdk/shop/index.js$1');
      if (carried !== text) writeFileSync(file, carried);
    }
  }
}

/** @type {Map<string, Record<string, unknown>>} */
const targets = new Map();

/**
 * The file that Node.js loads for an import.
 *
 * @param {string} name
 * @param {string} subpath
 * @returns {string}
 */
function entryOf(name, subpath) {
  let target = targets.get(name)?.[subpath];
  while (typeof target === 'object' && target !== null) {
    target = 'import' in target ? target.import : 'default' in target ? target.default : undefined;
  }
  if (typeof target !== 'string')
    throw new Error(`the service loads ${name} ${subpath}, which is not exported`);
  return target;
}

/**
 * @param {string} dir
 * @returns {string[]}
 */
function programsBelow(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !name.includes(`assets${sep}`))
    .map((name) => join(dir, name));
}
