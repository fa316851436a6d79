import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askDatabase } from '../../support/servers/database.ts';
import {
  addMerchant,
  addUser,
  busyMerchant,
  type Merchant,
  type Order,
  type Platform,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import { type Answer, eventually, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let stranger: Merchant;

beforeAll(async () => {
  service = await startTestService();
  platform = await setUpPlatform(service);
  merchant = await busyMerchant(service, platform.merchant_no, 3);
  const owner = await addUser(service, 'Stan Stranger');
  stranger = await busyMerchant(service, (await addMerchant(service, owner)).merchant_no, 1);
});

afterAll(() => service.stop());

interface Items {
  items: Order[];
}

const list = (query: string) => merchant.get<Items>(`/merchant-payments${query}`);

describe('reading', () => {
  test('R-053, R-127, R-030, R-043, R-045 an order before selection shows these members and no totals', async () => {
    const { order_no } = await merchant.order();
    const { status, body } = await merchant.read(order_no);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(
      [
        'amount',
        'amount_minor',
        'checkout_url',
        'currency',
        'currency_decimals',
        'expires_at',
        'external_reference',
        'fee_status',
        'fee_version',
        'gross_settlement_ptk',
        'merchant_fee_ptk',
        'occurred_at',
        'order_no',
        'payment_no',
        'status',
        'status_version',
        'test_mode',
      ].sort(),
    );
    expect(body).toMatchObject({
      status: 'pending',
      status_version: 1,
      occurred_at: null,
      fee_status: 'unselected',
      fee_version: 1,
      merchant_fee_ptk: '0',
      gross_settlement_ptk: '10000000000',
    });
  });

  test('R-042, R-044, R-046, R-047 an order restricted to a channel shows its quote from the start', async () => {
    const order = await merchant.order({ payment_no: ` ${platform.ptk_channel} ` });
    expect(order.payment_no).toBe(platform.ptk_channel);
    expect((await merchant.read(order.order_no)).body).toMatchObject({
      payment_no: platform.ptk_channel,
      fee_status: 'quoted',
      payment_amount: '100.00000000',
      payment_currency: 'PTK',
      buyer_fee: '0.00000000',
      merchant_fee: '0.00000000',
      merchant_fee_ptk: '0',
      settlement_ptk: '10000000000',
    });
  });

  test("R-297, R-014 unknown, malformed and another merchant's orders answer alike", async () => {
    const { order_no } = await merchant.order();
    const foreign = await stranger.read(order_no);
    expect(foreign.status).toBe(404);
    for (const number of ['mp_01HZZZZZZZZZZZZZZZZZZZZZZZ', 'co_1', 'x']) {
      const unknown = await stranger.read(number);
      expect(unknown.status).toBe(404);
      expect(unknown.text).toBe(foreign.text);
    }
    expect(foreign.body).toMatchObject({ error: 'payment_not_found' });
  });

  test('R-298 clients of one merchant read the same orders', async () => {
    const { order_no } = await merchant.order();
    for (let i = 0; i < 3; i++) expect((await merchant.read(order_no)).status).toBe(200);
  });

  test('R-013 there is no way to cancel or refund', async () => {
    const { order_no } = await merchant.order();
    for (const [method, path] of [
      ['POST', '/refund'],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const) {
      const { status } = await merchant.send(method, `/merchant-payments/${order_no}${path}`);
      expect([404, 405]).toContain(status);
    }
    expect((await merchant.read(order_no)).body.status).toBe('pending');
  });
});

describe('listing', () => {
  test('R-299, R-303 by reference, by number, by both; newest first; nothing but items', async () => {
    const first = await merchant.order({ external_reference: 'listed' });
    const second = await merchant.order({ external_reference: 'listed' });
    const both = await list('?external_reference=listed');
    expect(both.status).toBe(200);
    expect(Object.keys(both.body)).toEqual(['items']);
    expect(both.body.items.map(({ order_no }) => order_no)).toEqual([second.order_no, first.order_no]);
    expect((await list(`?order_no=${first.order_no}`)).body.items).toHaveLength(1);
    expect((await list(`?order_no=${first.order_no}&external_reference=listed`)).body.items).toHaveLength(1);
    expect((await list(`?order_no=${first.order_no}&external_reference=other`)).body.items).toEqual([]);
    expect(both.body.items[1]).toEqual((await merchant.read(first.order_no)).body);
  });

  test.each([[''], ['?external_reference='], ['?order_no=%20&external_reference=']])(
    'R-300 without a filter (%s) it is 400 invalid_request',
    async (query) => {
      expect(await list(query)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    },
  );

  test('R-301, R-293 a limit that is none counts as 20; 1 and 100 are honoured', async () => {
    for (let i = 0; i < 22; i++) await merchant.order({ external_reference: 'many' });
    const count = async (limit: string) =>
      (await list(`?external_reference=many&limit=${limit}`)).body.items.length;
    for (const limit of [
      'abc',
      '',
      '0',
      '101',
      '-1',
      '1.5',
      '1e1',
      '+5',
      '%205',
      '5&limit=5',
      '%00',
      '%ff',
      '%',
    ]) {
      expect([limit, await count(limit)]).toEqual([limit, 20]);
    }
    expect(await count('1')).toBe(1);
    expect(await count('100')).toBe(22);
  });

  test("R-302 another merchant's number gives an empty list", async () => {
    const { order_no } = await merchant.order();
    const { status, body } = await stranger.get<Items>(`/merchant-payments?order_no=${order_no}`);
    expect(status).toBe(200);
    expect(body.items).toEqual([]);
  });

  test('R-305 the reference is matched exactly, case and all', async () => {
    await merchant.order({ external_reference: 'Exact%_1' });
    expect((await list('?external_reference=Exact%25_1')).body.items).toHaveLength(1);
    expect((await list('?external_reference=exact%25_1')).body.items).toHaveLength(0);
    expect((await list('?external_reference=Exact')).body.items).toHaveLength(0);
  });
});

describe('D-203 listing by creation', () => {
  const instants: string[] = [];
  const numbers: string[] = [];
  /** Every page of a list, as numbers. */
  async function pages(query: string): Promise<string[][]> {
    const found: string[][] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { status, body }: Answer<Items & { next_cursor?: string }> = await list(
        `${query}&cursor=${cursor}`,
      );
      expect(status).toBe(200);
      found.push(body.items.map(({ order_no }) => order_no));
      cursor = body.next_cursor;
    }
    return found;
  }

  beforeAll(async () => {
    for (let i = 0; i < 5; i++) {
      await service.advance(1);
      const { now } = await service.admin<{ now: string }>('GET', '/test-clock');
      instants.push(now);
      numbers.push((await merchant.order({ external_reference: `by time ${i % 2}` })).order_no);
    }
  });

  test('lists all orders of a span, oldest first, page by page; from is included, to is not', async () => {
    const [first = '', , , fourth = ''] = instants;
    expect(await pages(`?created_from=${first}&limit=2`)).toEqual([
      numbers.slice(0, 2),
      numbers.slice(2, 4),
      numbers.slice(4),
    ]);
    expect(await pages(`?created_from=${first}&created_to=${fourth}`)).toEqual([numbers.slice(0, 3)]);
    const [row] = await askDatabase<{ created_at: Date }>(
      service.database.url,
      'SELECT created_at FROM collection_orders WHERE order_no = $1',
      [numbers[0]],
    );
    const at = row?.created_at.toISOString() ?? '';
    expect((await pages(`?created_from=${at}&limit=1`))[0]).toEqual([numbers[0]]);
    expect((await pages(`?created_to=${at}`)).flat()).not.toContain(numbers[0]);
  });

  test('references and numbers narrow it; another merchant sees nothing of it', async () => {
    const [first = ''] = instants;
    const narrowed = `?created_from=${first}&external_reference=by%20time%201`;
    expect(await pages(narrowed)).toEqual([[numbers[1], numbers[3]]]);
    expect(await pages(`${narrowed}&order_no=${numbers[3] ?? ''}`)).toEqual([[numbers[3]]]);
    const { body } = await stranger.get<Items>(`/merchant-payments?created_from=${first}`);
    expect(body.items).toEqual([]);
  });

  test.each([
    ['created_from', 'yesterday'],
    ['created_from', '2026-02-30T00:00:00Z'],
    ['created_to', '1767323045'],
    ['created_to', '2026-03-01T00:00:00Z&created_to=2026-03-02T00:00:00Z'],
    ['cursor', 'eA'],
  ])('a malformed %s (%s) is 400 with its name', async (field, value) => {
    expect(await list(`?${field}=${value}`)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', field },
    });
  });
});

describe('expiry', () => {
  test('R-177, R-178, R-196 the first read at the deadline shows expired, also with many readers', async () => {
    const { order_no } = await merchant.order({ expires_in: 60 });
    await service.advance(60);
    const answers = await Promise.all(Array.from({ length: 6 }, () => merchant.read(order_no)));
    for (const { body } of answers) expect(body).toMatchObject({ status: 'expired', status_version: 2 });
  });

  test('R-304 the list expires overdue orders', async () => {
    await merchant.order({ expires_in: 60, external_reference: 'lapsing' });
    await service.advance(60);
    expect((await list('?external_reference=lapsing')).body.items[0]).toMatchObject({ status: 'expired' });
  });

  test('R-177, R-193, R-195 two concurrent sweeps move each overdue order once', async () => {
    const orders = [];
    for (let i = 0; i < 12; i++) orders.push(await merchant.order({ expires_in: 60 }));
    await service.advance(61);
    await Promise.all([1, 2, 3].map(() => service.admin('POST', '/jobs/sweep/run')));
    for (const { order_no } of orders) {
      const { body } = await eventually(
        () => merchant.read(order_no),
        (answer) => answer.body.status === 'expired',
      );
      expect(body.status_version).toBe(2);
    }
  });
});

describe('the channel directory', () => {
  test('R-150, R-151, R-153 the directory lists the usable channels, without quotes', async () => {
    const { status, body } = await merchant.get<{ items: unknown[] }>('/merchant-payment-channels?x=1');
    expect(status).toBe(200);
    expect(body.items).toEqual([
      {
        payment_no: platform.ptk_channel,
        name: 'PTK wallet',
        provider: 'ptk',
        owner: 'platform',
        currency: 'PTK',
        login_required: true,
        test_mode: false,
      },
    ]);
  });

  test('R-150, R-158 it is empty where every channel is disabled', async () => {
    await service.admin('PATCH', `/channels/${platform.ptk_channel}`, { enabled: false });
    expect((await merchant.get('/merchant-payment-channels')).body).toEqual({ items: [] });
    const answer = await merchant.create({
      external_reference: 'a',
      idempotency_key: 'nobody-can-pay',
      amount: '1',
      currency: 'USD',
    });
    expect(answer).toMatchObject({ status: 422, body: { error: 'channel_unavailable' } });
    await service.admin('PATCH', `/channels/${platform.ptk_channel}`, { enabled: true });
  });
});
