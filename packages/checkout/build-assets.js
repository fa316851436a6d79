/**
 * Builds what browsers load: one script and one style, named by their content, and a manifest that names both.
 * Usage: node build-assets.js [directory], by default dist/assets.
 */
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const [, , directory = fileURLToPath(new URL('dist/assets', import.meta.url))] = process.argv;
const out = pathToFileURL(`${directory}/`);

// What is shipped, whatever this is set to where somebody builds.
process.env.NODE_ENV = 'production';

const result = await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    write: false,
    // Browsers from 2021 on: modules, bigint, Intl with parts.
    target: ['es2021', 'chrome100', 'firefox100', 'safari15.4'],
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: { input: { checkout: fileURLToPath(new URL('src/client/bundle.ts', import.meta.url)) } },
  },
});

const output = (Array.isArray(result) ? result : [result]).flatMap((one) =>
  'output' in one ? one.output : [],
);
const script = output.find((file) => file.type === 'chunk');
const style = output.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'));
if (script?.type !== 'chunk' || style?.type !== 'asset' || output.length !== 2) {
  throw new Error(
    `expected one script and one style, built ${output.map((file) => file.fileName).join(', ')}`,
  );
}

/** @param {string} extension @param {string | Uint8Array} content */
async function write(extension, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const name = `checkout-${hash}.${extension}`;
  await writeFile(new URL(name, out), content);
  return name;
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const manifest = { script: await write('js', script.code), style: await write('css', style.source) };
await writeFile(new URL('manifest.json', out), `${JSON.stringify(manifest, null, 2)}\n`);
