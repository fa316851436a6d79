import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addProduct,
  openShop,
  type Shop,
  type Shopper,
  shopper,
  userToken,
} from '../../support/desks/catalog.ts';
import {
  addCardChannel,
  addClient,
  addMerchant,
  addUser,
  merchantOf,
  tokenFor,
} from '../../support/desks/platform.ts';
import type { Json } from '../../support/desks/service.ts';
import { consoleOf } from '../../support/people/console.ts';

let shop: Shop;
let me: Shopper;
let gd_no: string;

beforeAll(async () => {
  shop = await openShop();
});
// The client of one order is changed by SQL.
afterAll(() => shop.stop(['order_differs']));
beforeEach(async () => {
  me = await shop.shopper();
  gd_no = await shop.product();
});

const ptk = (): string => shop.platform.ptk_channel;
const order = (members: Json = {}): Json => ({ gd_no, quantity: 1, payment_no: ptk(), ...members });
const refusal = async (body: Json): Promise<unknown[]> => {
  const { status, body: answer } = await me.send('POST', '', body);
  return [status, answer.error, ...('field' in answer ? [answer.field] : [])];
};

describe('creation', () => {
  test('R-349 R-355 answers a number and nothing else; the same body twice makes two orders', async () => {
    const first = await me.create(order());
    const second = await me.create(order());
    expect([first.status, Object.keys(first.body)]).toEqual([201, ['order_no']]);
    expect(first.body.order_no).toMatch(/^co_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(second.body.order_no).not.toBe(first.body.order_no);
    expect(await shop.stock(gd_no)).toBe(3);
  });

  test.each<[string, Json, string?]>([
    ['0', { quantity: 0 }, 'quantity'],
    ['a negative one', { quantity: -1 }, 'quantity'],
    ['a fraction', { quantity: 1.5 }, 'quantity'],
    ['a text', { quantity: '1' }, 'quantity'],
    ['null', { quantity: null }, 'quantity'],
    ['none', { quantity: undefined }, 'quantity'],
    ['no product', { gd_no: undefined }, 'gd_no'],
    ['a product that is no text', { gd_no: 7 }, 'gd_no'],
    ['no channel', { payment_no: undefined }, 'payment_no'],
    ['an empty channel', { payment_no: ' ' }, 'payment_no'],
    ['inputs that are no object', { other_ipu: ['x'] }, 'other_ipu'],
    ['an input that is no text', { other_ipu: { account: 5 } }, 'other_ipu.account'],
    ['an input of 501 bytes', { other_ipu: { account: 'x'.repeat(501) } }, 'other_ipu.account'],
    ['an input of null', { other_ipu: { account: null } }, 'other_ipu.account'],
  ])('R-351 R-352 R-353 R-356 refuses %s with 400', async (_, members, field) => {
    expect(await refusal(order(members))).toEqual([400, 'invalid_request', field]);
  });

  test('R-356 a body that is no JSON object is 400; D-013 1.0 is a whole number', async () => {
    for (const raw of ['', '[]', 'null', '{"gd_no":', '{"quantity":1,"quantity":1}']) {
      const { status, body } = await shop.service.send('POST', '/openapi/v1/orders', {
        raw,
        headers: { authorization: `Bearer ${me.token}`, 'content-type': 'application/json' },
      });
      expect([raw, status, body.error]).toEqual([raw, 400, 'invalid_request']);
    }
    const { status } = await shop.service.send('POST', '/openapi/v1/orders', {
      raw: JSON.stringify(order()).replace('"quantity":1', '"quantity":1.0'),
      headers: { authorization: `Bearer ${me.token}`, 'content-type': 'application/json' },
    });
    expect(status).toBe(201);
  });

  test('R-350 D-175 a product that is unknown, disabled or another merchant’s is one and the same 404', async () => {
    const other = await addMerchant(shop.service, shop.platform.owner, { name: 'Elsewhere' });
    const answers = await Promise.all(
      [
        'gd_unknown',
        await shop.product({ enabled: false }),
        await addProduct(shop.service, other.merchant_no),
      ].map((missing) => me.create(order({ gd_no: missing, quantity: 999 }))),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ error: 'product_not_found' });
  });

  test('R-351 R-345 R-374 D-176 more than there are, or than one may buy, is 422', async () => {
    expect(await refusal(order({ quantity: 6 }))).toEqual([422, 'out_of_stock', 'quantity']);
    expect(await refusal(order({ quantity: 1e30 }))).toEqual([422, 'out_of_stock', 'quantity']);
    gd_no = await shop.product({ buy_limit_num: 2 });
    expect(await refusal(order({ quantity: 3 }))).toEqual([422, 'purchase_limit_exceeded', 'quantity']);
    expect((await me.create(order({ quantity: 2 }))).status).toBe(201);
    expect(await shop.stock(gd_no)).toBe(3);
  });

  test('D-1250 R-351 more than any stock can be is never less', async () => {
    gd_no = await shop.product({ in_stock: 2_147_483_647 });
    for (const quantity of [2_147_483_648, 1e30]) {
      expect(await refusal(order({ quantity }))).toEqual([422, 'out_of_stock', 'quantity']);
    }
    expect((await me.create(order({ quantity: 2_147_483_647 }))).status).toBe(201);
  });

  test('R-353 D-184 inputs: required ones are demanded, unknown ones refused, the rest is kept', async () => {
    expect((await me.create(order({ other_ipu: {} }))).status).toBe(201);
    expect((await me.create(order({ other_ipu: null }))).status).toBe(201);
    expect(await refusal(order({ other_ipu: { account: 'x' } }))).toEqual([
      422,
      'input_unknown',
      'other_ipu.account',
    ]);
    gd_no = await shop.product({ other_ipu_cnf: ['account=Account=true', 'note=Note=false=anything'] });
    for (const other_ipu of [undefined, {}, { note: 'x' }, { account: '  ' }]) {
      expect(await refusal(order({ other_ipu }))).toEqual([422, 'input_required', 'other_ipu.account']);
    }
    expect((await me.create(order({ other_ipu: { account: ' 10001 ', note: '' } }))).status).toBe(201);
  });

  test('R-352 D-185 a channel that is unknown, off, not allowed or unable to charge it is 422', async () => {
    expect(await refusal(order({ payment_no: 'USD' }))).toEqual([422, 'channel_unavailable', 'payment_no']);
    const off = await addCardChannel(shop.service, shop.cardsim.url, { enabled: false });
    expect(await refusal(order({ payment_no: off.payment_no }))).toEqual([
      422,
      'channel_unavailable',
      'payment_no',
    ]);
    gd_no = await shop.product({ payment_policy: 'allowlist', payment_methods: [shop.card.payment_no] });
    expect(await refusal(order())).toEqual([422, 'channel_unavailable', 'payment_no']);
    expect((await me.create(order({ payment_no: shop.card.payment_no }))).status).toBe(201);
    gd_no = await shop.product({ currency: 'JPY', actual_price: '10000000000' });
    expect(await refusal(order({ payment_no: shop.card.payment_no }))).toEqual([
      422,
      'channel_unavailable',
      'payment_no',
    ]);
  });

  test('D-129 D-185 a test channel asks for its whole grant, this buyer’s as well', async () => {
    const secret = { secret_key: 'sk_test_x', webhook_secret: 'whsec_x', api_base: shop.cardsim.url };
    const { payment_no } = await addCardChannel(shop.service, shop.cardsim.url, {
      test_mode: true,
      config: secret,
    });
    expect(await refusal(order({ payment_no }))).toEqual([403, 'payment_debug_access_denied']);
    await shop.service.admin('PUT', `/channels/${payment_no}/debug-grants`, {
      merchants: [],
      users: [shop.platform.owner.user_id],
    });
    expect(await refusal(order({ payment_no }))).toEqual([403, 'payment_debug_access_denied']);
    await shop.service.admin('PUT', `/channels/${payment_no}/debug-grants`, {
      merchants: [shop.platform.merchant_no],
      users: [shop.buyer.user_id],
    });
    expect((await me.create(order({ payment_no }))).status).toBe(201);
  });

  test('D-176 a currency that is off, or without a rate, is 422', async () => {
    await shop.service.admin('PUT', '/currencies/EUR', { decimals: 2, enabled: true });
    gd_no = await shop.product({ currency: 'EUR' });
    expect(await refusal(order())).toEqual([422, 'currency_rate_unavailable']);
    await shop.service.admin('PUT', '/currencies/EUR', { decimals: 2, enabled: false });
    expect(await refusal(order())).toEqual([422, 'currency_unavailable']);
  });

  test('R-354 a total, a price and a buyer in the body have no effect', async () => {
    const order_no = await me.order(
      order({
        ...{ total_amount: 1, pay_amount: 1, actual_price: 1, user_id: shop.platform.owner.user_id },
        ...{ buyer_id: 'x', merchant_no: 'mr_x' },
      }),
    );
    expect((await me.read(order_no)).body.total_amount).toBe(1_000_000_000);
  });

  test('D-178 a user has at most 20 unpaid orders of a product', async () => {
    gd_no = await shop.product({ in_stock: 100 });
    for (let i = 0; i < 20; i++) await me.order(order());
    expect(await refusal(order())).toEqual([422, 'too_many_unpaid_orders']);
    const another = await shop.shopper(await addUser(shop.service, 'Ann Other'));
    expect((await another.create(order())).status).toBe(201);
    expect(await shop.stock(gd_no)).toBe(79);
  });

  test('D-178 of a hundred buyers of the last item, one gets it, and the others get out_of_stock', async () => {
    gd_no = await shop.product({ in_stock: 1 });
    const clients = await Promise.all(
      [me, me].map(() => addClient(shop.service, shop.platform.merchant_no, { scopes: ['orders.create'] })),
    );
    const buyers = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const user_id = `0190c1a0-0000-7000-8000-${String(i).padStart(12, '0')}`;
        const client = clients[i % clients.length] ?? shop.client;
        return shopper(shop.service, await userToken(shop.service, client, user_id, ['orders.create']));
      }),
    );
    const answers = await Promise.all(buyers.map((buyer) => buyer.create(order())));
    const outcomes = answers.map(({ status, body }) => `${status} ${(body as Json).error as string}`);
    expect(outcomes.filter((outcome) => outcome.startsWith('201'))).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === '422 out_of_stock')).toHaveLength(99);
    expect(await shop.stock(gd_no)).toBe(0);
  });
});

describe('prices', () => {
  test('D-181 D-183 D-182 the platform computes total, discount and fee, in minor units first', async () => {
    gd_no = await shop.product({ actual_price: '999000000', wholesale_price_cnf: ['2=9.00', '4=8.00'] });
    const order_no = await me.order(order({ quantity: 3, payment_no: shop.card.payment_no }));
    expect((await me.read(order_no)).body).toMatchObject({
      quantity: 3,
      total_amount: 2_997_000_000,
      discount_amount: 297_000_000,
      // 2.9 % of 27.00 and of the 0.30 that are added first.
      handling_amount: 109_000_000,
      pay_amount: 2_809_000_000,
      payment_currency: 'USD',
      payment_currency_decimals: 2,
      payment_subtotal: 2_700_000_000,
      payment_handling_amount: 109_000_000,
      payment_pay_amount: 2_809_000_000,
    });
  });

  test('D-181 of PTK the fee shows in both currencies, and the identities hold', async () => {
    gd_no = await shop.product({ currency: 'JPY', actual_price: '100000000000' });
    const order_no = await me.order(order());
    const { body } = await me.read(order_no);
    expect(body).toMatchObject({
      currency: 'JPY',
      currency_decimals: 0,
      total_amount: 100_000_000_000,
      discount_amount: 0,
      // 1 % of JPY 1000, which is 0.6666… PTK.
      handling_amount: 1_000_000_000,
      pay_amount: 101_000_000_000,
      payment_currency: 'PTK',
      payment_currency_decimals: 8,
      payment_subtotal: 6_666_666_667,
      payment_handling_amount: 66_666_667,
      payment_pay_amount: 6_733_333_334,
    });
  });

  test('D-1378 a price that the currency no longer holds is rounded once, and the books verify', async () => {
    await shop.service.admin('PUT', '/currencies/XTS', { decimals: 2, enabled: true });
    await shop.service.admin('PUT', '/rates/XTS', { ptk_price: '1' });
    gd_no = await shop.product({ currency: 'XTS', actual_price: '1050000000' });
    await shop.service.admin('PUT', '/currencies/XTS', { decimals: 0, enabled: true });
    const order_no = await me.order(order({ quantity: 3 }));
    // 31.5, rounded half up.
    expect((await me.read(order_no)).body.total_amount).toBe(3_200_000_000);
    const { findings } = await shop.service.admin<{ findings: Json[] }>('GET', '/ledger/verification');
    expect(findings.filter(({ subject }) => subject === order_no)).toEqual([]);
  });

  test('D-1379 a product whose currency no longer holds its price can be taken off sale, and is not priced so again', async () => {
    const owner = await consoleOf(shop.service, shop.platform.owner, shop.platform.merchant_no);
    await shop.service.admin('PUT', '/currencies/XTT', { decimals: 2, enabled: true });
    const priced = { actual_price: 1_050_000_000, wholesale_price_cnf: ['5=9.50'] };
    const made = await owner.send('POST', '/products', { gd_name: 'Odd', currency: 'XTT', ...priced });
    const path = `/products/${String(made.body.gd_no)}`;
    await shop.service.admin('PUT', '/currencies/XTT', { decimals: 0, enabled: true });
    const changed = await owner.send('PATCH', path, { enabled: false, in_stock: 3 });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ enabled: false, in_stock: 3, actual_price: 1_050_000_000 }),
    ]);
    for (const field of ['actual_price', 'currency', 'retail_price']) {
      const value = field === 'currency' ? 'XTT' : priced.actual_price;
      const answer = await owner.send('PATCH', path, { [field]: value });
      expect([answer.status, answer.body.field]).toEqual([400, 'actual_price']);
    }
  });

  test('R-055 amounts beyond 2^53 come out digit for digit', async () => {
    gd_no = await shop.product({ currency: 'PTK', actual_price: '900719925474099', in_stock: 100 });
    const { text } = await me.read(await me.order(order({ quantity: 10 })));
    expect(text).toContain('"total_amount":9007199254740990,');
    expect(text).toContain('"payment_pay_amount":9097271247288400,');
  });
});

describe('reading', () => {
  test('R-358 D-186 D-191 has the members of the contract and no others', async () => {
    const order_no = await me.order(order({ quantity: 2 }));
    const { status, body } = await me.read(order_no);
    expect(status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as unknown;
    expect(body).toEqual({
      order_no,
      gd_no,
      title: 'Gift card',
      quantity: 2,
      status: 0,
      status_label: 'Pending payment',
      currency: 'USD',
      currency_decimals: 2,
      total_amount: 2_000_000_000,
      discount_amount: 0,
      handling_amount: 20_000_000,
      pay_amount: 2_020_000_000,
      payment_currency: 'PTK',
      payment_currency_decimals: 8,
      payment_subtotal: 20_000_000_000,
      payment_handling_amount: 200_000_000,
      payment_pay_amount: 20_200_000_000,
      payment_no: ptk(),
      payment_name: 'PTK wallet',
      trade_no: '',
      paid_time: null,
      created_at: time,
      updated_at: time,
    });
  });

  test('D-185 payment_methods are recorded where the product names them', async () => {
    gd_no = await shop.product({ payment_policy: 'allowlist', payment_methods: [ptk(), 'ch_gone'] });
    const { body } = await me.read(await me.order(order()));
    expect(body.payment_methods).toEqual([ptk(), 'ch_gone']);
  });

  test('R-357 R-365 R-014 another person’s, another merchant’s and a collection order are one and the same 404', async () => {
    const mine = await me.order(order());
    const stranger = await shop.shopper(await addUser(shop.service, 'Ann Other'));
    const elsewhere = await addMerchant(shop.service, shop.platform.owner, { name: 'Elsewhere' });
    const client = await addClient(shop.service, elsewhere.merchant_no, {
      scopes: ['orders.read', 'payments.create', 'payments.read'],
    });
    const there = shopper(shop.service, await userToken(shop.service, client, shop.buyer.user_id));
    const collection = await (await merchantOf(shop.service, shop.platform.client)).order();
    for (const [path, method, body] of [
      ['', 'GET', undefined],
      ['/payment', 'GET', undefined],
      ['/payment', 'POST', { payment_no: ptk() }],
    ] as const) {
      const answers = [
        await stranger.send(method, `/${mine}${path}`, body),
        await there.send(method, `/${mine}${path}`, body),
        await me.send(method, `/${collection.order_no}${path}`, body),
        await me.send(method, `/co_unknown${path}`, body),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers[0]?.body.error).toBe('order_not_found');
    }
  });

  test('R-014 R-348 catalog orders are on no path of collection orders', async () => {
    const merchant = await merchantOf(shop.service, shop.platform.client);
    const mine = await me.order(order());
    expect((await merchant.read(mine)).body.error).toBe('payment_not_found');
    expect((await merchant.get(`/merchant-payments/${mine}/notifications`)).status).toBe(404);
    expect((await merchant.get(`/merchant-payments?order_no=${mine}`)).body.items).toEqual([]);
  });

  test('R-321 D-172 D-011 only with a token that a user has authorized, and the scope of the call', async () => {
    const client = await tokenFor(shop.service, shop.platform.client);
    const calls = [
      ['POST', '', 'orders.create'],
      ['GET', '/co_x', 'orders.read'],
      ['POST', '/co_x/payment', 'payments.create'],
      ['GET', '/co_x/payment', 'payments.read'],
    ] as const;
    for (const [method, path, scope] of calls) {
      const byClient = await shopper(shop.service, client).send(
        method,
        path,
        method === 'POST' ? {} : undefined,
      );
      expect([byClient.status, byClient.body.error]).toEqual([403, 'user_authorization_required']);
      const others = calls.map(([, , name]) => name).filter((name) => name !== scope);
      const token = await userToken(shop.service, shop.client, shop.buyer.user_id, others);
      const without = await shopper(shop.service, token).send(
        method,
        path,
        method === 'POST' ? {} : undefined,
      );
      expect([without.status, without.body.error]).toEqual([403, 'insufficient_scope']);
    }
  });
});

describe('an unpaid order', () => {
  test('D-177 D-178 it is cancelled after 30 minutes, and its stock returns once, for any first reader', async () => {
    const orders = [await me.order(order({ quantity: 2 })), await me.order(order())];
    expect(await shop.stock(gd_no)).toBe(2);
    await shop.service.advance(29 * 60);
    expect((await me.read(orders[0] ?? '')).body.status).toBe(0);
    await shop.service.advance(61);
    // Readers and the sweep meet at the same orders.
    await Promise.all([
      ...orders.flatMap((order_no) => [me.read(order_no), me.read(order_no), me.paymentStatus(order_no)]),
      shop.service.admin('POST', '/jobs/sweep/run'),
      shop.service.admin('POST', '/jobs/sweep/run'),
    ]);
    for (const order_no of orders) {
      const { body } = await me.read(order_no);
      expect(body).toMatchObject({ status: 2, status_label: 'Cancelled', paid_time: null, trade_no: '' });
      expect(await me.paymentStatus(order_no)).toBe(2);
      expect((await me.pay<Json>(order_no, ptk())).body.error).toBe('order_not_payable');
    }
    expect(await shop.stock(gd_no)).toBe(5);
    expect(await me.create(order({ quantity: 5 })).then(({ status }) => status)).toBe(201);
  });

  test('D-113 the sweep alone is enough, for any number of orders and products', async () => {
    const other = await shop.product({ in_stock: 3 });
    await Promise.all([
      ...Array.from({ length: 4 }, () => me.order(order())),
      me.order(order({ gd_no: other, quantity: 3 })),
    ]);
    await shop.service.advance(31 * 60);
    await shop.service.admin('POST', '/jobs/sweep/run');
    // What the sweep of the worker holds just then is skipped here, and is moved by that one.
    await expect.poll(async () => [await shop.stock(gd_no), await shop.stock(other)]).toEqual([5, 3]);
  });

  test('D-1161 it is cancelled also where its product has the largest stock by then, by the sweep too', async () => {
    const most = 2_147_483_647;
    const other = await shop.product({ in_stock: most });
    const [read, swept] = [await me.order(order()), await me.order(order({ gd_no: other, quantity: most }))];
    for (const no of [gd_no, other]) {
      await shop.service.admin('PATCH', `/merchants/${shop.platform.merchant_no}/products/${no}`, {
        in_stock: most,
      });
    }
    await shop.service.advance(31 * 60);
    expect((await me.read(read)).body.status).toBe(2);
    await shop.service.admin('POST', '/jobs/sweep/run');
    expect((await me.read(swept)).body.status).toBe(2);
    expect([await shop.stock(gd_no), await shop.stock(other)]).toEqual([most, most]);
  });
});
