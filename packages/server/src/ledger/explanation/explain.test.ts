import { readFileSync } from 'node:fs';
import { ledgerTexts } from '@paydesk/checkout/ledger-texts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buyer_id, order_no } from '../../../test/support/desks/samples.ts';
import { accountKindNames, growthOf, kindOfAccount } from '../books/account-kinds.ts';
import {
  bank,
  buyerFeeIncome,
  exchange,
  issuedPtk,
  lossExpense,
  merchantAvailable,
  merchantCreditDrawn,
  merchantFeeIncome,
  merchantFeeReserved,
  merchantFrozen,
  merchantGuarantee,
  merchantHeld,
  merchantRecovery,
  merchantWithdrawalPending,
  providerClearing,
  providerCost,
  userAvailable,
} from '../books/accounts.ts';
import { addUp, type AmountLine, sumByAccount, totalNames } from './order-totals.ts';
import { explain, inLanguage, isInCatalogue } from './explain.ts';
import { postings as catalogue } from '../books/postings.ts';

const accounts = [
  userAvailable(buyer_id),
  merchantAvailable(),
  merchantHeld(order_no),
  merchantFrozen(order_no),
  merchantGuarantee(),
  merchantFeeReserved(order_no),
  merchantWithdrawalPending('wd_1'),
  merchantCreditDrawn(),
  merchantRecovery(),
  merchantFeeIncome(),
  buyerFeeIncome('USD'),
  providerClearing('ch_card', 'USD'),
  bank('USD'),
  exchange('USD'),
  providerCost('USD'),
  lossExpense(),
  issuedPtk(),
];

describe('section 3.6 the kinds of account', () => {
  test.each(accounts)('$name is of a kind, and grows where its stored balance does', (account) => {
    const kind = kindOfAccount(account.name);
    expect(kind).not.toBeNull();
    if (account.guarded?.of === 'merchant') expect(growthOf(account.name)).toBe(account.guarded.grows);
  });

  test('every kind is some account’s', () => {
    const known = [...accounts.map(({ name }) => kindOfAccount(name)), kindOfAccount('susp:USD:case_1')];
    expect(new Set(known)).toEqual(new Set(accountKindNames));
  });

  test.each(['', 'm', 'm:unknown', 'constructor', 'm:held_', 'inc', 'inc:other:USD'])(
    '"%s" is not an account',
    (name) => {
      expect(kindOfAccount(name)).toBeNull();
    },
  );
});

test('docs/ledger.md has a row for every kind of account and every posting', () => {
  const page = readFileSync(new URL('../../../../../docs/ledger.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const has = (name: string): boolean =>
    rows.some((row) => new RegExp(`^\\| (\`${name}[:\`]|${name} )`).test(row));
  expect([...accountKindNames, ...Object.keys(catalogue)].filter((name) => !has(name))).toEqual([]);
});

describe('section 3.7 words for a transfer', () => {
  test.each([
    ['P1', 'prov:ch_1:USD', 'inc:buyer_fee:USD', 'Buyer fee'],
    ['P1', 'fx:PTK', `m:held:${order_no}`, 'Net proceeds, under hold'],
    ['P2', `user:${buyer_id}:available`, 'm:available', 'Net proceeds, available at once'],
    ['P3', `m:held:${order_no}`, 'm:recovery', 'Repays what the merchant owed'],
    ['P4d', 'm:recovery', 'inc:merchant_fee', 'Merchant fee, which the merchant owes from now on'],
    ['P7', 'm:guarantee', 'fx:PTK', 'Taken from the merchant’s guarantee'],
    [
      'P7p',
      `m:frozen:${order_no}`,
      `user:${buyer_id}:available`,
      'Taken from the frozen proceeds of this order',
    ],
    ['P9', 'fx:USD', 'prov:ch_1:USD', 'Charged by the card provider'],
  ])('%s %s > %s: %s', (posting, debit_account, credit_account, what) => {
    const line = { posting, debit_account, credit_account };
    expect(explain(line)).toMatchObject({ what });
    expect(isInCatalogue(line)).toBe(true);
  });

  test('R-019 what is not known is told by its accounts, and marked as such', () => {
    const line = { posting: 'P99', debit_account: 'm:available', credit_account: 'elsewhere:x' };
    expect(explain(line)).toMatchObject({
      why: 'Posting P99.',
      from: 'The merchant’s available PTK',
      to: 'elsewhere:x',
    });
    expect(isInCatalogue(line)).toBe(false);
    expect(isInCatalogue({ ...line, posting: 'P2', credit_account: 'bank:USD' })).toBe(false);
  });
});

describe('D-495 the texts of the books', () => {
  test('are found by the codes of postings, transfers, accounts and totals, and no text is unused', () => {
    const known = [
      ...Object.entries(catalogue).flatMap(([posting, legs]) => [posting, ...Object.values(legs)]),
      ...accountKindNames,
      ...totalNames.map((name) => `total_${name}`),
    ];
    const texts = Object.keys(ledgerTexts.en).filter((key) => !key.startsWith('statement_'));
    expect(texts.sort()).toEqual([...new Set(known)].sort());
  });

  test('say what happened in the language that is asked for, or nothing where the code is unknown', () => {
    const line = { posting: 'P6a', what_code: 'proceeds_frozen' } as const;
    expect(inLanguage('de', line).what).toBe('Erlöse eingefroren');
    expect(inLanguage('en', line).why).toMatch(/^A dispute was opened/);
    expect(inLanguage('ja', { posting: 'P99', what_code: null })).toEqual({ why: null, what: null });
  });

  test('D-496 call a doubt about a payment a dispute, and what a merchant takes out a payout', () => {
    expect(Object.values(ledgerTexts.en).join(' ')).not.toMatch(/complain|withdraw/i);
  });
});

const names = [
  ...accounts.map(({ name, currency }) => ({ name, currency })),
  { name: 'susp:USD:c1', currency: 'USD' },
];
const postings = [
  'P1',
  'P2',
  'P3',
  'P4a',
  'P4c',
  'P4d',
  'P6a',
  'P6b',
  'P7',
  'P7p',
  'P8',
  'P9',
  'P10',
  'P10b',
  'P10r',
  'P11',
];
const anyLines = fc.array(
  fc
    .tuple(
      fc.constantFrom(...postings),
      fc.constantFrom(...names),
      fc.constantFrom(...names),
      fc.bigInt(1n, 10n ** 20n),
    )
    .filter(([, from, to]) => from.name !== to.name && from.currency === to.currency)
    .map(([posting, from, to, amount]): AmountLine => ({
      posting,
      debit_account: from.name,
      credit_account: to.name,
      currency: from.currency,
      amount,
    })),
  { maxLength: 30 },
);

const sum = (amounts: bigint[]): bigint => amounts.reduce((all, amount) => all + amount, 0n);

describe('what transfers come to', () => {
  test('R-143 account by account: debits and credits of the accounts match the lines, and balance', () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const sums = sumByAccount(lines);
        for (const currency of ['USD', 'PTK']) {
          const of = sums.filter((row) => row.currency === currency);
          const total = sum(lines.filter((row) => row.currency === currency).map(({ amount }) => amount));
          expect(sum(of.map(({ debited }) => debited))).toBe(total);
          expect(sum(of.map(({ credited }) => credited))).toBe(total);
        }
        for (const { account, change, debited, credited } of sums) {
          expect(change).toBe(growthOf(account) === 'debit' ? debited - credited : credited - debited);
        }
      }),
    );
  });

  test('what is held, frozen, reserved or kept apart now is what the accounts say', () => {
    const now = [
      ['held', `m:held:${order_no}`],
      ['frozen', `m:frozen:${order_no}`],
      ['fee_reserved', `m:fee_reserved:${order_no}`],
      ['merchant_fee', 'inc:merchant_fee'],
      ['buyer_fee', 'inc:buyer_fee:USD'],
      ['kept_apart', 'susp:USD:c1'],
    ] as const;
    fc.assert(
      fc.property(anyLines, (lines) => {
        const totals = addUp(lines);
        const sums = sumByAccount(lines);
        for (const [name, account] of now) {
          const said = totals.find((total) => total.name === name)?.amount ?? 0n;
          expect([name, said]).toEqual([name, sums.find((row) => row.account === account)?.change ?? 0n]);
        }
      }),
    );
  });

  test('the worked example of section 3.7: USD 10.60 paid, 97.4 PTK net, refunded in full', () => {
    const line = (
      posting: string,
      debit_account: string,
      credit_account: string,
      amount: bigint,
    ): AmountLine => ({
      posting,
      debit_account,
      credit_account,
      currency: /USD/.test(debit_account + credit_account) ? 'USD' : 'PTK',
      amount,
    });
    const lines = [
      line('P1', 'prov:ch_1:USD', 'inc:buyer_fee:USD', 60n),
      line('P1', 'prov:ch_1:USD', 'fx:USD', 1_000n),
      line('P1', 'fx:PTK', 'inc:merchant_fee', 260_000_000n),
      line('P1', 'fx:PTK', 'm:held:o', 9_740_000_000n),
      line('P6a', 'm:held:o', 'm:frozen:o', 9_740_000_000n),
      line('P7', 'fx:USD', 'prov:ch_1:USD', 1_060n),
      line('P7', 'm:frozen:o', 'fx:PTK', 9_740_000_000n),
      line('P7', 'm:guarantee', 'fx:PTK', 800_000_000n),
      line('P7', 'm:recovery', 'fx:PTK', 60_000_000n),
    ];
    expect(addUp(lines).map(({ name, currency, amount }) => [name, currency, amount])).toEqual([
      ['buyer_paid', 'USD', 1_060n],
      ['buyer_fee', 'USD', 60n],
      ['merchant_fee', 'PTK', 260_000_000n],
      ['merchant_net', 'PTK', 9_740_000_000n],
      ['returned', 'USD', 1_060n],
      ['loss_from_order', 'PTK', 9_740_000_000n],
      ['loss_from_guarantee', 'PTK', 800_000_000n],
      ['loss_owed', 'PTK', 60_000_000n],
    ]);
  });
});
