/** Checks the machine: Node.js, disks, open files. */
import { readFile, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../config.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

/** Node.js 20 has ended; 24 is recommended. */
const recommendedNode = 24;

export function checkNode(): Finding[] {
  const { node } = process.versions;
  const major = Number.parseInt(node, 10);
  if (major >= recommendedNode) return [ok('node', `Node.js ${node}.`)];
  return [warn('node', `Node.js ${node} works; ${recommendedNode} is recommended.`)];
}

const GiB = 1024 ** 3;
const roomy = { fraction: 0.1, bytes: 2 * GiB };
const tight = { fraction: 0.02, bytes: 0.25 * GiB };

/** The disk of the data directory, or of the nearest directory above it that exists. */
export async function checkDisk({ data_dir }: Pick<Config, 'data_dir'>): Promise<Finding[]> {
  let dir = data_dir;
  let stat = await statfs(dir).catch(() => null);
  while (stat === null && dirname(dir) !== dir) {
    dir = dirname(dir);
    stat = await statfs(dir).catch(() => null);
  }
  if (stat === null) return [warn('disk', `The disk of ${data_dir} cannot be looked at.`)];
  const free = stat.bavail * stat.bsize;
  const words = `${(free / GiB).toFixed(1)} GiB (${Math.round((100 * stat.bavail) / Math.max(1, stat.blocks))} %) free at ${dir}.`;
  const isBelow = (limit: typeof roomy): boolean =>
    free < limit.bytes || stat.bavail < limit.fraction * stat.blocks;
  if (isBelow(tight)) return [fail('disk', words)];
  return [isBelow(roomy) && free < 20 * GiB ? warn('disk', words) : ok('disk', words)];
}

/** A connection of a buyer, of a receiver and of the database is an open file each. */
const enoughFiles = 4_096;
const fewFiles = 1_024;

export async function checkOpenFiles(): Promise<Finding[]> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => null);
  const soft = /^Max open files\s+(\S+)/m.exec(limits ?? '')?.[1];
  if (soft === undefined) return [warn('open files', 'The limit cannot be read on this system.')];
  if (soft === 'unlimited' || Number(soft) >= enoughFiles) return [ok('open files', `The limit is ${soft}.`)];
  const words = `The limit is ${soft}: set at least ${enoughFiles} (systemd: LimitNOFILE, shell: ulimit -n).`;
  return [Number(soft) < fewFiles ? fail('open files', words) : warn('open files', words)];
}
