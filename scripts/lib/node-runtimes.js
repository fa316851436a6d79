/** Other versions of Node.js for the tests: the programs that npm carries, each in a folder of its own. */
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { npm, root } from './workspace.js';

/** The version that each name stands for. 20.19 is the oldest that runs Paydesk. */
export const runtimes = new Map([
  ['20.19', '20.19.0'],
  ['20', '20.20.2'],
  ['22', '22.23.3'],
  ['24', '24.21.0'],
]);

/**
 * The exact version that is asked for: a name of the table, or a whole version.
 *
 * @param {string} asked
 * @throws {Error}
 */
export function versionOf(asked) {
  const version = runtimes.get(asked) ?? asked;
  if (/^\d+\.\d+\.\d+$/.test(version)) return version;
  throw new Error(
    `"${asked}" is no version of Node.js: give ${[...runtimes.keys()].join(', ')} or a whole version such as 24.21.0.`,
  );
}

/**
 * The program of this version. npm installs it at the first call.
 *
 * @param {string} version
 * @param {(line: string) => void} say
 * @returns {Promise<string>}
 * @throws {Error} where npm has no such version for this machine
 */
export async function nodeOf(version, say) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const home = join(root, '.cache', 'node', version);
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const program = join(home, 'node_modules', name, 'bin', file);
  if (existsSync(program)) return program;
  say(`installing Node.js ${version}`);
  const options = ['--prefix', home, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await npm(['install', ...options, `${name}@${version}`], { quiet: true });
  if (code === 0 && existsSync(program)) return program;
  throw new Error(
    `npm has no Node.js ${version} for ${process.platform} on ${process.arch}: ${output.trim()}`,
  );
}

/**
 * An environment in which `node`, and each program that npm installed, is this one.
 *
 * @param {string} program
 * @param {Record<string, string | undefined>} env
 */
export function environmentWith(program, env) {
  return { ...env, PATH: [dirname(program), env.PATH ?? ''].join(delimiter) };
}
