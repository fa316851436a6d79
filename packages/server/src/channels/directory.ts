/** The channel directory of a merchant. */
import { type Channel, channelNeedsLogin, ownerOf, servesMerchant } from './channel.ts';

/** One entry, with the members of the contract. */
export interface DirectoryEntry {
  payment_no: string;
  name: string;
  provider: string;
  owner: 'platform' | 'merchant';
  currency: string;
  login_required: boolean;
  test_mode: boolean;
}

/** The channels that can serve a merchant's orders, without quotes and for no specific buyer. */
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
