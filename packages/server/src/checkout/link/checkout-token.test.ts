import { describe, expect, test } from 'vitest';
import { merchant_id, order_no, other_merchant_id } from '../../../test/support/desks/samples.ts';
import { secretBox } from '../../base/secret-box.ts';
import { checkoutToken, claimedMerchant, isTokenOf } from './checkout-token.ts';
import { maskToken, unmaskToken } from './mask-token.ts';

const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const box = secretBox([oldKey]);
const order = { merchant_id, order_no, token_key_id: box.key_id };
const token = checkoutToken(box, order);

describe('D-116 the checkout token', () => {
  test('R-033 is the same every time, fit for a query string', () => {
    expect(checkoutToken(secretBox([oldKey]), order)).toBe(token);
    expect(token).toMatch(/^[A-Za-z0-9_-]{64}$/);
    expect(isTokenOf(box, token, order)).toBe(true);
  });

  test('names its merchant, and proves nothing by that', () => {
    expect(claimedMerchant(token)).toBe(merchant_id);
    expect(token).not.toContain(order_no);
  });

  test('survives the rotation of keys: the order remembers its own', () => {
    const rotated = secretBox([newKey, oldKey]);
    expect(rotated.key_id).not.toBe(box.key_id);
    expect(checkoutToken(rotated, order)).toBe(token);
    expect(isTokenOf(rotated, token, order)).toBe(true);
    const newer = { ...order, token_key_id: rotated.key_id };
    expect(isTokenOf(rotated, token, newer)).toBe(false);
  });
});

describe('D-257 a masked token', () => {
  const masked = maskToken(token);

  test('opens what the token opens', () => {
    expect(masked).toMatch(/^[A-Za-z0-9_-]{128}$/);
    expect(unmaskToken(masked)).toBe(token);
    expect(isTokenOf(box, masked, order)).toBe(true);
    expect(claimedMerchant(masked)).toBe(merchant_id);
  });

  test('is another one every time, and none is near the token', () => {
    const pieces = Array.from({ length: token.length - 3 }, (_, i) => token.slice(i, i + 4));
    for (let i = 0; i < 20; i++) {
      const other = maskToken(token);
      expect(other.slice(64)).not.toBe(masked.slice(64));
      expect(pieces.filter((piece) => other.includes(piece)).length).toBeLessThan(3);
    }
  });
});

describe('R-224 D-118 what is not the order’s token', () => {
  test.each<[string, string]>([
    ['nothing', ''],
    ['of another order', checkoutToken(box, { ...order, order_no: `${order_no}X` })],
    ['of another merchant', checkoutToken(box, { ...order, merchant_id: other_merchant_id })],
    [
      'of another service',
      checkoutToken(secretBox([newKey]), { ...order, token_key_id: secretBox([newKey]).key_id }),
    ],
    ['cut short', token.slice(0, 60)],
    ['with more behind it', `${token}AAAA`],
    ['one bit off', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['one bit off in the merchant', `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`],
    ['no base64', '!'.repeat(64)],
    ['a mask alone', token + token],
    ['masked and cut short', maskToken(token).slice(0, 127)],
  ])('%s', (_, wrong) => {
    expect(isTokenOf(box, wrong, order)).toBe(false);
  });

  test.each([
    '',
    'x',
    token.slice(1),
    `${token}A`,
    `${token.slice(0, 63)}=`,
    `${token.slice(0, 63)}+`,
    ' '.repeat(64),
  ])('%j claims no merchant', (text) => {
    expect(claimedMerchant(text)).toBeNull();
  });
});
