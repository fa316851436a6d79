/** Top-ups by card under races: limits across processes, and losses that arrive together. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { caseOf } from '../../support/desks/cases.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import { fromAnywhere, onePtk } from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { openTopUpDesk, ptk, type TopUpDesk, type TopUpPerson } from '../../support/desks/top-ups.ts';
import { beside } from '../../support/desks/wallets.ts';

let desk: TopUpDesk;
let there: { url: string; stop(): Promise<void> };
let buyer: TopUpPerson;

beforeAll(async () => {
  desk = await openTopUpDesk();
  there = await desk.service.another('web');
});
afterAll(async () => {
  await there.stop();
  await desk.stop();
});
beforeEach(async () => {
  await desk.set({ enabled: true, max_per_payment: null, max_per_day: null });
  buyer = await desk.person();
});

/** The PTK of a person's top-ups that count: all that have not expired. */
const counted = async ({ user_id }: TopUpPerson): Promise<bigint> =>
  beside(desk.service, async (db) => {
    const [row] = await db.query<{ sum: bigint }>(
      sql`SELECT coalesce(sum(gross_settlement_ptk), 0) AS sum FROM collection_orders
        WHERE wallet_user_id = ${user_id} AND status <> 'expired'`,
    );
    return row?.sum ?? 0n;
  });

test('D-357 sixty starts at once, in two processes and from many addresses, stay within the day', async () => {
  await desk.set({ max_per_day: ptk(250n) });
  const forms = Array.from({ length: 60 }, () => ({
    visit: randomBytes(16).toString('base64url'),
    ...{ amount: '10.00', currency: 'USD' },
  }));
  const answers = await Promise.all(
    forms.map((fields, i) => {
      const url = i % 2 === 0 ? desk.service.url : there.url;
      return buyer.browser.post(`${url}/account/top-up`, fields, { origin: url, ...fromAnywhere() });
    }),
  );
  // Who waits too long at the wallet is told to come again.
  expect(answers.filter(({ status }) => ![303, 422, 503].includes(status))).toEqual([]);
  while ((await buyer.send(await buyer.form('10.00'))).status === 303);
  expect(await counted(buyer)).toBe(200n * onePtk);
});

test('D-357 one form that is sent thirty times at once makes one order, also where it fills the day', async () => {
  await desk.set({ max_per_day: ptk(100n) });
  const fields = await buyer.form('10.00');
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      buyer.browser.post(`${desk.service.url}/account/top-up`, fields, fromAnywhere()),
    ),
  );
  expect(answers.filter(({ status }) => ![303, 503].includes(status))).toEqual([]);
  const made = answers.filter(({ status }) => status === 303);
  const { location } = await buyer.send(fields);
  expect(new Set([...made.map((answer) => answer.location), location]).size).toBe(1);
});

test('D-357 one person’s limit is not another’s, and a day ends 24 hours after each top-up', async () => {
  await desk.set({ max_per_day: ptk(100n) });
  await buyer.paid('6.00');
  await desk.service.advance(12 * 3_600);
  await buyer.paid('4.00');
  expect((await buyer.send(await buyer.form('0.10'))).status).toBe(422);
  const other = await desk.person('Otto Other');
  await other.started('10.00');
  // The first is 24 hours old, the second is not.
  await desk.service.advance(12 * 3_600);
  expect((await buyer.send(await buyer.form('6.01'))).status).toBe(422);
  await buyer.started('6.00');
});

test('D-357 a decline keeps its part while it can be paid, an expired one gives it back, a refunded one does not', async () => {
  await desk.set({ max_per_day: ptk(100n) });
  const declined = await buyer.started('10.00');
  await desk.sim('POST', '/faults', {
    endpoint: 'sessions.create',
    mode: 'status',
    status: 400,
    body: { error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'No.' } },
  });
  await expect(buyer.pay(declined)).rejects.toThrow('provider_checkout_rejected');
  expect((await buyer.send(await buyer.form('0.10'))).status).toBe(422);
  await desk.service.advance(1_801);
  await desk.shop.until(declined, 'expired');
  const { order } = await buyer.paid('10.00');
  await desk.shop.refund(order);
  await desk.shop.until(order, 'refunded');
  expect((await buyer.send(await buyer.form('0.10'))).status).toBe(422);
});

test('D-357 switched off, or without its merchant, while a page is open: the form is refused, what is started is paid', async () => {
  const fields = await buyer.form('10.00');
  const started = await buyer.started();
  await desk.set({ enabled: false });
  expect((await buyer.send(fields)).status).toBe(422);
  await buyer.pay(started);
  await desk.shop.until(started, 'paid');
  expect(await buyer.balance()).toBe(101n * onePtk);
});

/** Holds the person's wallet until the work is done. */
const whileWalletIsHeld = (work: (untilWaiting: (sessions: number) => Promise<void>) => Promise<void>) =>
  beside(desk.service, (db) =>
    db.transaction(async (tx) => {
      await tx.query(sql`SELECT 1 FROM user_wallets WHERE user_id = ${buyer.user_id} FOR UPDATE`);
      await work((sessions) => untilBlocked(db, tx, sessions));
    }),
  );

test('D-358 who waits for a wallet has the merchant’s book: an accepted receipt and a loss never wait for each other', async () => {
  const { order: lost } = await buyer.paid('5.00');
  const differs = await buyer.started('10.00');
  await buyer.pay(differs, { amount_total: '1100' });
  const found = await caseOf(desk, differs);
  let answers: Promise<{ status: number }[]> = Promise.resolve([]);
  await whileWalletIsHeld(async (untilWaiting) => {
    const accepting = desk.send(`/cases/${found.case_id}/resolution`, { action: 'accept', reason: 'agreed' });
    await untilWaiting(1);
    // The suspense of the case is the merchant's: it is taken already. A try that waited too long gave it back, and the
    // next one takes it again.
    await beside(desk.service, async (db) => {
      const [of] = await db.query(
        sql`SELECT merchant_id FROM payment_cases WHERE case_id = ${found.case_id}`,
      );
      const free = (): Promise<unknown[]> =>
        db.query(sql`SELECT 1 FROM ledger_balances WHERE merchant_id = ${of?.merchant_id}::uuid
          AND ref = ${found.case_id} FOR UPDATE SKIP LOCKED`);
      await eventually(free, ({ length }) => length === 0);
    });
    const refunding = desk.shop.refund(lost);
    await untilWaiting(2);
    answers = Promise.all([accepting, refunding]);
  });
  expect((await answers).map(({ status }) => status)).toEqual([200, 201]);
  await desk.shop.until(differs, 'paid');
  await desk.shop.until(lost, 'refunded');
  // 1 of old, and 100 more; the 50 of the other went back.
  expect(await buyer.balance()).toBe(101n * onePtk);
});

test('D-358 receipts and losses of one person at once, through two processes, add up', async () => {
  const lost = [await buyer.paid('1.00'), await buyer.paid('2.00'), await buyer.paid('3.00')];
  const cases = [];
  for (const amount of ['4.00', '5.00', '6.00']) {
    const order = await buyer.started(amount);
    await buyer.pay(order, { amount_total: '1100' });
    cases.push((await caseOf(desk, order)).case_id);
  }
  const headers = { authorization: 'Bearer test-administration-key' };
  const sendThere = (path: string, body: Json) =>
    fetch(`${there.url}/admin/v1${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const accept = { action: 'accept', reason: 'agreed' };
  const [first, second, third] = lost;
  const settled = await Promise.all([
    ...cases.map((case_id, i) =>
      i % 2 === 0
        ? sendThere(`/cases/${case_id}/resolution`, accept)
        : desk.send(`/cases/${case_id}/resolution`, accept),
    ),
    sendThere(`/collection-orders/${first?.order.order_no ?? ''}/refunds`, { reason: 'asked for' }),
    desk.shop.refund(second?.order ?? first?.order ?? ({} as never)),
    desk
      .sim('POST', `/sessions/${third?.session ?? ''}/dispute`, { outcome: 'lost' })
      .then(() => ({ status: 200 })),
  ]);
  expect(settled.map(({ status }) => status)).toEqual([200, 200, 200, 201, 201, 200]);
  for (const [i, status] of ['refunded', 'refunded', 'chargeback'].entries()) {
    await desk.shop.until(lost[i]?.order ?? ({} as never), status);
  }
  await eventually(buyer.balance, (ptk_) => ptk_ === 151n * onePtk);
});
