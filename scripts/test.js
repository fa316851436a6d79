import { build, ensureInstalled, installed, isBuilt, requireNode, run } from './lib/workspace.js';
import { testEnvironment } from './lib/test-environment.js';
import { allTools, ensureTools } from './lib/tools.js';

/**
 * `npm test`: everything that must hold before a commit, on a fresh clone as on an old one. Arguments go to Vitest.
 */

requireNode();
const say = (line) => console.log(`test: ${line}`);
const failed = [];

/**
 * Runs one step and says how it went; its output only where it failed.
 *
 * @param {string} name
 * @param {() => Promise<{ code: number, output: string }>} work
 */
async function step(name, work) {
  const started = performance.now();
  const { code, output } = await work();
  const took = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
  say(`${code === 0 ? 'ok    ' : 'FAILED'} ${took} s  ${name}`);
  if (code === 0) return;
  console.log(output.trimEnd());
  failed.push(name);
}

/**
 * @param {string} script below `node_modules`
 * @param {string[]} args
 * @param {import('./lib/workspace.js').RunOptions} [options]
 */
const quietly = (script, args, options = {}) =>
  run(process.execPath, [installed(script), ...args], { ...options, quiet: true });

const formatting = () => quietly('oxfmt/bin/oxfmt', ['--check']);
/** On one thread: several check the same types again, which takes almost twice the CPU time beside the tests. */
const checkTypes = () => quietly('@typescript/native/bin/tsc', ['-p', '.', '--singleThreaded']);
/** It gives way to the tests, some of which measure time. */
const lint = () => quietly('oxlint/bin/oxlint', [], { niceness: 5 });

/** Ends the run with what the user has to do. */
const giveUp = (error) => {
  console.error(error.message);
  process.exit(1);
};

// The tools come while npm installs and the build runs: only the tests need them. What cannot be had is said between the
// two, so that nothing of ours goes on after the end.
const toolsAreThere = ensureTools(say, allTools);
toolsAreThere.catch(() => undefined);
await ensureInstalled(say).catch(giveUp);
await Promise.race([toolsAreThere, undefined]).catch(giveUp);

// The check of the sources needs the types that the build makes first. It goes on beside the bundles and the tests, so
// that no core waits for it.
let typesAreThere = () => undefined;
const checked = new Promise((resolve) => (typesAreThere = resolve))
  .then(() => step('types of everything: tsc', checkTypes))
  .then(() => step('lint: oxlint', lint));
await Promise.all([
  step(
    'build: tsc -b and bundles',
    // The same sources would give the same build.
    async () => (isBuilt() ? { code: 0, output: '' } : build({ quiet: true }, typesAreThere)),
  ).finally(typesAreThere),
  step('format: oxfmt', formatting),
]);

await toolsAreThere.catch(giveUp);
const vitest = [installed('vitest/vitest.mjs'), 'run', ...process.argv.slice(2)];
const { code } = await run(process.execPath, vitest, { env: testEnvironment() });
await checked;
if (code !== 0) failed.push('vitest');
if (failed.length > 0) {
  say(`FAILED: ${failed.join(', ')}`);
  process.exitCode = 1;
}
