import { ESLint } from 'eslint';
import ts from 'typescript';
import { root } from './lib/workspace.js';

/**
 * Checks the types of everything outside the console, tests included, and lints the whole tree, or the paths given. Both
 * take the same TypeScript program: apart from each other, they would work out every type twice.
 */

/** @returns {ts.Program} what `tsc -p tsconfig.tests.json` checks */
function openProgram() {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (/** @type {ts.Diagnostic} */ found) => {
      throw new Error(ts.flattenDiagnosticMessageText(found.messageText, '\n'));
    },
  };
  // Nothing is kept for a next run: the program of this one is at hand.
  const options = { incremental: false, tsBuildInfoFile: undefined };
  const config = ts.getParsedCommandLineOfConfigFile('tsconfig.tests.json', options, host);
  return ts.createProgram({
    rootNames: config.fileNames,
    options: config.options,
    configFileParsingDiagnostics: config.errors,
  });
}

/**
 * Reports the type errors, as tsc does.
 *
 * @param {ts.Program} program
 * @returns {number} how many there are
 */
function checkTypes(program) {
  const found = ts.getPreEmitDiagnostics(program);
  const names = {
    getCanonicalFileName: (/** @type {string} */ name) => name,
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getNewLine: () => '\n',
  };
  if (found.length > 0) console.log(ts.formatDiagnostics(found, names));
  return found.length;
}

/**
 * Reports the findings of ESLint, as its command does.
 *
 * @param {ts.Program} program
 * @returns {Promise<number>} how many there are, warnings included
 */
async function lint(program) {
  const eslint = new ESLint({
    overrideConfig: {
      files: ['**/*.ts', '**/*.tsx'],
      ignores: ['packages/console/**'],
      languageOptions: { parserOptions: { project: null, programs: [program] } },
    },
  });
  const paths = process.argv.slice(2);
  const results = await eslint.lintFiles(paths.length > 0 ? paths : ['.']);
  const formatter = await eslint.loadFormatter('stylish');
  const report = await formatter.format(results);
  if (report !== '') console.log(report);
  return results.reduce((sum, { errorCount, warningCount }) => sum + errorCount + warningCount, 0);
}

process.chdir(root);
const program = openProgram();
const found = checkTypes(program) + (await lint(program));
if (found > 0) process.exitCode = 1;
