import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EndedReaderError } from '../shared/command-errors.ts';
import { writeWhole } from './whole-file.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'whole-'));
});
afterAll(() => rm(dir, { recursive: true }));

/** Writes a beginning, and resolves when it is on its way to a file. Throws if nothing can be written. */
async function begin(file: string, text: string) {
  const content = new PassThrough({ highWaterMark: 1 });
  const written = writeWhole(file, content);
  written.catch(() => undefined);
  await Promise.race([new Promise<unknown>((resolve) => content.write(text, resolve)), written]);
  return { content, written };
}

test('D-1396 of two exports into one file, the later one replaces it, and the earlier one says so', async () => {
  const file = join(dir, 'books.jsonl');
  await writeFile(`${file}.part`, 'left by an export that was killed, longer than the others');
  const earlier = await begin(file, 'an earlier, long beginning; ');
  const later = await begin(file, 'later; ');
  earlier.content.end('its end');
  await expect(earlier.written).rejects.toThrow(
    `Another export has begun to write ${file}.part meanwhile: it goes on.`,
  );
  later.content.end('its end');
  await later.written;
  expect(await readFile(file, 'utf8')).toBe('later; its end');
  expect(await readdir(dir)).toEqual(['books.jsonl']);
});

test('D-1434 what cannot be removed from beside a file is not taken for another export', async () => {
  const file = join(dir, 'others.jsonl');
  // As a file of another person in a folder such as /tmp.
  await mkdir(`${file}.part`);
  const { content, written } = await begin(file, 'all; ');
  content.end('its end');
  await written;
  expect(await readFile(file, 'utf8')).toBe('all; its end');
});

test('D-1361 a reader of a pipe that has ended is told as that', async () => {
  const file = join(dir, 'pipe');
  execFileSync('mkfifo', [file]);
  const reader = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const { content, written } = await begin(file, 'a beginning; ');
  await reader.close();
  content.end('its end');
  await expect(written).rejects.toThrow(EndedReaderError);
});
