/**
 * Builds what browsers load: the script and the style of the checkout, the script of the account's pages, each named
 * by its content, the script that embeds the checkout in other pages (from the SDK), all scripts also compressed, and a
 * manifest that names them. Usage: node build-assets.js [directory], by default dist/assets.
 */
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const [, , directory = fileURLToPath(new URL('dist/assets', import.meta.url))] = process.argv;
const out = pathToFileURL(`${directory}/`);

const sourceOf = (name) => fileURLToPath(new URL(`src/client/${name}`, import.meta.url));

/** From 2021 on: modules, bigint, Intl with parts. */
const browsers = ['chrome100', 'firefox100', 'safari15.4'];

// Always build what is shipped, whatever the environment says.
process.env.NODE_ENV = 'production';

/**
 * @param {import('vite').Rollup.RollupOptions} rollupOptions
 * @param {import('vite').Plugin[]} [plugins]
 * @param {boolean} [cssCodeSplit]
 */
async function bundle(rollupOptions, plugins = [], cssCodeSplit = false) {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins,
    build: {
      write: false,
      target: ['es2021', ...browsers],
      // From `es2021` Vite would conclude older browsers, for which it writes styles twice.
      cssTarget: browsers,
      modulePreload: false,
      cssCodeSplit,
      rollupOptions,
    },
  });
  return (Array.isArray(result) ? result : [result]).flatMap((one) => ('output' in one ? one.output : []));
}

const without = {
  '/embedded.ts': sourceOf('not-embedded.ts'),
  '/top-ups/links.tsx': sourceOf('../view/top-ups/no-links.ts'),
};

/** Leaves out what only pages in frames and pages around top-ups need (D-256). @type {import('vite').Plugin} */
const lean = {
  name: 'lean',
  enforce: 'pre',
  resolveId: (source) => Object.entries(without).find(([end]) => source.endsWith(end))?.[1] ?? null,
};

const output = await bundle({ input: { checkout: sourceOf('bundle.ts') } }, [lean]);
const script = output.find((file) => file.type === 'chunk');
const style = output.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'));
// A style alone is its own chunk.
const account = (await bundle({ input: sourceOf('styles/account.css') }, [], true)).find(
  (file) => file.type === 'asset',
);
if (account === undefined || script === undefined || style === undefined || output.length !== 2) {
  const built = output.map((file) => file.fileName).join(', ');
  throw new Error(`expected one script and one style; built ${built}`);
}
const [full] = await bundle({ input: sourceOf('main.tsx') });
const [passkeys] = await bundle({ input: sourceOf('passkeys.ts') });
const [embed] = await bundle({
  input: fileURLToPath(new URL('../sdk/src/embed/v1/main.ts', import.meta.url)),
  output: { format: 'iife' },
});

/** @param {string} label @param {string} extension @param {string | Uint8Array} content */
async function write(label, extension, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const name = `${label}-${hash}.${extension}`;
  await writeFile(new URL(name, out), content);
  if (extension !== 'js') return name;
  await writeFile(new URL(`${name}.br`, out), await promisify(brotliCompress)(content));
  await writeFile(new URL(`${name}.gz`, out), await promisify(gzip)(content, { level: 9 }));
  return name;
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const manifest = {
  script: await write('checkout', 'js', script.code),
  full: await write('full', 'js', full.code),
  passkeys: await write('passkeys', 'js', passkeys.code),
  style: await write('checkout', 'css', style.source),
  account: await write('account', 'css', account.source),
  embed: await write('embed', 'js', embed.code),
};
await writeFile(new URL('manifest.json', out), `${JSON.stringify(manifest, null, 2)}\n`);
