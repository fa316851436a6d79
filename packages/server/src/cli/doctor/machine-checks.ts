/** Checks the machine: Node.js, open files. */
import { readFile } from 'node:fs/promises';
import { fail, type Finding, ok, warn } from './finding.ts';

/** Node.js 20 has ended; 24 is recommended. */
const recommendedNode = 24;

export function checkNode(): Finding[] {
  const { node } = process.versions;
  const major = Number.parseInt(node, 10);
  if (major >= recommendedNode) return [ok('node', `Node.js ${node}.`)];
  return [warn('node', `Node.js ${node} works; ${recommendedNode} is recommended.`)];
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
