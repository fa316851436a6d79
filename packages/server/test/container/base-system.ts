/** The small Debian system on which the image is built: made by debootstrap, without an image registry. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { must } from './command.ts';

/** Debian's own slim images lack these, too. */
const needless = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/info',
  'usr/share/locale',
  'var/cache/apt',
  'var/lib/apt/lists',
  'var/log',
];

/** The release of this machine, if it is a Debian. */
async function release(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const isDebian = /^ID=debian$/m.test(text);
  return (isDebian ? /^VERSION_CODENAME=(\w+)$/m.exec(text)?.[1] : undefined) ?? 'bookworm';
}

/**
 * The system as a tar file, made at the first call and kept in the cache of the repository.
 *
 * @param cache a folder
 * @param home a folder for the files while they are made
 */
export async function baseSystem(cache: string, home: string, log: (line: string) => void): Promise<string> {
  const suite = await release();
  const tar = join(cache, `${suite}.tar`);
  if (existsSync(tar)) return tar;
  log(`making a ${suite} system with debootstrap`);
  const root = join(home, 'base');
  await must(['debootstrap', '--variant=minbase', '--include=libstdc++6', suite, root]);
  for (const path of needless) await rm(join(root, path), { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  await must(['tar', '-C', root, '-cf', `${tar}.new`, '.']);
  await rename(`${tar}.new`, tar);
  await rm(root, { recursive: true, force: true });
  return tar;
}
