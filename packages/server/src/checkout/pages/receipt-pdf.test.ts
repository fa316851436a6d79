import { type Locale, receiptText } from '@paydesk/checkout';
import { expect, test } from 'vitest';
import { visualRuns } from '../../base/pdf/visual-runs.ts';
import { receiptPdf } from './receipt-pdf.ts';

const method = {
  ...{ method_id: 'm', name: 'Card', provider: 'cardprov', login_required: false, test_mode: true },
  ...{ usable: true, payment_currency: 'USD', payment_subtotal: '10.00', buyer_fee: '0.60' },
  payment_amount: '10.60',
};
const view = {
  order_no: 'mp_01JD5Q8Z3K',
  merchant: { name: 'Lantern (كتب) Books', logo_url: null, contact: 'help@books.example' },
  description: 'دليل (الإصدار 2) 书店 '.repeat(12),
  ...{ external_reference: 'INV-1', amount: '10.00', currency: 'USD', currency_decimals: 2 },
  ...{ status: 'paid', expires_at: '2026-11-21T15:00:00Z', seconds_left: 0, test_mode: true, buyer: null },
  attempt: {
    state: 'paid',
    method_id: 'm',
    paid_with: { type: 'card', name: 'Visa', brand: 'visa', last4: '4242' },
  },
  ...{ methods: [method], occurred_at: '2026-11-21T14:12:09Z' },
};
const brand = {
  ...{ name: 'Example Pay', logo_url: null, schemes: null, terms_url: null },
  support_url: 'mailto:help@pay.example',
};

const textIn = (locale: Locale, zone?: string, seen = view) =>
  receiptText(seen, { locale, brand }, { trade_no: 'pi_3Shapes', zone });

test('D-355 a receipt names what was paid, to whom, how and when, in the language and zone of the buyer', () => {
  const german = textIn('de', 'Europe/Berlin');
  expect(german).toMatchObject({
    ...{ title: 'Beleg', platform: 'Example Pay', merchant: 'Lantern (كتب) Books' },
    ...{ test: 'Testzahlung: Es wurde kein Geld abgebucht.', help: 'Hilfe: help@pay.example' },
    total: { label: 'Gesamtbetrag', amount: '10,60\u00a0USD' },
  });
  // What the total is made of stands together.
  const labels = (german?.facts ?? []).map(({ label }) => label);
  expect(labels.indexOf('Gebühr')).toBe(labels.indexOf('Rechnungsbetrag') + 1);
  const lines = Object.fromEntries((german?.facts ?? []).map(({ label, value }) => [label, value]));
  expect(lines).toMatchObject({
    'Bezahlt am': '21. November 2026 um 15:12 MEZ',
    'Bezahlt mit': 'Visa •••• 4242',
    Rechnungsbetrag: '10,00\u00a0USD',
    Gebühr: '0,60\u00a0USD',
    Transaktionsnummer: 'pi_3Shapes',
    'Kontakt des Händlers': 'help@books.example',
  });
  const times = ['Asia/Tokyo', undefined, 'Mars/Olympus', ''].map(
    (zone) => textIn('en', zone)?.facts.find(({ label }) => label === 'Paid on')?.value,
  );
  const utc = 'November 21, 2026 at 02:12 PM UTC';
  expect(times).toEqual(['November 21, 2026 at 11:12 PM GMT+9', utc, utc, utc]);
  expect(textIn('en', 'UTC', { ...view, status: 'pending' })).toBeNull();
});

test('D-355 a receipt is one page, also from right to left and in any script', async () => {
  for (const locale of ['ar', 'ja'] as const) {
    const receipt = textIn(locale, 'Asia/Dubai');
    if (receipt === null) throw new Error('a paid order has no receipt');
    const parts: Buffer[] = [];
    for await (const part of receiptPdf(receipt, { locale, accent: '#1f47c4' })) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('latin1');
    expect(text.match(/\/Type \/Page\n/g)).toHaveLength(1);
    expect(text).toContain('DejaVu');
    expect(text).toContain('Unifont');
  }
});

// Letters from right to left are written in capitals here, in the order in which they are read.
test.each([
  ['abc 12', 'abc 12'],
  ['ABC', 'ABC'],
  ['abc ABC def', 'abc |ABC| def'],
  ['ABC 12.50 DEF', ' DEF|12.50|ABC '],
  ['ABC (D 2) xyz', 'xyz| (|2|ABC )D '],
  ['xyz 2 (ABC)', 'xyz 2 (|ABC|)'],
])('D-355 the line %s is drawn as %s', (line, drawn) => {
  const hebrew = line.replace(/[A-Z]/g, (char) => String.fromCodePoint(0x5d0 + char.charCodeAt(0) - 65));
  const latin = visualRuns(hebrew).map(({ text }) =>
    text.replace(/[\u05d0-\u05ea]/g, (char) => String.fromCodePoint(65 + (char.codePointAt(0) ?? 0) - 0x5d0)),
  );
  expect(latin.join('|')).toBe(drawn);
});
