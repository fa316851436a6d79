import { describe, expect, test } from 'vitest';
import { en } from './en.ts';
import { noticeKey, noticeOn } from './notices.ts';

/** Every error that a start can give: those of D-097 and of the limits. */
const startErrors = [
  'rate_limited',
  'rate_limit_unavailable',
  'payment_not_found',
  'payment_conflict',
  'payment_expired',
  'channel_unavailable',
  'login_required',
  'payment_debug_access_denied',
  'merchant_inactive',
  'self_payment_not_allowed',
  'insufficient_balance',
  'merchant_fee_funding_unavailable',
  'currency_rate_unavailable',
  'provider_checkout_rejected',
  'provider_result_mismatch',
  'provider_result_pending',
  'cross_site_request',
  'service_unavailable',
  'server_error',
];

test.each(startErrors)('R-368 %s has its own text', (code) => {
  expect(noticeKey(code)).not.toBe('notice_not_started');
});

test.each(['provider_result_pending', 'provider_result_mismatch', 'server_error', 'unclear'])(
  'R-202 the text for %s neither calls it failed nor free of charge',
  (code) => {
    expect(en[noticeKey(code)]).not.toMatch(/fail|nothing was charged|another method/i);
  },
);

test('an unknown code gets a general text', () => {
  expect(noticeKey('constructor')).toBe('notice_not_started');
  expect(noticeKey('brand_new')).toBe('notice_not_started');
});

describe('a notice beside a screen', () => {
  const notice = (code: string) => ({ code });
  test.each([
    ['choose', null, 'provider_checkout_rejected', true],
    ['resume', null, 'payment_conflict', true],
    ['paid', null, 'payment_conflict', false],
    ['expired', null, 'payment_expired', false],
    ['unresolved', null, 'provider_result_pending', false],
    ['checking', null, 'provider_result_mismatch', false],
    ['choose', { kind: 'login_required' }, 'login_required', false],
    ['choose', { kind: 'login_required' }, 'rate_limited', true],
  ] as const)('on %s with %o: %s is shown %s', (kind, obstacle, code, shown) => {
    expect(noticeOn(kind, obstacle, notice(code)) !== null).toBe(shown);
  });
});
