import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buyer_id, merchant_id, order_no } from '../../../test/support/desks/samples.ts';
import { balanceChanges, type Entry } from '../../ledger/books/entry.ts';
import { isInCatalogue } from '../../ledger/explanation/explain.ts';
import {
  chargebackEntry,
  costEntry,
  costInPtk,
  freezeEntry,
  type LossSubject,
  lossInPtk,
  refundEntry,
  thawEntry,
} from './loss-entries.ts';
import type { LossShares } from './split-loss.ts';

const card: LossSubject = {
  order: { merchant_id, order_no, price_e12: 100_000_000_000n },
  attempt: {
    payment_no: 'ch_card',
    amount: 1_060n,
    currency: 'USD',
    currency_decimals: 2,
    buyer_user_id: null,
    test_mode: true,
  },
};
const wallet: LossSubject = {
  order: card.order,
  attempt: { ...card.attempt, currency: 'PTK', currency_decimals: 8, buyer_user_id: buyer_id, amount: 100n },
};
const shares: LossShares = { frozen: 5n, held: 4n, guarantee: 3n, available: 2n, recovery: 1n };

const lines = ({ transfers }: Entry): string[] =>
  transfers.map(({ debit, credit, amount, debit: { currency } }) =>
    `${debit.name} > ${credit.name} ${amount} ${currency}`.replaceAll(order_no, 'ORDER'),
  );

test('section 3.7 the whole of a payment is worth what its price makes of it', () => {
  expect(lossInPtk(card, 0n, 1_060n)).toBe(10_600_000_000n);
  expect(costInPtk(card, 1_500n)).toBe(15_000_000_000n);
  expect(lossInPtk(wallet, 0n, 100n)).toBe(100n);
});

test('D-075 losses in part come to what one loss would, whatever the price', () => {
  const price = fc.bigInt({ min: 1n, max: 10n ** 15n });
  const part = fc.bigInt({ min: 0n, max: 10n ** 15n });
  fc.assert(
    fc.property(price, part, part, (price_e12, first, second) => {
      const of = { ...card, order: { ...card.order, price_e12 } };
      expect(lossInPtk(of, 0n, first) + lossInPtk(of, first, second)).toBe(lossInPtk(of, 0n, first + second));
    }),
  );
});

describe('section 3.7 the postings', () => {
  const borne = (to: string): string[] => [
    `m:frozen:ORDER > ${to} 5 PTK`,
    `m:held:ORDER > ${to} 4 PTK`,
    `m:guarantee > ${to} 3 PTK`,
    `m:available > ${to} 2 PTK`,
    `m:recovery > ${to} 1 PTK`,
  ];
  const user = `user:${buyer_id}:available`;
  const gone = 'fx:USD > prov:ch_card:USD 1060 USD';

  test.each<[string, Entry, string[]]>([
    ['P7', refundEntry(card, 1_060n, shares), [gone, ...borne('fx:PTK')]],
    ['P7p', refundEntry(wallet, 15n, shares), borne(user)],
    ['P8', chargebackEntry(card, 'cp_1', 1_060n, shares), [gone, ...borne('fx:PTK')]],
    ['P8', chargebackEntry(wallet, 'cp_1', 15n, shares), borne(user)],
    ['P9', costEntry(card, 'cp_1', 1_060n, shares), [gone, ...borne('fx:PTK')]],
    ['P6a', freezeEntry(card, 'cp_1', 7n), ['m:held:ORDER > m:frozen:ORDER 7 PTK']],
    ['P6b', thawEntry(card, 'cp_1', 7n, 'held'), ['m:frozen:ORDER > m:held:ORDER 7 PTK']],
    [
      'P6b',
      thawEntry(card, 'cp_1', 7n, { owed: 3n }),
      ['m:frozen:ORDER > m:recovery 3 PTK', 'm:frozen:ORDER > m:available 4 PTK'],
    ],
  ])('%s', (posting, entry, expected) => {
    expect(entry).toMatchObject({ merchant_id, subject: order_no, posting, test_mode: true });
    expect(entry.case_key).toBe(posting.startsWith('P7') ? undefined : 'cp_1');
    expect(lines(entry)).toEqual(expected);
    for (const { debit, credit } of entry.transfers) {
      const line = { posting, debit_account: debit.name, credit_account: credit.name };
      expect(isInCatalogue(line), `words for ${posting} ${debit.name} > ${credit.name}`).toBe(true);
    }
  });

  test('R-139 a loss takes from every fund and adds to the debt', () => {
    const changes = balanceChanges(refundEntry(card, 1_060n, shares).transfers);
    expect(changes.map(({ account, change }) => [account.name.replace(order_no, 'ORDER'), change])).toEqual([
      ['m:available', -2n],
      ['m:frozen:ORDER', -5n],
      ['m:guarantee', -3n],
      ['m:held:ORDER', -4n],
      ['m:recovery', 1n],
    ]);
  });
});
