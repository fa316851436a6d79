import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Puts the SDK of OpenTelemetry into the service as one file. Installed, its packages take 28 MB, a sixth of the service, and
 * few installations turn traces on (ADR 39).
 */

/** What `compose/tracing.ts` loads. */
const loaded = [
  'api',
  'core',
  'resources',
  'sdk-trace-base',
  'exporter-trace-otlp-http',
  'exporter-trace-otlp-proto',
].map((name) => `@opentelemetry/${name}`);
const source = 'createRequire(import.meta.url);';
const bundled = "createRequire(import.meta.url)('../packages/opentelemetry.cjs');";
const banner = '/*! OpenTelemetry. Copyright The OpenTelemetry Authors. Apache-2.0: see LICENSE */\n';

/**
 * @param {string} packages the folder of all packages, which are compiled
 */
export async function bundleOpenTelemetry(packages) {
  const server = join(packages, 'server');
  const program = join(server, 'dist', 'compose', 'tracing.js');
  const text = readFileSync(program, 'utf8');
  if (!text.includes(source) && !text.includes(bundled))
    throw new Error(
      `${program} loads OpenTelemetry in another way: mend scripts/lib/bundle-opentelemetry.js`,
    );
  const { code, moduleIds } = await bundle(server);
  const others = moduleIds.filter((id) => !/\/@opentelemetry\/|\/entry\.cjs$|^\0/.test(id));
  if (others.length > 0) throw new Error(`the bundle needs the licences of ${others.join(', ')}`);
  mkdirSync(join(server, 'dist', 'packages'), { recursive: true });
  writeFileSync(join(server, 'dist', 'packages', 'opentelemetry.cjs'), banner + code);
  writeFileSync(program, text.replace(source, bundled));
}

/** @param {string} server */
async function bundle(server) {
  const entry = join(server, 'entry.cjs');
  const { build } = await import('vite');
  // Vite says to this process that it is in production, and "npm start" goes on in it.
  const { NODE_ENV } = process.env;
  const result = await build({
    root: server,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) =>
          id === entry
            ? `const packages = {${loaded.map((name) => `'${name}': () => require('${name}')`).join(',')}};
               module.exports = (name) => packages[name]();`
            : null,
      },
    ],
    ssr: { noExternal: true, target: 'node' },
    build: {
      write: false,
      ssr: true,
      minify: false,
      rollupOptions: { input: entry, output: { format: 'cjs', codeSplitting: false } },
    },
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  const [chunk, ...more] = 'output' in result ? result.output : [];
  if (chunk?.type !== 'chunk' || more.length > 0) throw new Error('OpenTelemetry does not fit into one file');
  return chunk;
}
