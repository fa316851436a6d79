import { invalid } from '../base/errors.ts';
import { ptk } from '../base/money.ts';

export type Provider = 'ptk' | 'cardprov';

/** A fee in minor units of the payment currency; the percentage in parts per million (D-062). */
export interface FeeRule {
  fixed_minor: bigint;
  percent_ppm: number;
  /** Limits the percentage part; null: no limit (D-061). */
  cap_minor: bigint | null;
}

/** What the buyer pays on top, and what the merchant gives up. */
export interface FeeRules {
  buyer: FeeRule;
  merchant: FeeRule;
}

/** A way to pay: the platform's token, or an account at the card provider. */
export interface Channel {
  payment_no: string;
  /** The merchant whose account it is; null for the platform's. */
  merchant_id: string | null;
  provider: Provider;
  name: string;
  /** For display in the directory; decides nothing. */
  currency: string;
  test_mode: boolean;
  enabled: boolean;
  login_required: boolean;
  supported_currencies: string[];
  /** A currency without a rule cannot be paid here: silence is not zero (D-062). */
  fees: Map<string, FeeRules>;
  debug_merchants: string[];
  debug_users: string[];
  api_base: string;
  secret_key_box: Buffer | null;
  /** Whether the key is one that moves real money: any but `sk_test_…` and `rk_test_…`. */
  live_key: boolean;
  webhook_secret_box: Buffer | null;
  previous_webhook_secret_box: Buffer | null;
  previous_webhook_valid_until: Date | null;
  webhook_key: string | null;
  created_at: Date;
}

export const ownerOf = (channel: Channel): 'platform' | 'merchant' =>
  channel.merchant_id === null ? 'platform' : 'merchant';

/** Card channels work only with a signed webhook and a key. */
export function isConfigured(channel: Channel): boolean {
  return (
    channel.provider === 'ptk' || (channel.secret_key_box !== null && channel.webhook_secret_box !== null)
  );
}

/**
 * Whether a channel may serve this merchant, before anything is known of the buyer: ownership, enablement,
 * configuration and, for test channels, the merchant side of the debug grants (R-152, R-158, D-128).
 */
export function servesMerchant(channel: Channel, merchant_id: string): boolean {
  if (!channel.enabled || !isConfigured(channel)) return false;
  if (channel.merchant_id !== null && channel.merchant_id !== merchant_id) return false;
  return !channel.test_mode || grantsMerchant(channel, merchant_id);
}

/** The merchant side of a debug grant: some list must name somebody, and a merchant list must name this one. */
export function grantsMerchant(
  channel: Pick<Channel, 'debug_merchants' | 'debug_users'>,
  merchant_id: string,
): boolean {
  const { debug_merchants, debug_users } = channel;
  if (debug_merchants.length === 0) return debug_users.length > 0;
  return debug_merchants.includes(merchant_id);
}

/** The whole debug grant for one buyer at one merchant (D-127); `user_id` null for a guest. */
export function grantsBuyer(
  channel: Pick<Channel, 'debug_merchants' | 'debug_users'>,
  merchant_id: string,
  user_id: string | null,
): boolean {
  if (!grantsMerchant(channel, merchant_id)) return false;
  return channel.debug_users.length === 0 || (user_id !== null && channel.debug_users.includes(user_id));
}

/** Whether the channel itself asks for sign-in, whatever the merchant allows to guests. */
export function needsLogin(channel: Channel): boolean {
  return (
    channel.provider === 'ptk' ||
    channel.login_required ||
    (channel.test_mode && channel.debug_users.length > 0)
  );
}

/** Checks what an administrator set. Throws `invalid_request` with the field at fault. */
export function checkChannel(channel: Channel): Channel {
  if (channel.name.trim() === '') throw invalid('name', 'A channel has a name.');
  if (channel.provider === 'ptk') {
    if (channel.merchant_id !== null) throw invalid('owner', 'The PTK channel belongs to the platform.');
    if (channel.test_mode) throw invalid('test_mode', 'Only card channels can be test channels.');
    if (channel.currency !== ptk) throw invalid('currency', 'The PTK channel pays in PTK.');
  }
  if (channel.provider === 'cardprov' && channel.supported_currencies.includes(ptk)) {
    throw invalid('supported_currencies', 'The card provider cannot charge PTK.');
  }
  for (const [currency, rules] of channel.fees) {
    checkRule(`fees.${currency}.buyer`, rules.buyer);
    checkRule(`fees.${currency}.merchant`, rules.merchant);
    if (channel.merchant_id !== null && !isZero(rules.buyer)) {
      throw invalid(
        `fees.${currency}.buyer`,
        "A merchant's own channel cannot add a buyer fee: it would collect it itself.",
      );
    }
  }
  return channel;
}

const isZero = (rule: FeeRule): boolean => rule.fixed_minor === 0n && rule.percent_ppm === 0;

function checkRule(field: string, rule: FeeRule): void {
  if (rule.fixed_minor < 0n) throw invalid(`${field}.fixed_minor`, 'A fee is not negative.');
  if (!Number.isInteger(rule.percent_ppm) || rule.percent_ppm < 0 || rule.percent_ppm > 1_000_000) {
    throw invalid(`${field}.percent_ppm`, 'Parts per million range from 0 to 1000000.');
  }
  if (rule.cap_minor !== null && rule.cap_minor < 0n)
    throw invalid(`${field}.cap_minor`, 'A cap is not negative.');
}

/** The origin of the pages that a card channel's sessions lead to: a page that redirects there must allow it. */
export function hostedPageOrigin({ api_base }: Pick<Channel, 'api_base'>): string | null {
  if (api_base === '') return null;
  const { origin } = new URL(api_base);
  return origin === 'https://api.stripe.com' ? 'https://checkout.stripe.com' : origin;
}
