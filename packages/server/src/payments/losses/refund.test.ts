import { expect, test } from 'vitest';
import type { CardRefund } from '../../channels/card/card-losses.ts';
import { refundView } from './refund.ts';

const payment = { amount: 1_060n, currency: 'USD' };
const seen = (status: CardRefund['status'], amount = 1_060n, currency = 'USD'): CardRefund => ({
  id: `re_${amount}`,
  status,
  amount,
  currency,
  payment_id: 'pi_1',
  case_id: null,
});

test.each<[string, CardRefund[], string]>([
  ['nothing', [], 'none'],
  ['one that failed', [seen('failed')], 'none'],
  ['all of it', [seen('succeeded')], 'full'],
  ['all of it, once the provider is done', [seen('pending')], 'pending'],
  ['all of it, at the second try', [seen('succeeded'), seen('failed')], 'full'],
  ['all of it in two parts', [seen('succeeded', 1_000n), seen('succeeded', 60n)], 'full'],
  ['two parts, one under way', [seen('succeeded', 1_000n), seen('pending', 60n)], 'pending'],
  ['two parts, and one failed', [seen('succeeded', 1_000n), seen('failed', 60n)], 'partial'],
  ['one unit short', [seen('succeeded', 1_059n)], 'partial'],
  ['one unit too much', [seen('succeeded', 1_061n)], 'partial'],
  ['a part that is under way', [seen('pending', 1n)], 'partial'],
  ['the number in another currency', [seen('succeeded', 1_060n, 'EUR')], 'partial'],
])('R-135 D-076 %s', (_, refunds, kind) => {
  expect(refundView(payment, refunds).kind).toBe(kind);
});
