import {
  AdminOrder,
  AuditAnswer,
  CaseAnswer,
  CaseDetailAnswer,
  ChannelAnswer,
  ClientAnswer,
  Found,
  LedgerAccount,
  LedgerEntry,
  ListedComplaint,
  ListedRefund,
  MerchantAnswer,
  MerchantFiguresAnswer,
  OrderCount,
  OwedAnswer,
  PageOf,
  UserAnswer,
  WorkAnswer,
} from '@paydesk/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../src/base/pg/index.ts';
import { merchantIdOf, systemIds } from '../../../src/base/ids.ts';
import { formatMinor } from '../../../src/base/money.ts';
import { openCase } from '../../../src/payments/cases/insert-case.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import {
  addClient,
  addMerchant,
  addUser,
  merchantOf,
  type Order,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

interface Page {
  items: (Json & { order_no: string; merchant_no: string; account: string; subject: string })[];
  next_cursor?: string;
}

let service: TestService;
let platform: Platform;
let other_no: string;
/** Of the first merchant the oldest, then a paid one that was refunded and complained about; of the other the last. */
let first: Order;
let paid: Order;
let last: Order;
let case_id: string;

const ask = (path: string): Promise<Answer<Page>> =>
  service.send('GET', `/admin/v1${path}`, { headers: { authorization: 'Bearer test-administration-key' } });

beforeAll(async () => {
  service = await startTestService({ role: 'web' });
  platform = await setUpPlatform(service);
  const merchant = await merchantOf(service, platform.client);
  ({ merchant_no: other_no } = await addMerchant(service, platform.owner, { name: 'Other Café' }));
  const other = await merchantOf(service, await addClient(service, other_no));
  first = await merchant.order({ external_reference: 'shared-1' });
  paid = await merchant.order({ external_reference: 'paid-1' });
  last = await other.order({ external_reference: 'shared-1' });
  await payWithPtk(service, paid, await signIn(service, platform.buyer));
  const bought = {
    ...{ amount_ptk: '500', reference: 'bought-1', reason: 'bought at the desk' },
    paid: { currency: 'USD', amount: '1.00' },
  };
  await service.admin('POST', `/merchants/${platform.merchant_no}/ptk-top-ups`, bought);
  const reason = { reason: 'for the lists' };
  await service.admin('POST', `/collection-orders/${paid.order_no}/complaints`, reason);
  await service.admin('POST', `/collection-orders/${paid.order_no}/refunds`, reason);
  const db = openDatabase({ url: service.database.url, max: 1 });
  const merchant_id = merchantIdOf(platform.merchant_no) ?? '';
  const about = {
    merchant_id,
    kind: 'unmatched_receipt',
    dedupe_key: 'x',
    detail: { why: 'a test' },
  } as const;
  await db.writeOnce([openCase({ ids: systemIds() }, about, new Date('2026-03-02T00:00:00Z'))]);
  await db.close();
  case_id = ((await ask('/cases')).body.items[0]?.case_id as string | undefined) ?? '';
});
// A case of the list is inserted by hand.
afterAll(() => service.stop(['case_differs']));

const numbers = ({ body }: Answer<Page>): string[] => body.items.map(({ order_no }) => order_no);

describe('orders of all merchants', () => {
  test('come newest first, each with its merchant, page by page', async () => {
    const answer = await ask('/collection-orders?limit=2');
    expectAnswer(answer, 200, PageOf(AdminOrder));
    expect(numbers(answer)).toEqual([last.order_no, paid.order_no]);
    expect(answer.body.items.map(({ merchant_name }) => merchant_name)).toEqual(['Other Café', 'Bookshop']);
    expect(answer.text).not.toContain('token=');
    const rest = await ask(`/collection-orders?limit=2&cursor=${answer.body.next_cursor ?? ''}`);
    expect(numbers(rest)).toEqual([first.order_no]);
    expect(rest.body).not.toHaveProperty('next_cursor');
  });

  test.each<[string, () => string, () => Order[]]>([
    ['a reference that two merchants use', () => 'q=shared-1', () => [last, first]],
    ['an order number', () => `q=${paid.order_no}`, () => [paid]],
    ['a trade number', () => `q=${encodeURIComponent(`PTK:${paid.order_no}`)}`, () => [paid]],
    ['a part of a reference', () => 'q=HARED', () => [last, first]],
    ['a text that nothing bears', () => 'q=share-d', () => []],
    ['a status', () => 'status=refunded', () => [paid]],
    ['a status that few stay in', () => 'status=pending', () => [last, first]],
    ['a merchant', () => `merchant_no=${platform.merchant_no}`, () => [paid, first]],
    ['a merchant and a reference', () => `merchant_no=${other_no}&q=shared-1`, () => [last]],
    ['a span', () => 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z', () => [last, paid, first]],
    ['a span without orders', () => 'to=2020-01-01T00:00:00Z', () => []],
    ['the oldest first', () => 'sort=created_at', () => [first, paid, last]],
    ['the method', () => 'sort=-amount&method=ptk', () => [paid]],
    ['a span of a merchant', () => `merchant_no=${other_no}&to=2020-01-01T00:00:00Z`, () => []],
  ])('are found by %s', async (_what, query, expected) => {
    const answer = await ask(`/collection-orders?${query()}`);
    expectAnswer(answer, 200, PageOf(AdminOrder));
    expect(numbers(answer)).toEqual(expected().map(({ order_no }) => order_no));
  });

  test('D-341 a span of time narrows the orders of all merchants, page by page', async () => {
    const created = (await ask('/collection-orders')).body.items.map(({ created_at }) => String(created_at));
    const span = `from=${created[2] ?? ''}&to=${created[0] ?? ''}`;
    const page = await ask(`/collection-orders?${span}&limit=1`);
    const rest = await ask(`/collection-orders?${span}&cursor=${page.body.next_cursor ?? ''}`);
    expect([numbers(page), numbers(rest)]).toEqual([[paid.order_no], [first.order_no]]);
    expect(numbers(await ask(`/collection-orders?to=${created[2] ?? ''}`))).toEqual([]);
  });

  test('D-322 are counted', async () => {
    const answer = await ask('/collection-order-count?q=shared-1');
    expectAnswer(answer, 200, OrderCount);
    expect(answer.body).toEqual({ count: 2, more: false });
    expect((await ask(`/collection-order-count?merchant_no=${other_no}`)).body).toMatchObject({ count: 1 });
    expect((await ask('/collection-order-count?amount_to=1')).body).toMatchObject({ field: 'currency' });
  });

  test('one merchant’s go on by time', async () => {
    const page = await ask(`/collection-orders?merchant_no=${platform.merchant_no}&limit=1`);
    const next = `cursor=${page.body.next_cursor ?? ''}`;
    const rest = await ask(`/collection-orders?merchant_no=${platform.merchant_no}&limit=1&${next}`);
    expect(numbers(rest)).toEqual([first.order_no]);
  });

  test.each([
    ['status', 'status=lost'],
    ['merchant_no', 'merchant_no=mr_nobody'],
    ['from', 'from=yesterday'],
    ['sort', 'sort=merchant_no'],
    ['cursor', 'cursor=%21'],
  ])('refuses a wrong %s', async (field, query) => {
    const answer = await ask(`/collection-orders?${query}`);
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_request', field }]);
  });
});

describe('D-325 the search of the platform', () => {
  const find = async (q: string): Promise<unknown[]> => {
    const answer = await ask(`/search?q=${encodeURIComponent(q)}`);
    expectAnswer(answer, 200, Found);
    return answer.body.items.map(({ kind, id }) => [kind, id]);
  };

  test.each<[string, () => string, () => unknown[]]>([
    ['a part of a reference', () => 'HARED-1', () => [last, first].map((one) => ['order', one.order_no])],
    [
      'a part of an order number',
      () => paid.order_no.slice(6).toLowerCase(),
      () => [['order', paid.order_no]],
    ],
    ['a trade number', () => `PTK:${paid.order_no}`, () => [['order', paid.order_no]]],
    ['a part of a merchant’s name', () => 'other c', () => [['merchant', other_no]]],
    ['a merchant’s number', () => other_no, () => [['merchant', other_no]]],
    ['the beginning of a person’s name', () => 'olga', () => [['person', platform.owner.user_id]]],
    ['a person’s id', () => platform.buyer.user_id, () => [['person', platform.buyer.user_id]]],
    ['what nothing has', () => "%' OR 1=1", () => []],
    ['an event that is not there', () => `ne_${'0'.repeat(26)}`, () => []],
  ])('finds %s', async (_what, text, expected) => {
    expect(await find(text())).toEqual(expected());
  });

  test('finds a product by a part of its name and by its number, with its merchant', async () => {
    const product = { gd_name: 'Night Sky', actual_price: '1000000000', currency: 'USD', enabled: true };
    const { gd_no } = await service.admin<{ gd_no: string }>(
      'POST',
      `/merchants/${other_no}/products`,
      product,
    );
    expect(await find('GHT sk')).toEqual([['product', gd_no]]);
    expect((await ask(`/search?q=${gd_no}`)).body.items).toMatchObject([
      { id: gd_no, merchant_no: other_no },
    ]);
  });

  test('refuses a text of one character, and people who are not staff', async () => {
    expect((await ask('/search?q=x')).body).toMatchObject({ error: 'invalid_request', field: 'q' });
    const cookie = await signIn(service, platform.owner);
    const answer = await service.send('GET', '/admin/v1/search?q=shared', { headers: { cookie } });
    expect(answer.body).toMatchObject({ error: 'administrator_required' });
  });
});

describe('losses of all merchants', () => {
  test.each<[string, Parameters<typeof PageOf>[0], string, string]>([
    ['refunds', ListedRefund, 'succeeded', 'failed'],
    ['complaints', ListedComplaint, 'closed', 'open'],
  ])('%s are listed with their merchant, narrowed by status', async (list, Item, status, none) => {
    const answer = await ask(`/${list}?status=${status}`);
    expectAnswer(answer, 200, PageOf(Item));
    const { order_no } = paid;
    expect(answer.body.items).toMatchObject([{ merchant_no: platform.merchant_no, order_no, status }]);
    expect((await ask(`/${list}`)).body).toEqual(answer.body);
    expect((await ask(`/${list}?status=${none}`)).body.items).toEqual([]);
    expect((await ask(`/${list}?status=lost`)).status).toBe(400);
  });
});

describe('one thing', () => {
  test.each<[string, () => string, Parameters<typeof PageOf>[0]]>([
    ['a merchant', () => `/merchants/${platform.merchant_no}`, MerchantAnswer],
    ['a person', () => `/users/${platform.owner.user_id}`, UserAnswer],
    ['a channel', () => `/channels/${platform.ptk_channel}`, ChannelAnswer],
    ['a case, with what it can be resolved by', () => `/cases/${case_id}`, CaseDetailAnswer],
  ])('%s is read by itself', async (_what, path, Schema) => {
    expectAnswer(await ask(path()), 200, Schema);
    const unknown = await ask(path().replace(/[^/]+$/, 'unknown'));
    expect([unknown.status, unknown.body]).toMatchObject([404, { error: 'not_found' }]);
  });

  test('R-378 an open case allows the actions of its kind', async () => {
    expect((await ask(`/cases/${case_id}`)).body).toMatchObject({
      allowed_actions: ['adopt', 'refund', 'close'],
    });
    expectAnswer(await ask('/cases?state=open&kind=unmatched_receipt'), 200, PageOf(CaseAnswer));
  });
});

describe('lists are narrowed', () => {
  const idsOf = (page: Answer<Page>, name: string) => page.body.items.map((item) => item[name]);

  test.each<[string, () => string[]]>([
    ['q=CAF%C3%89', () => [other_no]],
    ['q=shop', () => [platform.merchant_no]],
    ['q=%25', () => []],
    ['status=inactive', () => []],
  ])('merchants by %s', async (query, expected) => {
    const answer = await ask(`/merchants?${query}`);
    expectAnswer(answer, 200, PageOf(MerchantAnswer));
    expect(idsOf(answer, 'merchant_no')).toEqual(expected());
  });

  test('merchants by number and by owner', async () => {
    expect(idsOf(await ask(`/merchants?q=${other_no}`), 'merchant_no')).toEqual([other_no]);
    const owned = await ask(`/merchants?owner_user_id=${platform.owner.user_id}`);
    expect(idsOf(owned, 'merchant_no').toSorted()).toEqual([other_no, platform.merchant_no].toSorted());
    expect((await ask('/merchants?owner_user_id=me')).status).toBe(400);
  });

  test('people by the beginning of an address or a name, in upper or lower case, and by id', async () => {
    const { email, user_id } = platform.buyer;
    for (const q of [email.toUpperCase(), email.slice(0, -6), 'bO bU', user_id]) {
      const answer = await ask(`/users?q=${encodeURIComponent(q)}`);
      expectAnswer(answer, 200, PageOf(UserAnswer));
      expect(idsOf(answer, 'user_id')).toEqual([user_id]);
    }
    for (const q of ['nobody@people.test', 'uyer', '%25', '_o', 'bo buyer and more']) {
      expect((await ask(`/users?q=${q}`)).body.items).toEqual([]);
    }
    const both = await ask('/users?q=O');
    expect(idsOf(both, 'user_id')).toEqual([platform.owner.user_id]);
    await Promise.all(['Zoë Ö', 'ZOË A', 'zoe'].map((name) => addUser(service, name)));
    const found = (await ask(`/users?q=${encodeURIComponent('zoë')}`)).body.items;
    expect(found.map(({ name }) => name)).toEqual(['ZOË A', 'Zoë Ö']);
    expect((await ask('/users?q=zo&limit=1')).body).toMatchObject({ items: [{}] });
  });

  test('clients by merchant', async () => {
    const answer = await ask(`/clients?merchant_no=${platform.merchant_no}`);
    expectAnswer(answer, 200, PageOf(ClientAnswer));
    expect(idsOf(answer, 'client_id')).toEqual([platform.client.client_id]);
  });

  test('D-194 the audit log is filtered by target and by actor, so a rate has a history', async () => {
    await service.admin('PUT', '/rates/USD', { ptk_price: '0.20' });
    await service.admin('PUT', '/rates/USD', { ptk_price: '0.10' });
    const answer = await ask('/audit-log?target=rate:USD&actor=key');
    expectAnswer(answer, 200, PageOf(AuditAnswer));
    const prices = answer.body.items.map(({ after }) => (after as { ptk_price: string }).ptk_price);
    expect(prices).toEqual(['0.1', '0.2', '0.1']);
    expect((await ask('/audit-log?target=rate:USD&actor=user:nobody')).body.items).toEqual([]);
  });
});

describe('the books', () => {
  test('a merchant’s accounts equal its wallet', async () => {
    const answer = await ask(`/ledger/accounts?book=${platform.merchant_no}`);
    expectAnswer(answer, 200, PageOf(LedgerAccount));
    const held = new Map(answer.body.items.map(({ account, balance_minor }) => [account, balance_minor]));
    const wallet = await service.admin('GET', `/merchants/${platform.merchant_no}/wallet`);
    expect(held.get('m:available')).toBe(wallet.available_ptk);
    expect([...held.keys()].filter((name) => name.startsWith('user:'))).toEqual([]);
  });

  test('D-504 what the platform owes equals the wallets of all merchants and people', async () => {
    const answer = await ask('/ledger/owed');
    expectAnswer(answer, 200, OwedAnswer);
    const merchants = (await ask('/merchants?limit=100')).body.items;
    const wallets = await Promise.all(
      merchants.map(({ merchant_no }) => service.admin('GET', `/merchants/${merchant_no}/wallet`)),
    );
    const sumOf = (...names: string[]): string => {
      const amounts = wallets.flatMap((wallet) =>
        names.map((name) => BigInt(wallet[`${name}_ptk`] as string)),
      );
      return formatMinor(
        amounts.reduce((sum, amount) => sum + amount, 0n),
        8,
      );
    };
    expect(answer.body).toMatchObject({
      to_merchants: sumOf('available', 'held', 'frozen', 'guarantee', 'fee_reserved', 'withdrawal_pending'),
      by_merchants: sumOf('credit_drawn', 'recovery'),
    });
    const { to_merchants, to_people } = answer.body as unknown as OwedAnswer;
    expect([to_merchants, to_people]).not.toContain('0.00000000');
  });

  test('accounts and transfers go on page by page, each once', async () => {
    for (const list of ['/ledger/accounts', '/ledger/entries']) {
      const query = `book=${platform.merchant_no}&limit=1`;
      const whole = (await ask(`${list}?book=${platform.merchant_no}`)).body.items;
      expect(whole.length).toBeGreaterThan(1);
      const seen: unknown[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined;) {
        const page: Answer<Page> = await ask(`${list}?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...page.body.items);
        cursor = page.body.next_cursor;
      }
      expect(seen).toEqual(whole);
    }
  });

  test('transfers are narrowed by account and subject, and say why', async () => {
    const query = `book=${platform.merchant_no}&subject=${paid.order_no}&account=m:available`;
    const answer = await ask(`/ledger/entries?${query}`);
    expectAnswer(answer, 200, PageOf(LedgerEntry));
    expect(answer.body.items.length).toBeGreaterThan(0);
    for (const entry of answer.body.items) {
      expect(entry.subject).toBe(paid.order_no);
      expect([entry.debit, entry.credit]).toContain('m:available');
      expect(entry.why).not.toBe('');
    }
  });

  test('the platform’s own book is the default', async () => {
    const own = await ask('/ledger/entries');
    expect(own.body.items.map(({ posting }) => posting)).toContain('P14i');
    expect((await ask('/ledger/entries?book=platform')).body).toEqual(own.body);
    expect((await ask('/ledger/entries?book=mr_nobody')).status).toBe(404);
    expect((await ask('/ledger/entries?cursor=bm9uc2Vuc2U')).status).toBe(400);
  });
});

describe('waiting work', () => {
  const read = async (): Promise<WorkAnswer> => {
    const answer = await service.send<WorkAnswer>('GET', '/admin/v1/work', {
      headers: { authorization: 'Bearer test-administration-key' },
    });
    expectAnswer(answer, 200, WorkAnswer);
    return answer.body;
  };
  const waiting = async (): Promise<string[]> =>
    (await read()).queues.filter(({ due }) => due > 0).map(({ queue, job, due }) => `${queue} ${job} ${due}`);

  test('only due work counts as waiting, from the time when it became due', async () => {
    expect(await waiting()).toEqual([]);
    await service.advance(7_200);
    expect(await waiting()).toEqual(['overdue_orders sweep 2']);
    const [overdue] = (await read()).queues;
    expect([first.expires_at, last.expires_at].toSorted()[0]).toBe(overdue?.oldest_due_at);
    await service.admin('POST', '/jobs/sweep/run');
    expect(await waiting()).toEqual([]);
  });

  test('cases and withdrawals wait for a person until they are decided', async () => {
    const { undecided } = await read();
    expect(undecided).toEqual({
      cases: 1,
      complaints: 0,
      withdrawals: 0,
      approvals: 0,
      scope_applications: 0,
      orders_in_review: 0,
      notifications_failed: 0,
      webhooks_failed: 0,
    });
    const { withdrawal_id } = await service.admin<{ withdrawal_id: string }>('POST', '/withdrawals', {
      merchant_no: platform.merchant_no,
      amount_ptk: '1',
      reference: 'wd-1',
      payout_currency: 'USD',
      payout_amount: '0.01',
    });
    expect((await read()).undecided).toEqual({ ...undecided, withdrawals: 1 });
    const decision = { decision: 'reject', reason: 'a test' };
    await service.admin('POST', `/withdrawals/${withdrawal_id}/decision`, decision);
    expect((await read()).undecided).toEqual(undecided);
  });
});

describe('GET /merchant-figures', () => {
  test('D-219 compares merchants, as a list and as a file', async () => {
    const answer = await ask('/merchant-figures?limit=100');
    expectAnswer(answer, 200, PageOf(MerchantFiguresAnswer));
    const of = (merchant_no: string): Json | undefined =>
      answer.body.items.find((item) => item.merchant_no === merchant_no);
    expect(of(platform.merchant_no)).toMatchObject({
      created: expect.any(Number) as number,
      paid: 1,
      charged_back: 0,
    });
    expect(of(other_no)).toMatchObject({ paid: 0, conversion: '0.0000', loss_rate: null, volume: [] });
    const paged = await ask('/merchant-figures?limit=1');
    expect([paged.body.items.length, typeof paged.body.next_cursor]).toEqual([1, 'string']);
    expect((await ask('/merchant-figures?q=Other%20Caf')).body.items).toHaveLength(1);
    const file = await ask('/merchant-figures.csv?days=7');
    expect(file.text).toContain('merchant_no');
    expect(file.text).toContain(other_no);
  });

  test('D-1036 sorts merchants by volume, page by page', async () => {
    const shops = await Promise.all(
      ['Small Sales', 'Large Sales'].map((name) => addMerchant(service, platform.owner, { name })),
    );
    // The order of their numbers is the other one.
    const [small = '', large = ''] = shops.map(({ merchant_no }) => merchant_no).sort();
    const buyer = await signIn(service, platform.buyer);
    for (const [merchant_no, amount] of [
      [small, '1.00'],
      [large, '2.00'],
    ] as const) {
      const shop = await merchantOf(service, await addClient(service, merchant_no));
      await payWithPtk(service, await shop.order({ amount }), buyer);
    }
    const by = (page: Answer<Page>) => page.body.items.map(({ merchant_no }) => merchant_no);
    expect(by(await ask('/merchant-figures?q=Sales'))).toEqual([small, large]);
    const page = await ask('/merchant-figures?sort=-volume&limit=1');
    const next = await ask(`/merchant-figures?sort=-volume&limit=1&cursor=${page.body.next_cursor ?? ''}`);
    expect([...by(page), ...by(next)]).toEqual([large, small]);
    const { status, body } = await ask('/merchant-figures?sort=name');
    expect([status, (body as unknown as Json).field]).toEqual([400, 'sort']);
  });

  test('D-219 one statement reads the balances of all merchants of a page', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const { body } = await ask('/merchant-figures?limit=100');
    const asked = query.mock.calls as unknown as [{ text?: string }][];
    query.mockRestore();
    expect(body.items.length).toBeGreaterThan(3);
    expect(asked.filter(([{ text = '' }]) => text.includes('ledger_balances'))).toHaveLength(1);
    for (const { merchant_no, held_ptk, frozen_ptk, recovery_ptk } of body.items) {
      const { body: wallet } = await ask(`/merchants/${merchant_no}/wallet`);
      expect(wallet).toMatchObject({ held_ptk, frozen_ptk, recovery_ptk });
    }
  });

  test.each(['0', '367', 'x', '1.5'])('D-219 refuses days=%s', async (days) => {
    const { status, body } = await ask(`/merchant-figures?days=${days}`);
    expect([status, (body as unknown as Json).field]).toEqual([400, 'days']);
  });
});
