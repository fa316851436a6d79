/** The notice that the checkout shows after a start was refused or stayed unclear. */
import type { Obstacle, ScreenKind } from '../model/screen.ts';
import type { AppKey } from './messages.ts';

/** The text for each error code of a start. No text calls an unknown result a failure. */
const texts = new Map<string, AppKey>(
  Object.entries({
    login_required: 'notice_login_required',
    insufficient_balance: 'notice_insufficient_balance',
    self_payment_not_allowed: 'notice_self_payment',
    provider_result_pending: 'notice_pending',
    payment_conflict: 'notice_conflict',
    provider_checkout_rejected: 'notice_rejected',
    provider_result_mismatch: 'notice_mismatch',
    channel_unavailable: 'notice_channel_unavailable',
    currency_rate_unavailable: 'notice_channel_unavailable',
    payment_debug_access_denied: 'notice_test_denied',
    merchant_inactive: 'notice_merchant_inactive',
    merchant_fee_funding_unavailable: 'notice_funding',
    payment_expired: 'notice_expired',
    payment_not_found: 'not_found_text',
    cross_site_request: 'cross_site_text',
    rate_limited: 'notice_limited',
    rate_limit_unavailable: 'notice_unavailable',
    service_unavailable: 'notice_unavailable',
    // There was no answer, or it says nothing about the payment.
    server_error: 'notice_unclear',
    unclear: 'notice_unclear',
    not_closed: 'notice_not_closed',
    choose_first: 'choose_first',
  } as const),
);

/** The answer that the buyer is told about. */
export interface Notice {
  /** An error code of the contract, `unclear` if no answer came, `not_closed`, or `choose_first`. */
  code: string;
  /** Seconds to wait, from `Retry-After`. */
  retry_after_s?: number;
}

/** The key of a notice's text. */
export const noticeKey = (code: string): AppKey => texts.get(code) ?? 'notice_not_started';

/** Screens that need no notice: it would repeat or contradict them. */
const complete = new Set<ScreenKind>(['paid', 'expired', 'refunded', 'chargeback', 'review', 'processing']);

/** Error codes that a screen, or the obstacle of the previewed method, explains itself. */
const told: Readonly<Partial<Record<ScreenKind | Obstacle['kind'], readonly string[]>>> = {
  unresolved: ['provider_result_pending', 'unclear', 'server_error'],
  checking: ['provider_result_mismatch', 'provider_result_pending'],
  login_required: ['login_required'],
  insufficient_balance: ['insufficient_balance'],
  self_payment: ['self_payment_not_allowed'],
};

/** The notice to show beside a screen, or null if the screen explains it already. */
export function noticeOn(kind: ScreenKind, obstacle: Obstacle | null, notice: Notice | null): Notice | null {
  if (notice === null || complete.has(kind)) return null;
  const said = [kind, ...(obstacle === null ? [] : [obstacle.kind])].flatMap((place) => told[place] ?? []);
  return said.includes(notice.code) ? null : notice;
}
