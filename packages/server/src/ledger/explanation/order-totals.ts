/** Adds up the transfers of an order, by account and to the totals that operators see. */
import { ledgerTexts } from '@paydesk/checkout/ledger-texts';
import { type AccountKind, growthOf, kindOfAccount } from '../books/index.ts';
import type { Line } from './explain.ts';

/** The parts of a transfer that are needed to add it up. */
export interface AmountLine extends Line {
  currency: string;
  amount: bigint;
}

/** The sums of the transfers on one account. */
export interface AccountSum {
  account: string;
  currency: string;
  debited: bigint;
  credited: bigint;
  /**
   * The change of the balance, counted on the side on which the account grows, so that in less out is the change also for what
   * a provider owes (D-1066); negative if the balance fell.
   */
  change: bigint;
}

/** The sums of each account in the transfers, in the order in which the accounts first occur. */
export function sumByAccount(lines: readonly AmountLine[]): AccountSum[] {
  const sums = new Map<string, AccountSum>();
  const add = (account: string, currency: string, debited: bigint, credited: bigint): void => {
    const known = sums.get(`${account} ${currency}`) ?? none(account, currency);
    const change = growthOf(account) === 'credit' ? credited - debited : debited - credited;
    sums.set(`${account} ${currency}`, {
      ...known,
      debited: known.debited + debited,
      credited: known.credited + credited,
      change: known.change + change,
    });
  };
  for (const { debit_account, credit_account, currency, amount } of lines) {
    add(debit_account, currency, amount, 0n);
    add(credit_account, currency, 0n, amount);
  }
  return [...sums.values()];
}

const none = (account: string, currency: string): AccountSum => ({
  account,
  currency,
  debited: 0n,
  credited: 0n,
  change: 0n,
});

/** The totals of an order: each is a signed sum of its transfers in one currency. */
export type TotalName = keyof typeof totals;

export interface Total {
  name: TotalName;
  about: string;
  currency: string;
  amount: bigint;
}

interface Leg {
  posting: string;
  from: AccountKind | null;
  to: AccountKind | null;
}

/** 1 if a transfer adds to a total, -1 if it takes from it, 0 if it does not count. */
type Share = (leg: Leg) => -1 | 0 | 1;

const when = (holds: boolean): 0 | 1 => (holds ? 1 : 0);

/** Counts the balance of accounts that grow on credit. */
const balanceOf =
  (...kinds: AccountKind[]): Share =>
  ({ from, to }) => {
    const grew = to !== null && kinds.includes(to);
    const fell = from !== null && kinds.includes(from);
    return grew === fell ? 0 : grew ? 1 : -1;
  };

const payments = ['P1', 'P2'];
const losses = ['P7', 'P7p', 'P8', 'P9'];
const isOutside = (kind: AccountKind | null): boolean => kind === 'prov' || kind === 'user';
const isOrderFunds = (kind: AccountKind | null): boolean => kind === 'm:held' || kind === 'm:frozen';
const lossFrom =
  (isSource: (kind: AccountKind | null) => boolean): Share =>
  ({ posting, from }) =>
    when(losses.includes(posting) && isSource(from));

const totals = {
  buyer_paid: ({ posting, from }) => when(payments.includes(posting) && (isOutside(from) || from === 'susp')),
  buyer_fee: balanceOf('inc:buyer_fee'),
  merchant_fee: balanceOf('inc:merchant_fee'),
  merchant_net: ({ posting, to }) =>
    when(payments.includes(posting) && (to === 'm:held' || to === 'm:available')),
  held: balanceOf('m:held'),
  frozen: balanceOf('m:frozen'),
  released: ({ from, to }) => when(isOrderFunds(from) && to === 'm:available'),
  kept_for_debt: ({ from, to }) => when(isOrderFunds(from) && to === 'm:recovery'),
  fee_reserved: balanceOf('m:fee_reserved'),
  credit_drawn: ({ from, to }) => (from === 'm:credit_drawn' ? 1 : to === 'm:credit_drawn' ? -1 : 0),
  fee_owed: ({ from, to }) => when(from === 'm:recovery' && to === 'inc:merchant_fee'),
  returned: ({ posting, to }) => when(losses.includes(posting) && posting !== 'P9' && isOutside(to)),
  external_cost: ({ posting, to }) => when(posting === 'P9' && to === 'prov'),
  loss_from_order: lossFrom(isOrderFunds),
  loss_from_guarantee: lossFrom((kind) => kind === 'm:guarantee'),
  loss_from_available: lossFrom((kind) => kind === 'm:available'),
  loss_owed: lossFrom((kind) => kind === 'm:recovery'),
  kept_apart: balanceOf('susp'),
  returned_unused: ({ from, to }) => when(from === 'susp' && (to === 'prov' || to === 'bank')),
} satisfies Record<string, Share>;

export const totalNames = Object.keys(totals) as TotalName[];

/** The totals of an order's transfers; totals of zero are left out. */
export function addUp(lines: readonly AmountLine[]): Total[] {
  const found: Total[] = [];
  for (const name of totalNames) {
    const share: Share = totals[name];
    const about = ledgerTexts.en[`total_${name}`];
    const sums = new Map<string, bigint>();
    for (const { posting, debit_account, credit_account, currency, amount } of lines) {
      const leg = { posting, from: kindOfAccount(debit_account), to: kindOfAccount(credit_account) };
      sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(share(leg)) * amount);
    }
    for (const [currency, amount] of sums) if (amount !== 0n) found.push({ name, about, currency, amount });
  }
  return found;
}
