/** Cases of which a lost dispute has taken a part (D-725): the rest can still be returned. */
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CardDispute, CardRefund } from '../../../src/channels/card/index.ts';
import { followCaseDispute } from '../../../src/payments/following/follow-dispute.ts';
import { followCaseRefunds } from '../../../src/payments/following/follow-refunds.ts';
import { openOwnShop } from '../../support/desks/own-channel.ts';
import {
  conflict,
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

let desk: LossDesk;
let shop: Shop;

beforeAll(async () => {
  desk = await openLossDesk();
  shop = await openShop(desk);
});
afterAll(() => desk.stop());
beforeEach(() => desk.sim('DELETE', '/faults'));

const received = (amount_total = 500) => receivedWrongly(desk, shop, amount_total);

const disputedAs = (found: Case, about: Record<string, unknown>) =>
  desk.sim<{ id: string }>('POST', `/sessions/${found.session_id ?? ''}/dispute`, about);

const partsOf = ({ detail }: Case) =>
  detail['lost_parts'] as { dispute_id: string; amount: string }[] | undefined;

const hasLost = (found: Case): boolean => partsOf(found) !== undefined;

const allowedOn = async ({ case_id }: Case) =>
  (await desk.service.admin<{ allowed_actions: string[] }>('GET', `/cases/${case_id}`)).allowed_actions;

/** The money that a refund or a repayment would return now. */
const leftOf = async ({ case_id }: Case) =>
  (await desk.service.admin<{ left?: { amount?: string } }>('GET', `/cases/${case_id}`)).left?.amount;

const lostTo = (found: Case, amount: bigint, id = `du_${found.case_id}`): CardDispute => ({
  ...{ id, amount, status: 'lost', currency: 'USD' },
  payment_id: found.provider_payment_id ?? '',
});

/** Tells the books beside the service of disputes and refunds that the provider's simulator does not have. */
const told = (
  found: Case,
  { lost = [], refunds = [] }: { lost?: readonly CardDispute[]; refunds?: readonly CardRefund[] },
) =>
  withProvider(desk, String(found['payment_no']), { refunds }, async (deps, channel) => {
    const answers = await Promise.all(lost.map((dispute) => followCaseDispute(deps, channel, dispute)));
    if (refunds.length > 0)
      await followCaseRefunds(deps, channel.payment_no, found.provider_payment_id ?? '', refunds);
    return answers;
  });

const refundOf = (found: Case, amount: bigint): CardRefund => ({
  ...{ id: `re_${found.case_id}`, amount, currency: 'USD', status: 'succeeded', case_id: null },
  payment_id: found.provider_payment_id ?? '',
});

const partLines = [
  'P11 prov:CHANNEL:USD > susp:USD:CASE 500 USD',
  'P10r susp:USD:CASE > prov:CHANNEL:USD 200 USD',
];

describe('D-725 a lost dispute about a part takes this part of the money of a case', () => {
  test('D-750 the rest is paid back by bank after its refund was refused', async () => {
    const { order, found } = await received();
    const { id } = await disputedAs(found, { amount: 200, outcome: 'lost' });
    const known = await caseOf(desk, order, hasLost);
    expect(known).toMatchObject({
      state: 'open',
      amount_minor: '500',
      detail: {
        lost_parts: [{ dispute_id: id, amount: '200' }],
      },
    });
    expect(await suspended(desk, found)).toBe(300n);
    expect(await leftOf(found)).toBe('3.00');
    await expectBalancedBooks(desk);
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({ state: 'open' });
    expect((await resolve(desk, found, 'repay', 'by bank')).body).toMatchObject({ resolution: 'repay' });
    expect(await leftOf(found)).toBeUndefined();
    expect(await linesOf(desk, order.order_no, found)).toEqual([
      ...partLines,
      'P10b susp:USD:CASE > bank:USD 300 USD',
    ]);
    const { attempts, money } = await detailOf(desk, order);
    expect(money.totals).toMatchObject([{ total: 'returned_unused', amount: '5.00' }]);
    expect(attempts).toMatchObject([{ state: 'closed' }]);
    // The same dispute once more is no news.
    expect(await told(found, { lost: [lostTo(found, 200n, id)] })).toMatchObject([{ again: false }]);
    expect((await detailOf(desk, order)).cases).toHaveLength(1);
  });

  test.each(['refund', 'repay'])(
    'if nobody has told of it, it is found by the decision to %s',
    async (action) => {
      const { order, found } = await received();
      if (action === 'repay') {
        await refuseNextRefund(desk);
        await resolve(desk, found, 'refund');
      }
      await desk.sim('POST', '/webhooks/hold', { hold: true });
      await disputedAs(found, { amount: 200, outcome: 'lost' });
      const { body } = await resolve(desk, found, action);
      if (action === 'refund') expect(body).toMatchObject({ state: 'open', resolution: null, refund: null });
      else expect(body.error_description).toContain('has taken a part of the money: look at the case again');
      expect(await suspended(desk, found)).toBe(300n);
      await desk.sim('POST', '/webhooks/hold', { hold: false });
      await passTime(desk, 61);
      expect(partsOf(await caseOf(desk, order))).toHaveLength(1);
      expect((await resolve(desk, found, 'repay')).body).toMatchObject({ resolution: 'repay' });
    },
  );

  test('once, however often it is told at the same time, and its refund asks for the rest', async () => {
    const { order, found } = await received();
    const one = lostTo(found, 200n);
    await told(found, { lost: [one, one, one] });
    await told(found, { lost: [one] });
    expect(await suspended(desk, found)).toBe(300n);
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({
      state: 'resolved',
      refund: { status: 'succeeded', amount_minor: '300' },
    });
    const lines = await linesOf(desk, order.order_no, found);
    expect(lines.sort()).toEqual([...partLines, 'P10r susp:USD:CASE > prov:CHANNEL:USD 300 USD'].sort());
    await told(found, { lost: [one] });
    expect((await detailOf(desk, order)).cases).toHaveLength(1);
    // Another dispute of money that was paid back is news.
    await told(found, { lost: [lostTo(found, 300n, `du_2_${found.case_id}`)] });
    expect((await detailOf(desk, order)).cases).toHaveLength(2);
  });

  test.each(['before', 'after'])(
    'a refund of the rest in the dashboard %s it ends the case',
    async (when) => {
      const { found, order } = await received();
      const refunds = [refundOf(found, 300n)];
      if (when === 'before') await told(found, { refunds });
      await told(found, { lost: [lostTo(found, 200n)], ...(when === 'before' ? { refunds } : {}) });
      if (when === 'after') await told(found, { refunds });
      expect(await caseOf(desk, order)).toMatchObject({
        state: 'resolved',
        resolution: when === 'before' ? 'cleared' : 'refund',
      });
      expect(await suspended(desk, found)).toBe(0n);
    },
  );

  test('a second one takes the rest and ends the case', async () => {
    const { found, order } = await received();
    await told(found, { lost: [lostTo(found, 200n)] });
    await told(found, { lost: [lostTo(found, 300n, `du_2_${found.case_id}`)] });
    expect(await caseOf(desk, order)).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    expect(await suspended(desk, found)).toBe(0n);
  });

  test('while its refund is under way it waits for the end of the refund', async () => {
    const { found, order } = await received();
    await desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'pending' });
    const { body } = await resolve(desk, found, 'refund');
    expect(body).toMatchObject({ state: 'open', refund: { status: 'pending' } });
    const lost = [lostTo(found, 200n)];
    expect(await told(found, { lost })).toMatchObject([{ again: true }]);
    expect(await suspended(desk, found)).toBe(500n);
    await desk.sim('POST', `/refunds/${body.refund?.provider_refund_id ?? ''}/settle`, { outcome: 'failed' });
    await passTime(desk, 61);
    await caseOf(desk, order, ({ refund }) => refund === null);
    expect(await told(found, { lost })).toMatchObject([{ again: false }]);
    expect(await suspended(desk, found)).toBe(300n);
    await told(found, { refunds: [refundOf(found, 300n)] });
    expect(await caseOf(desk, order)).toMatchObject({ state: 'resolved', resolution: 'refund' });
  });

  test('the rest pays no order, though it would cover it', async () => {
    const { found } = await received(2_000);
    expect(await allowedOn(found)).toContain('accept');
    await told(found, { lost: [lostTo(found, 200n)] });
    expect(await allowedOn(found)).toEqual(['refund', 'void', 'close']);
    expect(await resolve(desk, found, 'accept')).toMatchObject(conflict);
    expect(await suspended(desk, found)).toBe(1_800n);
  });

  test('of a receipt that was accepted meanwhile, the dispute is the order’s', async () => {
    const { found, order } = await received(2_000);
    await resolve(desk, found, 'accept');
    await told(found, { lost: [lostTo(found, 200n)] });
    expect(hasLost(await caseOf(desk, order))).toBe(false);
    expect(await suspended(desk, found)).toBe(940n);
  });

  test('P5 on the merchant’s own account nothing is booked, and its refund asks for the rest', async () => {
    const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: 10n ** 9n });
    const order = await own.order();
    await own.start(order);
    await own.pay(order, { amount_total: 500 });
    const found = await caseOf(desk, order);
    await told(found, { lost: [lostTo(found, 200n)] });
    expect(partsOf(await caseOf(desk, order))).toHaveLength(1);
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({
      state: 'resolved',
      refund: { status: 'succeeded', amount_minor: '300' },
    });
  });
});

test('D-1064 the list of cases and its file say what each case still holds', async () => {
  const { found, order } = await received(1_500);
  await resolve(desk, found, 'accept');
  const listed = async () => {
    const headers = { authorization: 'Bearer test-administration-key' };
    const { text } = await desk.service.send('GET', '/admin/v1/cases.csv?state=open', { headers });
    const { items } = await desk.service.admin<{ items: Case[] }>('GET', '/cases?state=open&limit=100');
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
    const isIt = ({ case_id }: { case_id?: string }): boolean => case_id === found.case_id;
    return { row: rows.find(isIt), item: items.find(isIt) };
  };
  const { row, item } = await listed();
  expect(row).toMatchObject({
    ...{ order_no: order.order_no, kind: 'mismatch', state: 'open', booked: 'true' },
    ...{ amount: '15.00', left: '4.40', currency: 'USD', test_mode: 'false', resolved_at: '' },
  });
  expect(item?.['left']).toEqual({ amount: '4.40', amount_minor: '440', currency: 'USD' });
  await resolve(desk, found, 'refund');
  expect((await caseOf(desk, order)).state).toBe('resolved');
  expect((await listed()).row).toBeUndefined();
});

test('D-1064 one statement reads what all cases of a page still hold', async () => {
  const held = [await received(1_500), await received(1_600)].map(({ found }) => found.case_id);
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const { items } = await desk.service.admin<{ items: Case[] }>('GET', '/cases?state=open&limit=100');
  const asked = query.mock.calls as unknown as [{ text?: string; values?: unknown[] }][];
  query.mockRestore();
  const left = items.flatMap(({ case_id, left }) => (held.includes(case_id) ? [left] : []));
  expect(left).toMatchObject([{ amount: '16.00' }, { amount: '15.00' }]);
  const reads = asked.filter(
    ([{ text = '', values = [] }]) =>
      text.includes('ledger_balances') && values.flat().some((value) => held.includes(value as string)),
  );
  expect(reads).toHaveLength(1);
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));
