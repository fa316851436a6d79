/**
 * The bare route: Fastify, one GET, and an answer as large as an order, without authentication, limits,
 * database and log. Its rate is the highest that HTTP allows on this machine.
 */
import { fastify } from 'fastify';

const order = {
  order_no: 'mp_01JD0000000000000000000000',
  external_reference: '0123456789abcdef0123456789abcdef',
  payment_no: '',
  amount: '10.00',
  amount_minor: 1_000,
  currency: 'USD',
  currency_decimals: 2,
  status: 'pending',
  status_version: 1,
  test_mode: false,
  checkout_url:
    'http://127.0.0.1:8080/checkout/mp_01JD0000000000000000000000?token=0123456789abcdef0123456789abcdef0123456789a',
  return_url: 'https://shop.example/orders/0123456789abcdef0123456789abcdef',
  expires_at: '2030-01-01T00:00:00Z',
  occurred_at: null,
  fee_status: 'unselected',
  fee_version: 1,
  merchant_fee_ptk: '0',
  gross_settlement_ptk: '10000000000',
};

const app = fastify();
app.get('/order', () => order);
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
process.once('SIGTERM', () => void app.close());
