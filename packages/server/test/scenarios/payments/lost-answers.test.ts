import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { type FaultyLink, openFaultyLink } from '../../support/servers/faulty-link.ts';
import {
  addPayer,
  busyMerchant,
  type Checkout,
  checkoutOf,
  type Merchant,
  onePtk,
  type Order,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import { expectBalancedBooks, startTestService, type TestService } from '../../support/desks/service.ts';

/** The answer to a payment is lost between the database and the service (H-25). */

let service: TestService;
let link: FaultyLink;
let direct: Database;
let merchant: Merchant;
let order: Order;
let checkout: Checkout;
let method: string;
let user_id: string;

beforeAll(async () => {
  service = await startTestService({
    env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' },
    database_limits: {
      connect_ms: 2_400,
      statement_timeout_ms: 3_000,
      lookup_timeout_ms: 1_000,
      long_lock_timeout_ms: 300,
      lock_patience_ms: 1_000,
    },
    routeTo: async (url) => {
      link = await openFaultyLink(url);
      return link.url;
    },
  });
  const platform = await setUpPlatform(service);
  merchant = await busyMerchant(service, platform.merchant_no, 2);
  direct = openDatabase({ url: service.database.url, max: 2, lock_timeout_ms: 0 });
});

afterAll(async () => {
  link.restore();
  await direct.close();
  await expectBalancedBooks(service.db);
  await service.stop();
  await link.close();
});

beforeEach(async () => {
  link.restore();
  const buyer = await addPayer(service, 'Lena Lost', 1_000n * onePtk);
  user_id = buyer.user_id;
  order = await merchant.order({ expires_in: 3_600 });
  checkout = checkoutOf(service, order, buyer.cookie);
  method = await checkout.methodOf('ptk');
});

/** What commits a payment that waits for no lock: one message, or COMMIT where the tables are distributed. */
const committed =
  inject('citusUrl') === null ? 'batch_short_waits' : ['SET LOCAL lock_timeout = 1\0', 'COMMIT'];

const statusOf = async (): Promise<unknown> =>
  (await direct.query(sql`SELECT status FROM collection_orders WHERE order_no = ${order.order_no}`))[0]
    ?.status;

/** Pays while another holds the wallet, so that the payment goes the locked way, and its answer is lost. */
async function payBehindLock(losing: string) {
  return direct.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 FROM user_wallets WHERE user_id = ${user_id} FOR UPDATE`);
    const lost = link.loseAnswerTo(losing);
    return { lost, paying: checkout.start(method) };
  });
}

test('H-25 R-146 a payment whose answer is lost is looked up: 200, and charged once', async () => {
  const lost = link.loseAnswerTo(committed);
  expect(await checkout.start(method)).toMatchObject({ status: 200, body: { status: 'paid' } });
  expect(lost()).toBe(1);
  expect(await statusOf()).toBe('paid');
});

test('H-25 the same behind a lock', async () => {
  const { lost, paying } = await payBehindLock('refuse_write');
  expect(await paying).toMatchObject({ status: 200, body: { status: 'paid' } });
  expect(lost()).toBeLessThanOrEqual(1);
  expect(await statusOf()).toBe('paid');
});

test('H-25 R-370 a payment that cannot be looked up is pending: 202, and paid when it is read again', async () => {
  link.loseAnswerTo(committed, () => {
    link.silence('from the database');
  });
  const answer = await checkout.start(method);
  expect(answer).toMatchObject({ status: 202, body: { error: 'provider_result_pending' } });
  link.restore();
  expect(await statusOf()).toBe('paid');
});

test('H-25 a payment that was not sent is 503, and says that nothing was charged', async () => {
  const answer = await direct.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 FROM user_wallets WHERE user_id = ${user_id} FOR UPDATE`);
    return checkout.start(method);
  });
  expect(answer.status).toBe(503);
  expect(answer.body.error_description).toMatch(/charged nothing/);
  expect(await statusOf()).toBe('pending');
});
