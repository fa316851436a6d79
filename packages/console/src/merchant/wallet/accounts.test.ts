import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../texts/texts.ts';
import { accountName, accountsOf, walletAccounts } from './accounts.ts';

beforeAll(() => loadTexts(['business']));

test.each([
  ['recovery', null, 'Owed from losses'],
  [null, 'held', 'Held'],
  ['held', 'available', 'Held → Available'],
] as const)('D-282 a line from %s to %s is about %s', (from, to, wanted) => {
  expect(accountsOf({ from, to })).toBe(wanted);
});

test('every account has a unique name', () => {
  expect(new Set(walletAccounts.map(accountName)).size).toBe(walletAccounts.length);
});
