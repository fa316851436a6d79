import { expect, test } from 'vitest';
import { inLockOrder } from './group-commit.ts';

/** A job of statements, each named by whose rows it writes and the job. */
const job = (name: string, ...owners: string[]) => ({
  statements: owners.map((owner) => ({ owner, name: `${owner} ${name}`, text: '', values: [] })),
});

test('all books are locked before all wallets, and each in the order of whose they are', () => {
  const group = [
    job('1', 'shop b', 'person x'),
    job('2', 'shop a'),
    job('3', 'shop c', 'person a', 'more'),
    job('4', 'shop b', 'person a'),
    job('5'),
  ];
  const ordered = inLockOrder(group);
  expect(ordered.map(({ statement }) => statement.name)).toEqual([
    ...['shop a 2', 'shop b 1', 'shop b 4', 'shop c 3'],
    ...['person a 3', 'person a 4', 'person x 1'],
    'more 3',
  ]);
  for (const { job, statement } of ordered) expect(job.statements).toContain(statement);
});
