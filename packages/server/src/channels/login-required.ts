/** Where a buyer must sign in to pay. */
import type { Merchant } from '../merchants/index.ts';
import type { Channel } from './channel.ts';
import { namesBuyers } from './debug-grants.ts';

/**
 * Whether the channel itself needs sign-in, whatever the merchant's guest setting is (R-153, R-154, R-155, R-173,
 * D-131).
 */
export function channelNeedsLogin(
  channel: Pick<Channel, 'provider' | 'login_required' | 'test_mode' | 'debug_users'>,
): boolean {
  return channel.provider === 'ptk' || channel.login_required || (channel.test_mode && namesBuyers(channel));
}

/**
 * Whether a buyer has to sign in for a method: PTK and limited test channels always need it, others if the
 * merchant does not allow guests (R-213, R-376, D-126).
 */
export function methodNeedsLogin(
  channel: Parameters<typeof channelNeedsLogin>[0],
  merchant: Pick<Merchant, 'guest_purchase_allowed'>,
): boolean {
  return !merchant.guest_purchase_allowed || channelNeedsLogin(channel);
}
