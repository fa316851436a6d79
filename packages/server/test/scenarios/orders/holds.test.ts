import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addMerchant,
  addUser,
  busyMerchant,
  type Merchant,
  onePtk,
  payWithPtk,
  setUpPlatform,
  signIn,
  topUp,
} from '../../support/desks/platform.ts';
import { merchantIdOf, systemIds } from '../../../src/base/ids.ts';
import { sql } from '../../../src/base/pg/index.ts';
import { collectionKind } from '../../../src/collection/orders/payable-order.ts';
import { releaseDueHolds } from '../../../src/payments/holds/release-holds.ts';
import { eventually, startTestService, type TestService } from '../../support/desks/service.ts';
import { makeOwe } from '../../support/desks/wallets.ts';

let service: TestService;
let buyer: string;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  const platform = await setUpPlatform(service);
  await topUp(service, platform.buyer, 100_000n * onePtk);
  buyer = await signIn(service, platform.buyer);
});

afterAll(() => service.stop());

const day_s = 24 * 3_600;

async function shopWithHold(hold_days: number): Promise<{ merchant: Merchant; merchant_no: string }> {
  const { merchant_no } = await addMerchant(service, await addUser(service, 'Hanna Hold'), { hold_days });
  return { merchant: await busyMerchant(service, merchant_no, 1), merchant_no };
}

async function payOne(merchant: Merchant): Promise<string> {
  const order = await merchant.order();
  await payWithPtk(service, order, buyer);
  return order.order_no;
}

const wallet = (merchant_no: string): Promise<Record<string, string>> =>
  service.admin('GET', `/merchants/${merchant_no}/wallet`);

const run = (): Promise<unknown> => service.admin('POST', '/jobs/release-holds/run');

test('R-129, R-147, D-073 proceeds wait for the hold, then become available exactly once', async () => {
  const { merchant, merchant_no } = await shopWithHold(2);
  const order_no = await payOne(merchant);
  await service.advance(2 * day_s - 60);
  await run();
  expect(await wallet(merchant_no)).toMatchObject({ held_ptk: '10000000000', available_ptk: '0' });
  await service.advance(61);
  await Promise.all([run(), run(), run()]);
  await eventually(
    () => wallet(merchant_no),
    ({ available_ptk }) => available_ptk === '10000000000',
  );
  await Promise.all([run(), run()]);
  expect(await wallet(merchant_no)).toMatchObject({ held_ptk: '0', available_ptk: '10000000000' });
  const { postings } = await service.admin<{ postings: { posting: string }[] }>(
    'GET',
    `/collection-orders/${order_no}`,
  );
  expect(postings.filter(({ posting }) => posting === 'P3')).toHaveLength(1);
});

test('R-125 a hold changed later leaves earlier orders as they are', async () => {
  const { merchant, merchant_no } = await shopWithHold(1);
  const order = await merchant.order();
  await service.admin('PATCH', `/merchants/${merchant_no}`, { hold_days: 30 });
  await payWithPtk(service, order, buyer);
  await service.advance(day_s);
  await run();
  await eventually(
    () => wallet(merchant_no),
    ({ available_ptk }) => available_ptk === '10000000000',
  );
});

/** The releases of a merchant, as their debited and credited accounts and amounts, by order. */
async function releasesOf(merchant_no: string): Promise<Map<string, string[]>> {
  const rows = await service.db.query<{ subject: string; line: string }>(
    sql`SELECT subject, array_to_string(ARRAY[leg::text, split_part(debit_account, ':', 2), credit_account,
        amount::text], ' ') AS line
      FROM ledger_transfers WHERE merchant_id = ${merchantIdOf(merchant_no)} AND posting = 'P3'
        AND subject NOT LIKE 'made-to-owe%' ORDER BY subject, leg`,
  );
  const releases = new Map<string, string[]>();
  for (const { subject, line } of rows) releases.set(subject, [...(releases.get(subject) ?? []), line]);
  return releases;
}

const heldRows = (merchant_no: string): Promise<unknown[]> =>
  service.db.query(
    sql`SELECT ref FROM ledger_balances WHERE merchant_id = ${merchantIdOf(merchant_no)} AND account = 'm:held'`,
  );

test('D-667, D-073, D-395 holds that are due together end together, once, and the first ones repay the debt', async () => {
  const { merchant, merchant_no } = await shopWithHold(3);
  const numbers: string[] = [];
  for (let i = 0; i < 30; i++) {
    numbers.push(await payOne(merchant));
    await service.advance(1);
  }
  await makeOwe(service, merchant_no, { recovery: 25_000_000_000n });
  await service.advance(3 * day_s);
  // Two processes at once, and two calls in one of them.
  const other = await service.another('worker');
  await Promise.all([run(), run()]);
  const all = numbers.map((order_no, i) => [
    order_no,
    i < 2
      ? ['1 held m:recovery 10000000000']
      : i === 2
        ? ['1 held m:recovery 5000000000', '2 held m:available 5000000000']
        : ['1 held m:available 10000000000'],
  ]);
  await eventually(
    () => wallet(merchant_no),
    ({ held_ptk }) => held_ptk === '0',
  );
  await other.stop();
  const releases = await releasesOf(merchant_no);
  expect(numbers.map((order_no) => [order_no, releases.get(order_no)])).toEqual(all);
  expect(releases.size).toBe(30);
  expect(await heldRows(merchant_no)).toEqual([]);
  expect(await wallet(merchant_no)).toMatchObject({ recovery_ptk: '0', available_ptk: '275000000000' });
});

test('D-667 an order that cannot be released does not hold up the others that are due with it', async () => {
  const { merchant, merchant_no } = await shopWithHold(1);
  const [bad, ...good] = [await payOne(merchant), await payOne(merchant), await payOne(merchant)];
  await service.advance(day_s - 60);
  const { now } = await service.admin<{ now: string }>('GET', '/test-clock');
  const errors: string[] = [];
  const kind = collectionKind(systemIds());
  const deps = {
    db: service.db,
    // Ahead of the service, whose workers find nothing due.
    clock: { now: () => new Date(Date.parse(now) + 90_000) },
    log: { error: (_: unknown, message: string) => errors.push(message) },
    kindOf: () => ({
      ...kind,
      lockAll: (tx: never, merchant_id: string, order_nos: readonly string[]) =>
        order_nos.includes(bad)
          ? Promise.reject(new Error('broken'))
          : kind.lockAll(tx, merchant_id, order_nos),
    }),
  };
  expect(await releaseDueHolds(deps as never)).toBe(2);
  expect(errors).toEqual([
    'holds could not be released together; they are released one by one',
    'a hold could not be released; the next pass retries it',
  ]);
  expect([...(await releasesOf(merchant_no)).keys()].sort()).toEqual(good.sort());
  expect(await heldRows(merchant_no)).toEqual([{ ref: bad }]);
});
