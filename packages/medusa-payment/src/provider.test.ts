import type { CollectionOrder } from '@paydesk/sdk';
import { afterEach, expect, test, vi } from 'vitest';
import { PaydeskPaymentProvider } from './provider.ts';

// Medusa is no part of this workspace. Its own base class keeps the container.
vi.mock('@medusajs/framework/utils', () => ({
  AbstractPaymentProvider: class {
    readonly container: unknown;
    constructor(container: unknown) {
      this.container = container;
    }
  },
  MedusaError: Error,
}));

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A provider whose Paydesk has only this order. */
function providerWith(order: Partial<CollectionOrder>, created: string[] = []): PaydeskPaymentProvider {
  vi.stubGlobal('fetch', (address: string, { method, body }: { method?: string; body?: string } = {}) => {
    const { pathname } = new URL(address);
    const token = { access_token: 'token', expires_in: 600 };
    if (method === 'POST' && pathname.endsWith('/merchant-payments')) {
      created.push((JSON.parse(body ?? '') as { idempotency_key: string }).idempotency_key);
      return Promise.resolve(
        Response.json({ ...order, order_no: 'mp_2', status: 'pending' }, { status: 201 }),
      );
    }
    const orders = pathname.endsWith('/merchant-payments') ? { items: [order] } : order;
    return Promise.resolve(Response.json(pathname === '/oauth/token' ? token : orders));
  });
  const container = {
    paymentSessionService: { retrieve: () => Promise.resolve({ payment_collection_id: 'paycol_1' }) },
    paymentService: { list: () => Promise.resolve([]) },
  };
  const base_url = 'https://pay.example';
  return new PaydeskPaymentProvider(container, {
    base_url,
    client_id: 'shop',
    client_secret: 's',
    notify_secret: 'n',
  });
}

test.each([
  ['21.00', 'USD', 'pending'],
  ['7.00', 'EUR', 'pending'],
  ['7', 'USD', 'captured'],
])(
  'D-367 an order of 7.00 USD whose outcome was open pays a session of %s %s: %s',
  async (amount, currency_code, status) => {
    const order: Partial<CollectionOrder> = {
      order_no: 'mp_1',
      external_reference: 'paycol_1',
      amount: '7.00',
      currency: 'USD',
      status: 'review',
      test_mode: false,
    };
    const provider = providerWith(order);
    const input = { amount, currency_code: currency_code.toLowerCase(), data: { session_id: 'payses_1' } };
    const { data } = await provider.initiatePayment(input);
    expect(data['order_no']).toBe('mp_1');
    Object.assign(order, { status: 'paid', event_id: 'pe_1' });
    expect(await provider.authorizePayment({ data })).toMatchObject({ status });
  },
);

test('D-1412 a cart that a test payment did not pay gets an order that can be paid', async () => {
  const order: Partial<CollectionOrder> = {
    order_no: 'mp_1',
    external_reference: 'paycol_1',
    amount: '7.00',
    currency: 'USD',
    status: 'paid',
    test_mode: true,
  };
  const sent: string[] = [];
  const provider = providerWith(order, sent);
  const input = { amount: '7.00', currency_code: 'usd', data: { session_id: 'payses_1' } };
  await provider.initiatePayment(input);
  expect(sent).toEqual(['paycol_1/7/USD/2']);
});
