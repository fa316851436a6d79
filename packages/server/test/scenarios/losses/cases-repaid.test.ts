/** Cases whose money the platform has paid back by bank, and what the provider says about that money (D-695). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { caseJson } from '../../../src/admin/cases/case-json.ts';
import { runAudited } from '../../../src/base/audit/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import type { CardDispute } from '../../../src/channels/card/index.ts';
import type { Channel } from '../../../src/channels/index.ts';
import { followCaseDispute } from '../../../src/payments/following/follow-dispute.ts';
import { followRefunds } from '../../../src/payments/following/follow-refunds.ts';
import { askBeforeResolving } from '../../../src/payments/decisions/ask-before-resolving.ts';
import { resolveCase } from '../../../src/payments/decisions/resolve-case.ts';
import type { PaymentDeps } from '../../../src/payments/engine/index.ts';
import {
  conflict,
  type Case,
  caseOf,
  detailOf,
  expectBalancedBooks,
  linesOf,
  pay,
  resolve,
  startedCard,
  strangeSession,
  suspended,
  withProvider,
  refuseNextRefund,
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

const disputedAs = (found: Case, about: Record<string, unknown> = {}) =>
  desk.sim('POST', `/sessions/${found.session_id ?? ''}/dispute`, about);

const read = ({ case_id }: Case) => desk.service.admin<Case>('GET', `/cases/${case_id}`);

/** A case whose refund the provider has refused. */
async function refusedRefund(amount_total = 500): Promise<{ order: Order; found: Case }> {
  const order = await shop.unpaid();
  await pay(desk, await startedCard(desk, order), { amount_total });
  const found = await caseOf(desk, order);
  await refuseRefund(found);
  return { order, found };
}

async function refuseRefund(found: Case): Promise<void> {
  await refuseNextRefund(desk);
  expect((await resolve(desk, found, 'refund')).body).toMatchObject({ state: 'open', refund: null });
}

async function repaid(): Promise<{ order: Order; found: Case }> {
  const refused = await refusedRefund();
  expect((await resolve(desk, refused.found, 'repay', 'by bank')).body).toMatchObject({ state: 'resolved' });
  return refused;
}

/** A receipt for an order that the books do not have, and its case in the platform's own book. */
async function unmatched(): Promise<Case> {
  const session = await strangeSession(desk, {
    client_reference_id: 'pa_of_nobody',
    'metadata[order_no]': 'co_of_nobody',
    'metadata[merchant_id]': merchantIdOf(shop.merchant_no) ?? '',
  });
  await pay(desk, session);
  const found = await caseAbout(({ session_id }) => session_id === session.id);
  await desk.service.advance(25 * 3_600);
  await desk.service.admin('POST', '/jobs/sweep/run');
  return eventually(
    () => read(found),
    ({ state }) => state === 'open',
  );
}

const disputeOf = (found: Case): CardDispute => ({
  id: `du_${found.case_id}`,
  status: 'open',
  amount: 500n,
  currency: 'USD',
  payment_id: found.provider_payment_id ?? '',
});

/** Asks the books beside the service, as if the provider had this dispute and no refund. */
const withDispute = <T>(
  seen: CardDispute,
  ask: (deps: PaymentDeps, channel: Channel) => Promise<T>,
): Promise<T> => withProvider(desk, desk.card.payment_no, { disputes: [seen] }, ask);

const caseAbout = async (isIt: (one: Case) => boolean): Promise<Case> => {
  const found = await eventually(
    async () => (await desk.service.admin<{ items: Case[] }>('GET', '/cases?limit=100')).items.find(isIt),
    (one) => one !== undefined,
  );
  return found as Case;
};

describe('D-695 before the platform pays a receipt back by bank, the provider is asked whether it has the money', () => {
  test('while a dispute is open it is refused; after a lost one the money is gone', async () => {
    const { order, found } = await refusedRefund();
    await desk.sim('POST', '/webhooks/hold', { hold: true });
    await disputedAs(found);
    const refused = await resolve(desk, found, 'repay', 'by bank');
    expect(refused).toMatchObject(conflict);
    expect(refused.body.error_description).toBe('The payment is disputed: wait until the dispute has ended.');
    expect(await suspended(desk, found)).toBe(500n);
    await disputedAs(found, { outcome: 'lost' });
    expect((await resolve(desk, found, 'repay', 'by bank')).body.error_description).toBe(
      'The provider has returned the money: look at the case again.',
    );
    expect(await read(found)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    expect(await linesOf(desk, order.order_no, found)).toEqual([
      'P11 prov:CHANNEL:USD > susp:USD:CASE 500 USD',
      'P10r susp:USD:CASE > prov:CHANNEL:USD 500 USD',
    ]);
    await desk.sim('POST', '/webhooks/hold', { hold: false });
  });

  test('a dispute that was won leaves the money here', async () => {
    const { found } = await refusedRefund();
    await disputedAs(found, { outcome: 'won' });
    expect((await resolve(desk, found, 'repay')).body).toMatchObject({ resolution: 'repay' });
  });

  test('D-697 so has a refund in its dashboard', async () => {
    const { found } = await refusedRefund();
    await desk.sim('POST', '/webhooks/hold', { hold: true });
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '' });
    const refused = await resolve(desk, found, 'repay', 'by bank');
    expect(refused).toMatchObject(conflict);
    expect(refused.body.error_description).toContain(
      'The provider has returned the money: look at the case again.',
    );
    expect(await read(found)).toMatchObject({ state: 'resolved' });
    await desk.sim('POST', '/webhooks/hold', { hold: false });
  });

  const isPartlyReturned =
    'A refund at the provider has returned a part of the money: look at the case again.';

  test('D-845 refunds of parts in its dashboard leave the rest to be paid back by bank, beside a lost dispute', async () => {
    const { order, found } = await refusedRefund();
    const payment_intent = found.provider_payment_id ?? '';
    const ids = [];
    for (const amount of ['200', '50'])
      ids.push((await desk.provider('/refunds', { payment_intent, amount }))['id']);
    await disputedAs(found, { amount: 100, outcome: 'lost' });
    await eventually(
      () => suspended(desk, found),
      (held) => held === 400n,
    );
    for (const _ of ids) {
      const refused = await resolve(desk, found, 'repay', 'by bank');
      expect(refused).toMatchObject({ ...conflict, body: { error_description: isPartlyReturned } });
    }
    expect(await suspended(desk, found)).toBe(150n);
    expect((await resolve(desk, found, 'repay', 'by bank')).body).toMatchObject({ resolution: 'repay' });
    const lines = await linesOf(desk, order.order_no, found);
    expect(lines.slice(1)).toEqual([
      'P10r susp:USD:CASE > prov:CHANNEL:USD 100 USD',
      'P10r susp:USD:CASE > prov:CHANNEL:USD 50 USD',
      'P10r susp:USD:CASE > prov:CHANNEL:USD 200 USD',
      'P10b susp:USD:CASE > bank:USD 150 USD',
    ]);
    await desk.service.admin('POST', '/jobs/reconcile/run');
    expect((await detailOf(desk, order)).cases).toHaveLength(1);
  });

  test('D-845 a refund asks for the rest once the provider has refused one of all, and ends the case', async () => {
    const { order, found } = await refusedRefund();
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount: '200' });
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({ state: 'open', refund: null });
    expect(await suspended(desk, found)).toBe(300n);
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({
      state: 'resolved',
      refund: { status: 'succeeded', amount_minor: '300' },
    });
    await desk.service.admin('POST', '/jobs/reconcile/run');
    expect((await detailOf(desk, order)).cases).toHaveLength(1);
  });

  test('D-845 a case is not closed over money: what has gone back is booked, and the refusal says so', async () => {
    const { found } = await refusedRefund();
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount: '200' });
    const refused = await resolve(desk, found, 'close');
    expect(refused).toMatchObject(conflict);
    expect(refused.body.error_description).toBe(
      'A refund at the provider has returned a part of the money: look at the case again.',
    );
    expect(await suspended(desk, found)).toBe(300n);
    await desk.sim('POST', '/faults', { endpoint: 'refunds.list', mode: 'status', status: 500, times: 99 });
    const unclear = await resolve(desk, found, 'close');
    expect(unclear.body.error_description).toMatch(/^The provider could not be asked: /);
  });

  test('D-845 while a refund of a part is under way, nothing is paid', async () => {
    const { found } = await refusedRefund();
    await desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'pending' });
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount: '200' });
    const refused = await resolve(desk, found, 'repay', 'by bank');
    expect(refused.body.error_description).toBe(
      '200 of 500 minor units have gone back: return the rest at the provider.',
    );
    expect(await suspended(desk, found)).toBe(500n);
  });

  const closed = async (deps: PaymentDeps, { case_id }: Case) => {
    await askBeforeResolving(deps, case_id, 'close');
    const decision = { action: 'close', reason: 'all was taken' } as const;
    await runAudited(
      deps,
      { actor: 'command', action: 'case.close', reason: decision.reason },
      async (tx) => {
        const { before, after } = await resolveCase(deps, tx, case_id, decision);
        return { target: `case:${case_id}`, before: caseJson(before), after: caseJson(after) };
      },
    );
  };

  test('D-874 after a lost dispute in another currency a person closes the case that holds nothing any more', async () => {
    const { order, found } = await refusedRefund();
    expect(await resolve(desk, found, 'close')).toMatchObject(conflict);
    const lost = { ...disputeOf(found), status: 'lost', currency: 'EUR', amount: 600n } as const;
    await expect(
      withDispute(lost, (deps) => askBeforeResolving(deps, found.case_id, 'repay')),
    ).rejects.toMatchObject({ message: expect.stringContaining('close the case over this loss') as string });
    expect(await suspended(desk, found)).toBe(500n);
    const open = { ...lost, status: 'open' } as const;
    await expect(withDispute(open, (deps) => closed(deps, found))).rejects.toMatchObject({
      message: expect.stringContaining('is disputed') as string,
    });
    await withDispute(lost, (deps) => closed(deps, found));
    expect(await read(found)).toMatchObject({
      ...{ state: 'resolved', resolution: 'close', reason: 'all was taken' },
      detail: { charged_back: { dispute_id: lost.id, amount: '500' } },
    });
    expect((await linesOf(desk, order.order_no, found)).slice(1)).toEqual([
      'P10r susp:USD:CASE > prov:CHANNEL:USD 500 USD',
    ]);
    expect((await detailOf(desk, order)).attempts).toMatchObject([{ state: 'closed' }]);
    await withDispute(lost, (deps, channel) => followCaseDispute(deps, channel, lost));
    expect((await detailOf(desk, order)).cases).toHaveLength(1);
    const won = { ...lost, status: 'won' } as const;
    await withDispute(won, (deps, channel) => followCaseDispute(deps, channel, won));
    expect((await shop.cases(order)).slice(1)).toEqual(['mismatch 600 EUR: won after it was booked as lost']);
  });

  test('D-874 and that waits for a second person from the threshold on', async () => {
    const { found } = await refusedRefund();
    await disputedAs(found, { outcome: 'lost', currency: 'eur', amount: '600' });
    expect((await resolve(desk, found, 'repay')).body.error_description).toContain('close the case');
    await desk.service.admin('PUT', '/settings', { four_eyes_ptk: '1' });
    const asked = await resolve(desk, found, 'close');
    await desk.service.admin('PUT', '/settings', { four_eyes_ptk: '0' });
    expect(asked).toMatchObject({ status: 202, body: { error: 'approval_pending' } });
    expect(await suspended(desk, found)).toBe(500n);
  });

  describe('D-907 a person names what a lost dispute in another currency has taken', () => {
    const lostInPart = async () => {
      const refused = await refusedRefund();
      await disputedAs(refused.found, { outcome: 'lost', currency: 'eur', amount: '600' });
      const close = (loss_amount: string) =>
        desk.send<Case>(`/cases/${refused.found.case_id}/resolution`, {
          ...{ action: 'close', reason: 'as the provider says', loss_amount },
        });
      return { ...refused, close };
    };

    test('and the rest is paid back by bank', async () => {
      const { order, found, close } = await lostInPart();
      for (const wrong of ['5.01', '0.00', '-1.00', 'all'])
        expect(await close(wrong)).toMatchObject({ status: 400, body: { field: 'loss_amount' } });
      expect((await close('3.00')).body).toMatchObject({
        ...{ state: 'open', resolution: null, detail: { lost_parts: [{ amount: '300' }] } },
      });
      expect(await read(found)).toMatchObject({ left: { amount: '2.00' } });
      expect((await resolve(desk, found, 'close')).body.error_description).toBe(
        'The case holds money in suspense: refund it, or pay it back by bank.',
      );
      expect((await resolve(desk, found, 'repay')).body).toMatchObject({ state: 'resolved' });
      expect((await linesOf(desk, order.order_no, found)).slice(1)).toEqual([
        'P10r susp:USD:CASE > prov:CHANNEL:USD 300 USD',
        'P10b susp:USD:CASE > bank:USD 200 USD',
      ]);
      const [lost] = (await read(found)).detail.lost_parts as { dispute_id: string }[];
      const won = {
        ...disputeOf(found),
        id: lost?.dispute_id ?? '',
        status: 'won',
        currency: 'EUR',
      } as const;
      await withDispute(won, (deps, channel) => followCaseDispute(deps, channel, won));
      expect((await shop.cases(order)).at(-1)).toBe('mismatch 500 EUR: won after it was booked as lost');
    });

    test('and the rest is refunded in the dashboard', async () => {
      const { found, close } = await lostInPart();
      await close('3.00');
      const payment_id = found.provider_payment_id ?? '';
      const refund = {
        id: 're_rest',
        status: 'succeeded',
        amount: 200n,
        currency: 'USD',
        case_id: null,
      } as const;
      await withProvider(
        desk,
        desk.card.payment_no,
        { refunds: [{ ...refund, payment_id }] },
        (deps, channel) => followRefunds(deps, channel.payment_no, payment_id),
      );
      expect(await read(found)).toMatchObject({ state: 'resolved', resolution: 'refund' });
      expect(await suspended(desk, found)).toBe(0n);
    });

    test('all of it ends the case', async () => {
      const { close } = await lostInPart();
      expect((await close('5.00')).body).toMatchObject({ state: 'resolved', resolution: 'close' });
    });

    test('which waits for a second person from the threshold on', async () => {
      const { found, close } = await lostInPart();
      await desk.service.admin('PUT', '/settings', { four_eyes_ptk: '3000000000' });
      const less = await close('2.99');
      await desk.service.admin('PUT', '/settings', { four_eyes_ptk: '0' });
      expect(less.body).toMatchObject({ state: 'open' });
      const other = await lostInPart();
      await desk.service.admin('PUT', '/settings', { four_eyes_ptk: '3000000000' });
      const asked = await other.close('3.00');
      await desk.service.admin('PUT', '/settings', { four_eyes_ptk: '0' });
      expect(asked).toMatchObject({ status: 202, body: { error: 'approval_pending' } });
      expect([await suspended(desk, found), await suspended(desk, other.found)]).toEqual([201n, 500n]);
    });

    test('and no other decision takes a loss', async () => {
      const { found } = await refusedRefund();
      const loss = { reason: 'looked into it', loss_amount: '1.00' };
      for (const action of ['refund', 'repay'])
        expect(await desk.send(`/cases/${found.case_id}/resolution`, { action, ...loss })).toMatchObject({
          ...{ status: 400, body: { field: 'loss_amount' } },
        });
    });
  });

  test('a lost dispute about nothing does not keep the money here', async () => {
    const { found } = await refusedRefund();
    const lost = { ...disputeOf(found), status: 'lost', amount: 0n } as const;
    await withDispute(lost, (deps) => askBeforeResolving(deps, found.case_id, 'repay'));
    expect((await resolve(desk, found, 'repay')).body).toMatchObject({ resolution: 'repay' });
  });

  test('nothing is paid while it cannot be asked', async () => {
    const { found } = await refusedRefund();
    const down = { endpoint: 'refunds.list', mode: 'status', status: 500, times: 99 };
    await desk.sim('POST', '/faults', down);
    const refused = await resolve(desk, found, 'repay', 'by bank');
    expect(refused).toMatchObject(conflict);
    expect(refused.body.error_description).toMatch(/^The provider could not be asked: /);
    expect(await read(found)).toMatchObject({ state: 'open' });
  });
});

describe('D-801 the rest of a receipt that paid an order is paid back by bank only while the provider has it', () => {
  /** A receipt of 20.00 that has paid an order with 10.60, and the refund of whose rest was refused. */
  async function refusedRest(): Promise<Case> {
    const order = await shop.unpaid();
    await pay(desk, await startedCard(desk, order), { amount_total: 2_000 });
    const found = await caseOf(desk, order);
    expect((await resolve(desk, found, 'accept')).body).toMatchObject({ state: 'open' });
    await refuseRefund(found);
    return found;
  }

  test.each([
    ['all of it', '2000', 'The provider has returned the money: look at the case again.', 'resolved', 0n],
    [
      'more than paid the order',
      '1500',
      'A refund at the provider has returned a part of the money: look at the case again.',
      'open',
      500n,
    ],
  ])('a refund in its dashboard has returned %s', async (_, amount, why, state, left) => {
    const found = await refusedRest();
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount });
    const refused = await resolve(desk, found, 'repay', 'by bank');
    expect(refused).toMatchObject(conflict);
    expect(refused.body.error_description).toBe(why);
    expect(await read(found)).toMatchObject({ state });
    expect(await suspended(desk, found)).toBe(left);
  });

  test('a refund ends the case if the provider refuses it because all has gone back', async () => {
    const found = await refusedRest();
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '' });
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({ state: 'resolved' });
    expect(await suspended(desk, found)).toBe(0n);
  });

  test('D-845 a refund of a part of the order’s part takes nothing of the rest, also after a refund of all was refused', async () => {
    const { found } = await refusedRefund(2_000);
    expect((await resolve(desk, found, 'accept')).body).toMatchObject({ state: 'open' });
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount: '500' });
    expect((await resolve(desk, found, 'repay')).body).toMatchObject({ resolution: 'repay' });
  });

  test('D-844 once it was, refunds beyond what the order was paid with are a case', async () => {
    const found = await refusedRest();
    const order = { order_no: String(found['order_no']) } as Order;
    expect((await resolve(desk, found, 'repay')).body).toMatchObject({ resolution: 'repay' });
    const payment_intent = found.provider_payment_id ?? '';
    await desk.provider('/refunds', { payment_intent, amount: '1060' });
    await shop.until(order, 'refunded');
    await desk.provider('/refunds', { payment_intent, amount: '300' });
    const cases = await eventually(
      () => shop.cases(order),
      (known) => known.length > 1,
    );
    expect(cases.slice(1)).toEqual(['mismatch 1360 USD: refunded after it was paid back']);
  });

  test('D-1292 a refund of a part is told where a person has charged the order back and the rest was refunded', async () => {
    const order = await shop.unpaid();
    await pay(desk, await startedCard(desk, order), { amount_total: 2_000 });
    const found = await caseOf(desk, order);
    await resolve(desk, found, 'accept');
    const { body } = await shop.complain(order);
    await shop.decide(body.complaint_id, { decision: 'confirm' });
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount: '500' });
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({ state: 'resolved' });
    const cases = await eventually(
      () => shop.cases(order),
      (known) => known.length > 1,
    );
    expect(cases.slice(1)).toEqual(['mismatch 500 USD: refunded beside a chargeback']);
  });

  test.each([
    ['of all of the receipt, which ends the case', '2000', 'cleared'],
    ['of a part, and the rest is paid back by bank later', '500', 'repay'],
  ])(
    'D-1257 a refund %s, is told at once where a person has charged the order back',
    async (_, amount, resolution) => {
      const found = await refusedRest();
      const order = { order_no: String(found['order_no']) } as Order;
      const { body } = await shop.complain(order);
      await shop.decide(body.complaint_id, { decision: 'confirm' });
      await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount });
      const cases = await eventually(
        () => shop.cases(order),
        (known) => known.length > 1,
      );
      expect(cases.slice(1)).toEqual([`mismatch ${amount} USD: refunded beside a chargeback`]);
      await resolve(desk, found, resolution === 'repay' ? 'repay' : 'refund');
      expect(await read(found)).toMatchObject({ state: 'resolved', resolution });
      expect(await shop.cases(order)).toEqual(cases);
    },
  );

  test('D-1260 a refund before the rest was paid back is told then, where a person has booked more than the dispute took', async () => {
    const found = await refusedRest();
    const order = { order_no: String(found['order_no']) } as Order;
    await disputedAs(found, { amount: 700 });
    const { complaints } = await eventually(
      () => shop.detail(order),
      (detail) => detail.complaints.length === 1,
    );
    await shop.decide(String(complaints[0]?.complaint_id), { decision: 'confirm' });
    await disputedAs(found, { outcome: 'won' });
    await eventually(
      () => shop.cases(order),
      (known) => known.length > 1,
    );
    await desk.sim('POST', '/webhooks/hold', { hold: true });
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount: '500' });
    const { body } = await resolve(desk, found, 'repay');
    const cases = await shop.cases(order);
    await desk.sim('POST', '/webhooks/hold', { hold: false });
    expect(body).toMatchObject({ resolution: 'repay' });
    expect(cases.slice(1)).toEqual([
      'mismatch 700 USD: won after it was booked as lost',
      'mismatch 500 USD: refunded after it was paid back',
    ]);
  });

  test('a refund of what paid the order leaves it here', async () => {
    const found = await refusedRest();
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount: '1060' });
    expect((await resolve(desk, found, 'repay')).body).toMatchObject({ resolution: 'repay' });
  });
});

describe('D-696 money that goes back at the provider as well opens a case, once', () => {
  test.each(['open', 'lost'])('through a dispute that is %s', async (outcome) => {
    const { order, found } = await repaid();
    await disputedAs(found, outcome === 'open' ? {} : { outcome });
    const { cases } = await eventually(
      () => detailOf(desk, order),
      ({ cases: all }) => all.length > 1,
    );
    expect(cases.find(({ case_id }) => case_id !== found.case_id)).toMatchObject({
      kind: 'mismatch',
      state: 'open',
      amount: '5.00',
      booked: false,
      detail: {
        why: 'disputed after it was paid back',
        seen: { case: found.case_id },
      },
    });
    if (outcome === 'open') await disputedAs(found, { outcome: 'lost' });
    await shop.byCard();
    expect((await detailOf(desk, order)).cases).toHaveLength(2);
    expect(await read(found)).toMatchObject({ resolution: 'repay' });
  });

  test('a dispute that was won does not', async () => {
    const { order, found } = await repaid();
    await disputedAs(found, { outcome: 'won' });
    await shop.byCard();
    expect((await detailOf(desk, order)).cases).toHaveLength(1);
  });

  test('through a refund in the dashboard', async () => {
    const { order, found } = await repaid();
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '' });
    const { cases } = await eventually(
      () => detailOf(desk, order),
      ({ cases: all }) => all.length > 1,
    );
    expect(cases.find(({ case_id }) => case_id !== found.case_id)).toMatchObject({
      kind: 'mismatch',
      detail: { why: 'refunded after it was paid back' },
    });
  });

  test('also of a receipt without an order, in the platform’s own book, which a person closes', async () => {
    const found = await unmatched();
    await refuseRefund(found);
    await resolve(desk, found, 'repay', 'by bank');
    await disputedAs(found, { outcome: 'lost' });
    const told = await caseAbout(
      ({ detail }) => (detail['seen'] as { case?: string } | undefined)?.case === found.case_id,
    );
    expect(told).toMatchObject({ kind: 'mismatch', detail: { why: 'disputed after it was paid back' } });
    expect((await resolve(desk, told, 'close', 'the buyer has paid it again')).body).toMatchObject({
      state: 'resolved',
    });
  });

  test.each([
    ['lost', 2],
    ['won', 1],
  ] as const)('after a refund, a dispute that is %s', async (status, count) => {
    const { order, found } = await refusedRefund();
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({ state: 'resolved' });
    const seen = { ...disputeOf(found), status };
    const follow = () => withDispute(seen, (deps, channel) => followCaseDispute(deps, channel, seen));
    expect(await follow()).toMatchObject({ outcome: `part of case ${found.case_id}`, again: false });
    await follow();
    expect((await detailOf(desk, order)).cases).toHaveLength(count);
  });
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));
