import { expect, test } from 'vitest';
import { sql, type Write } from './db.ts';
import { inLockOrder } from './group-commit.ts';

const list = (text: string): Write[] => [{ statement: sql([text]), rows: 1 }];

test('all books are locked before all wallets, and each in the order of whose they are', () => {
  const group = [
    { of: 'shop b', lists: [list('b1 book'), list('b1 wallet')] },
    { of: 'shop a', lists: [list('a book')] },
    { of: 'shop c', lists: [list('c book'), list('c wallet'), list('c more')] },
    { of: 'shop b', lists: [list('b2 book'), list('b2 wallet')] },
    { of: '', lists: [] },
  ];
  expect(inLockOrder(group).map(([write]) => write?.statement.text)).toEqual([
    ...['a book', 'b1 book', 'b2 book', 'c book'],
    ...['b1 wallet', 'b2 wallet', 'c wallet'],
    'c more',
  ]);
});
