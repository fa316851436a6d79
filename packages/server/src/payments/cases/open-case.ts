import type { Write } from '../../base/pg/index.ts';
import { post } from '../../ledger/books/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { newCase, type NewCase, type PaymentCase } from './case.ts';
import { insertCase, insertCaseOnce } from './case.sql.ts';
import { receiptEntry } from './case-entries.ts';

/**
 * Opens a case, once for its kind and key in its book (`merchant_id`, or `platformBook`): opened again it stays as
 * it is, also where it was resolved. Nothing is booked: for money that goes to suspense see `openReceipt`.
 */
export function openCase(deps: Pick<PaymentDeps, 'ids'>, about: NewCase, now: Date): Write {
  return insertCaseOnce(newCase(deps, about, now));
}

/**
 * Opens a case for money that came in, and books it to suspense (P10, P11). Whoever calls holds the order's lock and
 * has seen that there is no such case yet: one that is known fails at its key, so that nothing is booked twice.
 *
 * @param about names the channel, the amount, the currency and the provider's payment
 */
export function openReceipt(
  deps: Pick<PaymentDeps, 'ids'>,
  about: NewCase,
  now: Date,
): { opened: PaymentCase; writes: Write[] } {
  const opened = newCase(deps, { ...about, booked: true }, now);
  return { opened, writes: [insertCase(opened), ...post([receiptEntry(opened)], now).book] };
}
