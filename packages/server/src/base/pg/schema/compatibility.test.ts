import { describe, expect, test } from 'vitest';
import { type Applied, missingIn, refuseChanged, refuseIncompatible } from './compatibility.ts';
import { type Migration, parseMigration } from './migration-files.ts';

const mine: Migration[] = ['0033_one.sql', '0034_two.sql'].map((name) =>
  parseMigration(name, '-- compatible_from: 0.2.0\nSELECT 1;\n'),
);
const applied: Applied[] = mine.map(({ version, checksum, compatible_from }) => ({
  ...{ version, checksum, compatible_from },
}));
const newer = (compatible_from: string | null): Applied[] => [
  ...applied,
  { version: 35, checksum: 'x', compatible_from },
];

describe('H-24 a release serves on a newer schema that declares itself compatible with it', () => {
  test.each(['0.1.0', '0.2.0', '0.2.3'])('compatible from %s: 0.2.3 serves', (compatible_from) => {
    refuseIncompatible(newer(compatible_from), mine, '0.2.3');
  });

  test.each([
    [
      '0.3.0',
      /at version 35, which is newer than this Paydesk \(34\) and works with release 0\.3\.0 or newer/,
    ],
    [null, /at version 35, which is newer than this Paydesk \(34\): upgrade Paydesk/],
    ['next', /at version 35, which is newer than this Paydesk \(34\): upgrade Paydesk/],
  ])('compatible from %s: 0.2.3 refuses', (compatible_from, words) => {
    expect(() => {
      refuseIncompatible(newer(compatible_from), mine, '0.2.3');
    }).toThrow(words);
  });

  test('each further migration counts, not only the newest', () => {
    const schema = [...newer('0.3.0'), { version: 36, checksum: 'y', compatible_from: '0.1.0' }];
    expect(() => {
      refuseIncompatible(schema, mine, '0.2.3');
    }).toThrow(/works with release 0\.3\.0/);
  });
});

test('a migration that landed after a newer one is missing until it is applied', () => {
  expect(missingIn(newer(null).slice(1), mine).map(({ version }) => version)).toEqual([33]);
});

test('a database that has another text of a migration is refused with both checksums', () => {
  const changed = applied.map((one) => (one.version === 33 ? { ...one, checksum: 'abcdef0123456789' } : one));
  expect(() => {
    refuseChanged(changed, mine);
  }).toThrow(
    /0033_one\.sql was changed .* the database has the checksum abcdef012345, this Paydesk [0-9a-f]{12}\./,
  );
});
