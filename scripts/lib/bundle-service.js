import { readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/**
 * Makes a few files of the service's 1,200 (D-561): reading and linking each takes Node.js a millisecond and 20 kB, so a start
 * takes half the work. The library `typebox`, a thousand files of its own, becomes part of them. Other libraries stay
 * dependencies. Nothing is minified, so that stacks keep their names.
 */

/**
 * @param {string} packages the folder of all packages, which are compiled
 */
export async function bundleService(packages) {
  const dist = join(packages, 'server', 'dist');
  const outDir = join(dist, 'program');
  rmSync(outDir, { recursive: true, force: true });
  const { build } = await import('vite');
  // Vite says to this process that it is in production, and "npm start" goes on in it.
  const { NODE_ENV } = process.env;
  await build({
    root: dist,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [ownAddresses(dist), narrowTexts],
    ssr: { noExternal: ['typebox'] },
    build: {
      outDir,
      ssr: join(dist, 'main.js'),
      target: 'esnext',
      minify: false,
      rollupOptions: {
        // No module does anything when it is only loaded, so a file gets what its part uses of a room, not the whole room (D-780).
        treeshake: { moduleSideEffects: false },
        output: {
          // Errors are known by the names of their classes.
          keepNames: true,
          comments: { jsdoc: false, annotation: false, legal: true },
          banner: ({ moduleIds }) => (moduleIds.some(isTypebox) ? notice(packages) : ''),
          chunkFileNames: '[name]-[hash].js',
        },
      },
    },
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
}

const isTypebox = (/** @type {string} */ id) => /[/\\]node_modules[/\\]typebox[/\\]/.test(id);

const notice = (/** @type {string} */ packages) =>
  `/*!\ntypebox\n${readFileSync(join(packages, '..', 'node_modules', 'typebox', 'license'), 'utf8')}*/`;

/**
 * Writes each character beyond ASCII as its escape. V8 keeps the text of a file for as long as it runs, and takes two bytes for
 * every character as soon as one of them needs two (D-1090).
 *
 * @type {import('vite').Plugin}
 */
const narrowTexts = {
  name: 'narrow-texts',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      // There an escape would stand for itself.
      if (/String\.raw`[^`]*[^\0-\x7f]/.test(file.code))
        throw new Error(`${file.fileName}: a raw text is not ASCII`);
      file.code = file.code.replace(/[^\0-\x7f]/g, escapeOf);
    }
  },
};

const escapeOf = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Gives each module the address of its own file, as several find files next to themselves, and refuses libraries whose licences
 * would be missing.
 *
 * @param {string} dist
 * @returns {import('vite').Plugin}
 */
const ownAddresses = (dist) => ({
  name: 'own-addresses',
  transform(code, id) {
    const path = relative(dist, id).split(sep).join('/');
    if (path.startsWith('..')) {
      // What the bundler adds itself begins with a zero byte.
      if (isTypebox(id) || id.startsWith('\0')) return null;
      throw new Error(`the service's files would need the licence of ${id}`);
    }
    if (!code.includes('import.meta.url')) return null;
    return {
      code: code.replaceAll('import.meta.url', `new URL('../${path}', import.meta.url).href`),
      map: null,
    };
  },
});
