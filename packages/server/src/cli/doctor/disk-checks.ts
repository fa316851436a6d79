/** Checks the room on the disks. */
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

const GiB = 1024 ** 3;
const roomy = { fraction: 0.1, bytes: 2 * GiB };
const tight = { fraction: 0.02, bytes: 0.25 * GiB };

/** The disks of the data directory and of the files that take seals, audit entries and notifications (D-961). */
export async function checkDisks(config: Places): Promise<Finding[]> {
  const { data_dir, audit_sink, seal_sink, notification_archive } = config;
  const files = [audit_sink, seal_sink, notification_archive].filter((url) => url?.startsWith('file:'));
  const found = new Map<number, Finding>();
  for (const path of [data_dir, ...files.map((url) => dirname(fileURLToPath(url ?? '')))]) {
    const dir = await nearest(path);
    const { dev } = await stat(dir);
    if (!found.has(dev)) found.set(dev, roomFinding(dir, await statfs(dir)));
  }
  return [...found.values()];
}

type Places = Pick<Config, 'data_dir' | 'audit_sink' | 'seal_sink' | 'notification_archive'>;

type Room = Record<'bavail' | 'bsize' | 'blocks', number>;

/** The directory, or the nearest one above it that exists. */
async function nearest(dir: string): Promise<string> {
  const exists = await access(dir).then(
    () => true,
    () => false,
  );
  return exists || dirname(dir) === dir ? dir : nearest(dirname(dir));
}

/** What the room of a file system, in blocks of `bsize` bytes, means. */
export function roomFinding(dir: string, { bavail, bsize, blocks }: Room): Finding {
  // Such as /proc and some network file systems (D-1362).
  if (blocks === 0) return warn('disk', `The file system of ${dir} does not say how much room it has.`);
  const free = bavail * bsize;
  const words = `${(free / GiB).toFixed(1)} GiB (${Math.round((100 * bavail) / blocks)} %) free at ${dir}.`;
  const isBelow = (limit: typeof roomy): boolean => free < limit.bytes || bavail < limit.fraction * blocks;
  if (isBelow(tight)) return fail('disk', words);
  return isBelow(roomy) && free < 20 * GiB ? warn('disk', words) : ok('disk', words);
}
