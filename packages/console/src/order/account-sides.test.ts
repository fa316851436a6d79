import { expect, test } from 'vitest';
import { inAndOut } from './account-sides.ts';

const sums = (debited: string, credited: string, change: string) => ({
  ...{ debited, credited, change },
  ...{ debited_minor: debited, credited_minor: credited, change_minor: change },
});

test.each([
  ['a receivable that grew', sums('1500', '440', '1060'), { in: '1500', out: '440' }],
  ['a receivable that fell', sums('0', '266', '-266'), { in: '0', out: '266' }],
  ['funds that grew', sums('0', '9740', '9740'), { in: '9740', out: '0' }],
  ['funds that fell', sums('9740', '0', '-9740'), { in: '0', out: '9740' }],
  ['what came and went', sums('5', '5', '0'), { in: '5', out: '5' }],
])('D-1066 what went in less what went out is the change: %s', (_, of, expected) => {
  expect(inAndOut(of)).toEqual(expected);
});
