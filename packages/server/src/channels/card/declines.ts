/** Why a payment was declined, in a few stable words for the provider's many codes (D-331). */
import type { DeclineReason } from '@paydesk/contract';

/** The provider's codes by our reasons. Codes that are new or say nothing are `declined`. */
const codesOf: Readonly<Record<Exclude<DeclineReason, 'declined'>, readonly string[]>> = {
  insufficient_funds: ['insufficient_funds'],
  expired_card: ['expired_card'],
  incorrect_details: [
    ...[
      'incorrect_cvc',
      'invalid_cvc',
      'incorrect_number',
      'invalid_number',
      'incorrect_zip',
      'incorrect_address',
    ],
    ...['invalid_expiry_month', 'invalid_expiry_year', 'incorrect_pin', 'invalid_pin', 'invalid_account'],
  ],
  authentication_failed: [
    ...['authentication_required', 'payment_intent_authentication_failure', 'authentication_not_handled'],
    ...['offline_pin_required', 'online_or_offline_pin_required'],
  ],
  limit_exceeded: [
    'card_velocity_exceeded',
    'withdrawal_count_limit_exceeded',
    'pin_try_exceeded',
    'invalid_amount',
  ],
  not_supported: [
    ...['card_not_supported', 'currency_not_supported', 'transaction_not_allowed', 'service_not_allowed'],
    ...['not_permitted', 'restricted_card'],
  ],
  suspected_fraud: [
    ...['fraudulent', 'lost_card', 'stolen_card', 'pickup_card', 'merchant_blacklist', 'security_violation'],
  ],
  processing_error: [
    ...[
      'processing_error',
      'issuer_not_available',
      'try_again_later',
      'reenter_transaction',
      'approve_with_id',
    ],
    ...['payment_method_provider_timeout'],
  ],
};

const reasonOf = new Map(
  Object.entries(codesOf).flatMap(([reason, codes]) => codes.map((code) => [code, reason as DeclineReason])),
);

/**
 * The reason of a payment's latest error; null without an error.
 *
 * @param error `last_payment_error`: `decline_code` is the issuer's own, and more exact than `code`
 */
export function declineReason(
  error: { code?: unknown; decline_code?: unknown } | null | undefined,
): DeclineReason | null {
  if (error === null || error === undefined) return null;
  for (const code of [error.decline_code, error.code]) {
    const reason = typeof code === 'string' ? reasonOf.get(code) : undefined;
    if (reason !== undefined) return reason;
  }
  return 'declined';
}
