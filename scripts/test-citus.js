// Runs the scenarios on a Citus cluster: `CITUS_URL=postgres://… npm run test:citus [-- FILE]`.
// The address is a database of the coordinator in which citus_add_node has named the workers; its role is a superuser.
import { spawnSync } from 'node:child_process';
import { ensureBuilt } from './lib/workspace.js';

if (process.env.CITUS_URL === undefined) {
  console.log('Skipped: CITUS_URL names no Citus cluster (docs/scaling.md).');
} else {
  // Some tests run the program as operators do.
  await ensureBuilt((line) => console.log(`tests: ${line}`));
  const args = ['vitest', 'run', '--project', 'scenarios-citus', ...process.argv.slice(2)];
  const env = { ...process.env, VITEST_MAX_WORKERS: process.env.VITEST_MAX_WORKERS ?? '1' };
  process.exitCode = spawnSync('npx', args, { stdio: 'inherit', env }).status ?? 1;
}
