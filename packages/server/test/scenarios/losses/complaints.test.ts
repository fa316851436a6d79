import { ComplaintAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { merchantAvailable } from '../../../src/ledger/books/accounts.ts';
import { lockBalance } from '../../../src/ledger/books/read-balances.ts';
import { detailOf, expectBalancedBooks } from '../../support/desks/cases.ts';
import { day_s, type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import { recordWhere } from '../../support/notifications/notify.ts';
import { openOwnShop } from '../../support/desks/own-channel.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import { type Order, topUp } from '../../support/desks/platform.ts';
import { type Answer, eventually, type Json } from '../../support/desks/service.ts';
import { auditOn, beside, makeOwe } from '../../support/desks/wallets.ts';

let desk: LossDesk;

beforeAll(async () => {
  // A call that waits for a lock keeps its place in the queue, and does not start again after the usual 100 ms.
  desk = await openLossDesk({ lock_timeout_ms: 5_000 });
});
afterAll(() => desk.stop());

const release = (): Promise<Json> => desk.service.admin('POST', '/jobs/release-holds/run');

const statusOf = async (shop: Shop, order: Order): Promise<unknown> =>
  (await shop.merchant.read(order.order_no)).body.status;

/** Opens a complaint that must be accepted. */
async function complaintOn(shop: Shop, order: Order): Promise<string> {
  const { status, body } = await shop.complain(order);
  expect([status, body.status]).toEqual([201, 'open']);
  return body.complaint_id;
}

describe('an open complaint', () => {
  test('R-138, P6a, P6b, D-079, table 3.1 complaint opened, dismissed: the hold is frozen and then restored, without a notification', async () => {
    const shop = await openShop(desk);
    const order = await shop.byPtk();
    const opened = await shop.complain(order);
    expect([opened.status, Check(ComplaintAnswer, opened.body)]).toEqual([201, true]);
    const { complaint_id } = opened.body;
    expect(await shop.wallet()).toEqual({ frozen_ptk: '9700000000' });

    const { status, body } = await shop.decide(complaint_id, { decision: 'dismiss' });
    expect([status, body.status, Check(ComplaintAnswer, body)]).toEqual([200, 'dismissed', true]);
    expect(await shop.wallet()).toEqual({ held_ptk: '9700000000' });
    expect(await shop.lines(order)).toEqual([
      'P6a m:held:ORDER > m:frozen:ORDER 9700000000 PTK',
      'P6b m:frozen:ORDER > m:held:ORDER 9700000000 PTK',
    ]);
    expect((await shop.merchant.read(order.order_no)).body).toEqual(order);
    const [entry] = await auditOn(desk.service, `complaint:${complaint_id}`, 'complaint.decide');
    expect(entry).toMatchObject({
      reason: 'looked into it',
      before: { status: 'open' },
      after: { status: 'dismissed' },
    });
    expect(await auditOn(desk.service, `order:${order.order_no}`, 'complaint.open')).toHaveLength(1);

    // The hold continues unchanged.
    await desk.service.advance(day_s);
    await release();
    expect(await shop.wallet()).toEqual({ available_ptk: '9700000000' });
  });

  test('R-138 outlasts the hold; R-147, D-073 dismissed after it, the funds are released, the debt first', async () => {
    const shop = await openShop(desk);
    const order = await shop.byPtk();
    const complaint_id = await complaintOn(shop, order);
    await makeOwe(desk.service, shop.merchant_no, { recovery: 700_000_000n });
    await desk.service.advance(3 * day_s);
    await release();
    expect(await shop.wallet()).toEqual({ frozen_ptk: '9700000000', recovery_ptk: '700000000' });

    await shop.decide(complaint_id, { decision: 'dismiss' });
    expect((await shop.lines(order)).slice(1)).toEqual([
      'P6b m:frozen:ORDER > m:recovery 700000000 PTK',
      'P6b m:frozen:ORDER > m:available 9000000000 PTK',
    ]);
    await release();
    expect(await shop.wallet()).toEqual({ available_ptk: '9000000000' });
  });

  test('D-080 a complaint freezes no released funds, and no funds that were never held', async () => {
    const released = await openShop(desk);
    const order = await released.byPtk();
    await desk.service.advance(day_s);
    await release();
    const direct = await openShop(desk, { hold_days: 0 });
    for (const [shop, of] of [
      [released, order],
      [direct, await direct.byPtk()],
    ] as const) {
      const complaint_id = await complaintOn(shop, of);
      expect(await shop.wallet()).toEqual({ available_ptk: '9700000000' });
      await shop.decide(complaint_id, { decision: 'dismiss' });
      expect(await shop.wallet()).toEqual({ available_ptk: '9700000000' });
      expect((await shop.lines(of)).filter((line) => line.startsWith('P6'))).toEqual([]);
    }
  });

  test('R-138 of a concurrent release and complaint, either comes first, and no funds are lost', async () => {
    const shop = await openShop(desk);
    const orders = [await shop.byPtk(), await shop.byPtk(), await shop.byPtk()];
    await desk.service.advance(day_s);
    const opened = await Promise.all([...orders.map((order) => shop.complain(order)), release(), release()]);
    expect(opened.slice(0, 3).map(({ status }) => status)).toEqual([201, 201, 201]);
    const { available_ptk = '0', frozen_ptk = '0', ...rest } = await shop.wallet();
    expect([rest, BigInt(String(available_ptk)) + BigInt(String(frozen_ptk))]).toEqual([{}, 29_100_000_000n]);
  });
});

describe('a confirmed loss', () => {
  test('T11, P8, R-190, D-078 of the whole payment is a chargeback', async () => {
    const shop = await openShop(desk, { available: 1_000_000_000n });
    const { order } = await shop.byCard();
    const { body } = await shop.decide(await complaintOn(shop, order), { decision: 'confirm' });
    expect(body).toMatchObject({ status: 'confirmed', loss_amount: '10.60', external_cost: null });
    expect((await shop.lines(order)).slice(1)).toEqual([
      `P8 fx:USD > prov:${desk.card.payment_no}:USD 1060 USD`,
      'P8 m:frozen:ORDER > fx:PTK 9740000000 PTK',
      'P8 m:available > fx:PTK 860000000 PTK',
    ]);
    expect(await shop.wallet()).toEqual({ available_ptk: '140000000' });
    expect((await shop.merchant.read(order.order_no)).body).toEqual({
      ...order,
      status: 'chargeback',
      status_version: Number(order.status_version) + 1,
    });
    const { event } = await recordWhere(shop.merchant, order, 'chargeback', () => true);
    const { event_id, provider_trade_no, occurred_at } = order;
    expect(event.data).toMatchObject({ event_id, provider_trade_no, occurred_at, status: 'chargeback' });
  });

  test.each<[string, { guarantee?: bigint; available?: bigint }, string[], Json]>([
    [
      'the guarantee',
      { guarantee: 2_000_000_000n },
      ['guarantee 860000000'],
      { guarantee_ptk: '1140000000' },
    ],
    [
      'the guarantee to its end, then the available balance',
      { guarantee: 500_000_000n, available: 500_000_000n },
      ['guarantee 500000000', 'available 360000000'],
      { available_ptk: '140000000' },
    ],
    [
      'both to their ends, and the rest is owed',
      { guarantee: 500_000_000n, available: 359_999_999n },
      ['guarantee 500000000', 'available 359999999', 'recovery 1'],
      { recovery_ptk: '1' },
    ],
    ['nothing else, and it is owed', {}, ['recovery 860000000'], { recovery_ptk: '860000000' }],
  ])('R-139, D-074 is taken from the frozen funds, then from %s', async (_, funds, taken, wallet) => {
    const shop = await openShop(desk, funds);
    const { order } = await shop.byCard();
    await shop.decide(await complaintOn(shop, order), { decision: 'confirm' });
    expect((await shop.lines(order)).slice(2)).toEqual([
      'P8 m:frozen:ORDER > fx:PTK 9740000000 PTK',
      ...taken.map((line) => `P8 m:${line.replace(' ', ' > fx:PTK ')} PTK`),
    ]);
    expect(await shop.wallet()).toEqual(wallet);
  });

  test('D-080, R-139 after the release begins at the guarantee', async () => {
    const shop = await openShop(desk, { guarantee: 100n });
    const { order } = await shop.byCard();
    await desk.service.advance(day_s);
    await release();
    await shop.decide(await complaintOn(shop, order), { decision: 'confirm', loss_amount: '0.01' });
    expect((await shop.lines(order)).slice(1)).toEqual([
      `P8 fx:USD > prov:${desk.card.payment_no}:USD 1 USD`,
      'P8 m:guarantee > fx:PTK 100 PTK',
      'P8 m:available > fx:PTK 9999900 PTK',
    ]);
  });

  test('R-137, P9, D-081 with its external cost: new loss, once, down the same way', async () => {
    const shop = await openShop(desk, { available: 1_000_000_000n });
    const { order } = await shop.byCard();
    const { body } = await shop.decide(await complaintOn(shop, order), {
      decision: 'confirm',
      external_cost: '15.00',
    });
    expect(body).toMatchObject({ loss_amount: '10.60', external_cost: '15.00' });
    expect((await shop.lines(order)).slice(4)).toEqual([
      `P9 fx:USD > prov:${desk.card.payment_no}:USD 1500 USD`,
      'P9 m:available > fx:PTK 140000000 PTK',
      'P9 m:recovery > fx:PTK 14860000000 PTK',
    ]);
    expect(await shop.wallet()).toEqual({ recovery_ptk: '14860000000' });
  });

  test('D-078, D-1065 in part leaves the order paid and gives the rest back; the last part makes it a chargeback', async () => {
    const shop = await openShop(desk);
    const { order } = await shop.byCard();
    const first = await shop.decide(await complaintOn(shop, order), {
      decision: 'confirm',
      loss_amount: '4',
      external_cost: '0.50',
    });
    expect(first.body).toMatchObject({ loss_amount: '4.00', external_cost: '0.50' });
    expect((await shop.lines(order)).slice(1)).toEqual([
      'P6b m:frozen:ORDER > m:held:ORDER 5240000000 PTK',
      `P8 fx:USD > prov:${desk.card.payment_no}:USD 400 USD`,
      'P8 m:frozen:ORDER > fx:PTK 4000000000 PTK',
      `P9 fx:USD > prov:${desk.card.payment_no}:USD 50 USD`,
      'P9 m:frozen:ORDER > fx:PTK 500000000 PTK',
    ]);
    // D-1065 no word says that the dispute was dismissed, or that all of the payment is lost.
    const { postings } = await detailOf(desk, order);
    const why = new Map(postings.map((line) => [line.posting, line['why']]));
    expect(why.get('P6b')).toBe('The dispute has ended: what is still frozen is the merchant’s again.');
    expect(why.get('P8')).toBe(
      'The dispute is finally lost: the payment was taken back, all of it or a part.',
    );
    expect(await shop.wallet()).toEqual({ held_ptk: '5240000000' });
    expect(await statusOf(shop, order)).toBe('paid');

    const second = await complaintOn(shop, order);
    const tooMuch = await shop.decide(second, { decision: 'confirm', loss_amount: '6.61' });
    expect([tooMuch.status, tooMuch.body.field]).toEqual([400, 'loss_amount']);
    const { body } = await shop.decide(second, { decision: 'confirm' });
    expect(body.loss_amount).toBe('6.60');
    expect(await statusOf(shop, order)).toBe('chargeback');
    expect(await shop.wallet()).toEqual({ recovery_ptk: '1360000000' });
  });

  test('P8 of a PTK payment is the buyer’s again, in as many parts as it takes', async () => {
    const shop = await openShop(desk);
    const before = await desk.buyerFunds();
    const order = await shop.byPtk();
    for (const loss_amount of ['1', '50.00000001', undefined]) {
      const complaint_id = await complaintOn(shop, order);
      const loss = loss_amount === undefined ? {} : { loss_amount };
      expect((await shop.decide(complaint_id, { decision: 'confirm', ...loss })).status).toBe(200);
    }
    expect(await desk.buyerFunds()).toBe(before);
    expect(await statusOf(shop, order)).toBe('chargeback');
    expect(await shop.wallet()).toEqual({ recovery_ptk: '400000000' });
  });

  test('R-131, P5 on the merchant’s own channel moves no money, only the status', async () => {
    const { service, cardsim, platform } = desk;
    const own = await openOwnShop(service, cardsim, platform.owner, { available: 300_000_000n });
    const order = await own.order();
    await own.start(order);
    await own.pay(order);
    await eventually(
      () => own.merchant.read(order.order_no),
      ({ body }) => body.status === 'paid',
    );
    const [lines, wallet] = [await own.postings(order), await own.wallet()];
    const call = <T = Json>(path: string, body: Json) => desk.send<T>(path, { reason: 'lost', ...body });
    const opened = await call<{ complaint_id: string }>(
      `/collection-orders/${order.order_no}/complaints`,
      {},
    );
    const decision = `/complaints/${opened.body.complaint_id}/decision`;
    const costly = await call(decision, { decision: 'confirm', external_cost: '1' });
    expect([costly.status, costly.body.field]).toEqual([400, 'external_cost']);
    expect((await call(decision, { decision: 'confirm' })).status).toBe(200);
    expect((await own.merchant.read(order.order_no)).body.status).toBe('chargeback');
    expect([await own.postings(order), await own.wallet()]).toEqual([lines, wallet]);
  });
});

describe('a decision is taken once', () => {
  test('of several concurrent decisions, one counts', async () => {
    const shop = await openShop(desk);
    const order = await shop.byPtk();
    const complaint_id = await complaintOn(shop, order);
    const answers = await Promise.all(
      (['confirm', 'dismiss', 'confirm', 'dismiss'] as const).map((decision) =>
        shop.decide(complaint_id, { decision }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const status = await statusOf(shop, order);
    const [taken] = answers.filter((answer) => answer.status === 200);
    expect(status).toBe(taken?.body.status === 'confirmed' ? 'chargeback' : 'paid');
  });

  test('of a concurrent refund and confirmed loss, one takes the money', async () => {
    const shop = await openShop(desk);
    for (let round = 0; round < 3; round++) {
      const before = await desk.buyerFunds();
      const order = await shop.byPtk();
      const complaint_id = await complaintOn(shop, order);
      const [refund, decision] = await Promise.all([
        shop.refund(order),
        shop.decide(complaint_id, { decision: 'confirm' }),
      ]);
      expect([refund.status, decision.status].sort()).toEqual(
        refund.status === 201 ? [201, 409] : [200, 409],
      );
      expect(await statusOf(shop, order)).toBe(refund.status === 201 ? 'refunded' : 'chargeback');
      expect(await desk.buyerFunds()).toBe(before);
    }
  });

  test('no loss is confirmed while the payment is being refunded', async () => {
    const shop = await openShop(desk);
    const { order } = await shop.byCard();
    const complaint_id = await complaintOn(shop, order);
    await desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'pending' });
    await shop.refund(order);
    const { status, body } = await shop.decide(complaint_id, { decision: 'confirm' });
    expect([status, body.error]).toEqual([409, 'payment_conflict']);
    expect((await shop.decide(complaint_id, { decision: 'dismiss' })).status).toBe(200);
  });
});

test('D-1116 a loss of a payment in PTK may be of more than the amount of an order', async () => {
  const shop = await openShop(desk);
  await topUp(desk.service, desk.platform.buyer, 13_000_000_000_000_000n);
  const order = await shop.byPtk({ amount: '12000000.00' });
  const complaint_id = await complaintOn(shop, order);
  const { status, body } = await shop.decide(complaint_id, { decision: 'confirm', loss_amount: '100000000' });
  expect([status, body.loss_amount]).toEqual([200, '100000000.00000000']);
});

describe('refusals change nothing', () => {
  test('a complaint about an unpaid, unknown, finished or already disputed order', async () => {
    const shop = await openShop(desk);
    const [unpaid, complained, refunded, lost] = [
      await shop.unpaid(),
      await shop.byPtk(),
      await shop.byPtk(),
      await shop.byPtk(),
    ];
    await complaintOn(shop, complained);
    await shop.refund(refunded);
    await shop.decide(await complaintOn(shop, lost), { decision: 'confirm' });
    const conflict = [409, 'payment_conflict', 'order_no'];
    for (const [order, body, expected] of [
      [unpaid, { reason: 'x' }, conflict],
      [complained, { reason: 'x' }, conflict],
      [refunded, { reason: 'x' }, conflict],
      [lost, { reason: 'x' }, conflict],
      [{ ...lost, order_no: 'mp_nothing' }, { reason: 'x' }, [404, 'not_found', undefined]],
      [complained, {}, [400, 'invalid_request', 'reason']],
    ] as const) {
      const { complaints } = order.order_no === 'mp_nothing' ? { complaints: [] } : await shop.detail(order);
      const answer = await shop.complain(order, body);
      expect([answer.status, answer.body.error, answer.body.field]).toEqual(expected);
      if (order.order_no !== 'mp_nothing') {
        expect((await shop.detail(order)).complaints).toEqual(complaints);
      }
    }
    const again = await shop.refund(lost);
    expect([again.status, again.body.error, again.body.field]).toEqual(conflict);
  });

  test('D-1116 a decision with amounts that cannot be, or without a reason', async () => {
    const shop = await openShop(desk);
    const { order } = await shop.byCard();
    const complaint_id = await complaintOn(shop, order);
    const wallet = await shop.wallet();
    const confirm = { decision: 'confirm' };
    for (const [body, field] of [
      [{ ...confirm, loss_amount: '0' }, 'loss_amount'],
      [{ ...confirm, loss_amount: '0.00' }, 'loss_amount'],
      [{ ...confirm, loss_amount: '10.61' }, 'loss_amount'],
      [{ ...confirm, loss_amount: '-1' }, 'loss_amount'],
      [{ ...confirm, loss_amount: '1.001' }, 'loss_amount'],
      [{ ...confirm, loss_amount: '1e1' }, 'loss_amount'],
      [{ ...confirm, loss_amount: 10 }, 'loss_amount'],
      [{ ...confirm, external_cost: '0' }, 'external_cost'],
      [{ ...confirm, external_cost: 'lots' }, 'external_cost'],
      [{ ...confirm, external_cost: '9'.repeat(40) }, 'external_cost'],
      [{ decision: 'dismiss', loss_amount: '1' }, 'loss_amount'],
      [{ decision: 'dismiss', external_cost: '1' }, 'external_cost'],
      [{ decision: 'maybe' }, 'decision'],
      [{}, 'decision'],
      [{ ...confirm, reason: ' ' }, 'reason'],
      [{ ...confirm, reason: undefined }, 'reason'],
    ] as const) {
      const answer = await shop.decide(complaint_id, body);
      expect([body, answer.status, answer.body.error, answer.body.field]).toEqual([
        body,
        400,
        'invalid_request',
        field,
      ]);
    }
    expect(await shop.wallet()).toEqual(wallet);
    expect((await shop.detail(order)).complaints).toMatchObject([{ status: 'open' }]);
    expect((await shop.decide('cp_nothing', { decision: 'dismiss' })).body.error).toBe('not_found');

    const ptk = await shop.byPtk();
    const costly = await shop.decide(await complaintOn(shop, ptk), { ...confirm, external_cost: '1' });
    expect([costly.status, costly.body.field]).toEqual([400, 'external_cost']);
  });
});

describe('D-078 D-086 a loss that is confirmed at the moment of a withdrawal', () => {
  /** Sends these requests while the merchant's funds are locked: they wait there, and continue in this order. */
  const inThisOrder = (shop: Shop, sends: readonly (() => Promise<Answer>)[]): Promise<Answer[]> =>
    beside(desk.service, async (db) => {
      const sent = await db.transaction(async (tx) => {
        await lockBalance(tx, merchantIdOf(shop.merchant_no) ?? '', merchantAvailable());
        const answers: Promise<Answer>[] = [];
        for (const send of sends) {
          answers.push(send());
          await untilBlocked(db, tx, answers.length);
        }
        return { answers };
      });
      return Promise.all(sent.answers);
    });

  const pending = { withdrawal_pending_ptk: '9700000000' };
  const everything = { recovery_ptk: '10100000000' };

  test('D-667 at the moment of a group of releases, a complaint, a withdrawal and a payment take effect once, behind it', async () => {
    const available = 5_000_000_000n;
    const shop = await openShop(desk, { available });
    const { merchant_no } = shop;
    const orders = [await shop.byPtk(), await shop.byPtk(), await shop.byPtk()];
    const stopped = await shop.byPtk();
    await complaintOn(shop, stopped);
    await desk.service.advance(day_s);
    let paid: Order | undefined;
    const [released, complained, withdrawn] = await inThisOrder(shop, [
      () => desk.send('/jobs/release-holds/run', {}),
      () => shop.complain(orders[1] as Order),
      async () => {
        // A payment goes under hold, and does not wait for what is available.
        paid = await shop.byPtk();
        return desk.send('/withdrawals', {
          ...{ merchant_no, reference: 'to-the-bank', amount_ptk: String(available + 2n * 9_700_000_000n) },
          ...{ payout_currency: 'USD', payout_amount: '24.00' },
        });
      },
    ]);
    expect([released?.status, complained?.status, withdrawn?.status]).toEqual([200, 201, 201]);
    expect(await shop.wallet()).toEqual({
      available_ptk: '9700000000',
      withdrawal_pending_ptk: '24400000000',
      frozen_ptk: '9700000000',
      held_ptk: '9700000000',
    });
    const release_line = 'P3 m:held:ORDER > m:available 9700000000 PTK';
    for (const order of orders) expect(await shop.lines(order)).toEqual([release_line]);
    expect(await shop.lines(stopped)).toEqual(['P6a m:held:ORDER > m:frozen:ORDER 9700000000 PTK']);
    expect(await shop.lines(paid as Order)).toEqual([]);
    await expectBalancedBooks(desk);
  });

  test.each([
    [
      'asked for first, it is set aside',
      'request',
      ['withdrawal', 'loss'],
      201,
      { ...pending, ...everything },
    ],
    [
      'asked for after it, it is refused',
      'request',
      ['loss', 'withdrawal'],
      422,
      { recovery_ptk: '400000000' },
    ],
    ['paid out first, it is gone', 'payout', ['withdrawal', 'loss'], 200, everything],
    [
      'to be paid out after it, it is kept back',
      'payout',
      ['loss', 'withdrawal'],
      422,
      { ...pending, ...everything },
    ],
  ] as const)('%s, and the books hold', async (_, step, order, status, wallet) => {
    const shop = await openShop(desk, { hold_days: 0 });
    const complaint_id = await complaintOn(shop, await shop.byPtk());
    const { merchant_no } = shop;
    const money = { amount_ptk: '9700000000', payout_currency: 'USD', payout_amount: '9.70' };
    const request = (): Promise<Answer> =>
      desk.send('/withdrawals', { ...money, merchant_no, reference: 'to-the-bank' });
    const decide = (withdrawal_id: unknown, decision: string): Promise<Answer> =>
      desk.send(`/withdrawals/${String(withdrawal_id)}/decision`, { decision, reason: 'as agreed' });
    const asked = step === 'payout' ? (await request()).body.withdrawal_id : undefined;

    const sends = {
      loss: () => shop.decide(complaint_id, { decision: 'confirm' }),
      withdrawal: () => (step === 'payout' ? decide(asked, 'paid') : request()),
    };
    const answers = await inThisOrder(shop, [sends[order[0]], sends[order[1]]]);
    const withdrawn = answers[order.indexOf('withdrawal')];
    expect(answers[order.indexOf('loss')]?.status).toBe(200);
    expect(withdrawn?.status).toBe(status);
    if (status === 422) expect(withdrawn?.body.error).toBe('recovery_outstanding');
    expect(await shop.wallet()).toEqual(wallet);
    // Money that was set aside before the loss is not paid out after it either. It is returned, and the debt remains.
    if (status === 201) {
      const { withdrawal_id } = withdrawn?.body ?? {};
      expect((await decide(withdrawal_id, 'paid')).body.error).toBe('recovery_outstanding');
      expect((await decide(withdrawal_id, 'reject')).status).toBe(200);
      expect(await shop.wallet()).toEqual({ available_ptk: '9700000000', ...everything });
    }
    await expectBalancedBooks(desk);
  });
});
