import {
  ConsoleOrderDetail,
  ConsoleOrderPage,
  ConsoleWallet,
  Found,
  NamedOrders,
  OrderCount,
  OwnMerchantList,
  SavedViews,
  View,
  WalletStatement,
} from '@paydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Console, consoleOf, consoleWith } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { merchantIdOf, merchantNo, systemIds } from '../../../src/base/ids.ts';
import { openDatabase } from '../../../src/base/pg/index.ts';
import { countOrders, type ListDeps, listOrderPage } from '../../../src/collection/reading/index.ts';
import {
  addClient,
  addMerchant,
  addPayer,
  addUser,
  type Merchant,
  merchantOf,
  type Order,
  payWithPtk,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

interface Page extends Json {
  items: Json[];
  next_cursor?: string;
}

interface Detail extends Json {
  order: Json;
  timeline: Json[];
  quotes: Json[];
  attempts: Json[];
  money: { hold: Json | null; lines: Json[]; totals: Json[] };
}

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let desk: Console;
let stranger: Console;
let expired: Order;
let pending: Order;
let paid: Order;

const reference = (name: string): Json => ({ external_reference: name });

beforeAll(async () => {
  service = await startTestService();
  platform = await setUpPlatform(service);
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { hold_days: 2 });
  merchant = await merchantOf(service, platform.client);
  desk = await consoleOf(service, platform.owner, platform.merchant_no);
  stranger = await consoleOf(service, platform.buyer, platform.merchant_no);
  expired = await merchant.order({ ...reference('first'), expires_in: 60 });
  await service.advance(120);
  pending = await merchant.order(reference('second'));
  await service.advance(1);
  paid = await merchant.order(reference('third'));
  await payWithPtk(service, paid, await signIn(service, platform.buyer));
});

afterAll(() => service.stop());

const list = (query = ''): Promise<Answer<Page>> => desk.get<Page>(`/collection-orders${query}`);
const numbers = async (query = ''): Promise<unknown[]> =>
  (await list(query)).body.items.map(({ order_no }) => order_no);

describe('the merchants of a person', () => {
  const at = (cookie: string): Promise<Answer> =>
    service.send('GET', '/console/v1/merchants', { headers: { cookie } });

  test('are those that the person holds, with the role there', async () => {
    const answer = await at(await signIn(service, platform.owner));
    expectAnswer(answer, 200, OwnMerchantList);
    expect(answer.body.items).toMatchObject([{ merchant_no: platform.merchant_no, role: 'owner' }]);
    expect((await at(await signIn(service, platform.buyer))).body).toEqual({ items: [] });
  });

  test('orders need a sign-in', async () => {
    expect((await at('')).body).toMatchObject({ error: 'authentication_required' });
  });
});

describe('the list of orders', () => {
  test('newest first, each moved on where its deadline has passed', async () => {
    const answer = await list();
    expectAnswer(answer, 200, ConsoleOrderPage);
    expect(answer.body.items).toMatchObject([
      { order_no: paid.order_no, status: 'paid', external_reference: 'third' },
      { order_no: pending.order_no, status: 'pending' },
      { order_no: expired.order_no, status: 'expired' },
    ]);
    expect(answer.text).not.toContain('checkout_url');
  });

  test('goes on page by page', async () => {
    const seen: unknown[] = [];
    for (let cursor = ''; ;) {
      const { body } = await list(`?limit=1${cursor}`);
      expect(body.items).toHaveLength(1);
      seen.push(body.items[0]?.order_no);
      if (body.next_cursor === undefined) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual([paid.order_no, pending.order_no, expired.order_no]);
  });

  test('D-320 D-480 finds by reference, number and trade number, or else by a part of one', async () => {
    expect(await numbers('?q=second')).toEqual([pending.order_no]);
    expect(await numbers(`?q=%20${pending.order_no}`)).toEqual([pending.order_no]);
    expect(await numbers(`?q=PTK:${paid.order_no}`)).toEqual([paid.order_no]);
    expect(await numbers(`?q=PTK:${pending.order_no}`)).toEqual([]);
    expect(await numbers('?q=SECO')).toEqual([pending.order_no]);
    expect(await numbers(`?q=${paid.order_no.slice(8).toLowerCase()}`)).toEqual([paid.order_no]);
    expect(await numbers("?q='%25")).toEqual([]);
  });

  test('is narrowed by status and time', async () => {
    expect(await numbers('?status=paid')).toEqual([paid.order_no]);
    expect(await numbers('?status=chargeback')).toEqual([]);
    expect(await numbers('?status=&q=')).toHaveLength(3);
    const { body } = await list(`?q=${pending.order_no}`);
    const at = String(body.items[0]?.created_at);
    expect(await numbers(`?from=${at}`)).toEqual([paid.order_no, pending.order_no]);
    expect(await numbers(`?to=${at}`)).toEqual([expired.order_no]);
    expect(await numbers(`?from=${at}&to=${at}`)).toEqual([]);
  });

  test.each([
    ['status', 'status=lost'],
    ['status', 'status=paid&status=pending'],
    ['from', 'from=yesterday'],
    ['to', 'to=2026-02-30T00:00:00Z'],
    ['q', `q=${'x'.repeat(201)}`],
    ['limit', 'limit=101'],
    ['cursor', 'cursor=bm90IG1pbmU'],
    ['cursor', 'sort=amount&cursor=bXBfMQ'],
    ['sort', 'sort=status'],
    ['method', 'method=cash'],
    ['test_mode', 'test_mode=1'],
    ['currency', 'currency=usd'],
    ['currency', 'amount_from=5'],
    ['amount_from', 'currency=USD&amount_from=-5'],
    ['amount_to', 'currency=USD&amount_to=0.123456789'],
  ])('a wrong %s is refused: %s', async (field, query) => {
    const answer = await list(`?${query}`);
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_request', field }]);
  });
});

describe('a list of orders of several currencies and methods', () => {
  /** Numbers by reference: `usd-9` is 9.00 USD. */
  const known = new Map<unknown, string>();
  let shop: Console;
  let merchant_id: string;

  beforeAll(async () => {
    const { merchant_no } = await addMerchant(service, platform.buyer, { name: 'Second shop' });
    merchant_id = merchantIdOf(merchant_no) ?? '';
    shop = await consoleOf(service, platform.buyer, merchant_no);
    const seller = await merchantOf(service, await addClient(service, merchant_no));
    const payer = await signIn(service, await addPayer(service, 'Pia Payer', 10n ** 14n));
    const add = async (name: string, amount: string, currency: string): Promise<void> => {
      const order = await seller.order({ external_reference: name, amount, currency });
      known.set(order.order_no, name);
      if (name.endsWith('paid')) await payWithPtk(service, order, payer);
    };
    await add('usd-9', '9', 'USD');
    await add('usd-100-paid', '100.00', 'USD');
    await add('jpy-100', '100', 'JPY');
    await add('usd-20', '20', 'USD');
    await add('kwd-9', '9.001', 'KWD');
  });

  const named = (items: Json[]): unknown[] => items.map(({ order_no }) => known.get(order_no));
  const found = async (query: string) =>
    named((await shop.get<Page>(`/collection-orders?${query}`)).body.items);

  test.each([
    ['currency=USD', ['usd-20', 'usd-100-paid', 'usd-9']],
    ['currency=USD&amount_from=9.00&amount_to=20', ['usd-20', 'usd-9']],
    ['currency=KWD&amount_from=9.002', []],
    ['method=ptk', ['usd-100-paid']],
    ['method=cardprov', []],
    ['method=none&currency=USD', ['usd-20', 'usd-9']],
    ['sort=created_at', ['usd-9', 'usd-100-paid', 'jpy-100', 'usd-20', 'kwd-9']],
    ['sort=amount', ['jpy-100', 'kwd-9', 'usd-9', 'usd-20', 'usd-100-paid']],
    ['sort=-amount&currency=USD', ['usd-100-paid', 'usd-20', 'usd-9']],
    // The hyphen: random numbers of orders have none.
    ['sort=-amount&q=-100', ['usd-100-paid', 'jpy-100']],
  ])('D-321 %s, at once and page by page', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
    const seen: unknown[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Answer<Page> = await shop.get(
        `/collection-orders?${query}&limit=1${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...named(page.body.items));
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual(expected);
    const answer = await shop.get(`/collection-order-count?${query.replace(/sort=[^&]+&?/, '')}`);
    expectAnswer(answer, 200, OrderCount);
    expect(answer.body).toEqual({ count: expected.length, more: false });
    // Administrators find the same among the orders of this merchant.
    const merchant_no = merchantNo(merchant_id);
    const theirs = await service.admin<Page>('GET', `/collection-orders?${query}&merchant_no=${merchant_no}`);
    expect(named(theirs.items)).toEqual(expected);
  });

  test('D-320 a call looks at a bounded number of orders, and the pages still show each once', async () => {
    const db = openDatabase({ url: service.database.url, max: 1 });
    // No order is due.
    const deps = { db, ids: systemIds(), clock: { now: () => new Date(0) } } as unknown as ListDeps;
    const seen: unknown[] = [];
    const lengths: number[] = [];
    let query: Record<string, string> = { currency: 'USD', limit: '1' };
    for (;;) {
      const page = await listOrderPage(deps, merchant_id, query, 2);
      lengths.push(page.items.length);
      seen.push(...page.items.map(({ order_no }) => known.get(order_no)));
      if (page.next_cursor === undefined) break;
      query = { ...query, cursor: page.next_cursor };
    }
    expect(seen).toEqual(['usd-20', 'usd-100-paid', 'usd-9']);
    expect(lengths.length).toBeGreaterThan(3 - 1);
    const tooMany = listOrderPage(deps, merchant_id, { sort: 'amount' }, 4);
    await expect(tooMany).rejects.toMatchObject({ detail: { field: 'sort' } });
    expect(await countOrders(deps, merchant_id, { currency: 'USD' }, 2)).toEqual({ count: 1, more: true });
    await db.close();
  });
});

describe('D-324 saved views', () => {
  type Views = Json & { items: Json[] };
  const cookies = new Map<Person, string>();
  const send = async (person: Person, method: string, path = '', body?: unknown, headers: object = {}) =>
    service.send<Views>(method, `/console/v1/views${path}`, {
      headers: { cookie: cookies.get(person) ?? '', origin: new URL(service.url).origin, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  beforeAll(async () => {
    for (const one of [platform.owner, platform.buyer]) cookies.set(one, await signIn(service, one));
  });
  const view = { list: 'orders', name: ' Paid in USD ', query: 'status=paid&currency=USD' };

  test('are a person’s own: saved, replaced by name, listed by list, deleted', async () => {
    const saved = await send(platform.owner, 'PUT', '', view);
    expectAnswer(saved, 200, View);
    expect(saved.body).toMatchObject({ ...view, name: 'Paid in USD' });
    const again = await send(platform.owner, 'PUT', '', { ...view, query: 'period=today' });
    expect(again.body).toMatchObject({ view_id: saved.body.view_id, query: 'period=today' });
    const listed = await send(platform.owner, 'GET', '?list=orders');
    expectAnswer(listed, 200, SavedViews);
    expect(listed.body.items).toEqual([again.body]);
    expect((await send(platform.owner, 'GET', '?list=platform-orders')).body.items).toEqual([]);
    const path = `/${String(saved.body.view_id)}`;
    expect((await send(platform.buyer, 'GET', '?list=orders')).body.items).toEqual([]);
    expect((await send(platform.buyer, 'DELETE', path)).status).toBe(404);
    expect((await send(platform.owner, 'DELETE', path)).body).toEqual({ deleted: true });
    expect((await send(platform.owner, 'DELETE', path)).status).toBe(404);
  });

  test('D-531 are renamed only by their owner, and never replace another view', async () => {
    const { body: one } = await send(platform.owner, 'PUT', '', { ...view, name: 'first' });
    await send(platform.owner, 'PUT', '', { ...view, name: 'second' });
    const path = `/${String(one.view_id)}`;
    const renamed = await send(platform.owner, 'PATCH', path, { name: ' Third ' });
    expectAnswer(renamed, 200, View);
    expect(renamed.body).toEqual({ ...one, name: 'Third' });
    const taken = await send(platform.owner, 'PATCH', path, { name: 'second' });
    expect([taken.status, taken.body]).toMatchObject([409, { error: 'already_exists', field: 'name' }]);
    for (const name of [' ', 'x'.repeat(61)]) {
      const refused = await send(platform.owner, 'PATCH', path, { name });
      expect(refused.body).toMatchObject({ error: 'invalid_request', field: 'name' });
    }
    expect((await send(platform.buyer, 'PATCH', path, { name: 'mine' })).status).toBe(404);
    const foreign = await send(
      platform.owner,
      'PATCH',
      path,
      { name: 'x' },
      { origin: 'https://elsewhere.test' },
    );
    expect(foreign.body).toMatchObject({ error: 'cross_site_request' });
    const { body: listed } = await send(platform.owner, 'GET', '?list=orders');
    expect(listed.items.map(({ name }) => name)).toEqual(['second', 'Third']);
    for (const { view_id } of listed.items) await send(platform.owner, 'DELETE', `/${String(view_id)}`);
  });

  test.each<[string, Json]>([
    ['list', { ...view, list: 'people' }],
    ['name', { ...view, name: '  ' }],
    ['name', { ...view, name: 'x'.repeat(61) }],
    ['query', { ...view, query: 'x'.repeat(1_001) }],
  ])('a wrong %s is refused', async (field, body) => {
    const answer = await send(platform.owner, 'PUT', '', body);
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_request', field }]);
  });

  test('a list has at most 30, and another site saves none', async () => {
    for (let n = 0; n < 30; n++) {
      expect((await send(platform.buyer, 'PUT', '', { ...view, name: `view ${n}` })).status).toBe(200);
    }
    expect((await send(platform.buyer, 'PUT', '', view)).body).toMatchObject({ field: 'name' });
    expect((await send(platform.buyer, 'PUT', '', { ...view, name: 'view 1' })).status).toBe(200);
    const foreign = await send(platform.buyer, 'PUT', '', view, { origin: 'https://elsewhere.test' });
    expect(foreign.body).toMatchObject({ error: 'cross_site_request' });
    expect((await send(platform.buyer, 'GET', '?list=people')).body).toMatchObject({ field: 'list' });
  });

  test('D-1366 a list has at most 30 also where several are saved at once', async () => {
    const add = async (n: number): Promise<number> =>
      (await send(platform.owner, 'PUT', '', { ...view, name: `view ${n}` })).status;
    for (let n = 0; n < 28; n++) expect(await add(n)).toBe(200);
    const statuses = await Promise.all([28, 29, 30, 31, 32, 33].map(add));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 400, 400, 400, 400]);
  });
});

test('D-1366 an order has at most 100 notes also where several are written at once', async () => {
  const { order_no } = await merchant.order();
  const path = `/collection-orders/${order_no}/notes`;
  const write = async (n: number): Promise<number> =>
    (await desk.send('POST', path, { text: `note ${n}` })).status;
  for (let n = 0; n < 98; n++) expect(await write(n)).toBe(201);
  const statuses = await Promise.all([98, 99, 100, 101, 102, 103].map(write));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 400, 400, 400, 400]);
});

describe('D-227 the search', () => {
  const find = async (q: string, by = desk): Promise<unknown[]> => {
    const { body } = await by.get<{ items: Json[] }>(`/search?q=${encodeURIComponent(q)}`);
    return body.items.map(({ kind, id }) => [kind, id]);
  };

  test('finds any part of a reference or number, of products and people, only of this merchant', async () => {
    const answer = await desk.get('/search?q=SECO');
    expectAnswer(answer, 200, Found);
    // The status is a code, which each language has words for: no text has it.
    const { order_no } = pending;
    expect(answer.body.items).toMatchObject([{ status: 'pending', about: `10.00 USD · ${order_no}` }]);
    expect(await find('SECO')).toEqual([['order', pending.order_no]]);
    expect(await find(paid.order_no.slice(5, 24).toLowerCase())).toContainEqual(['order', paid.order_no]);
    expect(await find(`PTK:${paid.order_no}`)).toEqual([['order', paid.order_no]]);
    expect(await find('olga')).toEqual([['person', platform.owner.user_id]]);
    const product = { gd_name: 'Night Sky', actual_price: '1000000000', currency: 'USD', enabled: true };
    const { body } = await desk.send('POST', '/products', product);
    expect(await find('ght sk')).toEqual([['product', body.gd_no]]);
    const { body: one } = await desk.get(`/collection-orders/${paid.order_no}`);
    expect(await find(String((one as Detail).order.event_id))).toEqual([['order', paid.order_no]]);
    expect(await find("%' OR 1=1")).toEqual([]);
    expect(await find('%%')).toEqual([]);
    expect((await stranger.get('/search?q=second')).body).toMatchObject({ error: 'not_found' });
  });

  test.each(['', '?q=', '?q=x', `?q=${'x'.repeat(201)}`, '?q=ab&q=cd'])('%s is refused', async (query) => {
    expect((await desk.get(`/search${query}`)).body).toMatchObject({ error: 'invalid_request', field: 'q' });
  });
});

describe('one order', () => {
  test('D-280 D-523 one order shows its history, what its fee is made of, and the transfers on the merchant’s own accounts', async () => {
    const answer = await desk.get<Detail>(`/collection-orders/${paid.order_no}`);
    expectAnswer(answer, 200, ConsoleOrderDetail);
    const { order, timeline, quotes, attempts, money } = answer.body;
    expect(order).toMatchObject({ order_no: paid.order_no, ptk_price: '0.100000000000', hold_days: 2 });
    expect(timeline.map(({ kind, status, status_version }) => [kind, status, status_version])).toEqual([
      ['status', 'pending', 1],
      // Events of one transaction are listed in their logical order.
      ['attempt_started', null, null],
      ['attempt_paid', null, null],
      ['status', 'paid', 2],
    ]);
    const times = timeline.map(({ at }) => String(at));
    expect(times).toEqual([...times].sort());
    expect(order.paid_at).toBe(times.at(-1));
    const forAdmins = await service.admin<Detail>('GET', `/collection-orders/${paid.order_no}`);
    expect(forAdmins).toMatchObject({ timeline, order: { paid_at: order.paid_at } });
    expect(quotes).toMatchObject([{ provider: 'ptk', payment_amount: '100.00000000', locked: true }]);
    const parts = { fixed: '0.00000000', percent: '0.0000', of: '100.00000000', cap: null };
    expect(quotes).toMatchObject([{ merchant_fee_parts: parts }]);
    expect(forAdmins.quotes).toMatchObject([{ merchant_fee_parts: parts }]);
    expect(attempts).toMatchObject([{ state: 'paid', amount: '100.00000000', currency: 'PTK' }]);
    expect(money.hold).toMatchObject({ released_at: null });
    expect(money.lines).toMatchObject([
      { posting: 'P2', from: null, to: 'held', amount_ptk: '10000000000', about: 'order' },
    ]);
    expect(money.totals).toMatchObject([
      { total: 'merchant_net', amount_ptk: '10000000000' },
      { total: 'held', amount_ptk: '10000000000' },
    ]);
    for (const secret of ['inc:', 'fx:', platform.buyer.user_id, 'checkout_url', 'token=']) {
      expect(answer.text).not.toContain(secret);
    }
  });

  test('an unpaid order shows when it expired', async () => {
    const { body } = await desk.get<Detail>(`/collection-orders/${expired.order_no}`);
    expect(body.timeline).toMatchObject([
      { status: 'pending', status_version: 1 },
      { status: 'expired', status_version: 2, at: expired.expires_at },
    ]);
    expect(body.money).toEqual({ hold: null, lines: [], totals: [] });
  });

  test('D-195 another merchant’s order and an unknown order are not found', async () => {
    const other = await service.admin<{ merchant_no: string }>('POST', '/merchants', {
      name: 'Other shop',
      owner_user_id: platform.buyer.user_id,
    });
    const elsewhere = await consoleOf(service, platform.buyer, other.merchant_no);
    const answers = [
      await elsewhere.get(`/collection-orders/${paid.order_no}`),
      await desk.get('/collection-orders/mp_unknown'),
    ];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [404, 'payment_not_found'],
      [404, 'payment_not_found'],
    ]);
    expect((await elsewhere.get('/collection-orders')).body).toEqual({ items: [] });
    expect((await elsewhere.get('/wallet/statement')).body).toMatchObject({
      items: [],
      summary: { net_ptk: '0' },
    });
  });
});

describe('the wallet', () => {
  test('the wallet shows the balance of each account', async () => {
    const answer = await desk.get('/wallet');
    expectAnswer(answer, 200, ConsoleWallet);
    expect(answer.body).toMatchObject({ available_ptk: '0', held_ptk: '10000000000' });
  });

  test('D-282 has a statement of every movement, newest first, page by page and by account', async () => {
    await service.advance(1);
    await service.admin('POST', `/merchants/${platform.merchant_no}/ptk-top-ups`, {
      amount_ptk: '500',
      reference: 'cash:1',
      reason: 'paid in cash',
    });
    await service.admin('POST', `/merchants/${platform.merchant_no}/guarantee-deposits`, {
      amount_ptk: '200',
      reference: 'deposit-1',
      source: 'available',
    });
    const answer = await desk.get<Page>('/wallet/statement');
    expectAnswer(answer, 200, WalletStatement);
    const money = ({ change_ptk, balance_ptk }: Json) => [change_ptk, balance_ptk];
    expect(answer.body.items.map(money)).toEqual([
      // The deposit moved between the merchant's own accounts.
      ['0', '10000000500'],
      ['500', '10000000500'],
      ['10000000000', '10000000000'],
    ]);
    const sums = { opening_ptk: '0', net_ptk: '10000000500', closing_ptk: '10000000500' };
    expect(answer.body.summary).toEqual(sums);
    const ofAvailable = await desk.get<Page>('/wallet/statement?account=available');
    expect(ofAvailable.body.items.map(money)).toEqual([
      ['-200', '300'],
      ['500', '500'],
    ]);
    expect(ofAvailable.body.summary).toEqual({ opening_ptk: '0', net_ptk: '300', closing_ptk: '300' });
    const shown = ({ posting, about, subject, from, to, amount_ptk }: Json) =>
      [posting, about, subject, from, to, amount_ptk].join(' ');
    const lines = [
      'P12 reference deposit-1 available guarantee 200',
      'P20i reference cash:1  available 500',
      `P2 order ${paid.order_no}  held 10000000000`,
    ];
    expect(answer.body.items.map(shown)).toEqual(lines);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await desk.get<Page>(`/wallet/statement?limit=1${cursor}`);
      seen.push(...body.items.map(shown));
      if (body.next_cursor === undefined) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(lines);
    const of = async (query: string) =>
      (await desk.get<Page>(`/wallet/statement?${query}`)).body.items.map(shown);
    expect(await of('account=available')).toEqual(lines.slice(0, 2));
    expect(await of('account=held')).toEqual(lines.slice(2));
    expect(await of('account=recovery')).toEqual([]);
    const at = String(answer.body.items[1]?.at);
    expect(await of(`to=${at}`)).toEqual(lines.slice(2));
    expect(await of(`from=${at}`)).toEqual(lines.slice(0, 2));
  });

  test.each([
    ['account', 'account=platform'],
    ['from', 'from=x'],
    ['cursor', 'cursor=bm90IG1pbmU'],
  ])('a wrong %s is refused', async (field, query) => {
    const answer = await desk.get(`/wallet/statement?${query}`);
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_request', field }]);
  });
});

describe('reconciliation', () => {
  const find = (body: unknown) => desk.send<Page & { complete: boolean }>('POST', '/reconciliation', body);

  test('finds only the orders of this merchant, by reference, number or payment, each once', async () => {
    const external_references = ['second', 'third', ...Array.from({ length: 998 }, (_, i) => `unknown-${i}`)];
    const event_ids = [(await merchant.read(paid.order_no)).body.event_id];
    const answer = await find({ external_references, order_nos: [pending.order_no, 'mp_x'], event_ids });
    expectAnswer(answer, 200, NamedOrders);
    const found = answer.body.items.map(({ order_no }) => order_no).sort();
    expect(found).toEqual([paid.order_no, pending.order_no].sort());
    expect(answer.body.complete).toBe(true);
    for (const one of [{ order_nos: [paid.order_no] }, { event_ids }, { external_references: ['third'] }]) {
      expect((await find(one)).body.items).toMatchObject([{ order_no: paid.order_no, status: 'paid' }]);
      const theirs = await stranger.send('POST', '/reconciliation', one);
      expect([theirs.status, theirs.body.error]).toEqual([404, 'not_found']);
    }
    expect((await find({})).body).toEqual({ items: [], complete: true });
  });

  test.each([
    ['external_references', { external_references: Array.from({ length: 1_001 }, () => 'a') }],
    ['external_references.0', { external_references: [''] }],
    ['order_nos.0', { order_nos: [1] }],
    ['event_ids', { event_ids: 'pe_1' }],
  ])('a wrong %s is refused', async (field, body) => {
    expect((await find(body)).body).toMatchObject({ error: 'invalid_request', field });
  });

  test('D-1084 has a limit of its own for each person', async () => {
    const owner = await addUser(service, 'Rae Records');
    const { merchant_no } = await addMerchant(service, owner);
    const records = await consoleOf(service, owner, merchant_no);
    const send = (): Promise<Answer> => records.send('POST', '/reconciliation', {});
    for (let i = 0; i < 20; i++) {
      const answers = await Promise.all(Array.from({ length: 30 }, send));
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    }
    const over = await records.send('POST', '/reconciliation', []);
    expect([over.status, over.body.error]).toEqual([429, 'rate_limited']);
    expect((await find({})).status).toBe(200);
  });
});

test.each(['/collection-orders', '/collection-orders/mp_1', '/wallet', '/wallet/statement'])(
  'R-282 D-195 %s is for the merchant’s people: 401 without a session, 404 for all other people',
  async (path) => {
    const nobody = await consoleWith(service, platform.merchant_no, {}).get(path);
    expect([nobody.status, nobody.body.error]).toEqual([401, 'authentication_required']);
    const other = await stranger.get(path);
    expect([other.status, other.body.error]).toEqual([404, 'not_found']);
  },
);
