/**
 * Builds what browsers load: the script and the style of the checkout, the script of the pages with passkeys, each named
 * by its content, and a manifest that names them. Usage: node build-assets.js [directory], by default dist/assets.
 */
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const [, , directory = fileURLToPath(new URL('dist/assets', import.meta.url))] = process.argv;
const out = pathToFileURL(`${directory}/`);

const sourceOf = (name) => fileURLToPath(new URL(`src/client/${name}`, import.meta.url));

// Always build what is shipped, whatever the environment says.
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
    rollupOptions: { input: { checkout: sourceOf('bundle.ts'), passkeys: sourceOf('passkeys.ts') } },
  },
});

const output = (Array.isArray(result) ? result : [result]).flatMap((one) =>
  'output' in one ? one.output : [],
);
const chunk = (name) => output.find((file) => file.type === 'chunk' && file.name === name);
const script = chunk('checkout');
const passkeys = chunk('passkeys');
const style = output.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'));
if (script === undefined || passkeys === undefined || style === undefined || output.length !== 3) {
  const built = output.map((file) => file.fileName).join(', ');
  throw new Error(`expected two scripts that share nothing, and one style; built ${built}`);
}

/** @param {string} label @param {string} extension @param {string | Uint8Array} content */
async function write(label, extension, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const name = `${label}-${hash}.${extension}`;
  await writeFile(new URL(name, out), content);
  return name;
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const manifest = {
  script: await write('checkout', 'js', script.code),
  passkeys: await write('passkeys', 'js', passkeys.code),
  style: await write('checkout', 'css', style.source),
};
await writeFile(new URL('manifest.json', out), `${JSON.stringify(manifest, null, 2)}\n`);
