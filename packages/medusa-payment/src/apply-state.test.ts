import type { CollectionOrder } from '@paydesk/sdk';
import { expect, test, vi } from 'vitest';
import { apply } from './apply-state.ts';

/* Medusa is no part of this workspace. */

const made = vi.hoisted(() => ({ refunds: [] as string[] }));

vi.mock('@medusajs/framework/utils', () => ({
  Modules: { PAYMENT: 'payment', LOCKING: 'locking' },
  ContainerRegistrationKeys: { QUERY: 'query' },
}));
vi.mock('@medusajs/medusa/core-flows', () => ({
  /** Reads the order of the payment first, and fails without one. */
  refundPaymentWorkflow: (container: { resolve: (name: string) => { orders: unknown[] } }) => ({
    run: ({ input }: { input: { payment_id: string } }) => {
      if (container.resolve('query').orders.length === 0) throw new Error('Order id not found: undefined');
      made.refunds.push(`${input.payment_id} with its order`);
      return Promise.resolve({});
    },
  }),
}));

/** A shop with a captured payment of the cart, and its order if there is one. */
function shopWith(orders: { order_id: string }[]) {
  const payment = {
    id: 'pay_1',
    raw_amount: { value: '10.5' },
    data: { event_id: 'pe_1', status_version: 2 },
    captured_at: new Date(0),
    refunds: [],
  };
  const collection = {
    id: 'paycol_1',
    currency_code: 'usd',
    raw_amount: { value: '10.5' },
    metadata: null,
    payment_sessions: [],
    payments: [payment],
  };
  const modules: Record<string, unknown> = {
    locking: { execute: (_key: string, work: () => Promise<unknown>) => work() },
    query: {
      orders,
      graph: ({ entity }: { entity: string }) =>
        Promise.resolve({ data: entity === 'payment_collection' ? [collection] : orders }),
    },
    payment: {
      refundPayment: ({ payment_id, amount }: { payment_id: string; amount: string }) => {
        made.refunds.push(`${payment_id}: ${amount}`);
        return Promise.resolve();
      },
    },
  };
  return { resolve: (name: string): never => modules[name] as never };
}

test.each([
  ['with its order', [{ order_id: 'order_1' }], 'pay_1 with its order'],
  ['where the cart never became an order', [], 'pay_1: 10.50'],
])('D-1145 the refund of a payment is booked %s', async (_name, orders, booked) => {
  made.refunds.length = 0;
  const state = {
    order_no: 'mp_1',
    external_reference: 'paycol_1',
    amount: '10.50',
    currency: 'USD',
    status: 'refunded',
    status_version: 3,
    test_mode: false,
    event_id: 'pe_1',
  } as CollectionOrder;
  const settings = { accept_test_mode: false };
  expect(await apply(shopWith(orders), 'pp_paydesk_paydesk', state, settings)).toBe('refund');
  expect(made.refunds).toEqual([booked]);
});
