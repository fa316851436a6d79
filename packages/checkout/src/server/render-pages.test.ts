import { describe, expect, test } from 'vitest';
import { tagsOf, tagsWith, textOf } from '../../test/support/html.ts';
import { cases, contextOf, ptk, viewOf } from '../../test/support/views.ts';
import { renderActivity } from './account/activity-parts.tsx';
import { renderSignIn } from './account/render-sign-in.tsx';
import { renderSignUp } from './account/render-sign-up.tsx';
import { exportMail } from './mails/export-mail.ts';
import { renderCheckout } from './order/render-checkout.tsx';
import { renderReceipt } from './order/render-receipt.tsx';
import { renderMessage } from './render-message.tsx';

describe('messages', () => {
  test.each([
    ['payment_not_found', 'We cannot find this payment'],
    ['payment_expired', 'The time to pay has passed'],
    ['rate_limited', 'Please wait 17 seconds'],
    ['rate_limit_unavailable', 'Back in a moment'],
    ['service_unavailable', 'Back in a moment'],
    ['server_error', 'Something went wrong on our side'],
    ['cross_site_request', 'nothing was done'],
    ['constructor', 'Something went wrong on our side'],
  ])('%s', (code, words) => {
    expect(textOf(renderMessage({ ...contextOf(), code, retry_after_s: 17 }))).toContain(words);
  });

  test('a page with somewhere to try again has a link', () => {
    const html = renderMessage({ ...contextOf(), code: 'rate_limited', retry_url: '/checkout/mp_1?token=t' });
    expect(tagsWith(html, 'a', 'href', '/checkout/mp_1?token=t')).toHaveLength(1);
  });
});

describe('sign-in', () => {
  const page = { ...contextOf({ base_path: '/pay' }), return_to: '/pay/checkout/mp_1?token=t' };

  test('posts email and password with the way back', () => {
    const html = renderSignIn(page);
    expect(tagsWith(html, 'form', 'method', 'post')[0]?.attributes.get('action')).toBe('/pay/sign-in');
    expect(tagsWith(html, 'input', 'name', 'return_to')[0]?.attributes.get('value')).toBe(page.return_to);
    expect(tagsWith(html, 'input', 'name', 'email')[0]?.attributes.get('autocomplete')).toBe('username');
    expect(tagsWith(html, 'input', 'name', 'password')[0]?.attributes.get('autocomplete')).toBe(
      'current-password',
    );
    expect(tagsWith(html, 'a', 'href', page.return_to)).toHaveLength(1);
  });

  test('says that the pair was wrong, keeps the address and forgets the password', () => {
    const html = renderSignIn({ ...page, email: '"><script>', error: { kind: 'invalid' } });
    expect(textOf(html)).toContain('The email address or the password is wrong.');
    expect(tagsWith(html, 'input', 'name', 'email')[0]?.attributes.get('value')).toBe('"><script>');
    expect(tagsWith(html, 'input', 'name', 'password')[0]?.attributes.has('value')).toBe(false);
    // Its only script keeps what is typed while offline (D-1402).
    expect(tagsOf(html).filter((tag) => tag.name === 'script')).toHaveLength(1);
  });

  test('D-1406 says on the way to an invitation which account accepts it', () => {
    const said = 'use the account of the address to which it was sent';
    const return_to = '/pay/invitation?token=t';
    expect(textOf(renderSignIn({ ...page, return_to }))).toContain(said);
    expect(textOf(renderSignUp({ ...page, return_to, state: 'ask', purchase: null }))).toContain(said);
    expect(textOf(renderSignIn(page))).not.toContain(said);
  });

  test('says how long to wait', () => {
    const html = renderSignIn({ ...page, error: { kind: 'limited', retry_after_s: 600 } });
    expect(textOf(html)).toContain('Please wait 10 minutes');
  });
});

describe('receipt', () => {
  const receiptContext = { ...contextOf(), trade_no: 'pi_3Shapes' };

  test.each([
    ['paid', 'Status Paid'],
    ['refunded', 'Status Refunded'],
    ['charged-back', 'Status Charged back'],
  ])('%s', (name, words) => {
    const text = textOf(renderReceipt(cases[name]?.view ?? viewOf(), receiptContext) ?? '');
    expect(text).toContain(words);
    expect(text).toContain('Total USD 10.60');
    expect(text).toContain('INV-2026-00417');
    expect(text).toContain('November 21, 2026');
  });

  test('D-263 its largest figure is what was paid; it names method, trade number, contact and time with zone', () => {
    const paid_with = { type: 'card', name: 'Visa', brand: 'visa', last4: '4242', wallet: 'Apple Pay' };
    const attempt = { state: 'paid', method_id: 'm_card', paid_with };
    const merchant = { name: 'Lantern Books', logo_url: null, contact: 'help@books.example' };
    const view = viewOf({ status: 'paid', merchant, attempt, occurred_at: '2026-11-21T14:12:09Z' });
    const html = renderReceipt(view, receiptContext) ?? '';
    const text = textOf(html);
    expect(/<p class="invoice">.*?<\/p>/s.exec(html)?.[0]).toContain('10.60');
    for (const words of [
      'Total USD 10.60',
      'Invoice amount USD 10.00',
      'Visa •••• 4242 (Apple Pay)',
      'Transaction number pi_3Shapes',
      'Contact of the merchant help@books.example',
      'November 21, 2026 at 02:12 PM UTC',
    ]) {
      expect(text.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(words);
    }
    // The script shows the time of the buyer's own zone.
    expect(html).toContain('<time datetime="2026-11-21T14:12:09Z" data-local');
  });

  test('the largest figure of a payment in PTK is in PTK, without zeros that say nothing', () => {
    const method = {
      ...ptk,
      payment_subtotal: '100.00000000',
      buyer_fee: '0',
      payment_amount: '100.00000000',
    };
    const attempt = { state: 'paid', method_id: ptk.method_id };
    const html = renderReceipt(viewOf({ status: 'paid', methods: [method], attempt }), receiptContext) ?? '';
    expect(textOf(/<p class="invoice">.*?<\/p>/s.exec(html)?.[0] ?? '').trim()).toBe('Total PTK 100.00');
  });

  test.each(['pending', 'review', 'expired', 'partially_paid', 'constructor'])(
    'there is none for %s',
    (status) => {
      expect(renderReceipt(viewOf({ status }), receiptContext)).toBeNull();
    },
  );
});

describe('methods of the provider', () => {
  const pageOf = (name: string) => renderCheckout(cases[name]?.view ?? viewOf(), contextOf());

  test('D-260 one method lists them by name and sign, and says how long an asynchronous one takes', () => {
    const html = pageOf('methods');
    expect(textOf(html)).toContain('Card · Apple Pay · iDEAL · SEPA Direct Debit (up to 20 days)');
    const signs = /<span class="marks".*?<\/small>/s.exec(html)?.[0] ?? '';
    expect(Array.from(signs.matchAll(/<text[^>]*>([^<]+)/g), ([, letters]) => letters)).toEqual([
      ...['VISA', 'AMEX', 'Apple', 'iDEAL', 'SEPA'],
    ]);
    expect(signs.match(/<svg[^>]*aria-hidden="true"/g)).toHaveLength(6);
  });

  test('of a channel that has chosen none, nothing is claimed', () => {
    const html = pageOf('choose');
    expect(html).not.toContain('<small>Card');
    expect(textOf(html)).not.toContain(' · ');
  });

  test('D-262 a payment that takes days is being processed, also past the deadline', () => {
    const text = textOf(pageOf('processing-days'));
    expect(text).toContain('Your payment is being processed');
    expect(text).toContain('SEPA Direct Debit : up to 20 days');
  });
});

test.each([
  ['en', /−\s?PTK 1,234\.50/],
  ['ar', /\u2066−1,234\.50\u2069/],
] as const)('D-1223 in %s a sign stands before its figures', (locale, signed) => {
  const line = {
    at: '2026-05-06T07:08:09Z',
    amount_ptk: '-1234.50000000',
    about: 'payment',
    subject: 'mp_1',
  } as const;
  const page = { ...contextOf({ locale }), available_ptk: '1', list: { lines: [line] }, next: null };
  const inLine = /<strong>(.*?)<\/strong>\s*<\/li>/s.exec(renderActivity(page))?.[1] ?? '';
  const mail = exportMail(locale, {
    ...{
      merchant: 'Bookshop',
      period: 'May 2026',
      time_zone: 'UTC',
      attached: true,
      link: 'https://pay.test/',
    },
    balances: { opening: '0', net: '-1234.50000000', closing: '0' },
  });
  for (const text of [textOf(inLine), mail.text]) expect(text.replaceAll('\u00a0', ' ')).toMatch(signed);
});
