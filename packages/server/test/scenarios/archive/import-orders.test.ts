import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CollectionOrder } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import type { Database } from '../../../src/base/pg/index.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { importOrders } from '../../../src/collection/importing/import-orders.ts';
import {
  addMerchant,
  checkoutOf,
  type Merchant,
  merchantOf,
  type Platform,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import { type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { temporaryDirectory } from '../../support/run/temporary.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let directory: { path: string; remove(): Promise<void> };
let printed: string[];
let refusals: string[];

beforeAll(async () => {
  directory = await temporaryDirectory('import');
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  platform = await setUpPlatform(service);
  merchant = await merchantOf(service, platform.client);
});

afterAll(async () => {
  await service.stop();
  await directory.remove();
});

beforeEach(() => {
  [printed, refusals] = [[], []];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  vi.spyOn(console, 'error').mockImplementation((line: string) => void refusals.push(line));
});

afterEach(() => vi.restoreAllMocks());

let files = 0;

/** Imports lines: objects as JSON, texts as they are. */
async function importLines(lines: (Json | string)[], ...options: string[]): Promise<number> {
  const file = join(directory.path, `orders-${files++}.jsonl`);
  await writeFile(
    file,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return command(file, ...options);
}

const command = (...args: string[]): Promise<number> =>
  runCommand(['import-orders', ...args], {
    DATABASE_URL: service.database.url,
    PAYDESK_SECRET_KEY: service.secret_key.toString('base64'),
  });

/** A paid order of an older system, identified by its number. */
const paidLine = (order_no: string, change: Json = {}): Json => ({
  merchant_no: platform.merchant_no,
  order_no,
  idempotency_key: `key of ${order_no}`,
  external_reference: 'INV-old',
  amount: '10.00',
  currency: 'USD',
  currency_decimals: 2,
  status: 'paid',
  created_at: '2019-03-02T09:30:00Z',
  expires_at: '2019-03-05T09:30:00Z',
  payment_no: 'old-card',
  payment_currency: 'USD',
  payment_currency_decimals: 2,
  payment_amount: '10.60',
  buyer_fee: '0.60',
  event_id: `event-of-${order_no}`,
  provider_trade_no: `trade-of-${order_no}`,
  occurred_at: '2019-03-02T17:31:12+08:00',
  ...change,
});

const pendingLine = (order_no: string, change: Json = {}): Json => ({
  merchant_no: platform.merchant_no,
  order_no,
  external_reference: 'INV-open',
  amount: '1000',
  currency: 'JPY',
  currency_decimals: 0,
  status: 'pending',
  created_at: '2019-03-02T09:30:00Z',
  expires_at: '2080-01-01T00:00:00Z',
  ...change,
});

describe('imported orders', () => {
  test('R-031, R-042, R-043, R-128, R-194, D-049 a paid order reads as it was recorded', async () => {
    expect(await importLines([paidLine('2019-000001')])).toBe(0);
    expect(printed).toEqual(['1 lines: 1 imported, 0 there already, 0 refused.']);
    const { body } = await merchant.read('2019-000001');
    expect(Check(CollectionOrder, body)).toBe(true);
    const { checkout_url, ...rest } = body;
    expect(rest).toEqual({
      order_no: '2019-000001',
      external_reference: 'INV-old',
      payment_no: 'old-card',
      amount: '10.00',
      amount_minor: 1_000,
      currency: 'USD',
      currency_decimals: 2,
      status: 'paid',
      test_mode: false,
      expires_at: '2019-03-05T09:30:00.000Z',
      status_version: 0,
      event_id: 'event-of-2019-000001',
      provider_trade_no: 'trade-of-2019-000001',
      occurred_at: '2019-03-02T17:31:12+08:00',
      fee_status: 'legacy',
      fee_version: 0,
      payment_currency: 'USD',
      payment_amount: '10.60',
      buyer_fee: '0.60',
      merchant_fee_ptk: '0',
      gross_settlement_ptk: '0',
    });
    expect(checkout_url).toContain('/checkout/2019-000001?token=');
  });

  test('R-014, R-299 it is listed, detailed, has no records, and its checkout shows that it is paid', async () => {
    await importLines([
      paidLine('2019-000002', { settlement_ptk: '90', gross_settlement_ptk: '100', merchant_fee_ptk: '10' }),
    ]);
    const list = await merchant.get<{ items: Json[] }>('/merchant-payments?external_reference=INV-old');
    expect(list.body.items).toContainEqual(
      expect.objectContaining({ order_no: '2019-000002', settlement_ptk: '90', fee_status: 'legacy' }),
    );
    const detail = await service.admin('GET', '/collection-orders/2019-000002');
    expect(detail).toMatchObject({
      order: { status: 'paid', ptk_price: null, fee_version: 0 },
      quotes: [],
      attempts: [],
      postings: [],
      notifications: [],
    });
    const order = (await merchant.read('2019-000002')).body;
    expect((await checkoutOf(service, order).state()).body).toMatchObject({ status: 'paid', methods: [] });
    expect(
      (await service.send('GET', new URL(order.checkout_url).pathname + new URL(order.checkout_url).search))
        .status,
    ).toBe(200);
  });

  test('D-1282 it has no time of a payment here, also where its event is of another Paydesk', async () => {
    const event_id = 'pe_01JNXW5R3M8Q4T0ZB6Y2C7D9EF';
    expect(await importLines([paidLine('mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF', { event_id })])).toBe(0);
    const list = await service.admin<{ items: Json[] }>('GET', `/collection-orders?q=${event_id}`);
    expect(list.items).toMatchObject([{ event_id, status: 'paid', paid_at: null }]);
  });

  test('R-299 D-1122 it is listed by its time among the orders of its reference, whatever its number', async () => {
    const external_reference = 'INV-both';
    const lines = [
      { order_no: 'order-9', created_at: '2019-03-02T09:30:00Z' },
      { order_no: 'order-10', created_at: '2019-03-02T09:31:00Z' },
    ].map(({ order_no, created_at }) => paidLine(order_no, { external_reference, created_at }));
    expect(await importLines(lines)).toBe(0);
    const made = await merchant.order({ external_reference });
    const listed = async (limit: number): Promise<unknown[]> => {
      const path = `/merchant-payments?external_reference=${external_reference}&limit=${limit}`;
      const { body } = await merchant.get<{ items: Json[] }>(path);
      return body.items.map(({ order_no }) => order_no);
    };
    expect(await listed(20)).toEqual([made.order_no, 'order-10', 'order-9']);
    expect(await listed(2)).toEqual([made.order_no, 'order-10']);
  });

  test('R-128 a pending one keeps its deadline, has no method to pay by, and moves from version 0 to 1', async () => {
    await importLines([
      pendingLine('2019-000003', { expires_at: '2019-03-09T09:30:00Z' }),
      pendingLine('2019-000004'),
    ]);
    expect((await merchant.read('2019-000003')).body).toMatchObject({
      status: 'expired',
      status_version: 1,
      fee_status: 'legacy',
      fee_version: 0,
      payment_no: '',
    });
    const { body: order } = await merchant.read('2019-000004');
    expect(order).toMatchObject({
      status: 'pending',
      status_version: 0,
      expires_at: '2080-01-01T00:00:00.000Z',
    });
    const checkout = checkoutOf(service, order);
    expect((await checkout.state()).body).toMatchObject({ status: 'pending', methods: [], attempt: null });
    const page = await service.send(
      'GET',
      new URL(order.checkout_url).pathname + new URL(order.checkout_url).search,
    );
    expect([page.status, page.text.includes('JPY')]).toEqual([200, true]);
    const started = await checkout.start('pm_none');
    expect([started.status, started.body.error]).toEqual([422, 'channel_unavailable']);
    expect((await merchant.read('2019-000004')).body).toMatchObject({ status: 'pending', status_version: 0 });
  });

  test('R-101 a retry of the creation it came from meets it', async () => {
    await importLines([
      paidLine('2019-000005', { idempotency_key: 'retried', expires_at: '2019-03-02T10:00:00Z' }),
    ]);
    const request = {
      external_reference: 'INV-old',
      idempotency_key: 'retried',
      amount: '10',
      currency: 'USD',
    };
    expect((await merchant.create(request)).body.order_no).toBe('2019-000005');
    expect((await merchant.create({ ...request, amount: '11' })).status).toBe(409);
  });

  test('D-194 each import is in the audit log once', async () => {
    await importLines([paidLine('2019-000006'), paidLine('2019-000007')]);
    const { items } = await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=1');
    expect(items[0]).toMatchObject({
      actor: 'command',
      action: 'orders.import',
      after: { imported: 2, refused: 0 },
    });
  });

  test('D-1196 an import that is interrupted is in the audit log, too', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => pendingLine(`2019-7${String(i).padStart(5, '0')}`));
    vi.spyOn(console, 'error').mockImplementationOnce(() => {
      throw new Error('the terminal has gone');
    });
    expect(await importLines([...lines, paidLine('2019-refused', { currency: 'usd' })])).toBe(1);
    expect((await merchant.read('2019-700499')).status).toBe(200);
    const { items } = await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=1');
    expect(items).toMatchObject([
      { action: 'orders.import', target: `file:orders-${files - 1}.jsonl`, after: null },
    ]);
  });
});

describe('a line is refused with its number and the member at fault', () => {
  const cases: [string, Json | string, string][] = [
    ['no JSON', '{"order_no": ', 'line 1: The line is not well-formed JSON'],
    ['no object', '[]', 'line 1: line: A line is one JSON object'],
    ['a duplicate member', '{"order_no": "a", "order_no": "a"}', 'line 1: The line is not well-formed'],
    ['too long', ' '.repeat(70_000) + 'x', 'line 1: The line is too long'],
    ['an unknown member', { surprise: 1 }, 'line 1: surprise: '],
    [
      'no merchant',
      { merchant_no: 'mr_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
      'line 1: merchant_no: There is no merchant',
    ],
    ['a merchant that is none', { merchant_no: 'Bookshop' }, 'line 1: merchant_no: '],
    ['no number', { order_no: null }, 'line 1: order_no: '],
    ['a number as a number', { order_no: 17 }, 'line 1: order_no: '],
    ['a catalog number', { order_no: 'co_1' }, 'line 1: order_no: '],
    ['a number with a slash', { order_no: 'a/b' }, 'line 1: order_no: '],
    ['a long reference', { external_reference: 'x'.repeat(192) }, 'line 1: external_reference: '],
    ['a number for an amount', { amount: 10 }, 'line 1: amount: '],
    ['too precise an amount', { amount: '10.001' }, 'line 1: amount: '],
    ['an amount of nothing', { amount: '0.00' }, 'line 1: amount: '],
    ['an amount beyond exactness', { amount: '90071992547409.92' }, 'line 1: amount: '],
    ['a lower-case currency', { currency: 'usd' }, 'line 1: currency: '],
    ['no precision', { currency_decimals: undefined }, 'line 1: currency_decimals: '],
    ['too much precision', { currency_decimals: 9 }, 'line 1: currency_decimals: '],
    ['R-024 PTK with other decimals than it has', { currency: 'PTK' }, 'line 1: currency_decimals: '],
    ['a status of no order', { status: 'cancelled' }, 'line 1: status: '],
    ['a day that never was', { created_at: '2019-02-30T00:00:00Z' }, 'line 1: created_at: '],
    ['made in the future', { created_at: '2098-01-01T00:00:00Z' }, 'line 1: created_at: '],
    ['ended before it began', { expires_at: '2019-03-01T00:00:00Z' }, 'line 1: expires_at: '],
    ['paid without an event', { event_id: undefined }, 'line 1: event_id: '],
    ['paid at no time', { occurred_at: undefined }, 'line 1: occurred_at: '],
    ['paid in the future', { occurred_at: '2098-01-01T00:00:00Z' }, 'line 1: occurred_at: '],
    ['an event without a payment', { status: 'expired' }, 'line 1: event_id: event_id belongs to'],
    ['fees in no currency', { payment_currency: undefined }, 'line 1: payment_currency_decimals: '],
    ['more fee than payment', { buyer_fee: '10.61' }, 'line 1: buyer_fee: '],
    ['a decimal where digits belong', { merchant_fee_ptk: '1.5' }, 'line 1: merchant_fee_ptk: '],
    [
      'a net that does not add up',
      { settlement_ptk: '5', gross_settlement_ptk: '6' },
      'line 1: settlement_ptk: ',
    ],
    ['a plain return address', { return_url: 'http://shop.example' }, 'line 1: return_url: '],
    ['a flag as a text', { test_mode: 'no' }, 'line 1: test_mode: '],
  ];

  test.each(cases)('%s', async (_, change, message) => {
    const line = typeof change === 'string' ? change : paidLine('2019-refused', change);
    expect(await importLines([line])).toBe(1);
    expect(refusals).toEqual([expect.stringContaining(message)]);
    expect(printed).toEqual(['1 lines: 0 imported, 0 there already, 1 refused.']);
    expect((await merchant.read('2019-refused')).status).toBe(404);
  });

  test('the others of its batch are still stored, and lines keep their numbers', async () => {
    const bad = paidLine('2019-100002', { currency: 'usd' });
    expect(await importLines([paidLine('2019-100001'), '', bad, '  \r', paidLine('2019-100003')])).toBe(1);
    expect(refusals).toEqual([expect.stringContaining('line 3: currency: ')]);
    expect(printed).toEqual(['3 lines: 2 imported, 0 there already, 1 refused.']);
    const statuses = await Promise.all(
      ['2019-100001', '2019-100002', '2019-100003'].map(async (no) => (await merchant.read(no)).status),
    );
    expect(statuses).toEqual([200, 404, 200]);
  });
});

describe('an import that is repeated', () => {
  test('identical orders are skipped, also if they have changed here since', async () => {
    const lines = [
      paidLine('2019-200001'),
      pendingLine('2019-200002', { expires_at: '2019-03-03T00:00:00Z' }),
    ];
    expect(await importLines(lines)).toBe(0);
    expect((await merchant.read('2019-200002')).body).toMatchObject({ status: 'expired', status_version: 1 });
    expect(await importLines([...lines, paidLine('2019-200003'), paidLine('2019-200003')])).toBe(0);
    expect(printed.at(-1)).toBe('4 lines: 1 imported, 3 there already, 0 refused.');
  });

  test('different orders are refused, with the differing member', async () => {
    await importLines([paidLine('2019-300001')]);
    const changed = paidLine('2019-300001', { amount: '11.00', description: 'Now with words' });
    expect(await importLines([changed])).toBe(1);
    expect(refusals[0]).toMatch(
      /^line 1: description: Order 2019-300001 .* with another description, amount_minor\.$/,
    );
    expect((await merchant.read('2019-300001')).body).toMatchObject({ amount: '10.00' });
  });

  test('R-021, R-038, R-100 refuses a number, key, event or trade number that another order has', async () => {
    const { merchant_no } = await addMerchant(service, platform.owner);
    await importLines([paidLine('2019-400001')]);
    const own = await merchant.order();
    const taken = [
      paidLine('2019-400001', { merchant_no }),
      paidLine(own.order_no),
      paidLine('2019-400002', { idempotency_key: 'key of 2019-400001' }),
      paidLine('2019-400003', { merchant_no, event_id: 'event-of-2019-400001' }),
      paidLine('2019-400004', { provider_trade_no: 'trade-of-2019-400001' }),
      paidLine('2019-400005'),
      paidLine('2019-400006', { event_id: 'event-of-2019-400005' }),
    ];
    expect(await importLines(taken)).toBe(1);
    expect(refusals).toEqual([
      'line 1: order_no: Order 2019-400001 is another merchant’s.',
      `line 2: order_no: Order ${own.order_no} was made here and is not historical.`,
      'line 3: idempotency_key: idempotency_key is already used by order 2019-400001.',
      'line 4: event_id: event_id is already used by order 2019-400001.',
      'line 5: provider_trade_no: provider_trade_no is already used by order 2019-400001.',
      'line 7: event_id: event_id is already used by order 2019-400005.',
    ]);
    expect(printed.slice(1)).toEqual(['7 lines: 1 imported, 0 there already, 6 refused.']);
  });

  test('R-038, D-480 refuses the trade number of an order that was paid in PTK', async () => {
    const provider_trade_no = 'PTK:2019-410001';
    await importLines([paidLine('2019-410001', { provider_trade_no })]);
    expect(await importLines([paidLine('2019-410002', { provider_trade_no })])).toBe(1);
    expect(refusals).toEqual([
      'line 1: provider_trade_no: provider_trade_no is already used by order 2019-410001.',
    ]);
  });
});

test('--dry-run judges as the import would, and stores nothing', async () => {
  const lines = [
    paidLine('2019-500001'),
    paidLine('2019-500002', { currency: 'usd' }),
    paidLine('2019-500001'),
  ];
  expect(await importLines(lines, '--dry-run')).toBe(1);
  expect(printed).toEqual(['3 lines: 1 would be imported, 1 there already, 1 refused.']);
  expect((await merchant.read('2019-500001')).status).toBe(404);
});

test('D-1463 of two imports of the same orders at once, neither refuses a line', async () => {
  const lines = Array.from({ length: 100 }, (_, i) => paidLine(`2019-9${String(i).padStart(5, '0')}`));
  expect(await Promise.all([importLines(lines), importLines(lines)])).toEqual([0, 0]);
  expect(refusals).toEqual([]);
});

test('D-1463 an order that another import stores between two statements of this one is known', async () => {
  const line = paidLine('2019-990001');
  let other: Promise<unknown> | undefined;
  const db: Database = {
    ...service.db,
    transaction: (work) =>
      service.db.transaction((tx) =>
        work({
          ...tx,
          async query(statement) {
            if (other !== undefined) {
              await other;
              return tx.query(statement);
            }
            const rows = tx.query(statement);
            other = rows.then(() => importLines([line]));
            return rows as never;
          },
        }),
      ),
  };
  const deps = { db, clock: new OffsetClock(), token_key_id: 'k', merchants: new Map(), dry_run: false };
  const lines = [{ number: 1, bytes: Buffer.from(JSON.stringify(line)) }];
  expect(await importOrders(deps, lines)).toEqual({ imported: 0, known: 1, refused: [] });
  expect(await other).toBe(0);
});

test('more lines than one batch holds', async () => {
  const lines = Array.from({ length: 1_201 }, (_, i) => pendingLine(`2019-6${String(i).padStart(5, '0')}`));
  expect(await importLines(lines)).toBe(0);
  expect(printed).toEqual(['1201 lines: 1201 imported, 0 there already, 0 refused.']);
  expect((await merchant.read('2019-601200')).status).toBe(200);
});

test('a missing or unreadable file is reported in one sentence', async () => {
  expect(await command('/nowhere/orders.jsonl')).toBe(1);
  expect(await command()).toBe(2);
  expect(refusals).toEqual([
    'The file /nowhere/orders.jsonl cannot be read.',
    'One FILE.jsonl is needed. See "paydesk import-orders --help".',
  ]);
});

test('R-147 verify-ledger knows that historical payments were settled elsewhere', async () => {
  const { ok } = await service.admin<{ ok: boolean }>('GET', '/ledger/verification');
  expect(ok).toBe(true);
});
