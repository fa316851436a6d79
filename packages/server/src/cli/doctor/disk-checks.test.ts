import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { checkDisks, roomFinding } from './disk-checks.ts';

test.skipIf(process.platform !== 'linux')(
  'D-961 D-1362 the disk of a file that takes seals, audit entries or notifications is looked at, each disk once',
  async () => {
    const found = await checkDisks({
      data_dir: `${tmpdir()}/none/yet`,
      audit_sink: `file://${tmpdir()}/audit.jsonl`,
      seal_sink: 'file:///proc/seals.jsonl',
      notification_archive: 'https://archive.example/lines',
    });
    expect(found).toMatchObject([
      { about: 'disk', words: expect.stringContaining(`free at ${tmpdir()}.`) as string },
      { about: 'disk', level: 'warn', words: 'The file system of /proc does not say how much room it has.' },
    ]);
  },
);

test('D-961 a full disk is found', () => {
  expect(roomFinding('/sinks', { bavail: 0, bsize: 4096, blocks: 1000 })).toMatchObject({
    level: 'fail',
    words: '0.0 GiB (0 %) free at /sinks.',
  });
});
