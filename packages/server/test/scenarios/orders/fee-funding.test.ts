import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql, type Write } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { lockFunds } from '../../../src/ledger/books/merchant-funds.ts';
import { post } from '../../../src/ledger/books/post.ts';
import { creditRepayment } from '../../../src/ledger/wallets/wallet-operations.ts';
import { fee, openOwnShop, type OwnShop, simulate, withoutTimes } from '../../support/desks/own-channel.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import {
  checkoutOf,
  type Order,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
  validOrder,
} from '../../support/desks/platform.ts';
import {
  type Answer,
  eventually,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';
import { beside, makeOwe, owing } from '../../support/desks/wallets.ts';

let cardsim: Cardsim;
let service: TestService;
let platform: Platform;
let buyer: string;

// Few background jobs run: each test decides when deadlines pass and sessions are looked up.
beforeAll(async () => {
  cardsim = await startCardsim();
  service = await startTestService({ role: 'web', env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  platform = await setUpPlatform(service);
  buyer = await signIn(service, platform.buyer);
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
});

const open = (funds: Parameters<typeof openOwnShop>[3] = {}): Promise<OwnShop> =>
  openOwnShop(service, cardsim, platform.owner, funds);

const sweep = (): Promise<Json> => service.admin('POST', '/jobs/sweep/run');

/** Looks up due sessions, and waits for the webhooks, which wake their worker. */
async function reconcile(): Promise<void> {
  await service.admin('POST', '/jobs/reconcile/run');
  const waiting = sql`SELECT 1 FROM card_webhooks WHERE outcome IS NULL`;
  await beside(service, (db) =>
    eventually(
      () => db.query(waiting),
      ({ length }) => length === 0,
    ),
  );
}

const postTo = (shop: OwnShop, path: string, amount_ptk: bigint, more: Json = {}): Promise<Json> =>
  service.admin('POST', `/merchants/${shop.merchant_no}/${path}`, {
    amount_ptk: amount_ptk.toString(),
    reference: `${path}-${amount_ptk}`,
    ...more,
  });

/** Leaves the wallet without this much: it waits in the guarantee. */
const setAside = (shop: OwnShop, amount_ptk: bigint) =>
  postTo(shop, 'guarantee-deposits', amount_ptk, { source: 'available' });

const outcome = ({ status, body }: Answer): unknown[] => [status, body.error];
const short = [422, 'merchant_fee_funding_unavailable'];

/** The next creation is refused, although the provider may have made the session. */
const refuseNext = (shop: OwnShop, made = false): Promise<Json> =>
  fail(shop, 'sessions.create', {
    status: 400,
    processed: made,
    body: { error: { type: 'invalid_request_error', message: 'no' } },
  });

/** Arms a fault for the next such call of this shop. */
const fail = ({ secret_key }: OwnShop, endpoint: string, fault: Json): Promise<Json> =>
  simulate(cardsim, 'POST', '/faults', { endpoint, account: secret_key, mode: 'status', ...fault });

const statusOf = async (shop: OwnShop, { order_no }: Order): Promise<unknown[]> => {
  const { status, status_version } = (await shop.merchant.read(order_no)).body;
  return [status, status_version];
};

const reserved = [`P4a m:available > m:fee_reserved:ORDER ${fee}`];
const statesOf = async (shop: OwnShop, order: Order) =>
  (await shop.reservations(order)).map(({ state }) => state);

/** Funds around one fee: available balance, limit, drawn credit, and whether they raise the fee. */
const boundaries: [bigint, bigint, bigint, boolean][] = [
  [fee, 0n, 0n, true],
  [fee - 1n, 0n, 0n, false],
  [fee - 1n, 1n, 0n, true],
  [fee - 1n, 5n, 4n, true],
  [fee - 1n, 5n, 5n, false],
  [0n, fee, 0n, true],
  [0n, fee, 1n, false],
  [fee, 1n, 9n, true],
];

describe('at creation', () => {
  test.each(boundaries)(
    'D-069 R-132 %i available, a limit of %i, %i drawn: %s, and nothing is reserved',
    async (available, credit, drawn, enough) => {
      const shop = await open({ available, credit });
      if (drawn > 0n) await makeOwe(service, shop.merchant_no, { credit: drawn });
      const before = await shop.wallet();
      const body = { ...validOrder(), payment_no: shop.card.payment_no };
      const answer = await shop.merchant.create(body);
      expect(outcome(answer)).toEqual(enough ? [201, undefined] : short);
      expect([await shop.wallet(), await shop.calls()]).toEqual([before, []]);
      if (enough) return;
      // the key is still free, and serves once there is money.
      await shop.topUp(fee);
      expect((await shop.merchant.create(body)).status).toBe(201);
    },
  );

  test('D-055 an order is refused if its only methods cannot fund their fee; with another method it is created', async () => {
    const shop = await open();
    const channel = `/channels/${platform.ptk_channel}`;
    await service.admin('PATCH', channel, { enabled: false });
    const alone = await shop.merchant.create(validOrder());
    await service.admin('PATCH', channel, { enabled: true });
    expect(outcome(alone)).toEqual(short);
    expect((await shop.merchant.create(validOrder())).status).toBe(201);
  });
});

describe('at the start', () => {
  test('D-069 R-133 D-125 a method that cannot be funded is kept, shown, refused without trace, and usable later', async () => {
    const shop = await open({ available: fee - 1n });
    const order = await shop.merchant.order();
    const checkout = checkoutOf(service, order);
    const { body, text } = await checkout.state();
    expect(body.methods).toMatchObject([
      { provider: 'ptk', usable: true },
      { provider: 'cardprov', usable: false, unusable_reason: 'merchant_fee_funding_unavailable' },
    ]);
    // that it cannot be used, and nothing of the merchant's money.
    for (const figure of [fee, fee - 1n, '0.26']) expect(withoutTimes(text)).not.toContain(String(figure));

    expect(outcome(await shop.start(order))).toEqual(short);
    expect([await shop.calls(), await shop.postings(order), await shop.reservations(order)]).toEqual([
      [],
      [],
      [],
    ]);
    expect((await checkout.state()).body.attempt).toBeNull();
    expect((await shop.merchant.read(order.order_no)).body).toMatchObject({
      payment_no: '',
      fee_status: 'unselected',
    });

    await shop.topUp(1n);
    expect((await checkout.state()).body.methods).toMatchObject([{}, { usable: true }]);
    expect((await shop.start(order)).status).toBe(200);
    // The fee is already reserved, so the remaining funds do not matter to this payment.
    expect((await checkout.state()).body.methods).toMatchObject([{}, { usable: true }]);
    expect(await shop.wallet()).toEqual({ fee_reserved_ptk: fee.toString() });
  });

  test('R-200 not locked: another method pays', async () => {
    const shop = await open();
    const order = await shop.merchant.order();
    expect(outcome(await shop.start(order))).toEqual(short);
    await payWithPtk(service, order, buyer);
    expect(await statusOf(shop, order)).toEqual(['paid', 2]);
  });

  test.each(boundaries)(
    'R-132 D-070 %i available, a limit of %i, %i drawn: %s, the wallet first',
    async (available, limit, drawn, enough) => {
      const shop = await open({ available: 2n * fee });
      const order = await shop.order();
      // Money went elsewhere since the order was made.
      await setAside(shop, 2n * fee - available);
      await shop.setLimit(limit);
      if (drawn > 0n) await makeOwe(service, shop.merchant_no, { credit: drawn });
      const before = await shop.wallet();
      const answer = await shop.start(order);
      if (!enough) {
        expect(outcome(answer)).toEqual(short);
        expect([await shop.wallet(), await shop.calls()]).toEqual([before, []]);
        return;
      }
      expect(answer.status).toBe(200);
      const credit = fee - available;
      expect(await shop.reservations(order)).toMatchObject([
        { state: 'reserved', available_ptk: available.toString(), credit_ptk: credit.toString() },
      ]);
      const { credit_drawn_ptk = '0', available_ptk, fee_reserved_ptk } = await shop.wallet();
      expect([credit_drawn_ptk, available_ptk, fee_reserved_ptk]).toEqual([
        (drawn + credit).toString(),
        undefined,
        fee.toString(),
      ]);
    },
  );

  test('R-201 clicks and tabs reserve once', async () => {
    const shop = await open({ available: 10n * fee });
    const order = await shop.order();
    const answers = await Promise.all(Array.from({ length: 6 }, () => shop.start(order)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect([await shop.postings(order), (await shop.calls()).length]).toEqual([reserved, 1]);
  });

  test('R-132 two orders race for the last fee, in two processes: one gets it', async () => {
    const shop = await open({ available: fee - 1n, credit: 1n });
    const other = await service.another();
    const orders = [await shop.order(), await shop.order()];
    const method = await Promise.all(orders.map((order) => checkoutOf(service, order).methodOf('cardprov')));
    const processes = [service, { ...service, url: other.url, send: sendTo(other.url) }];
    const answers = await Promise.all(
      orders.map((order, i) => checkoutOf(processes[i] ?? service, order).start(method[i] ?? '')),
    );
    await other.stop();
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await shop.wallet()).toEqual({ fee_reserved_ptk: fee.toString(), credit_drawn_ptk: '1' });
    expect(await shop.calls()).toHaveLength(1);
  });

  test('R-132 credit that another transaction is drawing is waited for, and then counts', async () => {
    const shop = await open({ credit: fee });
    const order = await shop.order();
    const { answer } = await whileLocked(shop, owing(shop.merchant_no, { credit: 1n }), () =>
      shop.start(order),
    );
    expect(outcome(await answer)).toEqual(short);
    expect([await shop.wallet(), await shop.calls()]).toEqual([{ credit_drawn_ptk: '1' }, []]);
  });

  test('R-132 R-145 twelve concurrent starts and withdrawals never overdraw wallet or credit', async () => {
    // There is enough for one start at least, and for ten at most.
    const shop = await open({ available: 9n * fee + 7n, credit: fee + 5n });
    const orders = await Promise.all(Array.from({ length: 12 }, () => shop.order()));
    const withdraw = (i: number): Promise<Answer> =>
      service.send('POST', '/admin/v1/withdrawals', {
        headers: { authorization: 'Bearer test-administration-key' },
        body: {
          merchant_no: shop.merchant_no,
          amount_ptk: fee.toString(),
          reference: `race-${i}`,
          payout_currency: 'USD',
          payout_amount: '0.26',
        },
      });
    const [starts, withdrawals] = await Promise.all([
      Promise.all(orders.map((order) => shop.start(order))),
      Promise.all(orders.map((_, i) => withdraw(i))),
    ]);
    const started = BigInt(starts.filter(({ status }) => status === 200).length);
    const withdrawn = BigInt(withdrawals.filter(({ status }) => status === 201).length);
    expect(new Set(starts.map(({ status }) => status))).toEqual(new Set([200, 422]));
    const wallet = await shop.wallet();
    const amount = (name: string): bigint => BigInt((wallet[name] ?? '0') as string);
    expect(amount('fee_reserved_ptk')).toBe(started * fee);
    expect(amount('withdrawal_pending_ptk')).toBe(withdrawn * fee);
    expect(amount('credit_drawn_ptk')).toBeLessThanOrEqual(fee + 5n);
    // Balance and debt match the taken fees, and no more fees were possible.
    const left = 9n * fee + 7n - (started + withdrawn) * fee;
    expect(amount('available_ptk') - amount('credit_drawn_ptk')).toBe(left);
    expect(amount('available_ptk')).toBeLessThan(fee);
    expect(await shop.calls()).toHaveLength(Number(started));
  });
});

/** The ways in which an attempt ends without payment, and the order afterwards. */
const endings: { state: string; status: string; end: (shop: OwnShop, order: Order) => Promise<void> }[] = [
  {
    state: 'rejected',
    status: 'pending',
    async end(shop, order) {
      await refuseNext(shop);
      expect(outcome(await shop.start(order))).toEqual([422, 'provider_checkout_rejected']);
    },
  },
  {
    state: 'closed',
    status: 'expired',
    async end(shop, order) {
      await shop.start(order);
      await service.advance(61);
      await sweep();
      // D-071: the deadline and `review` release nothing, nor does a provider that cannot be asked.
      await fail(shop, 'sessions.expire', { status: 500 });
      await reconcile();
      expect([await statusOf(shop, order), await statesOf(shop, order)]).toEqual([
        ['review', 2],
        ['reserved'],
      ]);
      await service.advance(61);
      await reconcile();
    },
  },
  {
    state: 'failed',
    status: 'expired',
    async end(shop, order) {
      await shop.start(order);
      const { id } = await shop.pay(order, { async: true });
      await reconcile();
      expect(await statesOf(shop, order)).toEqual(['reserved']);
      await simulate(cardsim, 'POST', `/sessions/${id}/settle-async`, { outcome: 'failed' });
      await service.advance(61);
      await reconcile();
    },
  },
  {
    state: 'absent',
    status: 'expired',
    async end(shop, order) {
      await fail(shop, 'sessions.create', { status: 500 });
      expect((await shop.start(order)).status).toBe(202);
      await service.advance(61);
      await sweep();
      await reconcile();
      expect([await statusOf(shop, order), await statesOf(shop, order)]).toEqual([
        ['review', 2],
        ['reserved'],
      ]);
      await service.advance(130);
      await reconcile();
    },
  },
];

describe('R-140 D-071 an attempt that ends without payment', () => {
  test.each(endings)(
    '$state: releases once, each part to where it came from',
    async ({ state, status, end }) => {
      const shop = await open({ available: fee - 4n, credit: 9n });
      const order = await shop.order({ expires_in: 60 });
      const before = await shop.wallet();
      await end(shop, order);
      const detail = await service.admin<{ attempts: Json[] }>('GET', `/collection-orders/${order.order_no}`);
      expect(detail.attempts).toMatchObject([{ state }]);
      expect((await statusOf(shop, order))[0]).toBe(status);
      await service.advance(61);
      await Promise.all([reconcile(), reconcile()]);
      await reconcile();
      expect(await shop.wallet()).toEqual(before);
      expect(await shop.reservations(order)).toMatchObject([{ state: 'released', captured_at: null }]);
      expect(await shop.postings(order)).toEqual([
        `P4a m:available > m:fee_reserved:ORDER ${fee - 4n}`,
        'P4a m:credit_drawn > m:fee_reserved:ORDER 4',
        `P4c m:fee_reserved:ORDER > m:available ${fee - 4n}`,
        'P4c m:fee_reserved:ORDER > m:credit_drawn 4',
      ]);
    },
  );

  test('D-102 a failed payment releases the fee immediately, and the method stays locked until the deadline', async () => {
    const shop = await open({ available: fee });
    const order = await shop.order();
    await shop.start(order);
    const { id } = await shop.pay(order, { async: true });
    await simulate(cardsim, 'POST', `/sessions/${id}/settle-async`, { outcome: 'failed' });
    await service.advance(61);
    await reconcile();
    expect(await shop.wallet()).toEqual({ available_ptk: fee.toString() });
    expect(outcome(await shop.start(order))).toEqual([409, 'payment_conflict']);
    expect(await statusOf(shop, order)).toEqual(['pending', 1]);
  });

  test('D-070 credit that was repaid meanwhile goes back to the wallet it was repaid from', async () => {
    const shop = await open({ credit: fee });
    const order = await shop.order({ expires_in: 60 });
    await shop.start(order);
    await shop.topUp(fee);
    await postTo(shop, 'credit-repayments', 100n);
    expect(await shop.wallet()).toMatchObject({ credit_drawn_ptk: (fee - 100n).toString() });
    await service.advance(61);
    await sweep();
    await reconcile();
    expect(await statusOf(shop, order)).toEqual(['expired', 3]);
    expect(await shop.wallet()).toEqual({ available_ptk: fee.toString() });
    expect((await shop.postings(order)).slice(1)).toEqual([
      'P4c m:fee_reserved:ORDER > m:available 100',
      `P4c m:fee_reserved:ORDER > m:credit_drawn ${fee - 100n}`,
    ]);
  });

  test('D-070 a repayment under way is waited for before a fee goes back', async () => {
    const shop = await open({ credit: fee });
    const order = await shop.order();
    await shop.start(order);
    await shop.topUp(fee);
    const { id } = await shop.pay(order, { async: true });
    await reconcile();
    const repayment = {
      ...creditRepayment({ ...repaid(shop), amount_ptk: fee }),
      subject: 'made-to-owe:by-hand',
    };
    // The news of the failure wakes the process that looks it up.
    await whileLocked(shop, post([repayment], new Date('2026-01-01T00:00:00Z')).book, () =>
      simulate(cardsim, 'POST', `/sessions/${id}/settle-async`, { outcome: 'failed' }),
    );
    await reconcile();
    expect([await statesOf(shop, order), await shop.wallet()]).toEqual([
      ['released'],
      { available_ptk: fee.toString() },
    ]);
  });

  test('R-203 refused: the same method makes a new reservation under a new attempt, and is captured', async () => {
    const shop = await open({ available: fee });
    const order = await shop.order();
    await refuseNext(shop);
    await shop.start(order);
    expect((await shop.start(order)).status).toBe(200);
    expect(await statesOf(shop, order)).toEqual(['reserved', 'released']);
    await shop.pay(order);
    await reconcile();
    expect(await statesOf(shop, order)).toEqual(['captured', 'released']);
    expect([await statusOf(shop, order), await shop.wallet()]).toEqual([['paid', 2], {}]);
  });

  test('D-105 a mismatch keeps the fee: a person has yet to decide', async () => {
    const shop = await open({ available: fee });
    const order = await shop.order({ expires_in: 60 });
    await fail(shop, 'sessions.create', { mode: 'amount', amount_total: 1 });
    expect(outcome(await shop.start(order))).toEqual([409, 'provider_result_mismatch']);
    await service.advance(61);
    await sweep();
    await reconcile();
    expect([await statusOf(shop, order), await statesOf(shop, order)]).toEqual([['review', 2], ['reserved']]);
  });
});

describe('a payment that is verified', () => {
  test('R-228 R-144 a payment captures the fee once, for any number of events; a lower limit takes nothing back', async () => {
    const shop = await open({ credit: fee });
    const order = await shop.order();
    await shop.start(order);
    await shop.setLimit(0n);
    const { id } = await shop.pay(order, { webhook: 'duplicate' });
    await reconcile();
    const { items } = await simulate<{ items: { id: string; data: { object: Json } }[] }>(
      cardsim,
      'GET',
      '/events',
    );
    const event = items.find(({ data }) => data.object.id === id);
    await simulate(cardsim, 'POST', '/webhooks/replay', { event_id: event?.id, times: 2 });
    await Promise.all([reconcile(), reconcile()]);
    expect(await shop.postings(order)).toEqual([
      `P4a m:credit_drawn > m:fee_reserved:ORDER ${fee}`,
      `P4b m:fee_reserved:ORDER > inc:merchant_fee ${fee}`,
    ]);
    expect(await shop.wallet()).toEqual({ credit_drawn_ptk: fee.toString() });
  });

  test('R-183 a payment in review captures the reserved fee', async () => {
    const shop = await open({ available: fee });
    const order = await shop.order({ expires_in: 60 });
    await shop.start(order);
    await service.advance(61);
    await sweep();
    await shop.pay(order, { webhook: 'none' });
    await reconcile();
    expect([await statusOf(shop, order), await statesOf(shop, order)]).toEqual([['paid', 3], ['captured']]);
  });

  test.each<[string, bigint, bigint, string[], Json]>([
    ['the wallet', fee, 50n, [`m:available > inc:merchant_fee ${fee}`], {}],
    [
      'wallet and credit',
      fee - 30n,
      50n,
      [`m:available > inc:merchant_fee ${fee - 30n}`, 'm:credit_drawn > inc:merchant_fee 30'],
      { credit_drawn_ptk: '30' },
    ],
    [
      'wallet, credit and debt',
      100n,
      50n,
      [
        'm:available > inc:merchant_fee 100',
        'm:credit_drawn > inc:merchant_fee 50',
        `m:recovery > inc:merchant_fee ${fee - 150n}`,
      ],
      { credit_drawn_ptk: '50', recovery_ptk: (fee - 150n).toString() },
    ],
    ['debt alone', 0n, 0n, [`m:recovery > inc:merchant_fee ${fee}`], { recovery_ptk: fee.toString() }],
  ])(
    'D-072 R-186 after the release takes the fee late, out of %s',
    async (_, available, limit, legs, left) => {
      const shop = await open({ available: fee });
      const order = await shop.order({ expires_in: 60 });
      // The provider refused, although it had created the session.
      await refuseNext(shop, true);
      await shop.start(order);
      await service.advance(61);
      await sweep();
      expect([await statusOf(shop, order), await statesOf(shop, order)]).toEqual([
        ['expired', 2],
        ['released'],
      ]);
      if (available < fee) await setAside(shop, fee - available);
      await shop.setLimit(limit);

      await shop.pay(order, { webhook: 'duplicate' });
      await reconcile();
      await service.advance(61);
      await Promise.all([reconcile(), reconcile()]);
      expect([await statusOf(shop, order), await statesOf(shop, order)]).toEqual([
        ['paid', 3],
        ['captured_late'],
      ]);
      expect((await shop.postings(order)).slice(2)).toEqual(legs.map((leg) => `P4d ${leg}`));
      const { guarantee_ptk: _aside, ...wallet } = await shop.wallet();
      expect(wallet).toEqual(left);
    },
  );

  test('R-144 charges an order once: two sessions paid, one fee taken, the other given back', async () => {
    const shop = await open({ available: 2n * fee });
    const order = await shop.order();
    await refuseNext(shop, true);
    await shop.start(order);
    await shop.start(order);
    await shop.pay(order, { session: 0 });
    await reconcile();
    expect([await statusOf(shop, order), await statesOf(shop, order)]).toEqual([
      ['paid', 2],
      ['reserved', 'captured_late'],
    ]);
    await shop.pay(order, { session: 1 });
    await reconcile();
    expect(await statesOf(shop, order)).toEqual(['released', 'captured_late']);
    expect(await shop.wallet()).toEqual({ available_ptk: fee.toString() });
    expect(await statusOf(shop, order)).toEqual(['paid', 2]);
  });

  test('D-082 through a refused session of an order that PTK has paid takes no fee', async () => {
    const shop = await open({ available: fee });
    const order = await shop.merchant.order();
    await refuseNext(shop, true);
    await shop.start(order);
    await payWithPtk(service, order, buyer);
    const before = await shop.wallet();
    await shop.pay(order);
    await reconcile();
    expect([await statesOf(shop, order), await shop.wallet()]).toEqual([['released'], before]);
  });
});

test('R-140 the database itself lets a fee be taken or given back once', async () => {
  const shop = await open({ available: fee });
  const order = await shop.order();
  await refuseNext(shop);
  await shop.start(order);
  await shop.start(order);
  const damage = (change: ReturnType<typeof sql>, state: string) =>
    beside(service, (db) =>
      db.query(sql`UPDATE payment_fee_reservations SET ${change}
        WHERE order_no = ${order.order_no} AND state = ${state}`),
    );
  for (const change of [
    sql`state = 'captured'`,
    sql`state = 'released'`,
    sql`state = 'done'`,
    sql`released_at = reserved_at`,
    sql`fee_ptk = fee_ptk + 1`,
    sql`available_ptk = available_ptk + 1, credit_ptk = credit_ptk - 1`,
  ]) {
    await expect(damage(change, 'reserved')).rejects.toMatchObject({ code: '23514' });
  }
  await expect(damage(sql`state = 'reserved', released_at = NULL`, 'released')).rejects.toMatchObject({
    code: '23505',
  });
});

const merchantId = ({ merchant_no }: OwnShop): string => {
  const merchant_id = merchantIdOf(merchant_no);
  if (merchant_id === null) throw new Error(`no merchant number: ${merchant_no}`);
  return merchant_id;
};

/** The merchant whose credit is repaid by hand, and the kind of repayment. */
const repaid = (shop: OwnShop) => ({ merchant_id: merchantId(shop), reference: 'by-hand' });

/**
 * Writes to a merchant's book in a transaction that stays open until the work that `begin` starts waits for it. The
 * result is an object, because that work ends only after the commit.
 */
function whileLocked<T>(
  shop: OwnShop,
  writes: Write[],
  begin: () => Promise<T>,
): Promise<{ answer: Promise<T> }> {
  return beside(service, (db) =>
    db.transaction(async (tx) => {
      await lockFunds(tx, merchantId(shop));
      await tx.write(writes);
      const answer = begin();
      await untilBlocked(db, tx);
      return { answer };
    }),
  );
}

/** `send` of another process of the same service. */
function sendTo(url: string): TestService['send'] {
  return (method, path, options) => request(url + path, method, options);
}
