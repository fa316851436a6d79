import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { merchantNo } from '../../base/ids.ts';
import { type Channel, ownerOf, rulesToStore } from '../../channels/index.ts';

/** A channel as administrators and the audit log see it. Secrets are not shown, only whether they are set. */
export const channelJson = (channel: Channel) => ({
  payment_no: channel.payment_no,
  owner: ownerOf(channel),
  merchant_no: channel.merchant_id === null ? null : merchantNo(channel.merchant_id),
  provider: channel.provider,
  name: channel.name,
  names: channel.names,
  currency: channel.currency,
  test_mode: channel.test_mode,
  enabled: channel.enabled,
  login_required: channel.login_required,
  supported_currencies: channel.supported_currencies,
  fees: [...channel.fees].map(([currency, rules]) => ({ currency, ...rulesToStore(rules) })),
  debug_grants: {
    merchants: channel.debug_merchants.map(merchantNo),
    users: channel.debug_users,
  },
  ...(channel.provider === 'ptk' ? {} : { config: accountJson(channel) }),
  created_at: rfc3339(channel.created_at),
});

const accountJson = (channel: Channel) => ({
  api_base: channel.api_base,
  payment_method_types: channel.payment_method_types,
  live_key: channel.live_key,
  secret_key_set: channel.secret_key_box !== null,
  webhook_secret_set: channel.webhook_secret_box !== null,
  previous_webhook_secret_valid_until: rfc3339OrNull(channel.previous_webhook_valid_until),
});

/** A channel in an answer to an administrator. It adds the secret address for the provider's webhooks. */
export const channelAnswer = (channel: Channel, public_url: string) => ({
  ...channelJson(channel),
  ...(channel.webhook_key === null
    ? {}
    : { webhook_url: `${public_url}/webhooks/cardprov/${channel.webhook_key}` }),
});
