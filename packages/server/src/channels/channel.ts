/** What a payment channel is, and the rules for its settings. */
import type { PaymentMethodType } from '@paydesk/contract';
import { invalid } from '../base/errors.ts';
import { ptk } from '../base/money.ts';
import type { DebugGrants } from './debug-grants.ts';
import { checkMethodTypes } from './method-types.ts';

/** The only providers. */
export type Provider = 'ptk' | 'cardprov';

/** A fee in minor units of the payment currency; the percentage in parts per million (D-062). */
export interface FeeRule {
  fixed_minor: bigint;
  percent_ppm: number;
  /** Limits the percentage part; null: no limit (D-061). */
  cap_minor: bigint | null;
}

/** The fee that the buyer pays extra, and the fee that the merchant pays. */
export interface FeeRules {
  buyer: FeeRule;
  merchant: FeeRule;
}

/** A payment channel: the platform's token, or an account at the card provider. */
export interface Channel extends DebugGrants {
  payment_no: string;
  /** The merchant that owns the account; null for the platform. */
  merchant_id: string | null;
  provider: Provider;
  name: string;
  /** The name in languages of the checkout, by tag (D-264). In any other language `name` is shown. */
  names: Readonly<Record<string, string>>;
  /** The methods that it offers of those that its account has. Empty: all of them. */
  payment_method_types: readonly PaymentMethodType[];
  /** Only for display in the directory. */
  currency: string;
  /** An administrator has marked it as a test channel. */
  test_mode: boolean;
  enabled: boolean;
  login_required: boolean;
  supported_currencies: string[];
  /** A currency without a rule cannot be paid here: a missing rule is not a zero fee (D-062). */
  fees: Map<string, FeeRules>;
  api_base: string;
  secret_key_box: Buffer | null;
  /** Whether the key moves real money: every key except `sk_test_…` and `rk_test_…`. */
  live_key: boolean;
  webhook_secret_box: Buffer | null;
  /** Valid too during a rotation (D-110). */
  previous_webhook_secret_box: Buffer | null;
  previous_webhook_valid_until: Date | null;
  webhook_key: string | null;
  created_at: Date;
}

export const ownerOf = (channel: Channel): 'platform' | 'merchant' =>
  channel.merchant_id === null ? 'platform' : 'merchant';

/** Checks the settings of a channel. Throws `invalid_request` with `field`. */
export function checkChannel(channel: Channel): Channel {
  if (channel.name.trim() === '') throw invalid('name', 'A channel needs a name.');
  for (const [language, name] of Object.entries(channel.names)) {
    if (name.trim() === '')
      throw invalid(`names.${language}`, 'Leave a language out where there is no name.');
  }
  checkMethodTypes(channel.payment_method_types, channel.supported_currencies);
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
    // Own channels have no buyer fee (D-063).
    if (channel.merchant_id !== null && !isZero(rules.buyer)) {
      throw invalid(
        `fees.${currency}.buyer`,
        "A merchant's own channel cannot charge a buyer fee, because the merchant would receive it.",
      );
    }
  }
  return channel;
}

const isZero = (rule: FeeRule): boolean => rule.fixed_minor === 0n && rule.percent_ppm === 0;

function checkRule(field: string, rule: FeeRule): void {
  if (rule.fixed_minor < 0n) throw invalid(`${field}.fixed_minor`, 'A fee must not be negative.');
  if (!Number.isInteger(rule.percent_ppm) || rule.percent_ppm < 0 || rule.percent_ppm > 1_000_000) {
    throw invalid(`${field}.percent_ppm`, 'The percentage must be 0 to 1000000 parts per million.');
  }
  if (rule.cap_minor !== null && rule.cap_minor < 0n)
    throw invalid(`${field}.cap_minor`, 'A cap must not be negative.');
}

/** The origin of the provider's payment pages. A page of Paydesk that redirects there must allow it (H-17). */
export function hostedPageOrigin({ api_base }: Pick<Channel, 'api_base'>): string | null {
  if (api_base === '') return null;
  const { origin } = new URL(api_base);
  return origin === 'https://api.stripe.com' ? 'https://checkout.stripe.com' : origin;
}
