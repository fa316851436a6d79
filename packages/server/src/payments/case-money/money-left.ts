/** What cases still hold. */
import type { Queryable } from '../../base/pg/index.ts';
import { readBalances } from '../../ledger/books/index.ts';
import { lostOf, type PaymentCase, suspenseOf } from '../cases/index.ts';

/**
 * The money that a refund or a repayment of each case would return now, in minor units (D-750): without what an order was
 * paid from, and what lost disputes have taken. One statement for any number of cases.
 *
 * @returns by case; those that hold nothing are missing
 */
export async function readLeft(db: Queryable, cases: readonly PaymentCase[]): Promise<Map<string, bigint>> {
  const open = cases.filter(({ state }) => state !== 'resolved');
  const booked = open.filter((about) => about.booked);
  const suspended = await readBalances(
    db,
    booked.map((about) => ({ merchant_id: about.merchant_id, account: suspenseOf(about) })),
  );
  const left = open.map((about): [string, bigint] => {
    const { case_id, amount } = about;
    return [case_id, about.booked ? (suspended.get(case_id) ?? 0n) : (amount ?? 0n) - lostOf(about)];
  });
  return new Map(left.filter(([, amount]) => amount > 0n));
}
