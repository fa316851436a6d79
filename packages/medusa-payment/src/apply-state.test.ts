import type { CollectionOrder } from '@paydesk/sdk';
import { expect, test, vi } from 'vitest';
import { apply } from './apply-state.ts';

/* Medusa is no part of this workspace. */

const made = vi.hoisted(() => ({ refunds: [] as string[], completed: [] as string[] }));

vi.mock('@medusajs/framework/utils', () => ({
  Modules: { PAYMENT: 'payment', LOCKING: 'locking', NOTIFICATION: 'notification' },
  ContainerRegistrationKeys: { QUERY: 'query', LOGGER: 'logger' },
}));
vi.mock('@medusajs/medusa/core-flows', () => ({
  completeCartWorkflow: () => ({
    run: ({ input }: { input: { id: string } }) => Promise.resolve(made.completed.push(input.id)),
  }),
  /** Reads the order of the payment first, and fails without one. */
  refundPaymentWorkflow: (container: { resolve: (name: string) => { orders: unknown[] } }) => ({
    run: ({ input }: { input: { payment_id: string } }) => {
      if (container.resolve('query').orders.length === 0) throw new Error('Order id not found: undefined');
      made.refunds.push(`${input.payment_id} with its order`);
      return Promise.resolve({});
    },
  }),
}));

/** A shop with a captured payment of the cart, its refunds, and its order if there is one. */
function shopWith(
  orders: { order_id: string }[],
  refunds: { raw_amount: unknown }[] = [],
  acquire = () => Promise.resolve(),
) {
  const payment = {
    id: 'pay_1',
    raw_amount: { value: '10.5' },
    data: { event_id: 'pe_1', status_version: 2 },
    captured_at: new Date(0),
    refunds,
  };
  const session = { provider_id: 'pp_paydesk_paydesk', raw_amount: '10.5', data: { order_no: 'mp_2' } };
  const collection = {
    id: 'paycol_1',
    currency_code: 'usd',
    raw_amount: { value: '10.5' },
    metadata: null,
    payment_sessions: [session],
    payments: [payment],
  };
  const linked: Record<string, unknown[]> = {
    payment_collection: [collection],
    order_payment_collection: orders,
    cart_payment_collection: [{ cart_id: 'cart_1' }],
  };
  const modules: Record<string, unknown> = {
    locking: {
      execute: (_key: string, work: () => Promise<unknown>) => work(),
      acquire,
      release: () => Promise.resolve(true),
    },
    logger: { error: () => undefined },
    notification: { createNotifications: () => Promise.resolve() },
    query: {
      orders,
      graph: ({ entity }: { entity: string }) => Promise.resolve({ data: linked[entity] }),
    },
    payment: {
      refundPayment: ({ payment_id, amount }: { payment_id: string; amount: string }) => {
        made.refunds.push(`${payment_id}: ${amount}`);
        return Promise.resolve();
      },
      updatePaymentCollections: () => Promise.resolve(),
    },
  };
  return { resolve: (name: string): never => modules[name] as never };
}

const refunded = {
  order_no: 'mp_1',
  external_reference: 'paycol_1',
  amount: '10.50',
  currency: 'USD',
  status: 'refunded',
  status_version: 3,
  test_mode: false,
  event_id: 'pe_1',
} as CollectionOrder;
const applied = (shop: ReturnType<typeof shopWith>, state: CollectionOrder) =>
  apply(shop, 'pp_paydesk_paydesk', state, { accept_test_mode: false });

test.each([
  ['with its order', [{ order_id: 'order_1' }], 'pay_1 with its order'],
  ['where the cart never became an order', [], 'pay_1: 10.50'],
])('D-1145 the refund of a payment is booked %s', async (_name, orders, booked) => {
  made.refunds.length = 0;
  expect(await applied(shopWith(orders), refunded)).toBe('refund');
  expect(made.refunds).toEqual([booked]);
});

test('D-1157 a cart that never became an order is completed by a new payment once the first was refunded', async () => {
  const again: CollectionOrder = { ...refunded, order_no: 'mp_2', event_id: 'pe_2', status: 'paid' };
  expect(await applied(shopWith([], [{ raw_amount: '10.5' }]), again)).toBe('complete');
  expect(made.completed).toEqual(['cart_1']);
});

test('D-1293 a completion that a buyer has begun is waited for: where it fails after the payment, it is told', async () => {
  vi.useFakeTimers();
  const orders = [{ order_id: 'order_1' }];
  let looks = 0;
  // Medusa holds the lock while it completes the cart, and gives up the order before it releases the lock.
  const acquire = (): Promise<void> => {
    looks += 1;
    if (looks === 3) orders.length = 0;
    return looks < 3 ? Promise.reject(new Error('it is locked')) : Promise.resolve();
  };
  const paid: CollectionOrder = { ...refunded, status: 'paid', status_version: 2 };
  const action = applied(shopWith(orders, [], acquire), paid);
  await vi.runAllTimersAsync();
  expect(await action).toBe('tell');
  vi.useRealTimers();
});
