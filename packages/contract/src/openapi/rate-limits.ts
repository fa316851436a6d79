/**
 * The rate limits of the calls, as the documents describe them: creations, reads, replays,
 * delivery records (D-010, D-159), the catalog (R-334, D-160) and the checkout.
 */
import type { RateLimit } from './operation.ts';

const perMinute = (group: string, requests: number, per: RateLimit['per']): RateLimit => ({
  group,
  requests,
  window_s: 60,
  per,
});

export const createLimit = {
  ...perMinute('create', 60, 'client'),
  counts: 'Repeated calls count as well.',
};
export const manualCreateLimit: RateLimit = {
  ...perMinute('create', 60, 'account'),
  counts: 'Orders that one person creates by hand, repeated calls included.',
};
export const readLimit = {
  ...perMinute('read', 300, 'client'),
  counts: 'Reading an order, listing orders and the channel directory share this limit.',
};
export const catalogReadLimit = {
  ...perMinute('catalog_read', 300, 'client'),
  counts: 'All reading calls of the catalog share this limit.',
};
export const catalogWriteLimit = {
  ...perMinute('catalog_write', 60, 'client'),
  counts: 'Creating catalog orders and starting their payments share this limit.',
};
export const recordsLimit = perMinute('records', 300, 'client');
export const replayLimit = perMinute('replay', 30, 'client');
export const checkoutReadLimit = perMinute('checkout_read', 180, 'address');
export const checkoutStartLimit = perMinute('checkout_start', 30, 'address');
export const revokeLimit = perMinute('revoke', 60, 'client');
export const tokenFailureLimit = {
  ...perMinute('token_failures', 30, 'address'),
  counts: 'Only requests that fail to authenticate count.',
};

export const exportLimit: RateLimit = {
  ...perMinute('exports', 30, 'account'),
  counts: 'All downloads of lists by one person share this limit.',
};

/** Without this limit, a caller could find out which email addresses have accounts. */
export const invitationLimit: RateLimit = {
  group: 'invitations',
  requests: 20,
  window_s: 900,
  per: 'account',
};

/** Each is a request to an address that a merchant names. */
export const testEventLimit: RateLimit = perMinute('test_events', 10, 'account');

/** A console sends 500 records in each request, one after the other. */
export const reconciliationLimit: RateLimit = perMinute('reconciliation', 600, 'account');

const failures = 'Only failures count.';
export const secondFactorLimit: RateLimit = {
  group: 'second_factor',
  requests: 10,
  window_s: 900,
  per: 'account',
  counts: failures,
};
export const signInLimits: readonly RateLimit[] = [
  { group: 'sign_in', requests: 10, window_s: 900, per: 'account and address', counts: failures },
  { group: 'sign_in_account', requests: 100, window_s: 3_600, per: 'account', counts: failures },
  { group: 'sign_in_address', requests: 30, window_s: 900, per: 'address', counts: failures },
];
