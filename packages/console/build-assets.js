/**
 * Bundles the consoles: one entry and one chunk for each route, each file named by its content, and a manifest of the
 * files that the page loads itself. Usage: node build-assets.js [directory], by default dist/assets.
 */
import react from '@vitejs/plugin-react';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const [, , out = fileURLToPath(new URL('dist/assets', import.meta.url))] = process.argv;
const entry = 'src/main.tsx';

// Always build what is shipped, whatever the environment says.
process.env.NODE_ENV = 'production';

/** The chunks of a build. */
function gathered() {
  const chunks = [];
  const gather = (_options, files) => {
    chunks.push(...Object.values(files).filter(({ type }) => type === 'chunk'));
  };
  return { chunks, plugin: { name: 'gather', generateBundle: gather } };
}

const homes = ['src/merchant/home/home-screen.tsx', 'src/platform/overview/overview-screen.tsx'];
const frames = ['src/merchant/merchant-frame.tsx', 'src/platform/platform-frame.tsx'];

/** The modules that a page executes for some of its own, before anything is imported later. */
function modulesOf(chunks, sources) {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set();
  const add = (chunk) => {
    if (chunk === undefined || found.has(chunk)) return;
    found.add(chunk);
    for (const file of chunk.imports) add(byFile.get(file));
  };
  for (const chunk of chunks) {
    if (sources.some((source) => chunk.facadeModuleId === join(root, source))) add(chunk);
  }
  return new Set([...found].flatMap(({ moduleIds }) => moduleIds));
}

/**
 * What a first visit of both consoles needs, in two files instead of dozens: that compresses better. Our own modules stay
 * apart from the entry, because they read their texts when they are executed.
 */
function groupsOf(chunks) {
  const start = modulesOf(chunks, [entry]);
  const [first, ...others] = homes.map((home, side) => modulesOf(chunks, [entry, home, frames[side]]));
  const shared = [...first].filter((id) => others.every((other) => other.has(id)));
  const isPackage = (id) => !id.startsWith(join(root, 'src'));
  const early = new Set([
    ...start,
    ...[...first, ...others.flatMap((other) => [...other])].filter(isPackage),
  ]);
  const late = new Set(shared.filter((id) => !early.has(id)));
  return [
    { name: 'main', test: (id) => early.has(id) },
    { name: 'shared', test: (id) => late.has(id) },
  ];
}

/** Leaves out the styles of Mantine's components that no screen uses: a third of all (D-1400). */
function usedStyles(chunks) {
  const used = new Set(
    chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => /components\/(\w+)\//.exec(id)?.[1])),
  );
  return {
    name: 'used-styles',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('@mantine/core/styles.css')) return null;
      const own = dirname(id);
      let styles = await readFile(id, 'utf8');
      for (const component of await readdir(join(own, 'esm/components'))) {
        const file = join(own, 'styles', `${component}.css`);
        if (used.has(component) || !existsSync(file)) continue;
        styles = styles.replace((await readFile(file, 'utf8')).trim(), '');
      }
      return styles;
    },
  };
}

const settings = {
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  // Relative addresses between the files: the service may lie below any path.
  base: './',
  plugins: [react()],
  build: {
    outDir: out,
    assetsDir: '.',
    manifest: 'vite-manifest.json',
    // Browsers from 2022 on.
    target: ['es2022', 'chrome105', 'firefox105', 'safari16'],
    modulePreload: { polyfill: false },
    // Pictures stay files rather than data: addresses inside a style.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: { input: join(root, entry) },
  },
};

// The first build only shows which modules a first visit needs.
const draft = gathered();
await build({
  ...settings,
  plugins: [...settings.plugins, draft.plugin],
  build: { ...settings.build, write: false, minify: false },
});
await rm(out, { recursive: true, force: true });
settings.plugins.push(usedStyles(draft.chunks));
settings.build.rolldownOptions.output = { codeSplitting: { groups: groupsOf(draft.chunks) } };
await build(settings);

const manifest = JSON.parse(await readFile(join(out, 'vite-manifest.json'), 'utf8'));

/** The files of a chunk and of all its static imports. */
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
  const content = await readFile(join(out, name));
  await writeFile(join(out, `${name}.br`), await promisify(brotliCompress)(content));
  await writeFile(join(out, `${name}.gz`), await promisify(gzip)(content, { level: 9 }));
}

/** The files of the texts, by language and area: a page loads those of its screen with the scripts. */
const texts = {};
for (const { src = '', file } of Object.values(manifest)) {
  const [, area, tag] = /^src\/texts\/([\w-]+)\/([\w-]+)\.ts$/.exec(src) ?? [];
  if (tag !== undefined) (texts[tag] ??= {})[area] = file;
}

/** The screens by the paths of their routes, read from the routes themselves: the build knows no paths. */
async function screensOf(side) {
  const source = await readFile(join(root, `src/${side}/routes.tsx`), 'utf8');
  const found = [
    ...source.matchAll(
      /path: '([^']*)',\s+component: screen\(\(\) => import\('\.\/([^']+)'\), '\w+'(?:, \[([^\]]*)\])?/g,
    ),
  ].map(([, path, file, areas = '']) => ({
    path,
    scripts: filesOf(`src/${side}/${file}`).scripts,
    areas: areas.match(/[\w-]+/g) ?? [],
  }));
  if (found.length !== source.split('createRoute({').length - 1) throw new Error(`unknown routes of ${side}`);
  const [frame, ...others] = found;
  return others.map(({ path, scripts, areas }) => ({
    path: frame.path + (path === '/' ? '' : path),
    preloads: [...new Set([...frame.scripts, ...scripts])].filter((file) => !early.has(file)),
    areas: [...new Set(['core', 'codes', ...frame.areas, ...areas])],
  }));
}

const { scripts, styles } = filesOf(entry);
const early = new Set(scripts);
const [script, ...preloads] = scripts;
const screens = [...(await screensOf('merchant')), ...(await screensOf('platform'))];
await rm(join(out, 'vite-manifest.json'));
await writeFile(
  join(out, 'manifest.json'),
  `${JSON.stringify({ script, preloads, styles, texts, screens }, null, 2)}\n`,
);
