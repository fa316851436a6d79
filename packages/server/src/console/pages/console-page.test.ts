import { runInNewContext } from 'node:vm';
import type { Locale } from '@paydesk/checkout';
import { expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import { createLog } from '../../base/log.ts';
import { brandingOf, defaultBranding } from '../../base/settings/index.ts';
import { createPages } from '../../http/page-context.ts';
import { createHttp } from '../../http/server.ts';
import { consolePage } from './console-page.ts';
import { consolePageRoutes } from './page-routes.ts';

const assets = {
  script: 'main.js',
  preloads: [],
  styles: [],
  texts: { ar: { core: 'ar.js', orders: 'ar-orders.js' } },
  screens: [
    { path: '/platform/orders', preloads: ['list.js'], areas: ['core'] },
    { path: '/platform/orders/$order_no', preloads: ['order.js'], areas: ['core', 'orders'] },
  ],
};

const page = (
  branding: Partial<typeof defaultBranding>,
  locale: Locale = 'en',
  path: string = '/platform',
): string =>
  consolePage(assets, {
    nonce: 'n',
    base_path: '/pay',
    branding: brandingOf({ ...defaultBranding, ...branding }),
    mail: true,
    locale,
    path,
  });

test('D-216 the console gets the branding as data, escaped, under its own path', () => {
  const logo = { content_type: 'image/png', content_hash: 'ab' };
  const html = page({ name: `A "b" <c>`, accent_colour: '#7a1f5c', logo, support_address: 'a&b@c.test' });
  expect(html).toContain('<title>A &#34;b&#34; &#60;c&#62;</title>');
  expect(html).toContain('data-brand-name="A &#34;b&#34; &#60;c&#62;"');
  expect(html).toContain('data-brand-logo="/pay/branding/logo/ab"');
  expect(html).toContain('data-brand-support="mailto:a%26b@c.test"');
  expect(/data-brand-shades="([^"]*)"/.exec(html)?.[1]?.split(' ')[6]).toBe('#7a1f5c');
  expect(page({})).toContain('data-brand-shades=""');
});

test('D-275 the console gets its language, its direction and the names of all languages', () => {
  const html = page({}, 'ar');
  expect(html).toContain('<html lang="ar" dir="rtl" data-languages="{&#34;en&#34;:&#34;English&#34;,');
  expect(html).toContain('<link rel="modulepreload" href="/pay/console/assets/ar.js">');
  expect(page({})).toContain('<html lang="en" dir="ltr"');
  expect(page({})).not.toContain('ar.js');
});

test('D-1400 the page loads the script and the texts of the screen that is open, and asks for the session', () => {
  const loaded = (html: string): string[] =>
    [...html.matchAll(/modulepreload" href="\/pay\/console\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
  const html = page({}, 'ar', '/platform/orders/mp_1');
  expect(loaded(html)).toEqual(['ar.js', 'ar-orders.js', 'order.js']);
  expect(loaded(page({}, 'ar', '/platform/orders'))).toEqual(['ar.js', 'list.js']);
  expect(loaded(page({}, 'ar', '/platform/unknown'))).toEqual(['ar.js']);
  expect(html).toContain('sessionAnswer=fetch("/pay/session",');
});

test('D-1430 the page loads itself again for a file of its own, and not for one that the browser put into it', () => {
  const script = /<script nonce="n">(.*?)<\/script>/.exec(page({}))?.[1] ?? '';
  const listeners: ((event: { target: object }) => void)[] = [];
  let reloads = 0;
  runInNewContext(script, {
    addEventListener: (_type: string, listener: (typeof listeners)[0]) => listeners.push(listener),
    setTimeout: () => (reloads += 1),
    fetch: () => undefined,
    matchMedia: () => ({ matches: false }),
    history: { state: null },
    document: { querySelector: () => null, documentElement: { setAttribute: () => undefined } },
  });
  const reloadsFor = (target: object): number => {
    reloads = 0;
    for (const listener of listeners) listener({ target });
    return reloads;
  };
  const own = 'https://pay.example/pay/console/assets/main.js';
  expect([{ src: own }, { href: own }].map(reloadsFor)).toEqual([1, 1]);
  const others = ['moz-extension://a/inject.js', 'https://tracker.example/x.png'];
  expect([...others.map((src) => ({ src })), {}].map(reloadsFor)).toEqual([0, 0, 0]);
});

test.each(['/console', '/console/merchants/mr_1/orders', '/platform', '/platform/orders'])(
  'D-943 while the database does not answer, %s is a page that says so',
  async (url) => {
    const config = { public_url: 'https://pay.example', base_path: '', trusted_proxies: [] };
    const app = createHttp({ config, log: createLog('silent'), ids: systemIds() });
    const sessionUser = () => Promise.reject(new AppError('service_unavailable', { retry_after_s: 5 }));
    const branding = { current: () => brandingOf(defaultBranding) };
    const deps = { sessionUser, branding, pages: createPages(app, branding) };
    consolePageRoutes(app, deps as unknown as Parameters<typeof consolePageRoutes>[1]);
    const { statusCode, headers, body } = await app.inject({ url });
    expect([statusCode, headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(body).toContain('Back in a moment');
    await app.close();
  },
);
