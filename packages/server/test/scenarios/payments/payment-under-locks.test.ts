import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { merchantIdOf } from '../../../src/base/ids.ts';
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
} from '../../support/desks/platform.ts';
import {
  type Answer,
  expectBalancedBooks,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

/** A PTK payment reads the data for its decision after the last of its locks is granted (R-196, D-024, D-169). */

let service: TestService;
let others: Database;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  await setUpPlatform(service);
  others = openDatabase({ url: service.database.url, max: 4, lock_timeout_ms: 0 });
});

afterAll(async () => {
  await others.close();
  await expectBalancedBooks(service.db);
  await service.stop();
});

let merchant_no: string;
let merchant: Merchant;
let buyer: Payer;
let order: Order;

beforeEach(async () => {
  ({ merchant_no } = await addMerchant(service, await addUser(service, 'Rae Racer')));
  merchant = await busyMerchant(service, merchant_no, 1);
  buyer = await addPayer(service, 'Bea Buyer', 1_000n * onePtk);
  order = await merchant.order({ expires_in: 120 });
});

const ptk = async (): Promise<string> =>
  (await others.query<{ payment_no: string }>(sql`SELECT payment_no FROM channels WHERE provider = 'ptk'`))[0]
    ?.payment_no ?? '';

/** Pays while another transaction holds a row. `meanwhile` is done before the row is released. */
async function payBehind(row: Sql, meanwhile: () => Promise<unknown>): Promise<Answer> {
  const checkout = checkoutOf(service, order, buyer.cookie);
  const method = await checkout.methodOf('ptk');
  return others
    .transaction(async (tx) => {
      await tx.query(row);
      const paying = checkout.start(method);
      await untilBlocked(others, tx);
      await meanwhile();
      return { paying };
    })
    .then(({ paying }) => paying);
}

const rows: [string, () => Sql][] = [
  [
    'the order',
    () => sql`SELECT 1 FROM collection_orders
      WHERE merchant_id = ${merchantIdOf(merchant_no)} AND order_no = ${order.order_no} FOR UPDATE`,
  ],
  ['the wallet', () => sql`SELECT 1 FROM user_wallets WHERE user_id = ${buyer.user_id} FOR UPDATE`],
];

describe.each(rows)('R-196 with %s held', (_, row) => {
  test('a payment that waited past the deadline is 410', async () => {
    const answer = await payBehind(row(), () => service.advance(121));
    expect(answer).toMatchObject({ status: 410, body: { error: 'payment_expired' } });
    expect((await merchant.read(order.order_no)).body).toMatchObject({ status: 'expired' });
  });

  test('D-169 a merchant that was suspended meanwhile is 403', async () => {
    const answer = await payBehind(row(), () =>
      service.admin('PATCH', `/merchants/${merchant_no}`, { status: 'inactive', reason: 'test' }),
    );
    expect(answer).toMatchObject({ status: 403, body: { error: 'merchant_inactive' } });
  });

  test('D-169 a channel that was switched off meanwhile is 422', async () => {
    const payment_no = await ptk();
    try {
      const answer = await payBehind(row(), () =>
        service.admin('PATCH', `/channels/${payment_no}`, { enabled: false, reason: 'test' }),
      );
      expect(answer).toMatchObject({ status: 422, body: { error: 'channel_unavailable' } });
    } finally {
      await service.admin('PATCH', `/channels/${payment_no}`, { enabled: true, reason: 'test' });
    }
  });

  test('a payment that waited before the deadline is paid', async () => {
    expect(await payBehind(row(), () => Promise.resolve())).toMatchObject({ status: 200 });
    expect((await merchant.read(order.order_no)).body).toMatchObject({ status: 'paid' });
  });
});
