import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { userToken } from '../../support/desks/catalog.ts';
import { type Console, consoleOf } from '../../support/people/console.ts';
import {
  addClient,
  addMerchant,
  addUser,
  fromAnywhere,
  type Person,
  type Platform,
  setUpPlatform,
  tokenFor,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

const scopes = ['merchant.profile.read', 'products.read'];

/** The members of a list. */
interface List {
  list: ({ gd_no: string; gd_name: string } & Json)[];
  total: number;
  page: number;
  limit: number;
}

/** One merchant as a program sees it, through clients in turn, so that no limit counts tests together. */
interface Reader {
  get<T = Json>(path: string): Promise<Answer<T>>;
  list(query?: string): Promise<List>;
}

let service: TestService;
let platform: Platform;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  platform = await setUpPlatform(service);
});
afterAll(() => service.stop());

async function readerOf(merchant_no: string): Promise<Reader> {
  const token = await tokenFor(service, await addClient(service, merchant_no, { scopes }), scopes.join(' '));
  const get = <T = Json>(path: string): Promise<Answer<T>> =>
    service.send<T>('GET', `/openapi/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  return {
    get,
    async list(query = '') {
      const { status, text, body } = await get<List>(`/products${query}`);
      if (status !== 200) throw new Error(`products: ${status} ${text}`);
      return body;
    },
  };
}

/** A merchant of its own with these products, the last one made the newest. */
async function shopWith(
  ...products: Json[]
): Promise<{ merchant_no: string; reader: Reader; numbers: string[] }> {
  const { merchant_no } = await addMerchant(service, platform.owner, { name: 'Shop' });
  const numbers: string[] = [];
  for (const product of products) numbers.push(await addProduct(merchant_no, product));
  return { merchant_no, reader: await readerOf(merchant_no), numbers };
}

const valid = (members: Json = {}): Json => ({
  gd_name: 'Gift card',
  currency: 'USD',
  actual_price: 400_000_000,
  ...members,
});

async function addProduct(merchant_no: string, members: Json = {}): Promise<string> {
  const { gd_no } = await service.admin<{ gd_no: string }>(
    'POST',
    `/merchants/${merchant_no}/products`,
    valid(members),
  );
  return gd_no;
}

const change = (merchant_no: string, gd_no: string, members: Json): Promise<Json> =>
  service.admin('PATCH', `/merchants/${merchant_no}/products/${gd_no}`, members);

const namesOf = ({ list }: List): string[] => list.map(({ gd_name }) => gd_name);

describe('the profile of a merchant', () => {
  test('R-335 the profile has eight texts, empty if not set', async () => {
    const { merchant_no } = await addMerchant(service, platform.owner, { name: 'Lantern Books' });
    const { status, body } = await (await readerOf(merchant_no)).get('/merchant');
    expect([status, body]).toEqual([
      200,
      {
        merchant_no,
        name: 'Lantern Books',
        logo_url: '',
        short_description: '',
        description: '',
        business_scope: '',
        website_url: '',
        contact: '',
      },
    ]);
  });

  test('R-335 the profile shows the owner’s texts', async () => {
    const profile = {
      name: '灯笼书店',
      logo_url: 'https://shop.example/logo.png',
      short_description: 'Books',
      description: 'For people\nwho read at night.',
      business_scope: 'Books',
      website_url: 'https://shop.example/',
      contact: 'help@shop.example',
    };
    const { merchant_no } = await addMerchant(service, platform.owner);
    const desk = await consoleOf(service, platform.owner, merchant_no);
    expect((await desk.send('PATCH', '/settings', profile)).status).toBe(200);
    expect((await desk.get('/settings')).body).toMatchObject(profile);
    expect((await (await readerOf(merchant_no)).get('/merchant')).body).toEqual({ merchant_no, ...profile });
  });

  test('R-336 D-173 a client of no merchant, and one of an inactive merchant, get 403', async () => {
    const { merchant_no } = await addMerchant(service, platform.owner);
    const bound = await readerOf(merchant_no);
    await service.admin('PATCH', `/merchants/${merchant_no}`, { status: 'inactive', reason: 'Closed' });
    const unbound = await addClient(service, null, { scopes });
    const { user_id } = platform.buyer;
    const stray = await userToken(service, unbound, user_id, scopes);
    for (const path of ['/merchant', '/products']) {
      const answer = await bound.get(path);
      expect([answer.status, answer.body.error]).toEqual([403, 'merchant_inactive']);
      const { status, body } = await service.send('GET', `/openapi/v1${path}`, {
        headers: { authorization: `Bearer ${stray}` },
      });
      expect([status, body.error]).toEqual([403, 'merchant_not_bound']);
    }
  });
});

describe('tokens', () => {
  test('R-322 both kinds read profile and products', async () => {
    const { merchant_no, numbers } = await shopWith({});
    const client = await addClient(service, merchant_no, { scopes });
    const token = await userToken(service, client, platform.buyer.user_id, scopes);
    const headers = { authorization: `Bearer ${token}`, ...fromAnywhere() };
    const products = await service.send<List>('GET', '/openapi/v1/products', { headers });
    const profile = await service.send('GET', '/openapi/v1/merchant', { headers });
    expect(products.body.list.map(({ gd_no }) => gd_no)).toEqual(numbers);
    expect(profile.body.merchant_no).toBe(merchant_no);
  });

  test.each([
    ['/merchant', 'products.read'],
    ['/products', 'merchant.profile.read'],
  ])('D-011 %s is not for a token with %s', async (path, scope) => {
    const { merchant_no } = await addMerchant(service, platform.owner);
    const token = await tokenFor(service, await addClient(service, merchant_no, { scopes }), scope);
    const bare = await service.send('GET', `/openapi/v1${path}`);
    const wrong = await service.send('GET', `/openapi/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([bare.status, wrong.status, wrong.body.error]).toEqual([401, 403, 'insufficient_scope']);
  });

  test('D-160 profile and products share 300 reads a minute of a client', async () => {
    const { reader } = await shopWith();
    for (let turn = 0; turn < 15; turn++) {
      const paths = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? '/merchant' : '/products'));
      const answers = await Promise.all(paths.map((path) => reader.get(path)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    const { status, headers, body } = await reader.get('/products');
    expect([status, body.error]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a product', () => {
  test('R-343 R-344 R-347 D-190 has the members of the contract, the optional ones only where they are set', async () => {
    const { reader, numbers } = await shopWith({ keywords: 'secret words', in_stock: 7 });
    const { list } = await reader.list();
    expect(list).toEqual([
      {
        gd_no: numbers[0],
        gd_name: 'Gift card',
        gd_description: '',
        actual_price: 400_000_000,
        retail_price: 400_000_000,
        currency: 'USD',
        currency_decimals: 2,
        in_stock: 7,
        buy_limit_num: 0,
        payment_policy: 'automatic',
      },
    ]);
  });

  test('R-345 R-346 R-347 shows limits, channels, inputs, wholesale prices and a prompt', async () => {
    const members = {
      buy_limit_num: 3,
      payment_policy: 'allowlist',
      payment_methods: [platform.ptk_channel],
      other_ipu_cnf: ['qq_account=QQ account=true', 'note=Note=false=anything'],
      wholesale_price_cnf: ['5=3.00', '20=2.50'],
      buy_prompt: 'Read this first.',
    };
    const { reader } = await shopWith(members);
    expect((await reader.list()).list[0]).toMatchObject(members);
  });

  test.each<[string, number, string, string]>([
    ['USD', 2, '999000000', '999000000'],
    ['JPY', 0, '10000000000', '10000000000'],
    ['KWD', 3, '123400000', '123400000'],
    ['USD', 2, '9007199254741000000', '9007199254740991000000'],
  ])(
    'R-343 D-182 a price in %s with %s decimals is exact: %s, %s',
    async (currency, decimals, price, retail) => {
      const { reader } = await shopWith({ currency, actual_price: price, retail_price: retail });
      const { text } = await reader.get('/products');
      expect(text).toContain(`"actual_price":${price},"retail_price":${retail}`);
      expect(text).toContain(`"currency_decimals":${decimals}`);
    },
  );
});

describe('the list of products', () => {
  let reader: Reader;
  let numbers: string[];
  const at = (...places: number[]) => places.map((place) => numbers[place]);
  const shown = async (query: string): Promise<[string[], number, number, number]> => {
    const { list, total, page, limit } = await reader.list(query);
    return [list.map(({ gd_no }) => gd_no), total, page, limit];
  };

  beforeAll(async () => {
    const products = Array.from({ length: 23 }, (_, i) => ({ gd_name: `Book ${i}`, enabled: i !== 21 }));
    ({ reader, numbers } = await shopWith(...products));
  });

  test('R-337 R-342 D-188 the list has the products for sale, newest first', async () => {
    const [list, total, page, limit] = await shown('');
    expect(list).toEqual(at(22, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2));
    expect([total, page, limit]).toEqual([22, 1, 20]);
  });

  test('R-338 the second page has the rest, and behind the end there is nothing but the total', async () => {
    expect(await shown('?page=2')).toEqual([at(1, 0), 22, 2, 20]);
    expect(await shown('?page=3')).toEqual([[], 22, 3, 20]);
    expect(await shown('?page=3&limit=10')).toEqual([at(1, 0), 22, 3, 10]);
  });

  test.each(['abc', '0', '-1', '1.5', '', '%20', '1e3', '+2', '0x2', '2&page=2', '%D9%A2', '%00', '%ff'])(
    'R-338 page=%s is the first',
    async (page) => {
      expect(await shown(`?limit=1&page=${page}`)).toEqual([at(22), 22, 1, 1]);
    },
  );

  test.each<[string, number]>([
    ['1000000000', 1_000_000_000],
    ['1000000001', 1_000_000_000],
    [`1${'0'.repeat(30)}`, 1_000_000_000],
    ['9'.repeat(400), 1_000_000_000],
    ['02', 2],
  ])('R-338 D-187 page=%s is %s', async (page, effective) => {
    const { total, page: answered, list } = await reader.list(`?limit=100&page=${page}`);
    expect([total, answered, list]).toEqual([22, effective, []]);
  });

  test.each<[string, number]>([
    ['1', 1],
    ['100', 100],
    ['0', 20],
    ['101', 20],
    ['-5', 20],
    ['abc', 20],
    ['1.5', 20],
    ['', 20],
    ['%00', 20],
    ['%ff', 20],
    ['9'.repeat(40), 20],
  ])('R-339 limit=%s is %s', async (limit, effective) => {
    const answer = await reader.list(`?limit=${limit}`);
    expect([answer.limit, answer.list.length]).toEqual([effective, Math.min(effective, 22)]);
  });

  test('R-340 gd_no is exact; nothing of another merchant or out of sale is found by it', async () => {
    const other = await shopWith({});
    expect(await shown(`?gd_no=${numbers[3]}`)).toEqual([at(3), 1, 1, 20]);
    expect(await shown(`?gd_no=%20${numbers[3]}%20`)).toEqual([at(3), 1, 1, 20]);
    expect(await shown(`?gd_no=${numbers[3]}&page=2`)).toEqual([[], 1, 2, 20]);
    const absent = [
      numbers[21],
      other.numbers[0],
      'gd_unknown',
      numbers[3]?.toLowerCase(),
      numbers[3]?.slice(0, -1),
      'x'.repeat(5_000),
    ];
    const answers = await Promise.all(absent.map((gd_no) => reader.get(`/products?gd_no=${gd_no}`)));
    expect(new Set(answers.map(({ text }) => text))).toEqual(
      new Set(['{"list":[],"total":0,"page":1,"limit":20}']),
    );
  });

  test('R-340 R-341 gd_no and search_value must both fit', async () => {
    expect((await shown(`?gd_no=${numbers[3]}&search_value=book%203`))[1]).toBe(1);
    expect((await shown(`?gd_no=${numbers[3]}&search_value=book%204`))[1]).toBe(0);
  });

  test('D-156 empty filters filter nothing, and unknown names are ignored', async () => {
    expect((await shown('?gd_no=&search_value=%20%20&colour=red'))[1]).toBe(22);
  });

  test.each(['search_value=%00', 'gd_no=a%00b', 'search_value=%ff', 'gd_no=%C3'])(
    'D-156 ?%s is 400',
    async (query) => {
      const { status, body } = await reader.get(`/products?${query}`);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('search', () => {
  let reader: Reader;
  let merchant_no: string;
  const found = async (text: string): Promise<string[]> =>
    namesOf(await reader.list(`?search_value=${encodeURIComponent(text)}`)).toSorted();

  beforeAll(async () => {
    ({ reader, merchant_no } = await shopWith(
      { gd_name: 'Copper KETTLE', gd_description: 'Holds two litres' },
      { gd_name: 'Éclair', keywords: ['Gebäck', 'pastry'] },
      { gd_name: '龙井茶壶', gd_description: '手工紫砂' },
      { gd_name: '𠮷野家', keywords: 'rice bowl' },
      { gd_name: '100% wool', keywords: 'a_b' },
      { gd_name: '1000 grams', keywords: 'axb' },
      { gd_name: 'C:\\books', gd_description: 'back\\slash' },
      { gd_name: 'ألف ليلة', keywords: 'कहानी หนังสือ' },
      { gd_name: 'Tea', gd_description: 'pot' },
      { gd_name: 'Hidden kettle', enabled: false },
    ));
    await shopWith({ gd_name: 'Copper kettle of another shop' });
  });

  test.each<[string, string[]]>([
    ['copper', ['Copper KETTLE']],
    ['PPER ket', ['Copper KETTLE']],
    ['  kettle ', ['Copper KETTLE']],
    ['LITRES', ['Copper KETTLE']],
    ['éCLAIR', ['Éclair']],
    ['E\u0301clair', ['Éclair']],
    ['gebäck', ['Éclair']],
    ['try', ['Éclair']],
    ['茶', ['龙井茶壶']],
    ['井茶', ['龙井茶壶']],
    ['龙井茶壶', ['龙井茶壶']],
    ['紫砂', ['龙井茶壶']],
    ['茶龙', []],
    ['𠮷', ['𠮷野家']],
    ['ليلة', ['ألف ليلة']],
    ['หนังสือ', ['ألف ليلة']],
    ['कहानी', ['ألف ليلة']],
    ['teapot', []],
    ['nothing like it', []],
    ["' OR 1=1 --", []],
    ['kettle copper', []],
  ])('R-341 D-188 finds %j in name, description and keywords: %j', async (text, names) => {
    expect(await found(text)).toEqual(names);
  });

  test.each<[string, string[]]>([
    ['%', ['100% wool']],
    ['0%', ['100% wool']],
    ['100%', ['100% wool']],
    ['%%', []],
    ['_', ['100% wool']],
    ['a_b', ['100% wool']],
    ['__', []],
    ['\\', ['C:\\books']],
    ['k\\s', ['C:\\books']],
    ['\\%', []],
    ['\\\\', []],
    ['.*', []],
    ['^C', []],
  ])('R-341 %j stands for itself', async (text, names) => {
    expect(await found(text)).toEqual(names);
  });

  test('D-188 a text of more than 100 characters is found nowhere', async () => {
    const long = '壶'.repeat(101);
    await addProduct(merchant_no, { gd_name: 'Long', gd_description: long });
    expect(await found(long)).toEqual([]);
    expect(await found(long.slice(1))).toEqual(['Long']);
  });

  test('R-342 total counts the matches, on every page and after every change', async () => {
    const shop = await shopWith({ gd_name: 'Tea one' }, { gd_name: 'Tea two' }, { gd_name: 'Coffee' });
    const [first = ''] = shop.numbers;
    const totals = async (): Promise<number[]> => [
      (await shop.reader.list()).total,
      (await shop.reader.list('?search_value=tea&limit=1&page=2')).total,
      (await shop.reader.list('?search_value=coffee')).total,
    ];
    expect(await totals()).toEqual([3, 2, 1]);
    await change(shop.merchant_no, first, { gd_name: 'Coffee too' });
    expect(await totals()).toEqual([3, 1, 2]);
    await change(shop.merchant_no, first, { enabled: false });
    expect(await totals()).toEqual([2, 1, 1]);
    await addProduct(shop.merchant_no, { gd_name: 'Tea three' });
    expect(await totals()).toEqual([3, 2, 1]);
    await change(shop.merchant_no, first, { enabled: true });
    expect(await totals()).toEqual([4, 2, 2]);
  });
});

describe('products of the owner', () => {
  let desk: Console;
  let merchant_no: string;
  let stranger: Person;
  let mine: string;

  beforeAll(async () => {
    ({ merchant_no } = await addMerchant(service, platform.owner));
    stranger = await addUser(service, 'Sten Stranger');
    desk = await consoleOf(service, platform.owner, merchant_no);
    mine = await addProduct(merchant_no, { gd_name: 'Mine' });
  });

  test('are made, listed, changed and read by administrators and owners alike', async () => {
    const made = await desk.send<{ gd_no: string }>('POST', '/products', valid({ keywords: ['tea', 'pot'] }));
    const { gd_no } = made.body;
    expect([made.status, made.body]).toMatchObject([
      201,
      { gd_name: 'Gift card', keywords: 'tea\npot', in_stock: 0 },
    ]);
    await change(merchant_no, gd_no, { in_stock: 9, enabled: false });
    const changed = await desk.send('PATCH', `/products/${gd_no}`, { gd_name: 'Tea' });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { gd_no, gd_name: 'Tea', in_stock: 9, enabled: false, actual_price: 400_000_000 },
    ]);
    expect((await desk.get(`/products/${gd_no}`)).body).toEqual(changed.body);
    const { body } = await desk.get<{ items: Json[] }>('/products?search=tea');
    expect(body.items).toEqual([changed.body]);
  });

  test('a list goes on behind its cursor', async () => {
    const shop = await shopWith({}, {}, {});
    const own = await consoleOf(service, platform.owner, shop.merchant_no);
    const seen: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page++) {
      const { body } = await own.get<{ items: Json[]; next_cursor?: string }>(`/products?limit=1${cursor}`);
      seen.push(...body.items.map(({ gd_no }) => gd_no));
      cursor = `&cursor=${body.next_cursor ?? ''}`;
    }
    expect(seen).toEqual(shop.numbers.toReversed());
    expect(cursor).toBe('&cursor=');
  });

  test('an unknown product and another merchant’s are one and the same 404', async () => {
    const other = await shopWith({});
    const paths = ['gd_unknown', other.numbers[0], `gd_${'0'.repeat(26)}`, '%00'].map(
      (no) => `/products/${no}`,
    );
    const reads = await Promise.all(paths.map((path) => desk.get(path)));
    const writes = await Promise.all(paths.map((path) => desk.send('PATCH', path, { enabled: false })));
    expect(new Set([...reads, ...writes].map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set([...reads, ...writes].map(({ text }) => text)).size).toBe(1);
    expect((await other.reader.list()).total).toBe(1);
  });

  test('R-317 another merchant’s console is not found', async () => {
    const theirs = await consoleOf(service, stranger, merchant_no);
    const unknown = await consoleOf(service, stranger, `mr_${'0'.repeat(26)}`);
    for (const call of [
      (who: Console) => who.get('/products'),
      (who: Console) => who.send('POST', '/products', valid()),
      (who: Console) => who.get('/settings'),
      (who: Console) => who.send('PATCH', '/settings', { name: 'Mine' }),
    ]) {
      const [foreign, absent] = [await call(theirs), await call(unknown)];
      expect([foreign.status, foreign.text]).toEqual([404, absent.text]);
    }
  });

  test.each<[string, Json, string]>([
    ['no name', { gd_name: undefined }, 'gd_name'],
    ['an empty name', { gd_name: '' }, 'gd_name'],
    ['a name that is no text', { gd_name: 7 }, 'gd_name'],
    ['a name of 201 characters', { gd_name: 'x'.repeat(201) }, 'gd_name'],
    ['a bell', { gd_name: 'a\u0007b' }, 'gd_name'],
    ['no price', { actual_price: undefined }, 'actual_price'],
    ['a price of nothing', { actual_price: 0 }, 'actual_price'],
    ['a negative price', { actual_price: -1_000_000 }, 'actual_price'],
    ['a fraction', { actual_price: 1.5 }, 'actual_price'],
    ['a decimal text', { actual_price: '4.00' }, 'actual_price'],
    ['half a cent', { actual_price: 500_000 }, 'actual_price'],
    ['an endless price', { actual_price: '9'.repeat(31) }, 'actual_price'],
    ['half a cent elsewhere', { retail_price: 500_000 }, 'retail_price'],
    ['no currency', { currency: undefined }, 'currency'],
    ['an unknown currency', { currency: 'XXX' }, 'currency'],
    ['a negative stock', { in_stock: -1 }, 'in_stock'],
    ['half an item', { in_stock: 0.5 }, 'in_stock'],
    ['more than can be counted', { in_stock: 2_147_483_648 }, 'in_stock'],
    ['a negative limit', { buy_limit_num: -1 }, 'buy_limit_num'],
    ['an unknown policy', { payment_policy: 'any' }, 'payment_policy'],
    ['a policy without channels', { payment_policy: 'allowlist' }, 'payment_methods'],
    ['channels without the policy', { payment_methods: ['x'] }, 'payment_methods'],
    [
      'a channel that is not there',
      { payment_policy: 'allowlist', payment_methods: ['ch_unknown'] },
      'payment_methods.0',
    ],
    ['D-184 a bad input', { other_ipu_cnf: ['a=A=true', 'b=B=maybe'] }, 'other_ipu_cnf.1'],
    ['D-183 a bad wholesale price', { wholesale_price_cnf: ['5=3.00', '6=3.50'] }, 'wholesale_price_cnf.1'],
    ['D-183 a wholesale price above the price', { wholesale_price_cnf: ['5=4.00'] }, 'wholesale_price_cnf.0'],
    ['a text for yes', { enabled: 'true' }, 'enabled'],
  ])('refuses %s, when it is made and when it is changed', async (_, members, field) => {
    const before = await desk.get('/products');
    const made = await desk.send('POST', '/products', valid(members));
    expect([made.status, made.body.error, made.body.field]).toEqual([400, 'invalid_request', field]);
    if (!Object.values(members).includes(undefined)) {
      const changed = await desk.send('PATCH', `/products/${mine}`, members);
      expect([changed.status, changed.body.error, changed.body.field]).toEqual([
        400,
        'invalid_request',
        field,
      ]);
    }
    expect((await desk.get('/products')).text).toBe(before.text);
  });

  test('D-183 a price may not fall below the wholesale prices it has', async () => {
    const gd_no = await addProduct(merchant_no, { wholesale_price_cnf: ['5=3.00'] });
    const { status, body } = await desk.send('PATCH', `/products/${gd_no}`, { actual_price: 300_000_000 });
    expect([status, body.field]).toEqual([400, 'wholesale_price_cnf.0']);
  });
});
