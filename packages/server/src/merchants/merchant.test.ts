import { describe, expect, test } from 'vitest';
import { sampleMerchant } from '../../test/support/desks/samples.ts';
import { checkMerchant, type Merchant } from './merchant.ts';

describe('what may be set of a merchant', () => {
  test.each<[string, Partial<Merchant>]>([
    ['R-130 no hold', { hold_days: 0 }],
    ['R-130 the longest hold', { hold_days: 30 }],
    ['addresses', { logo_url: 'https://h.example/l.png', website_url: 'http://h.example' }],
    ['D-070 a credit line', { credit_limit_ptk: 10n ** 20n }],
  ])('%s', (_, change) => {
    expect(checkMerchant(sampleMerchant(change))).toEqual(sampleMerchant(change));
  });

  test.each<[keyof Merchant, Partial<Merchant>]>([
    ['hold_days', { hold_days: 31 }],
    ['hold_days', { hold_days: -1 }],
    ['hold_days', { hold_days: 1.5 }],
    ['hold_days', { hold_days: Number.NaN }],
    ['name', { name: ' \t' }],
    ['credit_limit_ptk', { credit_limit_ptk: -1n }],
    ['logo_url', { logo_url: 'javascript:alert(1)' }],
    ['logo_url', { logo_url: '/logo.png' }],
    ['website_url', { website_url: 'h.example' }],
  ])('R-130 a wrong %s is refused', (field, change) => {
    expect(() => checkMerchant(sampleMerchant(change))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: expect.objectContaining({ field }) as object,
      }),
    );
  });
});
