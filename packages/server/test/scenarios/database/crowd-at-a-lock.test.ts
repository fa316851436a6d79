import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase, sql, type Sql } from '../../../src/base/pg/index.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import {
  addMerchant,
  addPayer,
  addUser,
  busyMerchant,
  checkoutOf,
  type Merchant,
  onePtk,
  type Order,
  type Payer,
  setUpPlatform,
  validOrder,
} from '../../support/desks/platform.ts';
import {
  type Answer,
  eventually,
  expectBalancedBooks,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

/** More payers than the pool has connections wait for locks, and all other requests go on (R-146, H-25). */

const crowd = 26;
const others = 10;

let service: TestService;
let holder: Database;
/** A merchant without a hold: each payment adds to the merchant's one balance. */
let merchant: Merchant;
let merchant_id: string;
let other: Merchant;
let buyers: Payer[];

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  await setUpPlatform(service);
  const shop = await addMerchant(service, await addUser(service, 'Rae Rush'), { hold_days: 0 });
  merchant = await busyMerchant(service, shop.merchant_no, 8);
  const second = await addMerchant(service, await addUser(service, 'Ola Other'), { hold_days: 0 });
  other = await busyMerchant(service, second.merchant_no, 8);
  holder = openDatabase({ url: service.database.url, max: 2, lock_timeout_ms: 0 });
  buyers = [];
  // Few at once: the service refuses to hash many passwords at a time.
  const newBuyer = (): Promise<Payer> => addPayer(service, 'Bea Buyer', 10_000n * onePtk);
  while (buyers.length < crowd + others) buyers.push(...(await Promise.all([newBuyer(), newBuyer()])));
  const rows = await holder.query<{ merchant_id: string }>(
    sql`SELECT merchant_id FROM collection_orders WHERE order_no = ${(await merchant.order()).order_no}`,
  );
  merchant_id = rows[0]?.merchant_id ?? '';
}, 600_000);

afterAll(async () => {
  await holder.close();
  await expectBalancedBooks(service.db);
  await service.stop();
});

interface Payment {
  order: Order;
  pay: () => Promise<Answer>;
}

async function paymentsOf(of: Merchant, payers: typeof buyers): Promise<Payment[]> {
  return Promise.all(
    payers.map(async ({ cookie }) => {
      const order = await of.order({ expires_in: 3_600 });
      const checkout = checkoutOf(service, order, cookie);
      const method = await checkout.methodOf('ptk');
      return { order, pay: () => checkout.start(method) };
    }),
  );
}

/** What is held, and at whose shop the others pay meanwhile. */
const held: [string, (orders: string[]) => Sql, () => Merchant][] = [
  [
    'their wallets, the others pay at the same merchant',
    () => sql`SELECT 1 FROM user_wallets WHERE user_id = ANY(${buyers.slice(0, crowd).map((buyer) => buyer.user_id)})
      ORDER BY user_id FOR UPDATE`,
    () => merchant,
  ],
  [
    'their orders, the others pay at the same merchant',
    (orders) =>
      sql`SELECT 1 FROM collection_orders WHERE order_no = ANY(${orders}) ORDER BY order_no FOR UPDATE`,
    () => merchant,
  ],
  [
    'the balance of one merchant, the others pay at another',
    () =>
      sql`SELECT 1 FROM ledger_balances WHERE merchant_id = ${merchant_id} AND account = 'm:available' FOR UPDATE`,
    () => other,
  ],
];

describe.each(held)('H-25 a crowd waits for %s', (_, lock, shop) => {
  test('the others succeed, and so does the crowd when it is let go', async () => {
    const blocked = await paymentsOf(merchant, buyers.slice(0, crowd));
    const free = await paymentsOf(shop(), buyers.slice(crowd));
    const crowded = await holder.transaction(async (tx) => {
      await tx.query(lock(blocked.map(({ order }) => order.order_no)));
      const waiting = Promise.all(blocked.map(({ pay }) => pay()));
      await untilBlocked(holder, tx);
      const answers = await Promise.all([
        ...free.map(({ pay }) => pay()),
        ...free.map(({ order }) => shop().read(order.order_no)),
        ...free.map(() => shop().create(validOrder())),
        eventually(
          () => service.send('GET', '/readyz'),
          ({ status }) => status === 200,
        ),
      ]);
      const bad = answers.filter(({ status }) => status > 201).map(({ status, text }) => `${status} ${text}`);
      expect(bad.length / answers.length, bad.join()).toBeLessThanOrEqual(0.05);
      return { waiting };
    });
    const late = await crowded.waiting;
    expect(late.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });
});
