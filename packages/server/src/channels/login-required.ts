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
