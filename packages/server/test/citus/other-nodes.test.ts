import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startCardsim, type Cardsim } from '@paydesk/cardsim';
import { openDatabase, sql } from '../../src/base/pg/index.ts';
import { asServiceRole, freshDatabase, type TestDatabase } from '../support/database.ts';
import { inDatabase, workersOf } from '../support/citus.ts';
import {
  addCardChannel,
  addClient,
  addUser,
  checkoutOf,
  merchantOf,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../support/platform.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Web processes that are connected to other nodes of a cluster than its coordinator. */

const env = { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' };
let database: TestDatabase;
let service: TestService;
let platform: Platform;
const others: TestService[] = [];
let cardsim: Cardsim;

beforeAll(async () => {
  database = await freshDatabase();
  service = await startTestService({ env, database });
  platform = await setUpPlatform(service);
  cardsim = await startCardsim();
  await addCardChannel(service, cardsim.url);
  const name = new URL(database.url).pathname.slice(1);
  for (const worker of await workersOf(inject('citusUrl') ?? '')) {
    const url = inDatabase(worker, name);
    others.push(
      await startTestService({
        ...{ env, role: 'web', secret_key: service.secret_key },
        // The books are checked at the coordinator, at the end.
        database: { url: database.url, service_url: asServiceRole(url), drop: () => Promise.resolve() },
      }),
    );
  }
});

afterAll(async () => {
  for (const other of others) await other.stop();
  await service.stop();
  await cardsim.close();
});

test('D-336 web processes on other nodes create, read and pay orders, and see those of each other', async () => {
  expect(others.length).toBeGreaterThan(0);
  for (const other of others) {
    const merchant = await merchantOf(other, await addClient(service, platform.merchant_no));
    const buyer = await signIn(other, platform.buyer);
    const order = await merchant.order();
    await payWithPtk(other, order, buyer);
    for (const reader of [service, ...others]) {
      const { body } = await reader.send<{ status: string }>(
        'GET',
        `/openapi/v1/merchant-payments/${order.order_no}`,
        { headers: { authorization: `Bearer ${merchant.token}` } },
      );
      expect(body.status).toBe('paid');
    }
  }
});

test('D-613 a payment does not wait while another person is changed', async () => {
  const { user_id } = await addUser(service, 'Olga Other');
  const merchant = await merchantOf(service, await addClient(service, platform.merchant_no));
  const order = await merchant.order();
  const checkout = checkoutOf(service, order, await signIn(service, platform.buyer));
  const card = await checkout.methodOf('cardprov');
  const db = openDatabase({ url: database.url, max: 1 });
  const started = await db.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 FROM users WHERE user_id = ${user_id} FOR UPDATE`);
    return checkout.start(card);
  });
  await db.close();
  expect(started.status).toBe(200);
});
