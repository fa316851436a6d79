/** Lost disputes about a receipt that paid an order, and of which a case holds the rest: what each takes of both (D-801). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CardDispute, CardRefund } from '../../../src/channels/card/index.ts';
import type { PaymentDeps } from '../../../src/payments/engine/index.ts';
import { followCaseDispute } from '../../../src/payments/following/follow-dispute.ts';
import { askBeforeResolving } from '../../../src/payments/decisions/ask-before-resolving.ts';
import { compareDispute } from '../../../src/payments/reconciliation/compare-dispute.ts';
import { compareRefund } from '../../../src/payments/reconciliation/compare-refund.ts';
import {
  type Case,
  expectBalancedBooks,
  linesOf,
  passTime,
  receivedWrongly,
  refuseNextRefund,
  resolve,
  suspended,
  withProvider,
} from '../../support/desks/cases.ts';
import { type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import type { Order } from '../../support/desks/platform.ts';
import { eventually } from '../../support/desks/service.ts';

let desk: LossDesk;
let shop: Shop;

beforeAll(async () => {
  desk = await openLossDesk();
  shop = await openShop(desk);
});
afterAll(() => desk.stop());
beforeEach(() => desk.sim('DELETE', '/faults'));

interface Accepted {
  order: Order;
  found: Case;
}

/** A receipt of 20.00 that has paid an order with 10.60. Its case holds 9.40. */
async function accepted(): Promise<Accepted> {
  const { order, found } = await receivedWrongly(desk, shop, 2_000);
  expect((await resolve(desk, found, 'accept')).body).toMatchObject({ state: 'open' });
  return { order, found };
}

const disputed = ({ found }: Accepted, about: Record<string, unknown>) =>
  desk.sim('POST', `/sessions/${found.session_id ?? ''}/dispute`, about);

const read = ({ case_id }: Case) => desk.service.admin<Case>('GET', `/cases/${case_id}`);

const untilHeld = ({ found }: Accepted, amount: bigint) =>
  eventually(
    () => suspended(desk, found),
    (held) => held === amount,
  );

/** The cases of an order that are open beside the one that holds the rest. */
const besides = async ({ order }: Accepted): Promise<string[]> =>
  (await shop.cases(order)).filter((line) => !line.includes('not what was asked for'));

const openTo = ({ found }: Accepted, amount: bigint, number: number): CardDispute => ({
  ...{ id: `du_${number}_${found.case_id}`, amount, status: 'open', currency: 'USD' },
  payment_id: found.provider_payment_id ?? '',
});

const lostTo = (of: Accepted, amount: bigint, number: number): CardDispute => ({
  ...openTo(of, amount, number),
  status: 'lost',
});

/** A refund that the provider's dashboard has made. */
const refundOf = ({ found }: Accepted, amount: bigint): CardRefund => ({
  ...{ id: `re_${found.case_id}`, amount, currency: 'USD', status: 'succeeded', case_id: null },
  payment_id: found.provider_payment_id ?? '',
});

/** Tells the books of disputes that the provider's simulator does not have, in this order. */
const told = (
  disputes: readonly CardDispute[],
  { again = false, refunds = [] }: { again?: boolean; refunds?: readonly CardRefund[] } = {},
) =>
  withProvider(desk, desk.card.payment_no, { disputes, refunds }, async (deps, channel) => {
    for (const dispute of disputes)
      expect(await followCaseDispute(deps, channel, dispute)).toMatchObject({ again });
  });

/** Tells the books of the last of these disputes, and of another one before its nth transaction begins. */
const toldAtOnce = (
  disputes: readonly CardDispute[],
  { before, transaction }: { before: CardDispute; transaction: number },
) =>
  withProvider(desk, desk.card.payment_no, { disputes, refunds: [] }, async (deps, channel) => {
    let left = transaction;
    const begin: PaymentDeps['db']['transaction'] = async (work) => {
      if (--left === 0) await followCaseDispute(deps, channel, before);
      return deps.db.transaction(work);
    };
    const late = { ...deps, db: { ...deps.db, transaction: begin } };
    for (const dispute of disputes.slice(-1))
      expect(await followCaseDispute(late, channel, dispute)).toMatchObject({ again: false });
  });

describe('D-801 a lost dispute about more than paid the order takes the rest too, or a part of it', () => {
  test.each([
    ['all but a cent', 1_999, 1n],
    ['a part', 1_500, 500n],
  ])('%s, and what it leaves is returned', async (_, amount, left) => {
    const of = await accepted();
    await disputed(of, { amount, outcome: 'lost' });
    await untilHeld(of, left);
    await shop.until(of.order, 'chargeback');
    expect(await besides(of)).toEqual([]);
    // The provider refunds no payment that was charged back.
    expect((await resolve(desk, of.found, 'refund')).body).toMatchObject({ state: 'open' });
    expect((await resolve(desk, of.found, 'repay', 'by bank')).body).toMatchObject({ state: 'resolved' });
    expect(await linesOf(desk, of.order.order_no, of.found)).toEqual([
      'P11 prov:CHANNEL:USD > susp:USD:CASE 2000 USD',
      'P1 susp:USD:CASE > inc:buyer_fee:USD 60 USD',
      'P1 susp:USD:CASE > fx:USD 1000 USD',
      `P10r susp:USD:CASE > prov:CHANNEL:USD ${940n - left} USD`,
      `P10b susp:USD:CASE > bank:USD ${left} USD`,
    ]);
    expect(await besides(of)).toEqual([]);
  });

  test('all of it ends the case, and no other case is opened', async () => {
    const of = await accepted();
    await disputed(of, { amount: 2_000, outcome: 'lost' });
    await untilHeld(of, 0n);
    await shop.until(of.order, 'chargeback');
    expect(await read(of.found)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    expect(await besides(of)).toEqual([]);
  });

  test('while it is open the order freezes, and no other case is opened', async () => {
    const of = await accepted();
    await disputed(of, { amount: 1_500 });
    await eventually(
      () => shop.detail(of.order),
      ({ complaints }) => complaints.length === 1,
    );
    expect(await suspended(desk, of.found)).toBe(940n);
    expect(await besides(of)).toEqual([]);
    await disputed(of, { outcome: 'lost' });
    await untilHeld(of, 500n);
    await shop.until(of.order, 'chargeback');
    expect(await besides(of)).toEqual([]);
  });

  test.each([
    ['the larger one first', 0, ['0.60', '10.00']],
    ['the smaller one first', 1, ['1.60', '9.00']],
  ])('of two disputes each takes its share, %s, once', async (_, turn, losses) => {
    const of = await accepted();
    const both = [lostTo(of, 1_000n, 1), lostTo(of, 900n, 2)];
    for (const _ of [1, 2]) await told(turn === 0 ? both : both.toReversed());
    expect(await suspended(desk, of.found)).toBe(100n);
    expect(await besides(of)).toEqual([]);
    const { complaints } = await shop.detail(of.order);
    expect(complaints.map((complaint) => complaint['loss_amount']).toSorted()).toEqual(losses);
  });

  test('D-992 of two disputes the first, which the order has borne, takes nothing of the rest when it is told again', async () => {
    const of = await accepted();
    const [first, second] = [lostTo(of, 100n, 1), lostTo(of, 1_900n, 2)];
    await told([first]);
    await told([first, second]);
    expect(await suspended(desk, of.found)).toBe(0n);
    expect(await besides(of)).toEqual([]);
    const { complaints } = await shop.detail(of.order);
    expect(complaints.map((complaint) => complaint['loss_amount']).toSorted()).toEqual(['1.00', '9.60']);
  });

  describe('D-842 an open dispute is of the part that it would take', () => {
    test('of the rest, if refunds have returned what the order was paid with', async () => {
      const of = await accepted();
      await shop.refund(of.order);
      await shop.until(of.order, 'refunded');
      const refunds = [refundOf(of, 1_060n)];
      await told([openTo(of, 900n, 1)], { refunds });
      expect(await besides(of)).toEqual([]);
      await told([lostTo(of, 900n, 1)], { refunds });
      expect(await suspended(desk, of.found)).toBe(40n);
      expect(await besides(of)).toEqual([]);
    });

    test('of the order only for what another one has left of it', async () => {
      const of = await accepted();
      await told([lostTo(of, 1_000n, 1)]);
      await told([openTo(of, 900n, 2), lostTo(of, 1_000n, 1)]);
      expect(await besides(of)).toEqual([]);
    });

    test('the complaint of the order ends without a loss if all of it was the rest', async () => {
      const of = await accepted();
      await told([openTo(of, 900n, 1)]);
      expect(await shop.wallet()).toMatchObject({ frozen_ptk: expect.any(String) as string });
      await told([lostTo(of, 900n, 1)], { refunds: [refundOf(of, 1_060n)] });
      expect((await shop.detail(of.order)).complaints).toMatchObject([{ status: 'dismissed' }]);
      expect(await suspended(desk, of.found)).toBe(40n);
    });
  });

  test('while the refund of the rest is under way, the order learns of it at once, and the case at its end', async () => {
    const of = await accepted();
    await desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'pending' });
    const { body } = await resolve(desk, of.found, 'refund');
    const lost = [lostTo(of, 1_500n, 1)];
    await told(lost, { again: true });
    await shop.until(of.order, 'chargeback');
    expect(await suspended(desk, of.found)).toBe(940n);
    await desk.sim('POST', `/refunds/${body.refund?.provider_refund_id ?? ''}/settle`, { outcome: 'failed' });
    await passTime(desk, 61);
    await told(lost);
    expect(await suspended(desk, of.found)).toBe(500n);
    expect(await besides(of)).toEqual([]);
  });

  test('D-1291 the nightly comparison lists one of which only the part of the order is booked, until it is told', async () => {
    const of = await accepted();
    await desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'pending' });
    const { body } = await resolve(desk, of.found, 'refund');
    const one = lostTo(of, 1_500n, 1);
    const compared = () =>
      withProvider(desk, desk.card.payment_no, { disputes: [one] }, (deps, channel) =>
        compareDispute(deps, channel, one),
      );
    await told([one], { again: true });
    await desk.sim('POST', `/refunds/${body.refund?.provider_refund_id ?? ''}/settle`, {
      outcome: 'succeeded',
    });
    await passTime(desk, 61);
    expect(await read(of.found)).toMatchObject({ state: 'resolved', resolution: 'refund' });
    expect(await compared()).toMatchObject({ kind: 'dispute_missing_here', order_no: of.order.order_no });
    await told([one]);
    expect(await besides(of)).toEqual(['mismatch 1500 USD: lost for more than was booked']);
    expect(await compared()).toBeNull();
  });

  test('D-1259 the nightly comparison does not list refunds in the dashboard that took only of the rest', async () => {
    const of = await accepted();
    await refuseNextRefund(desk);
    await resolve(desk, of.found, 'refund');
    const disputes = [lostTo(of, 1_060n, 1)];
    const refunds = [300n, 200n].map((amount, i) => ({
      ...refundOf(of, amount),
      id: `re_${i}_${of.found.case_id}`,
    }));
    await told(disputes);
    const compared = () =>
      withProvider(desk, desk.card.payment_no, { disputes, refunds }, (deps, channel) =>
        Promise.all(refunds.map((refund) => compareRefund(deps, channel, refund))),
      );
    expect(await compared()).toMatchObject(Array(2).fill({ kind: 'refund_missing_here' }));
    await withProvider(desk, desk.card.payment_no, { disputes, refunds }, (deps) =>
      expect(askBeforeResolving(deps, of.found.case_id, 'repay')).rejects.toThrow(
        'returned a part of the money',
      ),
    );
    expect(await suspended(desk, of.found)).toBe(440n);
    expect(await compared()).toEqual([null, null]);
  });

  test('D-1245 while the refund of the rest is under way, no two disputes count the same part of it', async () => {
    const of = await accepted();
    await desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'pending' });
    const { body } = await resolve(desk, of.found, 'refund');
    const both = [lostTo(of, 1_000n, 1), lostTo(of, 900n, 2)];
    const tellBoth = () =>
      withProvider(desk, desk.card.payment_no, { disputes: both, refunds: [] }, async (deps, channel) => {
        for (const dispute of both) await followCaseDispute(deps, channel, dispute);
      });
    await tellBoth();
    await shop.until(of.order, 'chargeback');
    expect(await suspended(desk, of.found)).toBe(940n);
    await desk.sim('POST', `/refunds/${body.refund?.provider_refund_id ?? ''}/settle`, { outcome: 'failed' });
    await passTime(desk, 61);
    await tellBoth();
    expect(await suspended(desk, of.found)).toBe(100n);
    expect(await besides(of)).toEqual([]);
    const { complaints } = await shop.detail(of.order);
    expect(complaints.map((complaint) => complaint['loss_amount']).toSorted()).toEqual(['0.60', '10.00']);
  });

  test('D-1245 of two disputes that are told at once, one takes what the order no longer has', async () => {
    const of = await accepted();
    const both = [lostTo(of, 1_000n, 1), lostTo(of, 900n, 2)];
    await withProvider(desk, desk.card.payment_no, { disputes: both, refunds: [] }, async (deps, channel) => {
      const tell = async (dispute: CardDispute) => {
        while ((await followCaseDispute(deps, channel, dispute))?.again === true);
      };
      await Promise.all(both.map(tell));
    });
    expect(await suspended(desk, of.found)).toBe(100n);
    await shop.until(of.order, 'chargeback');
    expect(await besides(of)).toEqual([]);
  });

  test('D-1253 the rest bears what another dispute has just taken of the order', async () => {
    const of = await accepted();
    const [one, other] = [lostTo(of, 300n, 1), lostTo(of, 1_200n, 2)];
    await toldAtOnce([one, other], { before: one, transaction: 1 });
    expect(await suspended(desk, of.found)).toBe(500n);
    await shop.until(of.order, 'chargeback');
    const { complaints } = await shop.detail(of.order);
    expect(complaints.map((complaint) => complaint['loss_amount']).toSorted()).toEqual(['3.00', '7.60']);
    expect(await besides(of)).toEqual([]);
  });

  test('D-1254 a person learns of one whose part of the rest was refunded meanwhile', async () => {
    const of = await accepted();
    const one = lostTo(of, 1_500n, 1);
    await withProvider(desk, desk.card.payment_no, { disputes: [one] }, async (deps, channel) => {
      const disputesOf: typeof deps.cards.disputesOf = async (...asked) => {
        expect((await resolve(desk, of.found, 'refund')).status).toBeOneOf([200, 409]);
        return deps.cards.disputesOf(...asked);
      };
      const late = { ...deps, cards: { ...deps.cards, disputesOf } };
      while ((await followCaseDispute(late, channel, one))?.again === true);
    });
    expect(await suspended(desk, of.found)).toBe(0n);
    await shop.until(of.order, 'chargeback');
    expect(await besides(of)).toEqual(['mismatch 1500 USD: lost for more than was booked']);
  });

  test.each([
    ['all', 1_050, 950, 0n],
    ['a part', 1_000, 900, 100n],
  ])('D-1233 two that have taken %s of the rest are found by its refund', async (_, one, other, left) => {
    const of = await accepted();
    await desk.sim('POST', '/webhooks/hold', { hold: true });
    await disputed(of, { amount: one, outcome: 'lost' });
    await disputed(of, { another: true, amount: other, outcome: 'lost' });
    await resolve(desk, of.found, 'refund');
    expect(await suspended(desk, of.found)).toBe(left);
    await desk.sim('POST', '/webhooks/hold', { hold: false });
    await shop.until(of.order, 'chargeback');
    if (left > 0n) expect((await resolve(desk, of.found, 'repay')).body).toMatchObject({ state: 'resolved' });
    expect(await besides(of)).toEqual([]);
  });

  test('D-1254 a person is told of a dispute whose part of the rest another one has just taken', async () => {
    const of = await accepted();
    const [first, all, one] = [lostTo(of, 1_060n, 1), lostTo(of, 1_500n, 2), lostTo(of, 400n, 3)];
    await told([first]);
    await toldAtOnce([first, all, one], { before: all, transaction: 2 });
    expect(await read(of.found)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    expect((await besides(of)).toSorted()).toEqual([
      'mismatch 1500 USD: disputed for more than what is left of the payment',
      'mismatch 400 USD: disputed after the order was chargeback',
    ]);
  });

  test('D-1255 the rest can be paid back also where a person has booked less of a dispute than it took', async () => {
    const of = await accepted();
    await disputed(of, { amount: 1_200 });
    const { complaints } = await eventually(
      () => shop.detail(of.order),
      (detail) => detail.complaints.length === 1,
    );
    const decision = { decision: 'confirm', loss_amount: '1.00', reason: 'a part' };
    await desk.service.admin(
      'POST',
      `/complaints/${String(complaints[0]?.['complaint_id'])}/decision`,
      decision,
    );
    await disputed(of, { outcome: 'lost' });
    await untilHeld(of, 800n);
    await disputed(of, { another: true, amount: 1, outcome: 'lost' });
    await eventually(
      () => shop.detail(of.order),
      (detail) => detail.complaints.some((complaint) => complaint['loss_amount'] === '0.01'),
    );
    // The provider refuses the refund, and has a cent less than the case.
    await resolve(desk, of.found, 'refund');
    expect(await suspended(desk, of.found)).toBe(799n);
    expect((await resolve(desk, of.found, 'repay')).body).toMatchObject({ state: 'resolved' });
  });

  test('D-847 about what refunds had returned already, it is a case for a person', async () => {
    const of = await accepted();
    await shop.refund(of.order);
    await shop.until(of.order, 'refunded');
    for (const _ of [1, 2]) await told([lostTo(of, 940n, 1)], { refunds: [refundOf(of, 2_000n)] });
    expect(await suspended(desk, of.found)).toBe(0n);
    expect(await besides(of)).toEqual([
      'mismatch 940 USD: disputed for more than what is left of the payment',
    ]);
  });

  test('once it was refunded, a dispute about more than the order’s part is a case for a person', async () => {
    const of = await accepted();
    expect((await resolve(desk, of.found, 'refund')).body).toMatchObject({ state: 'resolved' });
    await told([lostTo(of, 1_999n, 1)]);
    await shop.until(of.order, 'chargeback');
    expect(await besides(of)).toEqual([
      'mismatch 1999 USD: disputed for more than what is left of the payment',
    ]);
  });
});

describe('D-1256 a person says what a lost dispute in another currency has taken of the rest', () => {
  const inEuro = async (): Promise<Accepted> => {
    const of = await accepted();
    await disputed(of, { currency: 'eur', amount: 1_800, outcome: 'lost' });
    await eventually(
      () => shop.detail(of.order),
      ({ complaints }) => complaints.length === 1,
    );
    await resolve(desk, of.found, 'refund');
    expect(await suspended(desk, of.found)).toBe(940n);
    return of;
  };

  test('all of it, which ends the case', async () => {
    const of = await inEuro();
    expect((await resolve(desk, of.found, 'close')).body).toMatchObject({
      ...{ state: 'resolved', resolution: 'close', detail: { charged_back: { amount: '940' } } },
    });
    expect(await suspended(desk, of.found)).toBe(0n);
    expect((await linesOf(desk, of.order.order_no, of.found)).at(-1)).toBe(
      'P10r susp:USD:CASE > prov:CHANNEL:USD 940 USD',
    );
  });

  test('a part, and what is left is paid back by bank', async () => {
    const { found } = await inEuro();
    const decision = { action: 'close', reason: 'as the provider says', loss_amount: '9.00' };
    const { body } = await desk.send<Case>(`/cases/${found.case_id}/resolution`, decision);
    expect(body).toMatchObject({ state: 'open', detail: { lost_parts: [{ amount: '900' }] } });
    expect((await resolve(desk, found, 'close')).body.error_description).toContain('pay it back by bank');
    expect(await suspended(desk, found)).toBe(40n);
    expect((await resolve(desk, found, 'repay')).body).toMatchObject({ state: 'resolved' });
  });

  test('or nothing: it can be the order’s alone, and the rest is paid back by bank', async () => {
    const { found } = await inEuro();
    expect((await resolve(desk, found, 'repay')).body).toMatchObject({ state: 'resolved' });
  });
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));
