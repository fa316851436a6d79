import { dirname, join } from 'node:path';
import { realpathSync } from 'node:fs';
import { nodeOf, versionOf } from './lib/node-runtimes.js';
import { testEnvironment } from './lib/test-environment.js';
import { containerTools, ensureTools } from './lib/tools.js';
import { ensureInstalled, requireNode, root, run } from './lib/workspace.js';

/**
 * `npm run test:container`: builds the image of the Dockerfile without an image registry, runs it, and pays an order. It
 * needs root on a Debian and takes some minutes, so it is not part of `npm test`.
 */

requireNode();
const say = (/** @type {string} */ line) => console.log(`container: ${line}`);

/** The folder of the npm that runs us. */
function npmFolder() {
  const cli = process.env.npm_execpath;
  if (cli === undefined) throw new Error('Run this as "npm run test:container".');
  return dirname(dirname(realpathSync(cli)));
}

try {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    say('skipped: debootstrap and podman need root on Linux here');
  } else {
    await ensureInstalled(say);
    await ensureTools(say, containerTools);
    const node = await nodeOf(versionOf('24'), say);
    const test = join(root, 'packages', 'server', 'test');
    const hooks = join(test, 'support', 'run', 'register-typescript.js');
    const args = ['--conditions', 'paydesk-source', '--import', hooks, join(test, 'container', 'main.ts')];
    const env = testEnvironment();
    const { code } = await run(process.execPath, [...args, node, npmFolder(), ...process.argv.slice(2)], {
      env,
    });
    process.exitCode = code;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
