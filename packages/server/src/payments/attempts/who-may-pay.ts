/** Who may pay through a channel. Only the signed-in account counts, not an id in the request. */
import { AppError } from '../../base/errors.ts';
import { grantsBuyer, methodNeedsLogin } from '../../channels/index.ts';
import type { MethodChannel, MethodMerchant } from './chosen-method.sql.ts';

/**
 * Checks that a buyer may pay through a channel now. Runs when a payment starts and when it resumes (R-172, D-130).
 * The first error in the order of D-097 is thrown (R-214, R-218, D-085, D-197). A guest who must sign in is refused first
 * by the merchant's setting as it is now (R-376, D-126). Settling does not check access, so a payment of an
 * older session still counts, also for an inactive merchant (R-174, D-098).
 *
 * @throws AppError `login_required`, `payment_debug_access_denied`, `merchant_inactive`, `channel_unavailable` or
 *   `self_payment_not_allowed`
 */
export function checkAccess(channel: MethodChannel, merchant: MethodMerchant, user_id: string | null): void {
  if (user_id === null && methodNeedsLogin(channel, merchant)) throw new AppError('login_required');
  // A test channel must be enabled, and granted to this merchant and buyer (D-127), also for an administrator.
  if (channel.test_mode && !(channel.enabled && grantsBuyer(channel, merchant.merchant_id, user_id))) {
    throw new AppError('payment_debug_access_denied');
  }
  if (merchant.status !== 'active') throw new AppError('merchant_inactive');
  if (!channel.enabled) throw new AppError('channel_unavailable');
  if (channel.provider === 'ptk' && user_id !== null && merchant.owners.includes(user_id)) {
    throw new AppError('self_payment_not_allowed');
  }
}
