import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/workspace.js';

/**
 * `node scripts/migration-checksums.js`: adds new migrations to `packages/server/migrations/checksums.txt`. A migration
 * that the last commit lists has landed: if its text differs from its line, it is refused. Others may still change.
 */

const home = join(root, 'packages', 'server', 'migrations');
const landed = execFileSync('git', ['show', 'HEAD:./checksums.txt'], { cwd: home, encoding: 'utf8' });
const known = new Map(
  landed
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(66), line.slice(0, 64)]),
);
let list = landed;
for (const name of readdirSync(home).sort()) {
  if (!name.endsWith('.sql')) continue;
  const checksum = createHash('sha256')
    .update(readFileSync(join(home, name)))
    .digest('hex');
  if (!known.has(name)) list += `${checksum}  ${name}\n`;
  else if (known.get(name) !== checksum) {
    console.error(`${name} has landed and may not change: restore it, and write a new migration.`);
    process.exitCode = 1;
  }
}
writeFileSync(join(home, 'checksums.txt'), list);
