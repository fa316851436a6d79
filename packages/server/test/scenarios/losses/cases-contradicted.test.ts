/** Disputes and refunds that contradict what the books know of a case: a person learns of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CardDispute, CardRefund } from '../../../src/channels/card/index.ts';
import { followCaseDispute } from '../../../src/payments/following/follow-dispute.ts';
import { followCaseRefunds } from '../../../src/payments/following/follow-refunds.ts';
import { applyAnswer } from '../../../src/payments/case-money/apply-provider-answer.ts';
import { selectCase } from '../../../src/payments/cases/index.ts';
import {
  type Case,
  caseOf,
  detailOf,
  expectBalancedBooks,
  linesOf,
  passTime,
  receivedWrongly,
  resolve,
  suspended,
  withProvider,
  refuseNextRefund,
} from '../../support/desks/cases.ts';
import { type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import type { Order } from '../../support/desks/platform.ts';

let desk: LossDesk;
let shop: Shop;

beforeAll(async () => {
  desk = await openLossDesk();
  shop = await openShop(desk);
});
afterAll(() => desk.stop());
beforeEach(() => desk.sim('DELETE', '/faults'));

const received = (amount_total = 500) => receivedWrongly(desk, shop, amount_total);

const disputeOf = (found: Case, about: Partial<CardDispute> = {}): CardDispute => ({
  ...{ id: `du_${found.case_id}`, amount: 500n, status: 'lost', currency: 'USD' },
  payment_id: found.provider_payment_id ?? '',
  ...about,
});

const refundOf = (found: Case, about: Partial<CardRefund> = {}): CardRefund => ({
  ...{ id: `re_${found.case_id}`, amount: 500n, currency: 'USD', status: 'succeeded', case_id: null },
  payment_id: found.provider_payment_id ?? '',
  ...about,
});

/** Tells the books of what the provider has, one after the other. */
const told = (
  found: Case,
  { disputes = [], refunds = [] }: { disputes?: readonly CardDispute[]; refunds?: readonly CardRefund[] },
) =>
  withProvider(desk, desk.card.payment_no, { disputes, refunds }, async (deps, channel) => {
    for (const dispute of disputes) await followCaseDispute(deps, channel, dispute);
    if (disputes.length > 0) return;
    await followCaseRefunds(deps, channel.payment_no, found.provider_payment_id ?? '', refunds);
  });

/** The cases that were opened beside the case of the receipt. */
const beside = async (order: Order, found: Case): Promise<Case[]> =>
  (await detailOf(desk, order)).cases.filter(({ case_id }) => case_id !== found.case_id);

const read = ({ case_id }: Case) => desk.service.admin<Case>('GET', `/cases/${case_id}`);

describe('D-730 a dispute that took the money of a case and is won later opens a case', () => {
  test.each([
    ['a part', 200n, 'open'],
    ['all of it', 500n, 'resolved'],
  ])('%s, once', async (_, amount, state) => {
    const { order, found } = await received();
    await told(found, { disputes: [disputeOf(found, { amount })] });
    expect(await read(found)).toMatchObject({ state });
    for (const _ of [1, 2]) await told(found, { disputes: [disputeOf(found, { amount, status: 'won' })] });
    expect(await beside(order, found)).toMatchObject([
      { kind: 'mismatch', state: 'open', detail: { why: 'won after it was booked as lost' } },
    ]);
    expect(await suspended(desk, found)).toBe(state === 'open' ? 300n : 0n);
  });

  test('one that was won before it took anything does not', async () => {
    const { order, found } = await received();
    await told(found, { disputes: [disputeOf(found, { status: 'won' })] });
    expect(await beside(order, found)).toEqual([]);
    expect(await suspended(desk, found)).toBe(500n);
  });
});

describe('D-731 a lost dispute about more than a case has left takes all of it, and opens a case', () => {
  const more = [{ detail: { why: 'disputed for more than what is left of the payment' } }];

  test('about more than was received', async () => {
    const { order, found } = await received();
    for (const _ of [1, 2]) await told(found, { disputes: [disputeOf(found, { amount: 501n })] });
    expect(await read(found)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    expect(await beside(order, found)).toMatchObject(more);
    expect(await suspended(desk, found)).toBe(0n);
  });

  test('about all of it, after a part was refunded in the dashboard', async () => {
    const { order, found } = await received();
    const refunds = [refundOf(found, { amount: 100n })];
    await told(found, { refunds });
    await told(found, { refunds, disputes: [disputeOf(found)] });
    expect(await read(found)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    await told(found, { refunds });
    expect(await beside(order, found)).toMatchObject(more);
  });

  test('about more than another dispute has left', async () => {
    const { order, found } = await received();
    await told(found, { disputes: [disputeOf(found, { amount: 200n })] });
    await told(found, { disputes: [disputeOf(found, { amount: 301n, id: `du_2_${found.case_id}` })] });
    expect(await read(found)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    expect(await beside(order, found)).toMatchObject(more);
  });

  test('of an accepted receipt, the rest is gone, and the order learns of it', async () => {
    const { order, found } = await received(2_000);
    await resolve(desk, found, 'accept');
    const lost = disputeOf(found, { amount: 2_001n });
    await told(found, { disputes: [lost, lost] });
    expect(await read(found)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    expect(await suspended(desk, found)).toBe(0n);
    expect(await beside(order, found)).toMatchObject(more);
  });
});

describe('D-732 a refund beside lost disputes opens a case if both return more than was received', () => {
  test('which was under way when the dispute was lost', async () => {
    const { order, found } = await received();
    await desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'pending' });
    const { body } = await resolve(desk, found, 'refund');
    const id = body.refund?.provider_refund_id ?? '';
    const pending = refundOf(found, { id, status: 'pending', case_id: found.case_id });
    await told(found, { refunds: [pending], disputes: [disputeOf(found)] });
    expect(await read(found)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    await desk.sim('POST', `/refunds/${id}/settle`, { outcome: 'succeeded' });
    await passTime(desk, 61);
    await told(found, { refunds: [{ ...pending, status: 'succeeded' }] });
    expect(await beside(order, found)).toMatchObject([
      { kind: 'mismatch', detail: { why: 'refunded beside a chargeback' } },
    ]);
  });

  test('which is about more than disputes about parts have left', async () => {
    const { order, found } = await received();
    const pending = refundOf(found, { amount: 400n, status: 'pending' });
    await told(found, { refunds: [pending], disputes: [disputeOf(found, { amount: 200n })] });
    for (const _ of [1, 2]) await told(found, { refunds: [{ ...pending, status: 'succeeded' }] });
    expect(await read(found)).toMatchObject({ state: 'resolved', resolution: 'refund' });
    expect(await beside(order, found)).toMatchObject([{ detail: { why: 'refunded beside a chargeback' } }]);
  });

  test.each(['failed', 'succeeded'] as const)(
    'but not one about another part, which has %s',
    async (status) => {
      const { order, found } = await received();
      const refunds = [refundOf(found, { amount: 200n, status })];
      await told(found, { refunds });
      const amount = status === 'failed' ? 500n : 300n;
      await told(found, { refunds, disputes: [disputeOf(found, { amount })] });
      await told(found, { refunds });
      expect(await read(found)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
      expect(await beside(order, found)).toEqual([]);
    },
  );
});

describe('D-725 two lost disputes about parts at the same time', () => {
  test('take one after the other: the second is looked at once more', async () => {
    const { found } = await received();
    const lost = [
      disputeOf(found, { amount: 200n }),
      disputeOf(found, { amount: 300n, id: `du_2_${found.case_id}` }),
    ];
    const answers = await withProvider(desk, desk.card.payment_no, {}, (deps, channel) =>
      Promise.all(lost.map((dispute) => followCaseDispute(deps, channel, dispute))),
    );
    const again = lost.filter((_, i) => answers[i]?.again === true);
    await told(found, { disputes: again });
    expect(await read(found)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    expect(await suspended(desk, found)).toBe(0n);
  });
});

describe('D-733 an answer about a refund of a case counts for this refund only', () => {
  test.each([
    { kind: 'failed', why: 'late' },
    { kind: 'unclear', why: 'late' },
    { kind: 'pending', provider_refund_id: 're_of_the_first' },
  ] as const)('one that comes late, $kind, leaves the next refund as it is', async (answer) => {
    const { found, order } = await received();
    await refuseNextRefund(desk);
    await resolve(desk, found, 'refund');
    await withProvider(desk, desk.card.payment_no, {}, async (deps) => {
      const first = await selectCase(deps.db, found.case_id);
      if (first === null) throw new Error('no case');
      await desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'pending' });
      const { body } = await resolve(desk, found, 'refund');
      await applyAnswer(deps, first, answer);
      expect(await read(found)).toMatchObject({ refund: body.refund, detail: body.detail });
    });
    await caseOf(desk, order);
    expect(await linesOf(desk, order.order_no, found)).toHaveLength(1);
  });
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));
