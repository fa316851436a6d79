/** How the money of an order moved, as administrators see it. */
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { formatMinor } from '../../base/money.ts';
import { aboutAccount, kindOfAccount, type TransferRow } from '../../ledger/books/index.ts';
import { addUp, sumByAccount, explain, compareTransfers } from '../../ledger/explanation/index.ts';
import type { Hold } from '../../payments/holds/index.ts';

/** Decimal places of each currency. */
type Decimals = ReadonlyMap<string, number>;

/** An amount as two members: a decimal string, and `…_minor` in minor units. */
function written(name: string, currency: string, minor: bigint, decimals: Decimals): Record<string, string> {
  return {
    [name]: formatMinor(minor, decimals.get(currency) ?? 0),
    [`${name}_minor`]: minor.toString(),
  };
}

/** Every transfer of an order, oldest first: its accounts, its amount and its reason. */
export function postingsMembers(transfers: readonly TransferRow[], hold: Hold | null, decimals: Decimals) {
  return [...transfers].sort(compareTransfers).map((transfer) => {
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

/** The sums of an order's transfers, by meaning and by account. */
export function moneyMembers(transfers: readonly TransferRow[], hold: Hold | null, decimals: Decimals) {
  const lines = [...transfers].sort(compareTransfers);
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
