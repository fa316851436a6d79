import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  feeRule,
  merchant_id,
  noFees,
  sampleChannel,
  samplePtkChannel,
} from '../../../test/support/desks/samples.ts';
import type { FeeRule } from '../../channels/channel.ts';
import { parsePrice } from '../../currencies/currency.ts';
import { invoiceOf, merchantFeeParts, type Quote, quoteFor, settlementOf, totalOf } from './quote.ts';

const card = (buyer: FeeRule, merchant: FeeRule, currency = 'USD') =>
  sampleChannel({ supported_currencies: [currency], fees: new Map([[currency, { buyer, merchant }]]) });

const ptk = (buyer: FeeRule, merchant: FeeRule) =>
  samplePtkChannel({ fees: new Map([['PTK', { buyer, merchant }]]) });

const usd = (minor: bigint, price: string) => invoiceOf(minor, 'USD', 2, parsePrice(price));

/** Every amount of a quote, to be compared at once. */
function amountsOf(quote: Quote | null, gross: bigint) {
  if (quote === null) return null;
  const { currency, subtotal, buyer_fee, merchant_fee, merchant_fee_ptk } = quote;
  return [
    currency,
    subtotal,
    buyer_fee,
    totalOf(quote),
    merchant_fee,
    merchant_fee_ptk,
    settlementOf(quote, gross),
  ];
}

const vectors = [
  {
    name: 'A1 R-118 R-119 R-129',
    channel: card(feeRule(30n, 29_000), feeRule(10n, 15_000)),
    invoice: usd(1_000n, '0.10'),
    gross: 10_000_000_000n,
    amounts: ['USD', 1_000n, 60n, 1_060n, 26n, 260_000_000n, 9_740_000_000n],
  },
  {
    name: 'A2 R-121 JPY 100, 0.3 %',
    channel: card(feeRule(0n, 3_000), feeRule(), 'JPY'),
    invoice: invoiceOf(100n, 'JPY', 0, parsePrice('10')),
    gross: 1_000_000_000n,
    amounts: ['JPY', 100n, 1n, 101n, 0n, 0n, 1_000_000_000n],
  },
  {
    name: 'A3 D-060 USD 10.00, 0.25 %',
    channel: card(feeRule(0n, 2_500), feeRule()),
    invoice: usd(1_000n, '0.10'),
    gross: 10_000_000_000n,
    amounts: ['USD', 1_000n, 3n, 1_003n, 0n, 0n, 10_000_000_000n],
  },
  {
    name: 'A3 D-060 USD 10.00, 0.2499 %',
    channel: card(feeRule(0n, 2_499), feeRule()),
    invoice: usd(1_000n, '0.10'),
    gross: 10_000_000_000n,
    amounts: ['USD', 1_000n, 2n, 1_002n, 0n, 0n, 10_000_000_000n],
  },
  {
    name: 'A4 D-061 USD 1000.00, 0.50 + 3 %, cap 10.00',
    channel: card(feeRule(50n, 30_000, 1_000n), feeRule()),
    invoice: usd(100_000n, '0.10'),
    gross: 1_000_000_000_000n,
    amounts: ['USD', 100_000n, 1_050n, 101_050n, 0n, 0n, 1_000_000_000_000n],
  },
  {
    name: 'A5 R-122 all zero',
    channel: card(feeRule(), feeRule()),
    invoice: usd(1_000n, '0.10'),
    gross: 10_000_000_000n,
    amounts: ['USD', 1_000n, 0n, 1_000n, 0n, 0n, 10_000_000_000n],
  },
  {
    name: 'A6 KWD 1.000, 1 %',
    channel: card(feeRule(0n, 10_000), feeRule(), 'KWD'),
    invoice: invoiceOf(1_000n, 'KWD', 3, parsePrice('0.03')),
    gross: 3_333_333_333n,
    amounts: ['KWD', 1_000n, 10n, 1_010n, 0n, 0n, 3_333_333_333n],
  },
  {
    name: 'A7 R-124 USD 0.30, merchant 0.30: equality counts',
    channel: card(feeRule(), feeRule(30n)),
    invoice: usd(30n, '0.10'),
    gross: 300_000_000n,
    amounts: null,
  },
  {
    name: 'A7 R-124 USD 0.31, merchant 0.30',
    channel: card(feeRule(), feeRule(30n)),
    invoice: usd(31n, '0.10'),
    gross: 310_000_000n,
    amounts: ['USD', 31n, 0n, 31n, 30n, 300_000_000n, 10_000_000n],
  },
  {
    name: 'A8 R-116 R-123 the PTK method: converted first, then its own fees',
    channel: ptk(feeRule(0n, 10_000), feeRule(0n, 20_000)),
    invoice: usd(999n, '0.07'),
    gross: 14_271_428_571n,
    amounts: [
      'PTK',
      14_271_428_571n,
      142_714_286n,
      14_414_142_857n,
      288_282_857n,
      288_282_857n,
      13_983_145_714n,
    ],
  },
  {
    name: 'A9 R-117 USD 1000.00, 5.00 + 5 %',
    channel: card(feeRule(500n, 50_000), feeRule()),
    invoice: usd(100_000n, '0.10'),
    gross: 1_000_000_000_000n,
    amounts: ['USD', 100_000n, 5_525n, 105_525n, 0n, 0n, 1_000_000_000_000n],
  },
  {
    name: 'A10 D-022 the largest amount: gross beyond 2^63',
    channel: card(feeRule(), feeRule()),
    invoice: usd(9_007_199_254_740_991n, '0.10'),
    gross: 90_071_992_547_409_910_000_000n,
    amounts: [
      'USD',
      9_007_199_254_740_991n,
      0n,
      9_007_199_254_740_991n,
      0n,
      0n,
      90_071_992_547_409_910_000_000n,
    ],
  },
  {
    name: 'A11 D-061 cap 0, 3 %',
    channel: card(feeRule(0n, 30_000, 0n), feeRule(0n, 30_000, 0n)),
    invoice: usd(1_000n, '0.10'),
    gross: 10_000_000_000n,
    amounts: ['USD', 1_000n, 0n, 1_000n, 0n, 0n, 10_000_000_000n],
  },
  {
    name: 'A12 USD 50.00 at 1.00',
    channel: card(feeRule(100n, 20_000), feeRule(50n, 30_000, 100n)),
    invoice: usd(5_000n, '1.00'),
    gross: 5_000_000_000n,
    amounts: ['USD', 5_000n, 202n, 5_202n, 150n, 150_000_000n, 4_850_000_000n],
  },
];

describe('appendix A as quotes: currency, subtotal, buyer fee, total, merchant fee, the same in PTK, net', () => {
  test.each(vectors)('$name', ({ channel, invoice, gross, amounts }) => {
    expect(invoice.gross_settlement_ptk).toBe(gross);
    expect(amountsOf(quoteFor(channel, invoice, 'pm_1'), gross)).toEqual(amounts);
  });
});

test('D-064 a merchant fee that converts to less than half a unit is one unit of PTK', () => {
  const eightDecimals = invoiceOf(1_000n, 'AAA', 8, parsePrice('100'));
  const channel = card(feeRule(), feeRule(1n), 'AAA');
  expect(eightDecimals.gross_settlement_ptk).toBe(10n);
  expect(quoteFor(channel, eightDecimals, 'pm_1')).toMatchObject({ merchant_fee: 1n, merchant_fee_ptk: 1n });
});

describe('D-065 R-124 a method is unusable', () => {
  test.each([
    [
      'where the invoice converts to nothing',
      card(feeRule(), feeRule()),
      invoiceOf(1n, 'USD', 2, 10n ** 20n),
    ],
    ['where the merchant fee is the subtotal', card(feeRule(), feeRule(1_000n)), usd(1_000n, '0.10')],
    ['where the merchant fee exceeds it', card(feeRule(), feeRule(1_001n)), usd(1_000n, '0.10')],
    [
      'where the buyer fee lifts the merchant fee to it',
      card(feeRule(1_000n), feeRule(0n, 500_000)),
      usd(1_000n, '0.10'),
    ],
    [
      'where only the fee in PTK reaches the gross',
      card(feeRule(), feeRule(1n)),
      invoiceOf(2n, 'USD', 2, 2n * 10n ** 18n),
    ],
    ['where PTK fees reach the PTK subtotal', ptk(feeRule(), feeRule(0n, 1_000_000)), usd(1_000n, '0.10')],
  ])('%s', (_, channel, invoice) => {
    expect(quoteFor(channel, invoice, 'pm_1')).toBeNull();
  });

  test('but not by the buyer fee, which comes on top', () => {
    const dear = card(feeRule(5_000n), feeRule());
    expect(quoteFor(dear, usd(1_000n, '0.10'), 'pm_1')).toMatchObject({
      buyer_fee: 5_000n,
      merchant_fee: 0n,
    });
  });
});

describe('which channel charges which currency', () => {
  test.each([
    ['D-067 a supported currency with a rule', sampleChannel(), 'USD', true],
    ['D-062 a supported currency without a rule', sampleChannel({ fees: new Map() }), 'USD', false],
    [
      'D-067 a rule for a currency that is not supported',
      sampleChannel({ supported_currencies: ['EUR'] }),
      'USD',
      false,
    ],
    ['D-067 another currency', sampleChannel(), 'EUR', false],
    [
      'D-066 a card never charges PTK',
      sampleChannel({ supported_currencies: ['PTK'], fees: new Map([['PTK', noFees]]) }),
      'PTK',
      false,
    ],
    ['D-066 PTK pays a PTK invoice', samplePtkChannel(), 'PTK', true],
    ['R-123 PTK pays any invoice', samplePtkChannel(), 'USD', true],
    ['D-062 PTK without a rule', samplePtkChannel({ fees: new Map([['USD', noFees]]) }), 'USD', false],
    ['R-159 the display currency decides nothing', sampleChannel({ currency: 'JPY' }), 'USD', true],
  ])('%s: %s is %s', (_, channel, currency, usable) => {
    const invoice = invoiceOf(1_000n, currency, currency === 'PTK' ? 8 : 2, parsePrice('1'));
    expect(quoteFor(channel, invoice, 'pm_1') !== null).toBe(usable);
  });
});

test('R-125 a quote carries the method, the channel as it is, and the rules it comes from', () => {
  const fee_rules = { buyer: feeRule(30n, 29_000), merchant: feeRule(10n, 15_000) };
  const channel = sampleChannel({ test_mode: true, fees: new Map([['USD', fee_rules]]) });
  expect(quoteFor(channel, usd(1_000n, '0.10'), 'pm_7')).toEqual({
    method_id: 'pm_7',
    payment_no: 'ch_card',
    provider: 'cardprov',
    owner: 'platform',
    test_mode: true,
    currency: 'USD',
    currency_decimals: 2,
    subtotal: 1_000n,
    buyer_fee: 60n,
    merchant_fee: 26n,
    merchant_fee_ptk: 260_000_000n,
    fee_rules,
  });
});

test('D-050 D-063 on the merchant’s own channel the fee base is the subtotal and nothing is settled', () => {
  const own = sampleChannel({
    merchant_id,
    fees: new Map([['USD', { buyer: feeRule(), merchant: feeRule(10n, 15_000) }]]),
  });
  const invoice = usd(1_000n, '0.10');
  const quote = quoteFor(own, invoice, 'pm_1');
  expect(quote).toMatchObject({ owner: 'merchant', merchant_fee: 25n, merchant_fee_ptk: 250_000_000n });
  expect(quote === null ? undefined : settlementOf(quote, invoice.gross_settlement_ptk)).toBeNull();
});

test.each<[string, FeeRule, string, object]>([
  ['a fixed part and a percentage', feeRule(10n, 15_000), '10.60', { fixed: '0.10', percent: '1.5000' }],
  ['a cap that is reached', feeRule(50n, 30_000, 20n), '11.00', { fixed: '0.50', cap: '0.20' }],
  ['a cap that is not reached', feeRule(0n, 30_000, 32n), '10.50', { fixed: '0.00', cap: null }],
])('D-523 the parts of a merchant fee: %s', (_, merchant, of, parts) => {
  const fees = new Map([['USD', { buyer: feeRule(0n, 50_000), merchant }]]);
  const quote = quoteFor(sampleChannel({ fees }), usd(1_000n, '0.10'), 'pm_1');
  expect(quote && merchantFeeParts(quote)).toMatchObject({ ...parts, of });
});

// ------------------------------------------------------------------ properties

const rules = fc.record({
  fixed_minor: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10_000n })),
  percent_ppm: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 100_000 }),
    fc.integer({ min: 0, max: 1_000_000 }),
  ),
  cap_minor: fc.option(fc.bigInt({ min: 0n, max: 10n ** 6n })),
});
const minor = fc.oneof(
  fc.bigInt({ min: 1n, max: 10_000n }),
  fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
  fc.constant(2n ** 53n - 1n),
);
const invoices = fc
  .tuple(minor, fc.constantFrom(0, 2, 3, 8), fc.bigInt({ min: 1n, max: 10n ** 16n }))
  .map(([amount, decimals, price_e12]) => invoiceOf(amount, 'USD', decimals, price_e12));

describe('any rules, any invoice of 0, 2, 3 or 8 decimals', () => {
  test('R-050 R-051 by card: total − buyer fee = invoice, gross − fee = net > 0, or the method is unusable', () => {
    fc.assert(
      fc.property(invoices, rules, rules, (invoice, buyer, merchant) => {
        const quote = quoteFor(card(buyer, merchant), invoice, 'pm_1');
        if (quote === null) return;
        expect(totalOf(quote) - quote.buyer_fee).toBe(invoice.minor);
        const net = settlementOf(quote, invoice.gross_settlement_ptk);
        expect(net !== null && net > 0n).toBe(true);
        expect(net).toBe(invoice.gross_settlement_ptk - quote.merchant_fee_ptk);
        expect(quote.merchant_fee > 0n).toBe(quote.merchant_fee_ptk > 0n);
      }),
    );
  });

  test('R-050 R-051 D-058 by PTK: what the buyer pays is fees and net to the last unit', () => {
    fc.assert(
      fc.property(invoices, rules, rules, (invoice, buyer, merchant) => {
        const quote = quoteFor(ptk(buyer, merchant), invoice, 'pm_1');
        if (quote === null) return;
        expect(quote.subtotal).toBe(invoice.gross_settlement_ptk);
        expect(quote.merchant_fee_ptk).toBe(quote.merchant_fee);
        const net = settlementOf(quote, invoice.gross_settlement_ptk) ?? -1n;
        expect(net > 0n).toBe(true);
        expect(totalOf(quote)).toBe(quote.buyer_fee + quote.merchant_fee_ptk + net);
      }),
    );
  });

  test('R-124 without a merchant fee every invoice that converts to something is usable', () => {
    fc.assert(
      fc.property(invoices, rules, (invoice, buyer) => {
        const usable = quoteFor(card(buyer, feeRule()), invoice, 'pm_1') !== null;
        expect(usable).toBe(invoice.gross_settlement_ptk > 0n);
      }),
    );
  });

  test('a dearer invoice never costs the buyer or the merchant less', () => {
    fc.assert(
      fc.property(
        invoices,
        rules,
        rules,
        fc.bigInt({ min: 1n, max: 10n ** 6n }),
        (invoice, buyer, merchant, more) => {
          const quote = quoteFor(card(buyer, merchant), invoice, 'pm_1');
          const dearer = invoiceOf(invoice.minor + more, 'USD', invoice.decimals, invoice.price_e12);
          const next = quoteFor(card(buyer, merchant), dearer, 'pm_1');
          if (quote === null || next === null) return;
          expect(totalOf(next) > totalOf(quote)).toBe(true);
          expect(next.merchant_fee >= quote.merchant_fee).toBe(true);
        },
      ),
    );
  });
});
