import { describe, expect, test } from 'vitest';
import {
  buyer_id,
  merchant_id,
  other_merchant_id,
  owner_id,
  sampleChannel,
  sampleMerchant,
  samplePtkChannel,
} from '../../../test/support/desks/samples.ts';
import { AppError } from '../../base/errors.ts';
import type { Channel } from '../../channels/channel.ts';
import { methodNeedsLogin } from '../../channels/login-required.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { checkAccess } from './who-may-pay.ts';

function outcome(channel: Channel, merchant: Merchant, user_id: string | null): string {
  try {
    checkAccess(channel, { ...merchant, owners: [merchant.owner_user_id, partner_id] }, user_id);
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'allowed';
}

/** Another owner, by the console role. */
const partner_id = '0190c1a0-0000-7000-8000-00000000000e';
const stranger_id = '0190c1a0-0000-7000-8000-00000000000d';
const test_mode = true;

describe('D-127 the debug grant of a test channel', () => {
  const [M, U] = [[merchant_id], [buyer_id]];

  test.each<[string, Partial<Channel>, string | null, string]>([
    ['R-166 neither list, signed in', {}, buyer_id, 'payment_debug_access_denied'],
    ['R-166 neither list, guest', {}, null, 'payment_debug_access_denied'],
    ['R-163 this merchant, signed in', { debug_merchants: M }, stranger_id, 'allowed'],
    ['R-163 this merchant, guest', { debug_merchants: M }, null, 'allowed'],
    [
      'R-163 another merchant',
      { debug_merchants: [other_merchant_id] },
      buyer_id,
      'payment_debug_access_denied',
    ],
    ['R-167 several merchants', { debug_merchants: [other_merchant_id, merchant_id] }, null, 'allowed'],
    ['R-164 this user', { debug_users: U }, buyer_id, 'allowed'],
    ['R-164 another user', { debug_users: U }, stranger_id, 'payment_debug_access_denied'],
    ['R-173 users, guest', { debug_users: U }, null, 'login_required'],
    ['R-167 several users', { debug_users: [stranger_id, buyer_id] }, buyer_id, 'allowed'],
    ['R-165 both match', { debug_merchants: M, debug_users: U }, buyer_id, 'allowed'],
    [
      'R-165 only the merchant',
      { debug_merchants: M, debug_users: U },
      stranger_id,
      'payment_debug_access_denied',
    ],
    [
      'R-165 only the user',
      { debug_merchants: [other_merchant_id], debug_users: U },
      buyer_id,
      'payment_debug_access_denied',
    ],
    ['R-165 both lists, guest', { debug_merchants: M, debug_users: U }, null, 'login_required'],
    [
      'R-218 a grant, but disabled',
      { debug_merchants: M, enabled: false },
      buyer_id,
      'payment_debug_access_denied',
    ],
    [
      'R-168 the merchant’s owner has no grant by that',
      { debug_users: U },
      owner_id,
      'payment_debug_access_denied',
    ],
  ])('%s: %s', (_, lists, user_id, expected) => {
    expect(outcome(sampleChannel({ test_mode, ...lists }), sampleMerchant(), user_id)).toBe(expected);
  });

  test('the lists of a channel that is no test channel mean nothing', () => {
    expect(outcome(sampleChannel({ debug_users: U }), sampleMerchant(), null)).toBe('allowed');
  });
});

describe('who must sign in', () => {
  test.each<[string, Channel, Partial<Merchant>, boolean]>([
    ['R-213 a card where guests may buy', sampleChannel(), {}, false],
    ['R-213 a card where they may not', sampleChannel(), { guest_purchase_allowed: false }, true],
    ['R-212 PTK always', samplePtkChannel(), {}, true],
    ['R-154 a channel that asks for it itself', sampleChannel({ login_required: true }), {}, true],
    [
      'R-173 a test channel for certain users',
      sampleChannel({ test_mode, debug_users: [buyer_id] }),
      {},
      true,
    ],
    [
      'R-163 a test channel for certain merchants',
      sampleChannel({ test_mode, debug_merchants: [merchant_id] }),
      {},
      false,
    ],
  ])('%s: %s', (_, channel, change, needed) => {
    const merchant = sampleMerchant(change);
    expect(methodNeedsLogin(channel, merchant)).toBe(needed);
    expect(outcome(channel, merchant, null) === 'login_required').toBe(needed);
  });
});

describe('D-085 R-214 paying oneself', () => {
  test.each<[string, Channel, string, string]>([
    ['the owner with PTK', samplePtkChannel(), owner_id, 'self_payment_not_allowed'],
    ['D-197 a further owner with PTK', samplePtkChannel(), partner_id, 'self_payment_not_allowed'],
    ['another with PTK', samplePtkChannel(), buyer_id, 'allowed'],
    ['the owner by card', sampleChannel(), owner_id, 'allowed'],
  ])('%s', (_, channel, user_id, expected) => {
    expect(outcome(channel, sampleMerchant(), user_id)).toBe(expected);
  });
});

describe('D-097 the first obstacle in its order decides', () => {
  const inactive = sampleMerchant({ status: 'inactive', guest_purchase_allowed: false });
  const closed = sampleChannel({ test_mode, enabled: false });

  test.each<[string, Channel, Merchant, string | null, string]>([
    ['sign-in before the grant', closed, inactive, null, 'login_required'],
    ['the grant before the merchant', closed, inactive, buyer_id, 'payment_debug_access_denied'],
    [
      'D-098 the merchant before the channel',
      sampleChannel({ enabled: false }),
      inactive,
      buyer_id,
      'merchant_inactive',
    ],
    [
      'the channel before the payer',
      samplePtkChannel({ enabled: false }),
      sampleMerchant(),
      owner_id,
      'channel_unavailable',
    ],
    [
      'D-056 a channel disabled later',
      sampleChannel({ enabled: false }),
      sampleMerchant(),
      buyer_id,
      'channel_unavailable',
    ],
    ['the payer last', samplePtkChannel(), sampleMerchant(), owner_id, 'self_payment_not_allowed'],
  ])('%s', (_, channel, merchant, user_id, expected) => {
    expect(outcome(channel, merchant, user_id)).toBe(expected);
  });
});
