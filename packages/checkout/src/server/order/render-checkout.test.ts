import { describe, expect, test } from 'vitest';
import { decode, tagsOf, tagsWith, textOf } from '../../../test/support/html.ts';
import { buyer, card, cases, contextOf, ptk, viewOf } from '../../../test/support/views.ts';
import { localeTags } from '../../model/locale.ts';
import type { CheckoutState } from '../../model/state.ts';
import { scriptJson } from '../script-json.ts';
import { renderCheckout } from './render-checkout.tsx';

const render = (name: string): string => {
  const { view, page } = cases[name] ?? { view: viewOf() };
  return renderCheckout(view, contextOf(page));
};

const payForms = (html: string) =>
  tagsOf(html).filter((tag) => tag.attributes.get('action')?.endsWith('/pay'));

describe('each state is told in its own words, with a way on', () => {
  test.each([
    ['choose', 'How would you like to pay?', 'Show total'],
    ['choose-signed-in', 'Signed in as Dana Buyer', 'Use another account'],
    ['preview-card', 'Total USD 10.60', 'Pay USD 10.60'],
    ['preview-ptk', 'Debited from your balance PTK 144.28571429', 'Pay PTK 144.28571429'],
    ['only-card', 'Subtotal USD 10.00', 'Pay USD 10.60'],
    ['sign-in-required', 'please sign in', 'Sign in to pay'],
    ['self-payment', 'belongs to your own business', 'Use another account'],
    ['balance-too-low', 'PTK 124.28571429 are missing', 'Use another account'],
    ['rejected', 'declined to open a payment page', 'Show total'],
    ['conflict', 'perhaps in another tab', 'Continue to pay USD 10.60'],
    ['limited', 'Please wait 42 seconds', 'Show total'],
    ['no-method', 'No payment method is available right now', 'Check now'],
    ['test-mode', 'Test mode: no money is taken.', 'Pay USD 10.60'],
    ['resume', 'Your payment page is open', 'Continue to pay USD 10.60'],
    ['returned', 'Welcome back', 'Continue to pay USD 10.60'],
    ['canceled', 'Nothing was charged', 'Choose another method'],
    ['unresolved', 'We are waiting for the payment provider', 'Check again'],
    ['processing', 'Your payment is being processed', 'Check now'],
    ['processing-days', 'up to 20 days', 'Check now'],
    ['methods', 'SEPA Direct Debit (up to 20 days)', 'Show total'],
    ['attempt-ended', 'The payment was not completed', 'start a new order'],
    ['mismatch', 'We are checking this order', 'Check now'],
    ['review', 'We are checking your payment', 'Check now'],
    ['paid', 'Lantern Books has received your payment', 'Receipt'],
    ['paid-with-return', 'Payment confirmed', 'Back to Lantern Books'],
    ['paid-late', 'arrived after the deadline and was accepted', 'Receipt'],
    ['expired', 'The time to pay has passed', 'Check now'],
    ['refunded', 'This payment was refunded', 'Receipt'],
    ['charged-back', 'This payment was charged back', 'ask Lantern Books'],
    ['status-of-the-future', 'We are checking this order', 'Check now'],
  ])('%s', (name, words, wayOn) => {
    expect(cases).toHaveProperty(name);
    const text = textOf(render(name));
    expect(text).toContain(words);
    expect(text).toContain(wayOn);
    expect(text).not.toMatch(/\{\w+\}|undefined|null|\[object/);
  });

  test('D-1453 a payment that the provider has ended offers nothing to check', () => {
    const offers = (name: string): number => textOf(render(name)).split('Check now').length - 1;
    // One is for browsers without scripts.
    expect([offers('expired'), offers('attempt-ended')]).toEqual([2, 1]);
  });

  const top_up_url = '/account/top-up?order=mp_01JZ8Q4C7N2VXK5T9R3B6M1D0E';
  const short = { top_up_url, preview_method_id: 'm_ptk' };
  const poor = { buyer: { ...buyer, ptk_available: '20.00000000' } };
  const topUp = { tops_up: true, top_up_url: '/account/top-up' };

  test('D-376 who has too little PTK is led to a top-up of what is missing, and offered no other account twice', () => {
    const html = renderCheckout(viewOf(poor), contextOf(short));
    const links = tagsOf(html).flatMap(({ attributes }) => attributes.get('href') ?? []);
    expect(links.map(decode)).toContain(`${short.top_up_url}&need=124.28571429&method=m_ptk`);
    expect(textOf(html)).toContain('PTK 124.28571429 are missing.');
    expect(textOf(html)).toContain('Top up your balance: you come back here afterwards.');
    expect(textOf(html).split('Use another account')).toHaveLength(2);
  });

  const home = 'http://localhost:8080/account';
  test.each<[string, Partial<CheckoutState>, string, string]>([
    ['paid', { status: 'paid', return_url: home }, 'The PTK are in your balance.', home],
    ['expired', { status: 'expired' }, 'Top up your balance', topUp.top_up_url],
  ])('D-376 a top-up that is %s leads on, also without a certificate', (_, change, words, address) => {
    const html = renderCheckout(viewOf(change), contextOf(topUp));
    expect(textOf(html)).toContain(words);
    expect(tagsOf(html).flatMap(({ attributes }) => attributes.get('href') ?? [])).toContain(address);
    expect(textOf(html)).not.toContain('Back to Lantern Books');
  });

  test('no state is left out', () => {
    expect(Object.keys(cases)).toHaveLength(30);
  });
});

test.each(Object.keys(cases))(
  'R-208 %s names merchant, description, reference, order and invoice',
  (name) => {
    const text = textOf(render(name));
    for (const fact of [
      'Lantern Books',
      'linen bookmark',
      'INV-2026-00417',
      'mp_01JZ8Q4C7N2VXK5T9R3B6M1D0E',
      'USD 10.00',
    ]) {
      expect(text).toContain(fact);
    }
  },
);

describe('R-202 no unresolved payment is called failed, and no buyer is asked to pay twice', () => {
  const unresolved = ['unresolved', 'processing', 'mismatch', 'review', 'status-of-the-future'];
  test.each(unresolved)('%s', (name) => {
    expect(textOf(render(name))).not.toMatch(/fail|not completed|unsuccessful|Pay USD|another method/i);
  });

  test.each([
    ...unresolved.slice(1),
    'attempt-ended',
    'paid',
    'paid-late',
    'expired',
    'refunded',
    'charged-back',
  ])('%s has no form that starts a payment', (name) => {
    expect(payForms(render(name))).toEqual([]);
  });

  test.each(['unresolved', 'resume', 'returned', 'conflict'])(
    'R-201 %s goes on with the same method only',
    (name) => {
      const html = render(name);
      expect(payForms(html)).toHaveLength(1);
      expect(tagsWith(html, 'input', 'name', 'method_id').map((tag) => tag.attributes.get('value'))).toEqual([
        'm_card',
      ]);
      expect(tagsWith(html, 'input', 'type', 'radio')).toEqual([]);
    },
  );
});

describe('R-220 only a paid order leads back to the merchant', () => {
  const return_url = 'https://shop.example/ok?x=1&y=%20#z';
  test.each([
    ['paid', true],
    ['pending', false],
    ['review', false],
    ['expired', false],
    ['refunded', false],
    ['chargeback', false],
    ['partially_paid', false],
  ])('%s: %s', (status, leads) => {
    const html = renderCheckout(viewOf({ status, return_url }), contextOf());
    // verbatim.
    expect(tagsWith(html, 'a', 'href', return_url)).toHaveLength(leads ? 1 : 0);
  });

  test('D-123 an address that is not https is no link', () => {
    const html = renderCheckout(viewOf({ status: 'paid', return_url: 'javascript:alert(1)' }), contextOf());
    expect(tagsOf(html).filter((tag) => tag.attributes.get('href')?.startsWith('javascript'))).toEqual([]);
  });
});

describe('D-259 who cannot pay here is led to the merchant', () => {
  const merchant = { name: 'Lantern Books', logo_url: null };
  const website_url = 'https://lantern.example';

  test.each([
    ['its website', { website_url, contact: 'help@lantern.example' }, 'expired', website_url],
    ['its website', { website_url, contact: null }, 'chargeback', website_url],
    [
      'its mail',
      { website_url, contact: ' help@lantern.example ' },
      'chargeback',
      'mailto:help@lantern.example',
    ],
    [
      'its mail',
      { website_url: null, contact: 'help@lantern.example' },
      'expired',
      'mailto:help@lantern.example',
    ],
    [
      'a page of it',
      { website_url: null, contact: 'https://l.example/help' },
      'refunded',
      'https://l.example/help',
    ],
  ])('%s: %o, %s', (_, said, status, address) => {
    const html = renderCheckout(viewOf({ status, merchant: { ...merchant, ...said } }), contextOf());
    expect(tagsWith(html, 'a', 'href', address)).toHaveLength(1);
  });

  test('a contact that is no address is text, and nothing that it says is run', () => {
    const said = { website_url: 'javascript:alert(1)', contact: 'Call +49 30 1234, or javascript:alert(1)' };
    const html = renderCheckout(
      viewOf({ status: 'expired', merchant: { ...merchant, ...said } }),
      contextOf(),
    );
    expect(textOf(html)).toContain('Call +49 30 1234');
    const hrefs = tagsOf(html).map((tag) => tag.attributes.get('href') ?? '');
    expect(hrefs.filter((href) => href.startsWith('javascript:'))).toEqual([]);
  });
});

describe('without scripts', () => {
  test('H-20 a choice is sent by GET and starts nothing', () => {
    const html = render('choose');
    const [form] = tagsWith(html, 'form', 'method', 'get');
    expect(form?.attributes.get('action')).toBe('/checkout/mp_01JZ8Q4C7N2VXK5T9R3B6M1D0E');
    expect(tagsWith(html, 'input', 'name', 'method').map((tag) => tag.attributes.get('value'))).toEqual([
      'm_card',
      'm_ptk',
    ]);
    expect(tagsWith(html, 'input', 'name', 'method_id').map((tag) => tag.attributes.get('value'))).toEqual([
      'm_card',
    ]);
  });

  test('R-211 what the query says is no method of the order goes nowhere', () => {
    const html = renderCheckout(viewOf(), contextOf({ preview_method_id: 'pc_evil' }));
    expect(html).not.toContain('pc_evil');
  });

  test('R-210 the previewed method is checked and the form pays exactly it', () => {
    const html = render('preview-ptk');
    const checked = tagsWith(html, 'input', 'name', 'method').filter((tag) => tag.attributes.has('checked'));
    expect(checked.map((tag) => tag.attributes.get('value'))).toEqual(['m_ptk']);
    const [form] = payForms(html);
    expect(form?.attributes.get('method')).toBe('post');
    expect(form?.attributes.get('action')).toBe('/checkout/mp_01JZ8Q4C7N2VXK5T9R3B6M1D0E/pay');
    expect(tagsWith(html, 'input', 'name', 'method_id').map((tag) => tag.attributes.get('value'))).toEqual([
      'm_ptk',
    ]);
    expect(tagsWith(html, 'input', 'name', 'token')[0]?.attributes.get('value')).toBe('tok_en-1');
  });

  test('all paths lie below the prefix of the public address', () => {
    const html = renderCheckout(viewOf(), contextOf({ base_path: '/pay', preview_method_id: 'm_card' }));
    const own = tagsOf(html).flatMap((tag) => [tag.attributes.get('action'), tag.attributes.get('src')]);
    const paths = own.filter((path) => path !== undefined);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) expect(path).toMatch(/^\/pay\/checkout\//);
  });

  test('the deadline is told where nothing counts down', () => {
    expect(textOf(render('choose'))).toContain('The deadline is November 21, 2026');
  });
});

describe('R-209 the token method', () => {
  test('shows the debit, the locked rate and the balance of the one who is signed in', () => {
    const text = textOf(render('preview-ptk'));
    expect(text).toContain('Locked rate PTK 1 = USD 0.07');
    expect(text).toContain('Your available balance PTK 500.00');
  });

  test('shows no balance to a guest', () => {
    const html = renderCheckout(viewOf(), contextOf({ preview_method_id: 'm_ptk' }));
    expect(textOf(html)).not.toContain('Your available balance');
  });

  test('says nothing of a rate that it was not given', () => {
    const { ptk_price: _, ...view } = viewOf({ buyer });
    expect(textOf(renderCheckout(view, contextOf({ preview_method_id: 'm_ptk' })))).not.toContain(
      'Locked rate',
    );
  });
});

/** A page's pictures, without the code for a phone. */
const pictures = (html: string) =>
  tagsWith(html, 'img', 'src').filter((tag) => tag.attributes.get('src')?.includes('/qr.svg') !== true);

test('R-381 stored texts come out as text, wherever they stand', () => {
  const evil = `</title></script><script>alert(1)</script><img src=x onerror=alert(1)> "'&{merchant}`;
  const html = renderCheckout(
    viewOf({
      merchant: { name: evil, logo_url: null },
      description: evil,
      external_reference: evil,
      buyer: { name: evil, ptk_available: '1.00000000' },
      methods: [{ ...card, name: evil }, ptk],
    }),
    contextOf({ preview_method_id: 'm_card' }),
  );
  const scripts = tagsOf(html).filter((tag) => tag.name === 'script');
  expect(scripts.map((tag) => tag.attributes.get('id'))).toEqual(['checkout-props']);
  expect(pictures(html)).toEqual([]);
  expect(html.match(/<\/script/g)).toHaveLength(1);
  expect(decode(html).split(evil).length).toBeGreaterThan(4);
});

test('R-381 R-382 a logo is an image of our own origin or nothing', () => {
  const logos = (logo_url: string) =>
    pictures(renderCheckout(viewOf({ merchant: { name: 'L', logo_url } }), contextOf()));
  expect(logos('https://cdn.example/l.png')).toEqual([]);
  expect(logos('data:image/png;base64,iVBORw0KGgo=')).toEqual([]);
  expect(logos('/logos/l.png')).toHaveLength(1);
  expect(logos('//cdn.example/l.png')).toEqual([]);
  expect(logos('javascript:alert(1)')).toEqual([]);
});

test('R-384 the page never contains merchant fees or settlement, with any input from the server', () => {
  const secrets = {
    merchant_fee: '0.26',
    settlement_ptk: '9740000000',
    payment_no: 'pc_1',
    provider_trade_no: 'pi_1',
  };
  const view = viewOf({
    ...secrets,
    merchant: { name: 'Lantern Books', logo_url: null, ...secrets },
    attempt: { state: 'open', method_id: 'm_card', ...secrets },
    buyer: { ...buyer, ...secrets },
    methods: [{ ...card, ...secrets }],
  });
  const html = renderCheckout(view, contextOf());
  for (const [name, value] of Object.entries(secrets)) {
    expect(html.includes(name) || html.includes(`"${value}"`), name).toBe(false);
  }
});

test('the data of the page cannot end its element', () => {
  const value = { a: '</script><!-- & \u2028' };
  expect(scriptJson(value)).not.toMatch(/[<>&\u2028]/);
  expect(JSON.parse(scriptJson(value))).toEqual(value);
});

describe.each(localeTags)('in %s', (locale) => {
  test.each(Object.keys(cases))('%s is complete', (name) => {
    const { view, page } = cases[name] ?? { view: viewOf() };
    const html = renderCheckout(view, contextOf({ ...page, locale }));
    const [root] = tagsOf(html).filter((tag) => tag.name === 'html');
    expect(root?.attributes.get('lang')).toBe(locale);
    expect(root?.attributes.get('dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr');
    expect(textOf(html)).not.toMatch(/\{\w+\}|undefined/);
  });
});
