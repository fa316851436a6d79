import { environmentWith, nodeOf, versionOf } from './lib/node-runtimes.js';
import { testEnvironment } from './lib/test-environment.js';
import { allTools, ensureTools } from './lib/tools.js';
import { ensureBuilt, ensureInstalled, installed, requireNode, run } from './lib/workspace.js';

/**
 * `npm run test:node -- VERSION [Vitest's arguments]`: runs the tests on another version of Node.js, which npm carries.
 * VERSION is 20.19, 20, 22, 24 or a whole version. Without further arguments all tests run; `--project unit` and a path
 * choose among them.
 */

requireNode();
const say = (/** @type {string} */ line) => console.log(`test:node: ${line}`);
const [asked = '', ...args] = process.argv.slice(2);

try {
  const program = await nodeOf(versionOf(asked), say);
  await ensureInstalled(say);
  await ensureTools(say, allTools);
  await ensureBuilt(say);
  const env = environmentWith(program, testEnvironment());
  await run(program, ['--print', '`test:node: runs on Node.js ${process.versions.node}`'], { env });
  const { code } = await run(program, [installed('vitest/vitest.mjs'), 'run', ...args], { env });
  process.exitCode = code;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
