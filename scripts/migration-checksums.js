import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/workspace.js';

/**
 * `node scripts/migration-checksums.js`: adds new migrations to `packages/server/migrations/checksums.txt`. The list only
 * grows: a migration whose text differs from its line is refused.
 */

const home = join(root, 'packages', 'server', 'migrations');
const list = join(home, 'checksums.txt');
const known = new Map(
  (existsSync(list) ? readFileSync(list, 'utf8') : '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(66), line.slice(0, 64)]),
);
for (const name of readdirSync(home).sort()) {
  if (!name.endsWith('.sql')) continue;
  const checksum = createHash('sha256')
    .update(readFileSync(join(home, name)))
    .digest('hex');
  if (!known.has(name)) appendFileSync(list, `${checksum}  ${name}\n`);
  else if (known.get(name) !== checksum) {
    console.error(`${name} has landed and may not change: restore it, and write a new migration.`);
    process.exitCode = 1;
  }
}
