/** Refunds that fail at the provider after they had succeeded: the money comes back to the account, not to the buyer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CardRefund } from '../../../src/channels/card/index.ts';
import { followRefunds } from '../../../src/payments/following/follow-refunds.ts';
import {
  type Case,
  expectBalancedBooks,
  receivedWrongly,
  resolve,
  withProvider,
} from '../../support/desks/cases.ts';
import {
  type CardPaid,
  type LossDesk,
  openLossDesk,
  openShop,
  type Shop,
} from '../../support/desks/losses.ts';

let desk: LossDesk;
let shop: Shop;

beforeAll(async () => {
  desk = await openLossDesk();
  shop = await openShop(desk);
});
afterAll(() => desk.stop());

/** Tells the books beside the service what has become of the refunds of a payment, twice. */
const told = (payment_id: string, refunds: readonly CardRefund[]) =>
  withProvider(desk, desk.card.payment_no, { refunds }, async (deps, { payment_no }) => {
    for (const _ of [1, 2]) await followRefunds(deps, payment_no, payment_id);
  });

const refundOf = (
  payment_id: string,
  id: string,
  { amount, status = 'failed', case_id = null }: Partial<CardRefund> & { amount: bigint },
): CardRefund => ({ id, payment_id, amount, status, case_id, currency: 'USD' });

const idOf = async ({ order }: CardPaid) =>
  String((await shop.detail(order)).refunds[0]?.['provider_refund_id']);

const failed = (amount: number) => `mismatch ${amount} USD: the refund failed after it was booked`;

describe('D-840 a refund that fails after it was booked is put to a person, once', () => {
  test('of an order', async () => {
    const paid = await shop.byCard();
    const { order, payment_id } = paid;
    await shop.refund(order);
    await told(payment_id, [refundOf(payment_id, await idOf(paid), { amount: 1_060n })]);
    expect(await shop.cases(order)).toEqual([failed(1_060)]);
    expect((await shop.until(order, 'refunded')).status).toBe('refunded');
  });

  test('of an order, one of two that the dashboard made', async () => {
    const { order, payment_id } = await shop.byCard();
    const refunds = (status: CardRefund['status']) => [
      refundOf(payment_id, `re_2_${payment_id}`, { amount: 560n, status: 'succeeded' }),
      refundOf(payment_id, `re_1_${payment_id}`, { amount: 500n, status }),
    ];
    await told(payment_id, refunds('succeeded'));
    await shop.until(order, 'refunded');
    await told(payment_id, refunds('failed'));
    expect(await shop.cases(order)).toEqual([failed(500)]);
  });

  test('but not one before it, or one that another refund has made up for', async () => {
    const paid = await shop.byCard();
    const { order, payment_id } = paid;
    await shop.refund(order);
    const done = refundOf(payment_id, await idOf(paid), { amount: 1_060n, status: 'succeeded' });
    const before = refundOf(payment_id, `re_0_${payment_id}`, { amount: 1_060n });
    await told(payment_id, [done, before]);
    await told(payment_id, [{ ...done, id: `re_2_${payment_id}` }, { ...done, status: 'failed' }, before]);
    expect(await shop.cases(order)).toEqual([]);
  });

  test('of a part of the money of a case, which is still open', async () => {
    const { order, found } = await receivedWrongly(desk, shop, 500);
    const payment_id = found.provider_payment_id ?? '';
    const { id } = await desk.provider('/refunds', { payment_intent: payment_id, amount: '200' });
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({ state: 'open' });
    await told(payment_id, [refundOf(payment_id, String(id), { amount: 200n })]);
    expect((await shop.cases(order)).slice(1)).toEqual([failed(200)]);
  });

  const refundedCase = async (
    amount: number,
  ): Promise<{ found: Case; refund: CardRefund; told: () => Promise<string[]> }> => {
    const { order, found } = await receivedWrongly(desk, shop, amount);
    if (amount > 1_060) await resolve(desk, found, 'accept');
    const { body } = await resolve(desk, found, 'refund');
    expect(body).toMatchObject({ state: 'resolved', refund: { status: 'succeeded' } });
    const id = body.refund?.provider_refund_id ?? '';
    const payment_id = found.provider_payment_id ?? '';
    const left = BigInt(body.refund?.amount_minor ?? 0);
    const refund = refundOf(payment_id, id, { amount: left, case_id: found.case_id });
    return { found, refund, told: async () => (await shop.cases(order)).slice(1) };
  };

  test.each([
    ['of a case', 500, 500],
    ['of the rest of a receipt that paid an order', 2_000, 940],
  ])('%s', async (_, received, left) => {
    const of = await refundedCase(received);
    await told(of.refund.payment_id ?? '', [of.refund]);
    expect(await of.told()).toEqual([failed(left)]);
  });
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));
