import { expect, test } from 'vitest';
import { readRepository } from '../support/rules/deployment.ts';

/** The commands of docs/operating/failover.md fit each other: who follows them has one primary, which confirms. */

const guide = readRepository('docs', 'operating', 'failover.md');
const blocks = [...guide.matchAll(/```\w+\n(.*?)```/gs)].map(([, block = '']) => block);

/** Where the words are in the one block that has them all, in their order. */
function placesOf(...words: string[]): number[] {
  const found = blocks.filter((block) => words.every((word) => block.includes(word)));
  expect([words, found.length]).toEqual([words, 1]);
  return words.map((word) => found[0]?.indexOf(word) ?? -1);
}

const inOrder = (places: number[]): void => {
  expect(places).toEqual([...places].sort((a, b) => a - b));
};

test('D-1347 commits wait for the names that the standbys of the guide have', () => {
  const [, listed = ''] = /^synchronous_standby_names = 'ANY 1 \((.*)\)'$/m.exec(guide) ?? [];
  const names = listed.split(', ');
  const standbys = [...guide.matchAll(/application_name=(\w+)/g)].map(([, name = '']) => name);
  expect([...new Set(standbys)].sort()).toEqual(names);
  // Every connection of a standby has a name.
  expect(standbys).toHaveLength([...guide.matchAll(/user=replicator/g)].length);
});

test('D-1347 a standby that is promoted waits for no other, until it has one', () => {
  inOrder(placesOf(`synchronous_standby_names = ''`, 'pg_reload_conf', 'pg_promote'));
  const emptied = guide.indexOf('SELECT pg_promote()');
  expect(guide.indexOf('ALTER SYSTEM RESET synchronous_standby_names')).toBeGreaterThan(emptied);
});

test('D-1347 pg_rewind has a checkpoint before it and the log it needs, and makes a standby', () => {
  inOrder(placesOf('CHECKPOINT', 'pg_rewind', '--write-recovery-conf', 'standby.signal', 'pg_ctl'));
  expect(guide).toMatch(/^wal_keep_size = \d+GB$/m);
});
