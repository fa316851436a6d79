/**
 * Bundles the application: one entry, one chunk for each route, every file named by its content, and a manifest that
 * names what the page itself has to load. Usage: node build-assets.js [directory], by default dist/assets.
 */
import react from '@vitejs/plugin-react';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const [, , out = fileURLToPath(new URL('dist/assets', import.meta.url))] = process.argv;
const entry = 'src/main.tsx';

// What is shipped, whatever this is set to where somebody builds.
process.env.NODE_ENV = 'production';

await rm(out, { recursive: true, force: true });
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  // Files name one another relative to themselves: the service may lie below any path.
  base: './',
  plugins: [react()],
  build: {
    outDir: out,
    assetsDir: '.',
    manifest: 'vite-manifest.json',
    // As the checkout: browsers from 2022 on.
    target: ['es2022', 'chrome105', 'firefox105', 'safari16'],
    modulePreload: { polyfill: false },
    // A picture inside a style sheet would be a data: address; these stay files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rollupOptions: { input: join(root, entry) },
  },
});

const manifest = JSON.parse(await readFile(join(out, 'vite-manifest.json'), 'utf8'));

/** The files of a chunk and of all that it imports at once. */
function filesOf(name, seen = new Set()) {
  if (seen.has(name)) return { scripts: [], styles: [] };
  seen.add(name);
  const { file, css = [], imports = [] } = manifest[name];
  const below = imports.map((other) => filesOf(other, seen));
  return {
    scripts: [file, ...below.flatMap(({ scripts }) => scripts)],
    styles: [...below.flatMap(({ styles }) => styles), ...css],
  };
}

for (const name of await readdir(out)) {
  if (!/\.(js|css)$/.test(name)) continue;
  await writeFile(join(out, `${name}.br`), await promisify(brotliCompress)(await readFile(join(out, name))));
}

const { scripts, styles } = filesOf(entry);
const [script, ...preloads] = scripts;
await rm(join(out, 'vite-manifest.json'));
await writeFile(join(out, 'manifest.json'), `${JSON.stringify({ script, preloads, styles }, null, 2)}\n`);
