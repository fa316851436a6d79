import { findTests } from './lib/find-tests.js';
import { testEnvironment } from './lib/test-environment.js';
import { readTest, testFiles } from './lib/test-names.js';
import { ensureTools, toolsFor } from './lib/tools.js';
import { ensureBuiltFor, ensureInstalled, installed, requireNode, run } from './lib/workspace.js';

/**
 * `npm run t -- R-101`: runs the tests that are asked for, and nothing else. What is asked for is a requirement number,
 * a file or folder (its path, a part of it, or its name), or a word of the tests' names. Options go to Vitest.
 * `npm run test:watch` runs them again at each change; with nothing asked for it runs what a change affects.
 */

requireNode();
const say = (line) => console.log(`tests: ${line}`);
const usage = `usage: npm run t -- WHAT... [Vitest's options]
WHAT is a requirement number (R-101), a file or folder (refunds, losses/refunds.test.ts), or a word of the tests' names.`;

/** Files that only commands of their own run. */
const ofOthers = /^packages\/server\/test\/(pictures|long-list)\/|^(?!.*\.test\.[jt]sx?$)/;

async function main() {
  const watch = process.argv.includes('--watch');
  const given = process.argv.slice(2).filter((argument) => argument !== '--watch');
  const firstOption = given.findIndex((argument) => argument.startsWith('-'));
  const asked = firstOption === -1 ? given : given.slice(0, firstOption);
  const options = given.slice(asked.length);
  if (asked.length === 0 && !watch) throw new Error(usage);

  await ensureInstalled(say);
  const paths = testFiles().filter((path) => !ofOthers.test(path));
  const chosen = asked.length === 0 ? watchAll(paths) : choose(asked, paths);
  await ensureTools(say, toolsFor(chosen.files));
  await ensureBuiltFor(chosen.files, say);

  const vitest = [installed('vitest/vitest.mjs'), watch ? 'watch' : 'run', ...chosen.args, ...options];
  const { code } = await run(process.execPath, vitest, { env: testEnvironment() });
  process.exitCode = code;
}

/** Runs nothing until something changes. @param {string[]} files */
const watchAll = (files) => ({ files, args: ['--standalone'] });

/**
 * What to run, for Vitest.
 *
 * @param {string[]} asked
 * @param {string[]} paths
 */
function choose(asked, paths) {
  const found = findTests(
    asked,
    paths.map((path) => ({ path, source: readTest(path) })),
  );
  found.lines.forEach(say);
  if (found.files.length === 0) throw new Error('Nothing to run.');
  const names = found.pattern === undefined ? [] : ['--testNamePattern', found.pattern];
  return { files: found.files, args: [...found.files, ...names] };
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
