/** Keeps the limits that people set for apps, when an app pays from a person's balance. */
import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { days, later } from '../../base/time/clock.ts';
import { exceededLimit, lockAppLimits } from '../../oauth/consents/index.ts';
import { type AppOf, insertAppPayment, sumAppPayments } from './app-payment.sql.ts';

/**
 * Records a payment of an app, in its transaction, within the limits that the person has set (D-234). The lock on the
 * consent makes payments of the same app wait for each other, so payments at the same time cannot exceed a limit.
 *
 * @throws AppError `app_limit_exceeded` with `field`; `invalid_token` if the person has ended the app's access
 *   meanwhile
 */
export async function takeFromAppLimits(
  tx: Tx,
  app: AppOf,
  { order_no, amount, now }: { order_no: string; amount: bigint; now: Date },
): Promise<void> {
  const limits = await lockAppLimits(tx, app.user_id, app.client_id);
  // The token was checked before: its consent, and the limits with it, may have ended since.
  if (limits === null) throw new AppError('invalid_token');
  const spent = limits.max_per_day === null ? 0n : await sumAppPayments(tx, app, later(now, -days(1)));
  const field = exceededLimit(limits, amount, spent);
  if (field !== null) throw new AppError('app_limit_exceeded', { field });
  await insertAppPayment(tx, app, order_no, now);
}
