/** What a case still holds. */
import type { Queryable } from '../../base/pg/index.ts';
import { readBalance } from '../../ledger/books/index.ts';
import { lostOf, type PaymentCase, suspenseOf } from '../cases/index.ts';

/**
 * The money that a refund or a repayment of the case would return now, in minor units (D-750): without what an order was
 * paid from, and what lost disputes have taken. Null if there is none.
 */
export async function readLeft(db: Queryable, about: PaymentCase): Promise<bigint | null> {
  const { state, booked, merchant_id, amount } = about;
  if (state === 'resolved' || amount === null) return null;
  const left = booked ? await readBalance(db, merchant_id, suspenseOf(about)) : amount - lostOf(about);
  return left > 0n ? left : null;
}
