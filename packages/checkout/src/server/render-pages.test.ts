import { describe, expect, test } from 'vitest';
import { tagsOf, tagsWith, textOf } from '../../test/support/html.ts';
import { cases, contextOf, viewOf } from '../../test/support/views.ts';
import { renderSignIn } from './account/render-sign-in.tsx';
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

  test('posts e-mail and password with the way back', () => {
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
    expect(textOf(html)).toContain('The e-mail address or the password is wrong.');
    expect(tagsWith(html, 'input', 'name', 'email')[0]?.attributes.get('value')).toBe('"><script>');
    expect(tagsWith(html, 'input', 'name', 'password')[0]?.attributes.has('value')).toBe(false);
    expect(tagsOf(html).filter((tag) => tag.name === 'script')).toEqual([]);
  });

  test('says how long to wait', () => {
    const html = renderSignIn({ ...page, error: { kind: 'limited', retry_after_s: 600 } });
    expect(textOf(html)).toContain('Please wait 10 minutes');
  });
});

describe('receipt', () => {
  test.each([
    ['paid', 'Status Paid'],
    ['refunded', 'Status Refunded'],
    ['charged-back', 'Status Charged back'],
  ])('%s', (name, words) => {
    const text = textOf(renderReceipt(cases[name]?.view ?? viewOf(), contextOf()) ?? '');
    expect(text).toContain(words);
    expect(text).toContain('Total USD 10.60');
    expect(text).toContain('INV-2026-00417');
    expect(text).toContain('November 21, 2026');
  });

  test.each(['pending', 'review', 'expired', 'partially_paid', 'constructor'])(
    'there is none for %s',
    (status) => {
      expect(renderReceipt(viewOf({ status }), contextOf())).toBeNull();
    },
  );
});
