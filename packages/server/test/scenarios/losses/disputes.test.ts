import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pino from 'pino';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { sql } from '../../../src/base/pg/index.ts';
import { systemIds, merchantIdOf } from '../../../src/base/ids.ts';
import type { CardDispute } from '../../../src/channels/card/card-losses.ts';
import { selectAttempts } from '../../../src/payments/attempts/attempt.sql.ts';
import { collectionKind } from '../../../src/collection/orders/payable-order.ts';
import { settleDispute } from '../../../src/payments/disputes/settle-dispute.ts';
import { type Case, pay, resolve, strangeSession } from '../../support/desks/cases.ts';
import {
  type CardPaid,
  day_s,
  type LossDesk,
  openLossDesk,
  openShop,
  type Shop,
} from '../../support/desks/losses.ts';
import { recordWhere } from '../../support/notifications/notify.ts';
import { openOwnShop, simulate } from '../../support/desks/own-channel.ts';
import type { Order } from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { beside } from '../../support/desks/wallets.ts';

let desk: LossDesk;

beforeAll(async () => {
  desk = await openLossDesk();
});
afterAll(() => desk.stop());

const dispute = ({ session_id }: CardPaid, outcome?: 'won' | 'lost'): Promise<Json & { id: string }> =>
  desk.sim('POST', `/sessions/${session_id}/dispute`, outcome === undefined ? {} : { outcome });

const hold = (holding: boolean, more: Json = {}): Promise<Json> =>
  desk.sim('POST', '/webhooks/hold', { hold: holding, ...more });

const untilComplaint = (shop: Shop, order: Order, status: string) =>
  eventually(
    () => shop.detail(order),
    ({ complaints }) => complaints[0]?.status === status,
  );

const statusOf = async (shop: Shop, order: Order): Promise<unknown> =>
  (await shop.merchant.read(order.order_no)).body.status;

/** Every webhook about a payment that was stored, processed once more. */
async function replayAll(payment_id: string): Promise<void> {
  const { items } = await desk.sim<{ items: { id: string; data: Json }[] }>('GET', '/events');
  const about = items.filter(({ data }) => JSON.stringify(data).includes(payment_id)).map(({ id }) => id);
  await beside(desk.service, (db) =>
    db.query(
      sql`UPDATE card_webhooks SET due_at = received_at WHERE provider_event_id = ANY (${about}::text[])`,
    ),
  );
  await eventually(
    () =>
      beside(desk.service, (db) =>
        db.query<{ outcome: string }>(sql`SELECT outcome FROM card_webhooks
          WHERE provider_event_id = ANY (${about}::text[]) AND (due_at IS NOT NULL OR outcome LIKE 'failed%')`),
      ),
    (unfinished) => unfinished.length === 0,
  );
}

/** Applies a dispute as the provider would report it. */
const report = ({ merchant_no }: Shop, { order, payment_id }: CardPaid, seen: Partial<CardDispute>) =>
  beside(desk.service, async (db) => {
    const merchant_id = merchantIdOf(merchant_no) ?? '';
    const [attempt] = await selectAttempts(db, merchant_id, order.order_no);
    if (attempt === undefined) throw new Error('no attempt');
    const ids = systemIds();
    const collection = collectionKind(ids);
    const deps = {
      db,
      ids,
      clock: new OffsetClock(),
      log: pino({ level: 'silent' }),
      kindOf: () => collection,
    };
    const whole = { id: 'du_reported', status: 'lost', amount: 1_060n, currency: 'USD', payment_id } as const;
    const also_open = () => Promise.resolve([]);
    return settleDispute(deps, attempt, { ...whole, ...seen, also_open });
  });

describe('a dispute at the provider', () => {
  test('D-078 freezes while it is open; won, D-079 the funds go back', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    const { id } = await dispute(paid);
    const { complaints } = await untilComplaint(shop, paid.order, 'open');
    expect(complaints).toMatchObject([{ source: 'provider', dispute_id: id }]);
    expect(await shop.wallet()).toEqual({ frozen_ptk: '9740000000' });
    expect(await statusOf(shop, paid.order)).toBe('paid');

    await dispute(paid, 'won');
    await untilComplaint(shop, paid.order, 'dismissed');
    expect(await shop.wallet()).toEqual({ held_ptk: '9740000000' });
    expect((await shop.merchant.read(paid.order.order_no)).body).toEqual(paid.order);
  });

  test('D-078, T11 a lost dispute charges the order back once, for any number of events', async () => {
    const shop = await openShop(desk, { guarantee: 1_000_000_000n });
    const paid = await shop.byCard();
    const { id } = await dispute(paid);
    await untilComplaint(shop, paid.order, 'open');
    await dispute(paid, 'lost');
    const after = await shop.until(paid.order, 'chargeback');
    expect(after).toEqual({
      ...paid.order,
      status: 'chargeback',
      status_version: Number(paid.order.status_version) + 1,
    });
    await recordWhere(shop.merchant, paid.order, 'chargeback', () => true);
    const lines = await shop.lines(paid.order);
    expect(lines.slice(1)).toEqual([
      `P8 fx:USD > prov:${desk.card.payment_no}:USD 1060 USD`,
      'P8 m:frozen:ORDER > fx:PTK 9740000000 PTK',
      'P8 m:guarantee > fx:PTK 860000000 PTK',
    ]);
    await replayAll(paid.payment_id);
    await desk.service.admin('POST', '/jobs/reconcile/run');
    expect(await shop.lines(paid.order)).toEqual(lines);
    expect((await shop.detail(paid.order)).complaints).toMatchObject([
      { status: 'confirmed', dispute_id: id, loss_amount: '10.60' },
    ]);
  });

  test.each([
    ['lost', 'chargeback', 'confirmed'],
    ['won', 'paid', undefined],
  ] as const)(
    'D-109 its end overtakes its beginning: %s, the order is %s',
    async (outcome, status, complaint) => {
      const shop = await openShop(desk);
      const paid = await shop.byCard();
      await hold(true, { reverse: true });
      await dispute(paid, outcome);
      await hold(false, { reverse: true });
      await shop.until(paid.order, status);
      await replayAll(paid.payment_id);
      expect(await statusOf(shop, paid.order)).toBe(status);
      expect((await shop.detail(paid.order)).complaints[0]?.status).toBe(complaint);
      expect(await shop.wallet()).toEqual(
        outcome === 'won' ? { held_ptk: '9740000000' } : { recovery_ptk: '860000000' },
      );
    },
  );

  test('D-103 is asked after now and then, where no webhook tells of its end', async () => {
    const shop = await openShop(desk, { hold_days: 3 });
    const paid = await shop.byCard();
    await dispute(paid);
    await untilComplaint(shop, paid.order, 'open');
    await hold(true);
    await dispute(paid, 'lost');
    await desk.service.advance(day_s);
    await desk.service.admin('POST', '/jobs/reconcile/run');
    await shop.until(paid.order, 'chargeback');
    await hold(false);
  });

  test('D-871 over the rest of a payment costs that part; what was refunded waits for a person', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await desk.provider('/refunds', { payment_intent: paid.payment_id, amount: '400' });
    await untilComplaint(shop, paid.order, 'open');
    await dispute(paid, 'lost');
    const { complaints } = await untilComplaint(shop, paid.order, 'confirmed');
    expect(complaints).toMatchObject([{ loss_amount: '6.60' }, { status: 'open', dispute_id: null }]);
    await replayAll(paid.payment_id);
    expect(await statusOf(shop, paid.order)).toBe('paid');
    expect(await shop.wallet()).toEqual({ frozen_ptk: '3140000000' });
    await shop.decide(complaints[1]?.complaint_id ?? '', { decision: 'confirm' });
    expect(await statusOf(shop, paid.order)).toBe('chargeback');
  });

  test('decides the complaint that people had opened before', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    const { complaint_id } = (await shop.complain(paid.order)).body;
    const { id } = await dispute(paid);
    await eventually(
      () => shop.detail(paid.order),
      ({ complaints }) => complaints[0]?.dispute_id === id,
    );
    await dispute(paid, 'lost');
    await shop.until(paid.order, 'chargeback');
    expect((await shop.detail(paid.order)).complaints).toMatchObject([{ complaint_id, source: 'platform' }]);
  });

  test('that people dismissed too soon is booked when the bank decides otherwise', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await dispute(paid);
    const { complaints } = await untilComplaint(shop, paid.order, 'open');
    await shop.decide(complaints[0]?.complaint_id ?? '', { decision: 'dismiss' });
    await replayAll(paid.payment_id);
    expect(await shop.wallet()).toEqual({ held_ptk: '9740000000' });
    await dispute(paid, 'lost');
    await shop.until(paid.order, 'chargeback');
    expect(await shop.wallet()).toEqual({ recovery_ptk: '860000000' });
  });

  test('that people confirmed before the bank did is booked once, with the cost they knew of', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await dispute(paid);
    const { complaints } = await untilComplaint(shop, paid.order, 'open');
    const confirm = { decision: 'confirm', external_cost: '15.00' };
    await shop.decide(complaints[0]?.complaint_id ?? '', confirm);
    const lines = await shop.lines(paid.order);
    await dispute(paid, 'lost');
    await replayAll(paid.payment_id);
    expect(await shop.lines(paid.order)).toEqual(lines);
    expect(await statusOf(shop, paid.order)).toBe('chargeback');
    expect(await shop.cases(paid.order)).toEqual([]);
  });

  test('of one payment and a refund exclude each other: a disputed payment is not refunded', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await dispute(paid);
    await untilComplaint(shop, paid.order, 'open');
    expect((await shop.refund(paid.order)).body.status).toBe('failed');
    expect(await shop.wallet()).toEqual({ frozen_ptk: '9740000000' });
    expect(await statusOf(shop, paid.order)).toBe('paid');
  });
});

describe('a dispute that the books cannot follow', () => {
  test('D-078 after a refund changes nothing and is a case', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await shop.refund(paid.order);
    const [order, lines] = [await statusOf(shop, paid.order), await shop.lines(paid.order)];
    expect(await report(shop, paid, { status: 'lost' })).toEqual({
      outcome: 'order refunded already',
      again: false,
    });
    expect([await statusOf(shop, paid.order), await shop.lines(paid.order)]).toEqual([order, lines]);
    await report(shop, paid, { status: 'won' });
    await report(shop, paid, { status: 'lost' });
    expect(await shop.cases(paid.order)).toEqual([
      'mismatch 1060 USD: disputed after the order was refunded',
    ]);
  });

  test('D-734 of which a part was lost, a refund of all of it is a case', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await report(shop, paid, { amount: 200n });
    await desk.provider('/refunds', { payment_intent: paid.payment_id });
    await shop.until(paid.order, 'refunded');
    const told = ['mismatch  USD: refunded beside a chargeback'];
    expect(await shop.cases(paid.order)).toEqual(told);
    await replayAll(paid.payment_id);
    expect(await shop.cases(paid.order)).toEqual(told);
  });

  test('D-844 of which all was lost, a refund of a part is a case', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await report(shop, paid, {});
    await desk.provider('/refunds', { payment_intent: paid.payment_id, amount: '200' });
    const told = ['mismatch 200 USD: refunded beside a chargeback'];
    await eventually(
      () => shop.cases(paid.order),
      (cases) => cases.length > 0,
    );
    await replayAll(paid.payment_id);
    expect(await shop.cases(paid.order)).toEqual(told);
  });

  test('a dispute about more than was paid takes the paid amount', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await report(shop, paid, { amount: 5_000n });
    expect(await shop.cases(paid.order)).toEqual([
      'mismatch 5000 USD: disputed for more than what is left of the payment',
    ]);
    expect(await statusOf(shop, paid.order)).toBe('chargeback');
    expect(await shop.wallet()).toEqual({ recovery_ptk: '860000000' });
  });

  test('in another currency freezes, and is not booked', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    for (let time = 0; time < 2; time++) await report(shop, paid, { currency: 'EUR' });
    expect(await shop.cases(paid.order)).toEqual(['mismatch 1060 EUR: disputed in another currency']);
    expect(await statusOf(shop, paid.order)).toBe('paid');
    expect(await shop.wallet()).toEqual({ frozen_ptk: '9740000000' });
  });

  test('won after it was booked as lost takes nothing back by itself', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await report(shop, paid, { status: 'lost' });
    await report(shop, paid, { status: 'won' });
    expect(await statusOf(shop, paid.order)).toBe('chargeback');
    expect(await shop.cases(paid.order)).toEqual(['mismatch 1060 USD: won after it was booked as lost']);
  });

  test('D-843 won after it was lost for more than was paid is news of its own, once', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await report(shop, paid, { amount: 5_000n });
    for (let time = 0; time < 2; time++) await report(shop, paid, { amount: 5_000n, status: 'won' });
    expect(await shop.cases(paid.order)).toEqual([
      'mismatch 5000 USD: disputed for more than what is left of the payment',
      'mismatch 5000 USD: won after it was booked as lost',
    ]);
  });

  test('lost for more than people had confirmed leaves the rest to them', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await report(shop, paid, { status: 'open' });
    const { complaints } = await untilComplaint(shop, paid.order, 'open');
    await shop.decide(complaints[0]?.complaint_id ?? '', { decision: 'confirm', loss_amount: '1.00' });
    for (let time = 0; time < 2; time++) await report(shop, paid, { status: 'lost' });
    expect(await statusOf(shop, paid.order)).toBe('paid');
    expect(await shop.cases(paid.order)).toEqual(['mismatch 1060 USD: lost for more than was booked']);
  });

  test('D-846 lost for less than people had confirmed is a case, once', async () => {
    const shop = await openShop(desk);
    const paid = await shop.byCard();
    await report(shop, paid, { status: 'open', amount: 100n });
    const { complaints } = await untilComplaint(shop, paid.order, 'open');
    await shop.decide(complaints[0]?.complaint_id ?? '', { decision: 'confirm' });
    for (let time = 0; time < 2; time++) await report(shop, paid, { amount: 100n });
    expect(await statusOf(shop, paid.order)).toBe('chargeback');
    expect(await shop.cases(paid.order)).toEqual(['mismatch 100 USD: lost for less than was booked']);
  });

  test('D-107 about a payment that is not known is looked at again', async () => {
    const sessions = await desk.provider('/checkout/sessions', {
      mode: 'payment',
      success_url: 'https://elsewhere.example',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '100',
      'line_items[0][price_data][product_data][name]': 'Elsewhere',
    });
    await desk.sim('POST', `/sessions/${String(sessions.id)}/pay`, { webhook: 'none' });
    const { id } = await desk.sim<{ id: string }>('POST', `/sessions/${String(sessions.id)}/dispute`, {});
    const stored = () =>
      beside(desk.service, (db) =>
        db.query<Json>(sql`SELECT outcome, due_at IS NOT NULL AS again FROM card_webhooks
          WHERE type = 'charge.dispute.created' AND outcome = 'no such payment'`),
      );
    expect(id).toMatch(/^du_/);
    expect(await eventually(stored, (rows) => rows.length > 0)).toEqual([
      { outcome: 'no such payment', again: true },
    ]);
  });
});

test('R-131 on the merchant’s own channel a lost dispute changes only the status', async () => {
  const { service, cardsim, platform } = desk;
  const own = await openOwnShop(service, cardsim, platform.owner, { available: 260_000_000n });
  const order = await own.order();
  await own.start(order);
  const { id } = await own.pay(order);
  await eventually(
    () => own.merchant.read(order.order_no),
    ({ body }) => body.status === 'paid',
  );
  const lines = await own.postings(order);
  await simulate(cardsim, 'POST', `/sessions/${id}/dispute`, { outcome: 'lost' });
  await eventually(
    () => own.merchant.read(order.order_no),
    ({ body }) => body.status === 'chargeback',
  );
  expect(await own.postings(order)).toEqual(lines);
});

describe('the queue of disputes', () => {
  const read = (id: string) => desk.service.admin<Json & { evidence: Json[] }>('GET', `/disputes/${id}`);
  const noted = (id: string, state: string) =>
    eventually(
      () => desk.service.send('GET', `/admin/v1/disputes/${id}`, { headers: key }),
      ({ body }) => body.state === state,
    );
  const key = { authorization: 'Bearer test-administration-key' };
  const post = (path: string, body: Json) =>
    desk.service.send('POST', `/admin/v1/disputes/${path}`, { body, headers: key });
  const open = async (terms: Json = {}) => {
    const paid = await (await openShop(desk)).byCard();
    const { id } = await desk.sim<{ id: string }>('POST', `/sessions/${paid.session_id}/dispute`, terms);
    await noted(id, terms.inquiry === true ? 'warning_needs_response' : 'needs_response');
    return { ...paid, id };
  };
  const pdf = Buffer.from('%PDF-1.7 the receipt').toString('base64');
  const texts = { customer_name: 'Bo Buyer', uncategorized_text: 'It was delivered.' };
  const submissionsOf = async (id: string) =>
    ((await desk.provider(`/disputes/${id}`)).evidence_details as Json).submission_count;
  /** The service's own worker may be sending it already. */
  const untilSent = async (id: string) => {
    await desk.service.admin('POST', '/jobs/reconcile/run');
    return eventually(
      () => read(id),
      ({ evidence }) => evidence[0]?.status === 'sent',
    );
  };

  test('D-342 lists what waits for evidence by its deadline, and follows the provider', async () => {
    const late = await open({ due_in_seconds: 3 * day_s });
    const soon = await open({ due_in_seconds: 2 * day_s, inquiry: true, reason: 'product_not_received' });
    const listed = async (stage: string) => {
      const ids: unknown[] = [];
      for (let cursor = ''; ;) {
        const page = await desk.service.admin<{ items: Json[]; next_cursor?: string }>(
          'GET',
          `/disputes?limit=1&stage=${stage}${cursor}`,
        );
        ids.push(...page.items.map(({ dispute_id }) => dispute_id));
        if (page.next_cursor === undefined) return ids;
        cursor = `&cursor=${page.next_cursor}`;
      }
    };
    const ours = (ids: unknown[]) => ids.filter((id) => id === late.id || id === soon.id);
    expect(ours(await listed('to_answer'))).toEqual([soon.id, late.id]);
    expect(await read(soon.id)).toMatchObject({
      ...{ stage: 'to_answer', reason: 'product_not_received', amount: '10.60', currency: 'USD' },
      ...{ order_no: soon.order.order_no, takes_evidence: true, evidence: [], submissions: 0 },
    });
    for (const [one, state] of [
      [late, 'won'],
      [soon, 'warning_closed'],
    ] as const) {
      await dispute(one, 'won');
      await noted(one.id, state);
    }
    expect(ours(await listed('to_answer'))).toEqual([]);
    expect(ours(await listed('ended'))).toEqual([late.id, soon.id]);
    for (const [query, field] of [
      ['stage=x', 'stage'],
      ['cursor=eA', 'cursor'],
    ]) {
      expect(
        (await desk.service.send('GET', `/admin/v1/disputes?${query}`, { headers: key })).body,
      ).toMatchObject({
        field,
      });
    }
  });

  test('D-343 sends texts and files to the bank, and shows what was sent and when', async () => {
    const { id } = await open();
    const file = await post(`${id}/files`, { field: 'receipt', content: pdf });
    expect([file.status, file.body]).toMatchObject([201, { content_type: 'application/pdf', size: 20 }]);
    const sent = await post(`${id}/evidence`, { texts: { ...texts, service_date: ' ' }, files: ['receipt'] });
    expect(sent).toMatchObject({
      status: 201,
      body: {
        ...{ stage: 'under_review', state: 'under_review', takes_evidence: false, submissions: 1 },
        evidence: [{ status: 'sent', texts, files: [{ field: 'receipt', size: 20 }] }],
      },
    });
    const { evidence } = await desk.provider(`/disputes/${id}`);
    expect(evidence).toMatchObject(texts);
    expect((evidence as Json).receipt).toMatch(/^file_/);
    expect(await post(`${id}/evidence`, { texts })).toMatchObject({ status: 409 });
    const kept = await beside(desk.service, (db) =>
      db.query<{ row: string }>(sql`SELECT row_to_json(e)::text AS row FROM dispute_evidence e
        UNION ALL SELECT row_to_json(a)::text FROM audit_log a WHERE action LIKE 'dispute.%'`),
    );
    expect(kept.length).toBeGreaterThan(2);
    expect(JSON.stringify(kept)).not.toMatch(/Bo Buyer|JVBERi/);
  });

  test.each([
    ['disputes.update', { mode: 'reset_after' }],
    ['disputes.update', { mode: 'status', status: 500 }],
    ['disputes.update', { mode: 'truncate' }],
    ['disputes.retrieve', { mode: 'status', status: 503 }],
  ])('D-344 submits evidence once where %s fails: %o', async (endpoint, fault) => {
    const { id } = await open();
    await desk.sim('POST', '/faults', { endpoint, ...fault });
    const { body } = await post(`${id}/evidence`, { texts });
    expect(body).toMatchObject({ takes_evidence: false, evidence: [{ status: 'sending' }] });
    expect(await post(`${id}/evidence`, { texts })).toMatchObject({ status: 409 });
    await desk.service.advance(61);
    expect((await untilSent(id)).evidence).toMatchObject([{ status: 'sent', texts }]);
    expect(await submissionsOf(id)).toBe(1);
  });

  test('D-1195 evidence about a receipt that belongs to no order is sent again, too', async () => {
    const session = await strangeSession(desk);
    await pay(desk, session);
    const found = await eventually(
      async () => {
        const { items } = await desk.service.admin<{ items: Case[] }>('GET', '/cases?kind=unmatched_receipt');
        return items.find(({ session_id }) => session_id === session.id);
      },
      (one) => one !== undefined,
    );
    // It names no order, but the decision asks the provider for the receipt.
    expect((await resolve(desk, found as Case, 'adopt')).status).toBe(409);
    const { id } = await desk.sim<{ id: string }>('POST', `/sessions/${session.id}/dispute`, {});
    await noted(id, 'needs_response');
    await desk.sim('POST', '/faults', { endpoint: 'disputes.update', mode: 'status', status: 500 });
    const { body } = await post(`${id}/evidence`, { texts });
    expect(body).toMatchObject({ order_no: null, evidence: [{ status: 'sending' }] });
    await desk.service.advance(61);
    expect((await untilSent(id)).evidence).toMatchObject([{ status: 'sent', texts }]);
    expect(await submissionsOf(id)).toBe(1);
  });

  test('D-344 says that evidence was refused where the bank had decided', async () => {
    const paid = await open();
    await hold(true);
    await dispute(paid, 'lost');
    const { body } = await post(`${paid.id}/evidence`, { texts });
    expect(body).toMatchObject({ state: 'lost', evidence: [{ status: 'refused' }] });
    await hold(false);
  });

  test.each([
    ['evidence', {}, 400, 'texts'],
    ['evidence', { texts: { customer_name: ' ' } }, 400, 'texts'],
    ['evidence', { texts: { wish: 'x' } }, 400, 'texts.wish'],
    ['evidence', { texts: { customer_name: 'x'.repeat(5_001) } }, 400, 'texts.customer_name'],
    ['evidence', { files: ['refund_policy'] }, 400, 'files'],
    ['evidence', { files: ['logo'] }, 400, 'files.0'],
    ['files', { field: 'receipt', content: Buffer.from('plain text').toString('base64') }, 400, 'content'],
    ['files', { field: 'receipt', content: 'no base64!' }, 400, 'content'],
    ['files', { field: 'receipt', content: 'A'.repeat(6_000_001) }, 400, 'content'],
    ['files', { field: 'receipt', content: 'A'.repeat(6_200_000) }, 413, undefined],
  ])('D-345 %s refuses what is no evidence: %#', async (call, body, status, field) => {
    limited ??= await open();
    const answer = await post(`${limited.id}/${call}`, body);
    expect([answer.status, answer.body.field]).toEqual([status, field]);
  });
  let limited: { id: string } | undefined;

  test('D-345 files of more than 4.5 MB together are refused', async () => {
    const { id } = await open();
    const half = Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(2_300_000, 1)]).toString('base64');
    for (const field of ['receipt', 'refund_policy']) {
      expect((await post(`${id}/files`, { field, content: half })).status).toBe(201);
    }
    const both = await post(`${id}/evidence`, { files: ['receipt', 'refund_policy'] });
    expect(both).toMatchObject({ status: 400, body: { field: 'files' } });
    await desk.sim('POST', '/faults', { endpoint: 'files.create', mode: 'reset_after' });
    const unclear = await post(`${id}/files`, { field: 'receipt', content: pdf });
    expect(unclear.status).toBe(503);
    expect((await post(`${id}/files`, { field: 'receipt', content: pdf })).body).toMatchObject({ size: 20 });
  });

  test('D-344 does not submit again what has arrived while its key is forgotten', async () => {
    const { id } = await open();
    await desk.sim('POST', '/faults', { endpoint: 'disputes.update', mode: 'reset_after' });
    await post(`${id}/evidence`, { texts });
    // After this no payment can begin: the provider is ahead.
    await desk.sim('PUT', '/clock', { advance_seconds: 2 * day_s });
    await desk.service.advance(61);
    await untilSent(id);
    expect(await submissionsOf(id)).toBe(1);
  });
});
