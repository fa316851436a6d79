import { expect, test } from 'vitest';
import { merchant_id, sampleQuote } from '../../../test/support/desks/samples.ts';
import { demandFeeFunds } from './fee-funds.ts';

const asked = new Error('the database was asked');
const db = { query: () => Promise.reject(asked) };

const platform = sampleQuote();
const own = sampleQuote({ owner: 'merchant' });
const ownWithoutFee = sampleQuote({ owner: 'merchant', merchant_fee: 0n, merchant_fee_ptk: 0n });

test.each([
  ['a channel of the platform', [platform]],
  ['one beside an own channel', [own, platform]],
  ['an own channel without fee', [own, ownWithoutFee]],
])('D-055 %s needs no funds: creation stays one round trip', async (_, quotes) => {
  await expect(demandFeeFunds(db, merchant_id, quotes)).resolves.toBeUndefined();
});

test('D-069 where every method has a fee to raise, the funds are looked at', async () => {
  await expect(demandFeeFunds(db, merchant_id, [own, own])).rejects.toBe(asked);
});
