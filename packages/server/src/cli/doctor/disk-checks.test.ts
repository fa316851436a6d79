import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { checkDisks } from './disk-checks.ts';

test.skipIf(process.platform !== 'linux')(
  'D-961 a full disk of a file that takes seals, audit entries or notifications is found, each disk once',
  async () => {
    // The file system of /proc has no room at all.
    const found = await checkDisks({
      data_dir: `${tmpdir()}/none/yet`,
      audit_sink: `file://${tmpdir()}/audit.jsonl`,
      seal_sink: 'file:///proc/seals.jsonl',
      notification_archive: 'https://archive.example/lines',
    });
    expect(found).toMatchObject([
      { about: 'disk', words: expect.stringContaining(`free at ${tmpdir()}.`) as string },
      { about: 'disk', level: 'fail', words: '0.0 GiB (0 %) free at /proc.' },
    ]);
  },
);
