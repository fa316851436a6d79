/** The channel directory of a merchant, and which channels are in it. */
import { type Channel, ownerOf } from './channel.ts';
import { grantsMerchant } from './debug-grants.ts';
import { channelNeedsLogin } from './login-required.ts';

/** One entry, with exactly the members of the contract. */
export interface DirectoryEntry {
  /** Creation takes it unchanged. */
  payment_no: string;
  /** Not an identifier. */
  name: string;
  /** `cardprov` or `ptk`. */
  provider: string;
  owner: 'platform' | 'merchant';
  /** Only for display (R-159, D-067). */
  currency: string;
  /** About the channel itself, whatever the merchant allows guests (R-153, R-154, R-155, D-131). */
  login_required: boolean;
  /** Whether an administrator has marked it as a test channel. */
  test_mode: boolean;
}

/**
 * The channels that can serve a merchant's orders: enabled, configured, granted, and of the platform or the merchant
 * itself. No prices are quoted, and no buyer is known.
 */
export function directoryOf(channels: readonly Channel[], merchant_id: string): DirectoryEntry[] {
  return channels
    .filter((channel) => servesMerchant(channel, merchant_id))
    .map((channel) => ({
      payment_no: channel.payment_no,
      name: channel.name,
      provider: channel.provider,
      owner: ownerOf(channel),
      currency: channel.currency,
      login_required: channelNeedsLogin(channel),
      test_mode: channel.test_mode,
    }));
}

/** A card channel needs a key and a webhook secret. */
export function isConfigured(channel: Channel): boolean {
  return (
    channel.provider === 'ptk' || (channel.secret_key_box !== null && channel.webhook_secret_box !== null)
  );
}

/**
 * Whether a channel may serve this merchant, while the buyer is unknown: ownership, enablement, configuration and, for
 * test channels, the merchant side of the debug grants (R-152, R-158, R-169, D-128); without any grant it is listed nowhere
 * . It gives no reason, so a disabled, foreign or unusable channel is refused alike.
 */
export function servesMerchant(channel: Channel, merchant_id: string): boolean {
  if (!channel.enabled || !isConfigured(channel)) return false;
  if (channel.merchant_id !== null && channel.merchant_id !== merchant_id) return false;
  return !channel.test_mode || grantsMerchant(channel, merchant_id);
}
