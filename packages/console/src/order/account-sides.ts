/** The sums on one account as what went in and what went out, by the side on which the account grows (D-1066). */

interface AccountSums {
  debited: string;
  credited: string;
  debited_minor: string;
  credited_minor: string;
  change_minor: string;
}

/** The sums so that in − out = change: an account that grows on the debit side, such as a receivable, gets its debits. */
export function inAndOut(sums: AccountSums): { in: string; out: string } {
  const { debited, credited } = sums;
  const growsOnCredit =
    BigInt(sums.credited_minor) - BigInt(sums.debited_minor) === BigInt(sums.change_minor);
  return growsOnCredit ? { in: credited, out: debited } : { in: debited, out: credited };
}
