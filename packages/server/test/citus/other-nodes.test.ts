import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startCardsim, type Cardsim } from '@paydesk/cardsim';
import { checkSchema, migrate, openDatabase, sql } from '../../src/base/pg/index.ts';
import { asServiceRole, freshDatabase, type TestDatabase } from '../support/servers/database.ts';
import { inDatabase, workersOf } from '../support/servers/citus.ts';
import {
  addCardChannel,
  addClient,
  addUser,
  checkoutOf,
  merchantOf,
  type Platform,
  setUpPlatform,
  signIn,
} from '../support/desks/platform.ts';
import { startTestService, type TestService } from '../support/desks/service.ts';

/** Other nodes of a cluster than its coordinator, and the people, who lie on every node. */

const env = { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' };
let database: TestDatabase;
let service: TestService;
let platform: Platform;
let cardsim: Cardsim;

beforeAll(async () => {
  database = await freshDatabase();
  service = await startTestService({ env, database });
  platform = await setUpPlatform(service);
  cardsim = await startCardsim();
  await addCardChannel(service, cardsim.url);
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
});

test('D-621 no process serves, and no command runs, on another node than the coordinator', async () => {
  const { hostname, port, pathname } = new URL(database.url);
  for (const worker of await workersOf(inject('citusUrl') ?? '')) {
    const url = inDatabase(worker, pathname.slice(1));
    const refused = `is not the coordinator of its cluster, which is ${hostname}:${port}: connect to the coordinator`;
    for (const address of [url, asServiceRole(url)]) {
      await expect(checkSchema(address)).rejects.toThrow(refused);
    }
    await expect(migrate(url)).rejects.toThrow(refused);
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
