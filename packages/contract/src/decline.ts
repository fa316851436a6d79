/** Why payments end unpaid, in words that stay the same whatever the provider calls it (D-331). */

/** What the provider says about a declined payment. */
export const declineReasons = [
  'insufficient_funds',
  'expired_card',
  'incorrect_details',
  'authentication_failed',
  'limit_exceeded',
  'not_supported',
  'suspected_fraud',
  'processing_error',
  'declined',
] as const;
export type DeclineReason = (typeof declineReasons)[number];

/** Why an attempt to pay ended unpaid: a decline, or how it ended without one. */
export const unpaidReasons = [
  ...declineReasons,
  'abandoned',
  'method_changed',
  'provider_refused',
  'in_review',
] as const;
export type UnpaidReason = (typeof unpaidReasons)[number];
