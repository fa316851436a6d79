import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clearPostmasterPid } from './postmaster-file.ts';

async function databaseDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'paydesk-postmaster-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('the file of a dead server keeps everything but its process id', async () => {
  const dir = await databaseDir();
  await writeFile(join(dir, 'postmaster.pid'), '123\n/data\n1\n5432\n');
  await clearPostmasterPid(dir);
  expect(await readFile(join(dir, 'postmaster.pid'), 'utf8')).toBe('2147483646\n/data\n1\n5432\n');
});

test('a file that the ending server has removed meanwhile stays removed', async () => {
  const dir = await databaseDir();
  await clearPostmasterPid(dir);
  expect(await readdir(dir)).toEqual([]);
});
