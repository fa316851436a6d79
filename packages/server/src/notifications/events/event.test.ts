import { describe, expect, test } from 'vitest';
import { type ReportedOrder, statusEvent } from './event.ts';

const pending: ReportedOrder = {
  order_no: 'mp_01',
  external_reference: 'ORDER "1" – ü',
  payment_no: '',
  amount: '90071992547409.91',
  amount_minor: 9_007_199_254_740_991n,
  currency: 'USD',
  currency_decimals: 2,
  status: 'pending',
  status_version: 1,
  test_mode: false,
  expires_at: new Date('2026-01-02T03:34:05.000Z'),
  confirmation: null,
};
const confirmation = {
  event_id: 'pe_01',
  provider_trade_no: 'PTK:mp_01',
  occurred_at: '2026-01-02T04:04:05.678+01:00',
};
const created_at = new Date('2026-01-02T03:04:05.678Z');
const paid: ReportedOrder = { ...pending, status: 'paid', status_version: 2, confirmation };

const written = (data: ReportedOrder): Record<string, unknown> & { data: Record<string, unknown> } =>
  JSON.parse(statusEvent({ id: 'ne_01', created_at, data })) as never;

const orderMembers = [
  ...[
    'order_no',
    'external_reference',
    'payment_no',
    'amount',
    'amount_minor',
    'currency',
    'currency_decimals',
  ],
  ...['status', 'status_version', 'test_mode', 'expires_at'],
];

describe('the event envelope', () => {
  test('R-262 has exactly id, type, api_version, created_at and data', () => {
    const { data: _, ...envelope } = written(pending);
    expect(envelope).toEqual({
      id: 'ne_01',
      type: 'merchant_payment.status_changed',
      api_version: 1,
      created_at: '2026-01-02T03:04:05.678Z',
    });
  });

  test('R-263 D-150 data of an unconfirmed order has exactly eleven members', () => {
    expect(Object.keys(written(pending).data)).toEqual(orderMembers);
  });

  test('R-263 data of a confirmed payment names event, trade number and time besides', () => {
    expect(Object.keys(written(paid).data)).toEqual([...orderMembers, ...Object.keys(confirmation)]);
    expect(written(paid).data).toMatchObject(confirmation);
  });

  test('R-264 what else the order holds stays out', () => {
    const order = {
      ...paid,
      checkout_url: 'https://pay.example/checkout/mp_01?token=t',
      return_url: 'https://shop.example/',
      notify_secret: 'secret',
      buyer_fee: '0.60',
      buyer_user_id: 'u',
    };
    expect(written(order)).toEqual(written(paid));
  });

  test('R-265 the payment event differs from the notification id', () => {
    const { id, data } = written(paid);
    expect([id, data.event_id]).toEqual(['ne_01', 'pe_01']);
  });

  test('R-266 R-267 payment time keeps its zone, creation time is UTC', () => {
    const { created_at: generated, data } = written(paid);
    expect(generated).toBe('2026-01-02T03:04:05.678Z');
    expect(data.occurred_at).toBe('2026-01-02T04:04:05.678+01:00');
  });

  test('R-263 amount_minor is written digit by digit', () => {
    const body = statusEvent({
      id: 'ne_01',
      created_at,
      data: { ...pending, amount_minor: 9007199254740993n },
    });
    expect(body).toContain('"amount_minor":9007199254740993,');
  });
});
