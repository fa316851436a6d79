import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { PaydeskClient } from '../client/client.ts';
import { PaydeskError } from '../paydesk-error.ts';
import type { CollectionOrder, CreatedOrder, CreateOrderInput, Notification, OrderFilter } from '../types.ts';
import { collect, decimalOfMinor, minorOfDecimal, readNotified } from './index.ts';

const wanted = { external_reference: 'SO-1', amount: '10.00', currency: 'USD' };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
type Known = Partial<CollectionOrder>;
const order = (more: Known): CollectionOrder =>
  ({ ...wanted, order_no: 'mp_1', status: 'pending', ...more }) as CollectionOrder;

/** So many orders, newest first. */
const numbered = (count: number, more: Known): Known[] =>
  Array.from({ length: count }, (_, i) => ({ ...more, order_no: `mp_${count - i}` }));

/** The result of `collect` beside these orders, and the orders that it creates. */
async function collected(known: Known[], more: Record<string, unknown> = {}) {
  const createOrder = vi.fn((input: CreateOrderInput) =>
    Promise.resolve({ ...order({ order_no: 'new' }), ...input } as CreatedOrder),
  );
  const listOrders = vi.fn(({ limit = 20 }: OrderFilter) =>
    Promise.resolve(known.map(order).slice(0, limit)),
  );
  async function* orders() {
    for (const one of known.map(order).reverse()) yield await Promise.resolve(one);
  }
  const { order_no } = await collect({ createOrder, listOrders, orders }, { ...wanted, ...more });
  return { order_no, key: createOrder.mock.calls[0]?.[0].idempotency_key };
}

describe('D-365 one collection order for each cart and amount', () => {
  test.each<[string, Known[], string, string?]>([
    ['no order yet: the first is created', [], 'new', 'SO-1/10/USD/1'],
    ['an order that can be paid is kept', [{ amount: '10' }], 'mp_1'],
    ['a paid one comes before all others', [{}, { order_no: 'mp_0', status: 'paid' }], 'mp_0'],
    ['the outcome of one is open: no other is created', [{ status: 'review', amount: '7.00' }], 'mp_1'],
    ['R-019 a status of a later version may be a payment', [{ status: 'on_hold' }], 'mp_1'],
    ['after an expired one the next has a new key', [{ status: 'expired' }], 'new', 'SO-1/10/USD/2'],
    ['after a refunded one as well', [{ status: 'refunded' }], 'new', 'SO-1/10/USD/2'],
    ['the price has changed: an order of its own', [{ amount: '7.00' }], 'new', 'SO-1/10/USD/1'],
    ['a payment of another price is none', [{ amount: '7.00', status: 'paid' }], 'new', 'SO-1/10/USD/1'],
    ['the currency has changed: an order of its own', [{ currency: 'JPY' }], 'new', 'SO-1/10/USD/1'],
    [
      'D-1133 a paid one counts, however many were made after it',
      [...numbered(150, { amount: '7.00', status: 'expired' }), { order_no: 'mp_0', status: 'paid' }],
      'mp_0',
    ],
    [
      'D-1133 after many expired ones the next has a new key',
      numbered(150, { status: 'expired' }),
      'new',
      'SO-1/10/USD/151',
    ],
  ])('%s', async (_name, known, order_no, key) => {
    expect(await collected(known)).toEqual({ order_no, key });
  });

  test('D-1412 a payment through a test channel pays the cart only where the shop accepts it', async () => {
    const known: Known[] = [{ status: 'paid', test_mode: true }];
    expect(await collected(known)).toEqual({ order_no: 'mp_1' });
    const real = { order_no: 'new', key: 'SO-1/10/USD/2' };
    expect(await collected(known, { accept_test_mode: false })).toEqual(real);
    const both: Known[] = [{ order_no: 'mp_2', status: 'paid' }, ...known];
    expect(await collected(both, { accept_test_mode: false })).toEqual({ order_no: 'mp_2' });
  });

  test('settings that are empty are not sent', async () => {
    const createOrder = vi.fn(() => Promise.resolve(order({})));
    const orders = vi.fn<PaydeskClient['orders']>();
    const client = { createOrder, listOrders: () => Promise.resolve([]), orders };
    const empty = { payment_no: '', return_url: undefined, accept_test_mode: false };
    await collect(client, { ...wanted, ...empty, expires_in: 600 });
    expect(createOrder).toHaveBeenCalledWith({
      ...wanted,
      idempotency_key: 'SO-1/10/USD/1',
      expires_in: 600,
    });
  });
});

describe('D-927 the order of a notification', () => {
  const read = (test_mode: boolean, answer: Promise<CollectionOrder>) =>
    readNotified({ getOrder: () => answer }, {
      data: { ...wanted, order_no: 'mp_1', test_mode },
    } as Notification);
  const refusal = (status: number, code: string) => Promise.reject(new PaydeskError({ status, code }));

  test('is read, and a test event of the console has none', async () => {
    expect(await read(true, Promise.resolve(order({ status: 'paid' })))).toMatchObject({ status: 'paid' });
    expect(await read(true, refusal(404, 'payment_not_found'))).toBeNull();
  });

  test('is asked for again where it must exist, or where Paydesk does not answer', async () => {
    await expect(read(false, refusal(404, 'payment_not_found'))).rejects.toThrow('payment_not_found');
    await expect(read(true, refusal(404, 'invalid_response'))).rejects.toThrow('invalid_response');
    await expect(read(true, refusal(0, 'timeout'))).rejects.toThrow('timeout');
  });
});

describe('D-338 the key of a cart has at most 128 bytes, for every reference', () => {
  const last = '/10/USD/1';
  test.each<[string, string, string]>([
    ['as long as it fits, it begins with the reference', 'r'.repeat(119), `${'r'.repeat(119)}${last}`],
    ['bytes count, not letters', 'ä'.repeat(60), `${sha256('ä'.repeat(60))}${last}`],
    ['a longer one becomes its digest', 'r'.repeat(191), `${sha256('r'.repeat(191))}${last}`],
  ])('%s', async (_name, external_reference, key) => {
    expect(await collected([], { external_reference })).toEqual({ order_no: 'new', key });
  });
});

describe('D-366 amounts of shop systems', () => {
  test.each<[bigint, number, string]>([
    [0n, 2, '0.00'],
    [5n, 2, '0.05'],
    [1050n, 2, '10.50'],
    [1050n, 0, '1050'],
    [123_456_789_012_345_678n, 3, '123456789012345.678'],
  ])('%d with %d decimals is %s, both ways', (minor, decimals, text) => {
    expect(decimalOfMinor(minor, decimals)).toBe(text);
    expect(minorOfDecimal(text, decimals)).toBe(minor);
  });

  test('what the shop cannot keep is refused, not rounded', () => {
    expect(minorOfDecimal('10.500', 2)).toBe(1050n);
    expect(() => minorOfDecimal('10.505', 2)).toThrow(RangeError);
    expect(() => minorOfDecimal('1e3', 2)).toThrow(TypeError);
    expect(() => decimalOfMinor(-1n, 2)).toThrow(RangeError);
  });
});
