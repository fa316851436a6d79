#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * `npm run bench`: builds the service and the benchmarks if sources are newer than the build, then measures.
 * `--no-build` uses the existing build. `--help` lists the other options.
 */
const here = import.meta.dirname;
const root = dirname(here);
const compiler = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');

/** @param {string[]} args the program for Node.js, with its arguments */
function run(args) {
  const { status, signal } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error(`bench: "node ${args.join(' ')}" ${signal === null ? 'failed' : `ended by ${signal}`}.`);
    process.exit(1);
  }
}

function build() {
  const buildAll = join(root, 'scripts', 'build.js');
  if (existsSync(buildAll)) run([buildAll]);
  run([compiler, '-p', join(here, 'tsconfig.build.json')]);
}

if (!existsSync(compiler)) {
  console.error('bench: the dependencies are not installed: run "npm ci" first.');
  process.exit(1);
}
const args = process.argv.slice(2);
if (!args.includes('--no-build')) build();
const { main } = await import(new URL('./dist/main.js', import.meta.url).href);
process.exitCode = await main(args.filter((arg) => arg !== '--no-build'));
