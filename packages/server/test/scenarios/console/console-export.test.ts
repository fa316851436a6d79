import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Console, consoleOf, consoleWith } from '../../support/people/console.ts';
import { addProduct, shopper, userToken } from '../../support/desks/catalog.ts';
import {
  addClient,
  addMerchant,
  addUser,
  busyMerchant,
  catalogScopes,
  type Merchant,
  type Order,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

/** More than two pages of them. */
const many = 205;

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let desk: Console;
let paid: Order;

type Row = Record<string, string>;

beforeAll(async () => {
  service = await startTestService({ role: 'web' });
  platform = await setUpPlatform(service);
  merchant = await busyMerchant(service, platform.merchant_no, 4);
  desk = await consoleOf(service, platform.owner, platform.merchant_no);
  for (let i = 1; i < many; i++) await merchant.order({ external_reference: `INV-${i}` });
  paid = await merchant.order({
    external_reference: '=HYPERLINK("https://evil.example")',
    description: '@SUM(1+1), with "quotes"',
    amount: '12.34',
  });
  await payWithPtk(service, paid, await signIn(service, platform.buyer));
});
afterAll(() => service.stop());

const rowsOf = ({ status, headers, text }: Answer): Row[] => {
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  return parse(text, { columns: true, bom: true });
};
const exported = async (path: string): Promise<Row[]> => rowsOf(await desk.get(path));
const asAdmin = async (path: string): Promise<Row[]> =>
  rowsOf(
    await service.send('GET', `/admin/v1${path}`, {
      headers: { authorization: 'Bearer test-administration-key' },
    }),
  );

test('one file has all orders once, newest first, with any page size', async () => {
  const rows = await exported('/collection-orders.csv');
  expect(rows).toHaveLength(many);
  expect(new Set(rows.map(({ order_no }) => order_no)).size).toBe(many);
  const times = rows.map(({ created_at }) => created_at ?? '');
  expect(times).toEqual([...times].sort().reverse());
});

test('the file takes the filters of the list, amounts are exact, and no text is computed', async () => {
  const rows = await exported('/collection-orders.csv?status=paid');
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    order_no: paid.order_no,
    external_reference: '\'=HYPERLINK("https://evil.example")',
    description: '\'@SUM(1+1), with "quotes"',
    amount: '12.34',
    currency: 'USD',
    status: 'paid',
    test_mode: 'false',
  });
  const { settlement_ptk = '', settlement } = rows[0] ?? {};
  expect(`${settlement_ptk.slice(0, -8)}.${settlement_ptk.slice(-8)}`).toBe(settlement);
  // D-280: the service's own time of the payment stands before the channel's, and never precedes the creation.
  const { created_at = '', paid_at = '' } = rows[0] ?? {};
  expect([created_at, paid_at]).toEqual([created_at, paid_at].sort());
  expect(paid_at).toMatch(/:\d\d\.\d{3}Z$/);
  expect((await asAdmin('/collection-orders.csv?status=paid'))[0]).toMatchObject({ created_at, paid_at });
  expect(await exported('/collection-orders.csv?q=INV-7')).toHaveLength(1);
  expect(await exported('/collection-orders.csv?to=2020-01-01T00:00:00Z')).toEqual([]);
  const wrong = await desk.get('/collection-orders.csv?status=nonsense');
  expect([wrong.status, wrong.body.field]).toEqual([400, 'status']);
});

test('D-282 amounts of the statement have signs in its file, and the balance goes along', async () => {
  const at = `/merchants/${platform.merchant_no}`;
  const topUp = { amount_ptk: '500', reference: 'cash:1', reason: 'paid in cash' };
  await service.admin('POST', `${at}/ptk-top-ups`, topUp);
  const deposit = { amount_ptk: '200', reference: 'deposit-1', source: 'available' };
  await service.admin('POST', `${at}/guarantee-deposits`, deposit);
  const shown = ({ amount_ptk, amount, balance, moved }: Row) => [amount_ptk, amount, balance, moved];
  const rows = await exported('/wallet/statement.csv?account=available');
  expect(rows.map(shown)).toEqual([
    ['-200', '-0.00000200', '123.40000300', '0.00000200'],
    ['500', '0.00000500', '123.40000500', '0.00000500'],
    ['12340000000', '123.40000000', '123.40000000', '123.40000000'],
  ]);
});

test('the records, products and catalog orders come as files too', async () => {
  expect(await exported('/notifications.csv')).toEqual([]);
  expect(await exported('/catalog-orders.csv')).toEqual([]);
  await service.admin('POST', `/merchants/${platform.merchant_no}/products`, {
    gd_name: '+Voucher',
    currency: 'USD',
    actual_price: '1250000000',
    in_stock: 3,
  });
  expect(await exported('/products.csv')).toMatchObject([
    { gd_name: "'+Voucher", actual_price: '12.50', in_stock: '3' },
  ]);
});

test('R-282 a file holds only records that its reader may see', async () => {
  const stranger = await addUser(service, 'Stranger');
  const { merchant_no } = await addMerchant(service, stranger);
  const theirs = await consoleOf(service, stranger, platform.merchant_no);
  expect((await theirs.get('/collection-orders.csv')).status).toBe(404);
  expect((await consoleWith(service, platform.merchant_no, {}).get('/collection-orders.csv')).status).toBe(
    401,
  );
  const own = await consoleOf(service, stranger, merchant_no);
  expect(rowsOf(await own.get('/collection-orders.csv'))).toEqual([]);
  const cookie = await signIn(service, stranger);
  const admin = await service.send('GET', '/admin/v1/merchants.csv', { headers: { cookie } });
  expect([admin.status, admin.body.error]).toEqual([403, 'administrator_required']);
});

test('administrators can export their lists', async () => {
  expect(await asAdmin('/collection-orders.csv')).toHaveLength(many);
  expect(
    await asAdmin(`/collection-orders.csv?merchant_no=${platform.merchant_no}&status=paid`),
  ).toHaveLength(1);
  expect((await asAdmin('/merchants.csv')).map(({ name }) => name)).toContain('Bookshop');
  expect(await asAdmin('/complaints.csv')).toEqual([]);
  expect(await asAdmin('/withdrawals.csv')).toEqual([]);
  const log = await asAdmin('/audit-log.csv?target=rate:USD');
  expect(log.length).toBeGreaterThan(0);
  expect(JSON.parse(log[0]?.after ?? '') as Json).toHaveProperty('ptk_price');
});

test('D-1108 what a database cannot store in a request for a list is no failure of the service', async () => {
  expect(await asAdmin('/merchants.csv?limit=%00&page=%00')).not.toEqual([]);
  const [entry] = await asAdmin('/audit-log.csv?target=/admin/v1/merchants.csv');
  expect(JSON.parse(entry?.after ?? '')).toEqual({ filter: {} });
  for (const time of ['2026-02-30T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2026-01-01T24:00:00Z']) {
    const cursor = Buffer.from(`${time} dp_1`).toString('base64url');
    const headers = { authorization: 'Bearer test-administration-key' };
    const { status } = await service.send('GET', `/admin/v1/disputes?cursor=${cursor}`, { headers });
    expect([time, status]).toEqual([time, 400]);
  }
});

test('D-910 the file of orders has the fees, which make the settlement of the gross', async () => {
  const fees = { currency: 'PTK', buyer: { fixed_minor: 7, percent_ppm: 0 } };
  const merchantFee = { merchant: { fixed_minor: 100_000_003, percent_ppm: 0 } };
  await service.admin('PATCH', `/channels/${platform.ptk_channel}`, { fees: [{ ...fees, ...merchantFee }] });
  const order = await merchant.order({ external_reference: 'with-fees', amount: '1000', currency: 'JPY' });
  await payWithPtk(service, order, await signIn(service, platform.buyer));
  const money = {
    ...{ amount: '1000', currency: 'JPY', payment_amount: '66.66666674', payment_currency: 'PTK' },
    ...{ buyer_fee: '0.00000007', merchant_fee: '1.00000003' },
    ...{ gross_settlement_ptk: '6666666667', merchant_fee_ptk: '100000003', settlement_ptk: '6566666664' },
    ...{ gross_settlement: '66.66666667', settlement_fee: '1.00000003', settlement: '65.66666664' },
  };
  expect(await exported('/collection-orders.csv?q=with-fees')).toMatchObject([money]);
  expect(await asAdmin('/collection-orders.csv?q=with-fees')).toMatchObject([money]);
});

test('D-911 D-1063 the file of catalog orders tells a sale from one that was taken back, with its fee and the zone of each time', async () => {
  const { merchant_no, buyer, ptk_channel: payment_no } = platform;
  const gd_no = await addProduct(service, merchant_no);
  const client = await addClient(service, merchant_no, { name: 'Reader app', scopes: catalogScopes });
  const buying = shopper(service, await userToken(service, client, buyer.user_id));
  const bought: string[] = [];
  for (let i = 0; i < 2; i++) {
    const order_no = await buying.order({ gd_no, quantity: 1, payment_no });
    await buying.pay(order_no, payment_no);
    await desk.send('POST', `/catalog-orders/${order_no}/fulfilment`);
    bought.push(order_no);
  }
  await service.admin('POST', `/catalog-orders/${bought[0] ?? ''}/refunds`, { reason: 'returned goods' });
  const rows = await exported('/catalog-orders.csv');
  const sale = {
    ...{ status: '3', buyer_fee: '0.00000007', merchant_fee_ptk: '100000003' },
    ...{ gross_settlement: '100.00000000', settlement_fee: '1.00000003', settlement: '98.99999997' },
  };
  expect(rows).toMatchObject([
    { ...sale, order_no: bought[1], reversed: '' },
    { ...sale, order_no: bought[0], reversed: 'refunded' },
  ]);
  for (const { created_at, paid_time, completed_at } of rows) {
    for (const time of [created_at, paid_time]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect((paid_time ?? '').slice(0, 16) <= (completed_at ?? '').slice(0, 16)).toBe(true);
  }
});

test('a person takes thirty files a minute at most', async () => {
  const own = await consoleOf(service, platform.owner, platform.merchant_no);
  let last = 200;
  // The minute of the tests before may end meanwhile.
  for (let i = 0; i < 61 && last === 200; i++) ({ status: last } = await own.get('/notifications.csv'));
  expect(last).toBe(429);
  expect((await own.get('/notifications')).status).toBe(200);
});
