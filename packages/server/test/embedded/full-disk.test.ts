import { readdir, writeFile } from 'node:fs/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { openEmbedded } from '../../src/embedded/open-embedded.ts';
import { dataDir } from './helpers.ts';

vi.mock('node:fs/promises', { spy: true });

beforeEach(() => {
  vi.restoreAllMocks();
});

test('D-890 a full disk of the data directory ends the start with a sentence that names the variable', async () => {
  const data_dir = await dataDir();
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  vi.mocked(writeFile).mockRejectedValueOnce(full);
  await expect(openEmbedded({ data_dir, purpose: 'paydesk start' })).rejects.toThrow(
    `The disk of ${data_dir} (PAYDESK_DATA_DIR) is full.`,
  );
  expect(await readdir(data_dir)).toEqual([]);
});
