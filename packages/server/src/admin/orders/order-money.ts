import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { formatMinor } from '../../base/money.ts';
import { aboutAccount, kindOfAccount, type TransferRow } from '../../ledger/books/index.ts';
import { addUp, sumByAccount, explain, sequenceOf } from '../../ledger/verification/index.ts';
import type { Hold } from '../../payments/holds/index.ts';

/** Digits after the point, by currency. */
type Decimals = ReadonlyMap<string, number>;

/** An amount as a decimal string and, under a second name, in minor units. */
function written(name: string, currency: string, minor: bigint, decimals: Decimals): Record<string, string> {
  return {
    [name]: formatMinor(minor, decimals.get(currency) ?? 0),
    [`${name}_minor`]: minor.toString(),
  };
}

const inOrder = (a: TransferRow, b: TransferRow): number =>
  a.at.getTime() - b.at.getTime() ||
  sequenceOf(a.posting) - sequenceOf(b.posting) ||
  a.case_key.localeCompare(b.case_key) ||
  a.leg - b.leg;

/** Every transfer on an order, in the order in which they happened: from where to where, how much, and why. */
export function postingsMembers(transfers: readonly TransferRow[], hold: Hold | null, decimals: Decimals) {
  return [...transfers].sort(inOrder).map((transfer) => {
    const { what, ...words } = explain(transfer);
    const isHeld = kindOfAccount(transfer.credit_account) === 'm:held' && hold !== null;
    return {
      posting: transfer.posting,
      case_key: transfer.case_key,
      leg: transfer.leg,
      debit: transfer.debit_account,
      credit: transfer.credit_account,
      currency: transfer.currency,
      ...written('amount', transfer.currency, transfer.amount, decimals),
      test_mode: transfer.test_mode,
      at: rfc3339(transfer.at),
      what: isHeld ? `${what} (until ${rfc3339(hold.release_at)})` : what,
      ...words,
    };
  });
}

/** What an order's transfers come to, by what they mean and by account. */
export function moneyMembers(transfers: readonly TransferRow[], hold: Hold | null, decimals: Decimals) {
  const lines = [...transfers].sort(inOrder);
  return {
    hold:
      hold === null
        ? null
        : {
            release_at: rfc3339(hold.release_at),
            released_at: rfc3339OrNull(hold.released_at),
          },
    totals: addUp(lines).map(({ name, about, currency, amount }) => ({
      total: name,
      about,
      currency,
      ...written('amount', currency, amount, decimals),
    })),
    accounts: sumByAccount(lines).map(({ account, currency, debited, credited, change }) => ({
      account,
      about: aboutAccount(account),
      currency,
      ...written('debited', currency, debited, decimals),
      ...written('credited', currency, credited, decimals),
      ...written('change', currency, change, decimals),
    })),
  };
}
