import { describe, expect, test } from 'vitest';
import { sampleOrder, sampleQuote } from '../../../test/support/desks/samples.ts';
import { writeJson } from '../../base/input/json.ts';
import { createdJson, orderJson } from './order-json.ts';
import { nothingSelected, withQuote } from './selected-method.ts';
import type { CollectionOrder } from './order.ts';

const checkoutUrl = ({ order_no }: { order_no: string }): string =>
  `https://pay.example/checkout/${order_no}?token=t`;

type Json = Record<string, unknown>;

const asSent = (value: unknown): Json => JSON.parse(writeJson(value)) as Json;
const read = (order: CollectionOrder): Json => asSent(orderJson(order, checkoutUrl));
const keysOf = (value: Json): string[] => Object.keys(value).sort();

const creation = [
  'amount',
  'amount_minor',
  'checkout_url',
  'currency',
  'currency_decimals',
  'expires_at',
  'external_reference',
  'order_no',
  'payment_no',
  'status',
  'test_mode',
];
const always = [
  'fee_status',
  'fee_version',
  'gross_settlement_ptk',
  'merchant_fee_ptk',
  'occurred_at',
  'status_version',
];
const selected = ['buyer_fee', 'merchant_fee', 'payment_amount', 'payment_currency', 'settlement_ptk'];
const confirmed = ['event_id', 'provider_trade_no'];

const quoted = withQuote(sampleOrder(), sampleQuote());
const paid: CollectionOrder = {
  ...quoted,
  status: 'paid',
  status_version: 2,
  event_id: 'pe_1',
  provider_trade_no: 'pi_1',
  occurred_at: new Date('2026-01-02T03:10:00.000Z'),
  occurred_at_text: '2026-01-02T11:10:00+08:00',
};

describe('R-052 D-041 the creation answer', () => {
  test('has exactly its members, with return_url where one is stored (R-035)', () => {
    expect(keysOf(asSent(createdJson(sampleOrder(), checkoutUrl)))).toEqual(creation);
    const returning = sampleOrder({ return_url: 'https://shop.example/ok' });
    expect(keysOf(asSent(createdJson(returning, checkoutUrl)))).toEqual([...creation, 'return_url'].sort());
  });

  test('R-021 to R-036 the values of a new order', () => {
    expect(asSent(createdJson(sampleOrder({ return_url: 'https://shop.example/ok' }), checkoutUrl))).toEqual({
      order_no: 'mp_01KDYJ00000000000000000000',
      external_reference: 'INV-1',
      payment_no: '',
      amount: '10.00',
      amount_minor: 1_000,
      currency: 'USD',
      currency_decimals: 2,
      status: 'pending',
      test_mode: false,
      checkout_url: 'https://pay.example/checkout/mp_01KDYJ00000000000000000000?token=t',
      return_url: 'https://shop.example/ok',
      expires_at: '2026-01-02T03:30:00.000Z',
    });
  });
});

describe('R-053 reads and lists', () => {
  test.each<[string, CollectionOrder, string[]]>([
    ['R-127 R-037 R-039 nothing selected, nothing paid', sampleOrder(), [...creation, ...always]],
    ['R-126 selected, not paid', quoted, [...creation, ...always, ...selected]],
    ['R-182 paid', paid, [...creation, ...always, ...selected, ...confirmed]],
    ['R-190 refunded', { ...paid, status: 'refunded' }, [...creation, ...always, ...selected, ...confirmed]],
    [
      'R-190 charged back',
      { ...paid, status: 'chargeback' },
      [...creation, ...always, ...selected, ...confirmed],
    ],
    [
      'D-050 on the merchant’s own channel nothing is settled',
      withQuote(sampleOrder(), sampleQuote({ owner: 'merchant' })),
      [...creation, ...always, ...selected.filter((name) => name !== 'settlement_ptk')],
    ],
    [
      'D-049 R-128 a historical order without recorded fees',
      sampleOrder({ fee_status: 'legacy', fee_version: 0, status_version: 0 }),
      [...creation, ...always],
    ],
    [
      'D-049 a historical order with one recorded fee',
      sampleOrder({ fee_status: 'legacy', payment_currency: 'USD', payment_decimals: 2, buyer_fee: 5n }),
      [...creation, ...always, 'buyer_fee', 'payment_currency'],
    ],
  ])('%s', (_, order, keys) => {
    expect(keysOf(read(order))).toEqual([...keys].sort());
  });
});

describe('R-053 the values of reads and lists', () => {
  test('D-044 an unbound order shows nothing of the method it had', () => {
    expect(read({ ...quoted, ...nothingSelected })).toEqual(read(sampleOrder()));
  });

  test('R-040 R-042 D-045 before a method is selected', () => {
    expect(read(sampleOrder())).toMatchObject({
      payment_no: '',
      test_mode: false,
      status_version: 1,
      occurred_at: null,
      fee_status: 'unselected',
      fee_version: 1,
      merchant_fee_ptk: '0',
      gross_settlement_ptk: '10000000000',
    });
  });

  test('R-037 to R-051 the worked example, paid', () => {
    expect(read(paid)).toMatchObject({
      payment_no: 'ch_card',
      amount: '10.00',
      amount_minor: 1_000,
      status: 'paid',
      status_version: 2,
      event_id: 'pe_1',
      provider_trade_no: 'pi_1',
      occurred_at: '2026-01-02T11:10:00+08:00',
      fee_status: 'quoted',
      payment_amount: '10.60',
      payment_currency: 'USD',
      buyer_fee: '0.60',
      merchant_fee: '0.26',
      merchant_fee_ptk: '260000000',
      gross_settlement_ptk: '10000000000',
      settlement_ptk: '9740000000',
    });
  });

  test('R-046 R-047 fees of zero are written, at the precision of the payment', () => {
    const free = withQuote(
      sampleOrder(),
      sampleQuote({ buyer_fee: 0n, merchant_fee: 0n, merchant_fee_ptk: 0n }),
    );
    expect(read(free)).toMatchObject({
      buyer_fee: '0.00',
      merchant_fee: '0.00',
      settlement_ptk: '10000000000',
    });
    const inPtk = withQuote(
      sampleOrder(),
      sampleQuote({
        currency: 'PTK',
        currency_decimals: 8,
        subtotal: 10_000_000_000n,
        buyer_fee: 1n,
        merchant_fee: 0n,
      }),
    );
    expect(read(inPtk)).toMatchObject({
      amount: '10.00',
      currency: 'USD',
      payment_amount: '100.00000001',
      payment_currency: 'PTK',
      buyer_fee: '0.00000001',
      merchant_fee: '0.00000000',
    });
  });
});

describe('R-053 what reads and lists keep back', () => {
  test('R-032 the mode of a test channel shows once it is selected', () => {
    expect(read(withQuote(sampleOrder(), sampleQuote({ test_mode: true }))).test_mode).toBe(true);
  });

  test('R-039 a trade number known before the payment is confirmed does not show', () => {
    expect(read({ ...quoted, provider_trade_no: 'pi_1' })).not.toHaveProperty('provider_trade_no');
  });

  test('R-054 what is the merchant’s own or secret never shows', () => {
    const text = writeJson(
      orderJson(
        { ...paid, notify_url: 'https://n.example/', notify_secret_box: Buffer.of(1), description: 'D' },
        checkoutUrl,
      ),
    );
    expect(text).not.toMatch(/description|idempotency|notify|merchant_id|token_key|price_e12|hold/);
  });
});

describe('R-024 R-026 D-023 amounts as they are sent', () => {
  test.each<[bigint, string, number, string]>([
    [9_007_199_254_740_991n, 'USD', 2, '"amount":"90071992547409.91","amount_minor":9007199254740991'],
    [9_007_199_254_740_991n, 'PTK', 8, '"amount":"90071992.54740991","amount_minor":9007199254740991'],
    [1_000n, 'JPY', 0, '"amount":"1000","amount_minor":1000'],
    [1_234n, 'KWD', 3, '"amount":"1.234","amount_minor":1234'],
    [1n, 'PTK', 8, '"amount":"0.00000001","amount_minor":1'],
  ])('%s %s at %i decimals', (amount_minor, currency, currency_decimals, text) => {
    const order = sampleOrder({ amount_minor, currency, currency_decimals });
    expect(writeJson(createdJson(order, checkoutUrl))).toContain(text);
    expect(writeJson(orderJson(order, checkoutUrl))).toContain(text);
  });

  test('R-041 R-055 PTK beyond 2^63 as a text of digits', () => {
    const order = sampleOrder({ gross_settlement_ptk: 90_071_992_547_409_910_000_000n });
    expect(read(order).gross_settlement_ptk).toBe('90071992547409910000000');
  });
});

test('R-025 R-057 selecting a method leaves the invoice as it was', () => {
  const invoice = ({ amount, amount_minor, currency, currency_decimals }: Json) => [
    amount,
    amount_minor,
    currency,
    currency_decimals,
  ];
  expect(invoice(read(paid))).toEqual(invoice(read(sampleOrder())));
});
