import type { Write } from '../../base/pg/index.ts';
import { post } from '../../ledger/books/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { newCase, type NewCase, type PaymentCase } from './case.ts';
import { insertCase, insertCaseOnce } from './case.sql.ts';
import { receiptEntry } from './case-entries.ts';

/**
 * Opens a case without booking money. A case of the same kind and key in the same book stays unchanged, even if it is
 * resolved. For money that goes into suspense, see `openReceipt`.
 */
export function openCase(deps: Pick<PaymentDeps, 'ids'>, about: NewCase, now: Date): Write {
  return insertCaseOnce(newCase(deps, about, now));
}

/**
 * Opens a case for received money and books the money into suspense (P10, P11). The caller holds the order's lock and has
 * checked that the case is new. If it exists, the insert fails on its key, so no money is booked twice.
 *
 * @param about includes channel, amount, currency and the provider's payment
 */
export function openReceipt(
  deps: Pick<PaymentDeps, 'ids'>,
  about: NewCase,
  now: Date,
): { opened: PaymentCase; writes: Write[] } {
  const opened = newCase(deps, { ...about, booked: true }, now);
  return { opened, writes: [insertCase(opened), ...post([receiptEntry(opened)], now).book] };
}
