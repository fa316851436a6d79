/** Builds a channel from what an administrator sends: a new channel, a change, a new webhook secret. */
import type { ChannelChange, NewChannel } from '@paydesk/contract';
import { hours, later } from '../../base/time/clock.ts';
import { invalid } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import { sealed } from '../../base/sealed-columns.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { type Channel, type FeeRule, type FeeRules, ownerOf } from '../../channels/index.ts';

/** The provider's public API. */
const defaultApiBase = 'https://api.stripe.com';

/** The members of a new channel that the service chooses. */
export interface Made {
  payment_no: string;
  /** The merchant whose account it is; null for the platform's account. */
  merchant_id: string | null;
  webhook_key: string;
  created_at: Date;
}

/**
 * The channel that a request describes. Throws `invalid_request` with the invalid field. Rules about the channel as a
 * whole are checked when it is stored.
 */
export function newChannel(body: NewChannel, box: SecretBox, made: Made): Channel {
  const fees = feesOf(body.fees);
  const card = body.provider === 'cardprov';
  const bare: Channel = {
    payment_no: made.payment_no,
    merchant_id: made.merchant_id,
    provider: body.provider,
    name: body.name,
    names: body.names ?? {},
    payment_method_types: [],
    currency: body.currency,
    test_mode: body.test_mode ?? false,
    enabled: body.enabled ?? true,
    login_required: body.login_required ?? false,
    supported_currencies: unique(body.supported_currencies ?? [...fees.keys()]),
    fees,
    debug_merchants: [],
    debug_users: [],
    api_base: card ? defaultApiBase : '',
    secret_key_box: null,
    live_key: false,
    webhook_secret_box: null,
    previous_webhook_secret_box: null,
    previous_webhook_valid_until: null,
    webhook_key: card ? made.webhook_key : null,
    created_at: made.created_at,
  };
  return withAccount(bare, body.config, box);
}

/** A channel after a change. Members that the request leaves out stay as they are. */
export function changedChannel(channel: Channel, body: ChannelChange, box: SecretBox): Channel {
  demandSame('owner', body.owner, ownerOf(channel));
  demandSame('provider', body.provider, channel.provider);
  const merchant_no = channel.merchant_id === null ? null : merchantNo(channel.merchant_id);
  if (body.merchant_no !== undefined && body.merchant_no !== merchant_no) {
    throw invalid('merchant_no', 'A channel keeps its owner: create another instead.');
  }
  const changed: Channel = {
    ...channel,
    name: body.name ?? channel.name,
    names: body.names ?? channel.names,
    currency: body.currency ?? channel.currency,
    test_mode: body.test_mode ?? channel.test_mode,
    enabled: body.enabled ?? channel.enabled,
    login_required: body.login_required ?? channel.login_required,
    supported_currencies:
      body.supported_currencies === undefined
        ? channel.supported_currencies
        : unique(body.supported_currencies),
    fees: body.fees === undefined ? channel.fees : feesOf(body.fees),
  };
  return withAccount(changed, body.config, box);
}

/** How long webhooks may still be signed with the previous secret, in real time. */
const overlap_ms = hours(24);

/**
 * A channel with a new webhook secret. The previous one stays valid for a day, also if the request is sent again, as
 * after a lost answer (D-1200).
 */
export function withRotatedSecret(
  channel: Channel,
  webhook_secret: string,
  box: SecretBox,
  real: Date,
): Channel {
  if (channel.provider !== 'cardprov') {
    throw invalid('webhook_secret', 'Only card channels receive webhooks.');
  }
  if (isSecretOf(channel, webhook_secret, box)) return channel;
  const previous = channel.webhook_secret_box;
  return {
    ...channel,
    webhook_secret_box: box.seal(webhook_secret, sealed.webhookSecret.row(channel)),
    previous_webhook_secret_box: previous,
    previous_webhook_valid_until: previous === null ? null : later(real, overlap_ms),
  };
}

/** A stored secret that does not open is taken for another one, so that it can be replaced. */
function isSecretOf(channel: Channel, webhook_secret: string, box: SecretBox): boolean {
  const { webhook_secret_box: stored } = channel;
  try {
    return stored !== null && box.open(stored, sealed.webhookSecret.row(channel)) === webhook_secret;
  } catch {
    return false;
  }
}

/** The names of the secrets that a request sets, for the audit log, which must not contain the secrets. */
export function secretsSetBy(config: ChannelChange['config']): string[] {
  return (['secret_key', 'webhook_secret'] as const).filter((name) => config?.[name] !== undefined);
}

function demandSame(field: string, wanted: string | undefined, present: string): void {
  if (wanted !== undefined && wanted !== present) {
    throw invalid(field, `A channel keeps its ${field}: create another instead.`);
  }
}

function withAccount(channel: Channel, config: NewChannel['config'], box: SecretBox): Channel {
  if (config === undefined) return channel;
  if (channel.provider !== 'cardprov')
    throw invalid('config', 'The PTK channel has no account at a provider.');
  const { api_base, secret_key, webhook_secret, payment_method_types } = config;
  const changed = { ...channel };
  if (payment_method_types !== undefined) changed.payment_method_types = payment_method_types;
  if (api_base !== undefined) changed.api_base = readApiBase(api_base);
  // No one may see the stored key, and it would be sent to the new address (D-626).
  if (changed.api_base !== channel.api_base && channel.secret_key_box !== null && secret_key === undefined) {
    throw invalid('config.secret_key', 'Another address needs its key: send both together.');
  }
  if (secret_key !== undefined) {
    changed.secret_key_box =
      secret_key === null ? null : box.seal(secret_key, sealed.channelKey.row(channel));
    changed.live_key = secret_key !== null && !/^[rs]k_test_/.test(secret_key);
  }
  if (webhook_secret !== undefined) {
    // A secret that is set here replaces the old one at once. Only rotation keeps the old one valid.
    changed.webhook_secret_box =
      webhook_secret === null ? null : box.seal(webhook_secret, sealed.webhookSecret.row(channel));
    changed.previous_webhook_secret_box = null;
    changed.previous_webhook_valid_until = null;
  }
  return changed;
}

/** Reads an https origin, or http on this machine for the simulator: the API key must not travel unencrypted. */
function readApiBase(text: string): string {
  const field = 'config.api_base';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.origin !== text.replace(/\/$/, '')) {
    throw invalid(field, 'An origin: scheme, host and port, nothing else.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(field, 'It must use https unless its host is a loopback address.');
  }
  return url.origin;
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

/** The fee rules by currency, in minor units and parts per million; a zero must be written (D-062). */
function feesOf(list: NewChannel['fees']): Map<string, FeeRules> {
  const fees = new Map<string, FeeRules>();
  for (const [i, { currency, buyer, merchant }] of list.entries()) {
    if (fees.has(currency)) throw invalid(`fees.${i}.currency`, `There are two fee rules for ${currency}.`);
    fees.set(currency, { buyer: ruleOf(buyer), merchant: ruleOf(merchant) });
  }
  return fees;
}

const ruleOf = (rule: NewChannel['fees'][number]['buyer']): FeeRule => ({
  fixed_minor: BigInt(rule.fixed_minor),
  percent_ppm: rule.percent_ppm,
  cap_minor: rule.cap_minor === undefined || rule.cap_minor === null ? null : BigInt(rule.cap_minor),
});

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
