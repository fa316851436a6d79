import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantIdOf, systemIds } from '../../../src/base/ids.ts';
import { sql } from '../../../src/base/pg/index.ts';
import { strangeSession } from '../../support/desks/cases.ts';
import { openShop, type Shop, type Shopper } from '../../support/desks/catalog.ts';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { addMerchant, addClient, catalogScopes, addUser } from '../../support/desks/platform.ts';
import { commandOn } from '../../support/run/run-command.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { temporaryDirectory } from '../../support/run/temporary.ts';
import { beside } from '../../support/desks/wallets.ts';

let shop: Shop;
let owner: Console;
let me: Shopper;
let home: Awaited<ReturnType<typeof temporaryDirectory>>;
/** What a session of this service says about an order of one item, by its product. */
let metadataOf: (gd_no: string) => Record<string, string>;

const ids = systemIds();
const asked = { other_ipu_cnf: ['account=Account=true'] };

beforeAll(async () => {
  home = await temporaryDirectory('restore');
  shop = await openShop();
  owner = await consoleOf(shop.service, shop.platform.owner, shop.platform.merchant_no);
  me = await shop.shopper();
});
afterAll(async () => {
  await shop.stop();
  await home.remove();
});

/** Runs `after-restore`, and waits until this process has learned that traffic flows again. */
async function restored(): Promise<string> {
  const letters = join(home.path, 'letters');
  const { code, out } = await commandOn(shop.service, 'after-restore', '--since', '1h', '--letters', letters);
  expect([code, out]).toEqual([0, expect.stringContaining('Traffic flows again.')]);
  await eventually(
    () => shop.service.send('GET', '/readyz'),
    ({ status }) => status === 200,
  );
  return out;
}

/** A card payment of USD 10.60 for a lost order of a product, by the metadata of its session. */
async function lostPurchase(gd_no: string, change: Record<string, string> = {}): Promise<string> {
  const order_no = `co_${ids.ulid(new Date())}`;
  const metadata = { ...metadataOf(gd_no), order_no, ...change };
  const session = await strangeSession(shop, {
    client_reference_id: `pa_${ids.ulid(new Date())}`,
    ...Object.fromEntries(Object.entries(metadata).map(([name, text]) => [`metadata[${name}]`, text])),
  });
  await shop.sim('POST', `/sessions/${session.id}/pay`, { webhook: 'none' });
  return order_no;
}

const read = async (order_no: string): Promise<Json> => (await owner.get(`/catalog-orders/${order_no}`)).body;
const upload = (gd_no: string, codes: string[]) => owner.send('POST', `/products/${gd_no}/codes`, { codes });
const codesOf = async (gd_no: string): Promise<Json> => (await owner.get(`/products/${gd_no}/codes`)).body;
const letter = () => readFile(join(home.path, 'letters', `${shop.platform.merchant_no}.txt`), 'utf8');

test('D-310 a session names product, quantity, price, buyer and client of its order, and no input of the buyer', async () => {
  const gd_no = await shop.product({ ...asked, wholesale_price_cnf: ['2=9.00'] });
  const { payment_no } = shop.card;
  const other_ipu = { account: 'private-account' };
  const order_no = await me.order({ gd_no, quantity: 2, payment_no, other_ipu });
  await me.pay(order_no, payment_no);
  const metadata = (await shop.sessionOf(order_no)).metadata as Record<string, string>;
  const known = { client_id: metadata.client_id, user_id: shop.buyer.user_id, currency: 'USD' };
  const merchant_id = merchantIdOf(shop.platform.merchant_no) ?? '';
  expect(metadata).toEqual({
    ...{ ...known, order_no, merchant_id, gd_no, quantity: '2', total_minor: '2000', discount_minor: '200' },
  });
  metadataOf = (of) => ({
    ...{ ...metadata, gd_no: of, quantity: '1', total_minor: '1000', discount_minor: '0' },
  });
});

test('D-310 lost catalog orders are made again as they were paid, take their stock once, and are not delivered', async () => {
  const products = {
    'by hand': await shop.product(),
    'with inputs': await shop.product(asked),
    'price changed since': await shop.product({ actual_price: '2000000000' }),
    'off sale': await shop.product({ enabled: false }),
  };
  const orders = new Map<string, string>();
  for (const [name, gd_no] of Object.entries(products)) orders.set(name, await lostPurchase(gd_no));
  expect(await restored()).toContain('Payments: 0 settled, 4 adopted, 0 left for a person.');
  for (const [name, gd_no] of Object.entries(products)) {
    const order_no = orders.get(name) ?? '';
    expect([name, await read(order_no)]).toMatchObject([
      name,
      {
        status: 1,
        made_again: true,
        other_ipu: {},
        total_amount: 1_000_000_000,
        settlement_ptk: '9740000000',
      },
    ]);
    expect([name, await shop.stock(gd_no)]).toEqual([name, 4]);
    expect(await letter()).toMatch(
      new RegExp(`order ${order_no}, .*made again.*mark the order as delivered`),
    );
  }
  // Nothing differs any more.
  expect(await restored()).toContain('Payments: 0 settled, 0 adopted, 0 left for a person.');
  for (const gd_no of Object.values(products)) expect(await shop.stock(gd_no)).toBe(4);
});

test('D-311 an order that was made again gets no code, also not at an upload: its buyer may have one', async () => {
  const gd_no = await shop.product();
  await upload(gd_no, ['GIVEN-IN-THE-GAP', 'FREE']);
  const order_no = await lostPurchase(gd_no);
  expect(await restored()).toMatch(/Left: payment .*\n {2}Order co_\w+ was made again .* is not delivered/);
  await upload(gd_no, ['NEW']);
  await shop.service.admin('POST', '/jobs/hand-out-codes/run');
  const due = await beside(shop.service, (db) =>
    db.query<{ fulfil_at: Date | null }>(
      sql`SELECT fulfil_at FROM catalog_orders WHERE order_no = ${order_no}`,
    ),
  );
  expect(due).toEqual([{ fulfil_at: null }]);
  expect(await read(order_no)).toMatchObject({ status: 1, completed_at: null });
  expect(await codesOf(gd_no)).toMatchObject({ left: 3, in_stock: 2 });
  // As the letter says.
  expect((await owner.send('POST', `/catalog-orders/${order_no}/fulfilment`)).status).toBe(200);
  await owner.send('POST', `/products/${gd_no}/codes/withdrawal`, { codes: ['GIVEN-IN-THE-GAP'] });
  expect(await codesOf(gd_no)).toMatchObject({ left: 2, in_stock: 2 });
  const next = await me.order({ gd_no, quantity: 1, payment_no: shop.platform.ptk_channel });
  await me.pay(next, shop.platform.ptk_channel);
  await eventually(
    () => read(next),
    ({ status }) => status === 3,
  );
  expect(await codesOf(gd_no)).toMatchObject({ left: 1, in_stock: 1 });
});

test('D-310 what cannot be made again is listed with the reason, takes no stock, and is tried again', async () => {
  const { merchant_no } = await addMerchant(shop.service, await addUser(shop.service, 'Other Owner'));
  const stranger = await addClient(shop.service, merchant_no, { scopes: catalogScopes });
  const [gd_no, last, gone] = [
    await shop.product(),
    await shop.product({ in_stock: 1 }),
    await shop.product({ in_stock: 0 }),
  ];
  const cases: [why: string, order_no: string][] = [
    ['its buyer is gone', await lostPurchase(gd_no, { user_id: '01890000-0000-7000-8000-000000000001' })],
    ['the client that ordered it is gone', await lostPurchase(gd_no, { client_id: stranger.client_id })],
    ['its product is gone', await lostPurchase('gd_gone')],
    ['its product is out of stock', await lostPurchase(gone)],
    ['do not give what the buyer has paid', await lostPurchase(gd_no, { total_minor: '1001' })],
    [
      'do not give what the buyer has paid',
      await lostPurchase(gd_no, { quantity: '2', total_minor: '2000' }),
    ],
    ['it has no number of this service', await lostPurchase(gd_no, { order_no: 'co_FORGED' })],
  ];
  const both = [await lostPurchase(last), await lostPurchase(last)];
  const out = await restored();
  expect(out).toContain(`1 adopted, ${cases.length + 1} left for a person.`);
  for (const [why, order_no] of cases) {
    const named = why.startsWith('it has no') ? 'co_FORGED' : order_no;
    expect(out).toMatch(new RegExp(`Left: payment .*order ${named}, case ca_\\w+: .*${why}`));
  }
  expect(out).toContain('Mend the reason above if you can');
  expect(await shop.stock(gd_no)).toBe(5);
  expect(await shop.stock(last)).toBe(0);
  const found = await Promise.all(both.map(async (order_no) => (await read(order_no)).status));
  expect(found.filter((status) => status === 1)).toHaveLength(1);
  // The merchant has stock again.
  await upload(gone, ['LATER-1', 'LATER-2']);
  expect(await restored()).toContain(`1 adopted, ${cases.length} left for a person.`);
  expect(await shop.stock(gone)).toBe(1);
});

test('R-143, R-145 and the books balance after all of this', async () => {
  const verified = await commandOn(shop.service, 'verify-ledger');
  expect(verified.code, verified.out).toBe(0);
});
