import { expect, test } from 'vitest';
import { type Posting, postings } from '../../ledger/books/index.ts';
import { partOf, partsOf } from './statement-parts.ts';

const isOwn = (account: string): boolean => account.startsWith('m:');

/** Whether a posting can change the total of the merchant's own accounts. */
const changes = (posting: Posting): boolean =>
  Object.keys(postings[posting]).some((leg) => {
    const [debit = '', credit = ''] = leg.split(' > ');
    return isOwn(debit) !== isOwn(credit);
  });

test('D-501 each posting that can change a wallet has a part of the net, and no other has one', () => {
  const all = Object.keys(postings) as Posting[];
  expect(all.filter((posting) => partOf[posting] !== null)).toEqual(all.filter(changes));
});

test('D-501 D-522 parts add up by kind, zeros are left out, tests are apart, and an unknown posting is other', () => {
  const parts = partsOf(
    new Map([
      ['P1', 900n],
      ['P2', 100n],
      ['P3', 0n],
      ['P7', -50n],
      ['P99', 3n],
      ['tests', 40n],
    ]),
  );
  expect(parts).toEqual([
    { part: 'orders', change: 1_000n },
    { part: 'returns', change: -50n },
    { part: 'other', change: 3n },
    { part: 'tests', change: 40n },
  ]);
});
