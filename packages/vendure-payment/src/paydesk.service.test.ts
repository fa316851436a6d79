import type { CollectionOrder } from '@paydesk/sdk';
import type { Order, RequestContext } from '@vendure/core';
import { afterEach, expect, test, vi } from 'vitest';
import { PaydeskService } from './paydesk.service.ts';

/* Vendure is no part of this workspace. */

vi.mock('@nestjs/common', () => ({ Inject: () => () => undefined, Injectable: () => () => undefined }));
vi.mock('@vendure/core', () => ({
  LanguageCode: { en: 'en' },
  PaymentMethodService: 'PaymentMethodService',
  UserInputError: Error,
}));
vi.mock('./books.ts', () => ({ PaydeskBooks: 'PaydeskBooks' }));

afterEach(() => {
  vi.unstubAllGlobals();
});

const ctx = {} as RequestContext;
const order = { id: 1, code: 'ABC', currencyCode: 'USD', state: 'ArrangingPayment' } as unknown as Order;
const paid = {
  order_no: 'mp_1',
  external_reference: 'ABC',
  amount: '10.50',
  currency: 'USD',
  status: 'paid',
} as CollectionOrder;

/** A shop whose Paydesk has these orders, newest first, and what it does. */
function shopWith(known: readonly Partial<CollectionOrder>[], settings: Record<string, string> = {}) {
  const created: string[] = [];
  const applied: string[] = [];
  vi.stubGlobal('fetch', (address: string, { body }: { body?: string } = {}) => {
    const { pathname, searchParams } = new URL(address);
    if (pathname === '/oauth/token')
      return Promise.resolve(Response.json({ access_token: 'token', expires_in: 600 }));
    if (body !== undefined) {
      created.push((JSON.parse(body) as { idempotency_key: string }).idempotency_key);
      const made = { ...paid, order_no: 'mp_new', status: 'pending' };
      return Promise.resolve(Response.json(made, { status: 201 }));
    }
    if (pathname.endsWith('/mp_1')) return Promise.resolve(Response.json(paid));
    const limit = Number(searchParams.get('limit'));
    if (searchParams.get('created_from') === null)
      return Promise.resolve(Response.json({ items: known.slice(0, limit) }));
    // Page by page, oldest first.
    const from = Number(searchParams.get('cursor') ?? 0);
    const items = known.toReversed().slice(from, from + limit);
    const next_cursor = from + limit < known.length ? String(from + limit) : null;
    return Promise.resolve(Response.json({ items, next_cursor }));
  });
  const values = {
    ...{ base_url: 'https://pay.example', client_id: 'shop', client_secret: 's', notify_secret: 'n' },
    ...settings,
  };
  const args = Object.entries(values).map(([name, value]) => ({ name, value }));
  const service = new PaydeskService(
    {
      getMethodAndOperations: () =>
        Promise.resolve({ paymentMethod: { handler: { args } }, handler: { code: 'paydesk' } }),
    } as never,
    {
      ...{ decimals: 2, dueOf: () => 1_050n, read: () => Promise.resolve(order) },
      apply: (_ctx: RequestContext, _method: string, _settings: object, state: CollectionOrder) =>
        Promise.resolve(applied.push(state.order_no)),
    } as never,
  );
  return { service, created, applied };
}

test.each([
  ['does not accept them', 'false', ['ABC/10.5/USD/2']],
  ['accepts them', 'true', []],
])(
  'D-1412 an order of Vendure with a payment through a test channel, in a shop that %s',
  async (_shop, accept_test_mode, keys) => {
    const { service, created } = shopWith([{ ...paid, test_mode: true }], { accept_test_mode });
    await service.checkout(ctx, order, 'paydesk');
    expect(created).toEqual(keys);
  },
);

test('D-1388 a buyer who came back is asked about in all collection orders, however many there are', async () => {
  const known = Array.from({ length: 250 }, (_, i) => ({ ...paid, order_no: `mp_${250 - i}` }));
  const { service, applied } = shopWith(known);
  await service.check(ctx, order, 'paydesk');
  expect(applied).toHaveLength(250);
  expect(applied.at(-1)).toBe('mp_1');
});
