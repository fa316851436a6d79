/**
 * Writes the documentation that the service shows at `/docs`: `dist/site/site.json` names every page, `dist/site/pages` has
 * their content, and `dist/site/assets` the script, the search index and the pictures, each named by its content. Usage:
 * node build-site.js, after tsc.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { buildPages, searchIndex } from './dist/index.js';

const home = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const out = join(home, 'dist', 'site');
const types = {
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
};

process.env.NODE_ENV = 'production';
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, 'assets'), { recursive: true });

/** @type {Record<string, import('./dist/site.js').SiteAsset>} */
const assets = {};

/** @param {string} name @param {string | Uint8Array} content */
function keep(name, content) {
  const extension = extname(name);
  const content_type = types[extension];
  if (content_type === undefined) throw new Error(`${name}: the site serves no such files`);
  const compressed = typeof content === 'string';
  writeFileSync(join(out, 'assets', name), content);
  if (compressed) writeFileSync(join(out, 'assets', `${name}.br`), brotliCompressSync(content));
  assets[name] = { content_type, compressed };
  return name;
}

/** @param {string} name @param {string | Uint8Array} content */
function named(name, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return `${basename(name, extname(name))}-${hash}${extname(name)}`;
}

/** @param {string} file */
function keepPicture(file) {
  const content = readFileSync(join(root, file));
  return keep(named(file, content), content);
}

async function bundle() {
  const result = await build({
    root: home,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    // The second script is beside the first, below any path.
    base: './',
    build: {
      write: false,
      target: ['es2022', 'chrome105', 'firefox105', 'safari16'],
      modulePreload: false,
      rollupOptions: {
        input: { docs: join(home, 'src/client/site.ts') },
        output: { entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  const chunks = (Array.isArray(result) ? result : [result])
    .flatMap((one) => ('output' in one ? one.output : []))
    .filter((file) => file.type === 'chunk');
  for (const { fileName, code } of chunks) keep(fileName, code);
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error('the bundle has no entry');
  return entry.fileName;
}

const { sections, pages, entries } = buildPages({ root, keepPicture });
const index = searchIndex(entries);
const site = {
  sections,
  pages: pages.map(({ content, ...page }) => {
    const file = join(out, 'pages', `${page.path}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(content));
    return page;
  }),
  script: await bundle(),
  search_index: keep(named('search.json', index), index),
  assets,
};
writeFileSync(join(out, 'site.json'), JSON.stringify(site));
