import { describe, expect, test } from 'vitest';
import { createLog } from '../base/log.ts';
import { systemIds } from '../base/ids.ts';
import { isForPeople, prefersHtml, rightPath } from './unknown-address.ts';
import { createPages } from './page-context.ts';
import { createHttp } from './server.ts';

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.each<[string | undefined, boolean]>([
  [browser, true],
  ['text/html', true],
  ['application/json, text/html;q=0.9', false],
  ['text/html;q=0, */*', false],
  ['text/html;q=nonsense', false],
  ['*/*', false],
  ['', false],
  [undefined, false],
])('D-284 Accept %s prefers HTML: %s', (accept, wanted) => {
  expect(prefersHtml(accept)).toBe(wanted);
});

test.each([
  ['GET', '/consol', true],
  ['HEAD', '/platform', true],
  ['POST', '/consol', false],
  ['GET', '/openapi/v1/nowhere', false],
  ['GET', '/admin/v1/nowhere', false],
  ['GET', '/console/v1/merchants', false],
  ['GET', '/console/assets/x.js', false],
  ['GET', '/checkout/api/mp_1', false],
  ['GET', '/oauth/nowhere', false],
  ['GET', '/.well-known/nothing', false],
  ['GET', '/openapi-other.json', false],
])('D-284 %s %s is a person’s: %s', (method, path, wanted) => {
  expect(isForPeople({ method, headers: { accept: browser } }, path)).toBe(wanted);
});

test.each([
  ['/console/', '/console'],
  ['/admin', '/platform'],
  ['/admin/', '/platform'],
  ['/consol', null],
  ['/nowhere/', null],
  ['/console//', null],
  ['//evil.example/', null],
  ['/', null],
])('D-284 %s leads to %s', (path, wanted) => {
  expect(rightPath(path, (url) => ['/console', '/platform'].includes(url))).toBe(wanted);
});

describe('D-284 a mistyped address', () => {
  const http = () => {
    const config = { public_url: 'https://a.example/pay', base_path: '/pay', trusted_proxies: [] };
    const app = createHttp({ config, log: createLog('silent'), ids: systemIds() });
    app.unknownPage = (_request, reply) => {
      void reply.code(404).type('text/html; charset=utf-8').send('no page here');
    };
    app.get('/console', () => ({ ok: true }));
    app.get('/', ({ url }) => ({ start: url }));
    return app;
  };
  const open = async (url: string, accept?: string) => {
    const { statusCode, headers, body } = await http().inject({
      url,
      headers: accept === undefined ? {} : { accept },
    });
    return [statusCode, headers.location ?? body];
  };

  test('shows a page to a browser, and JSON to a program', async () => {
    expect(await open('/pay/consol', browser)).toEqual([404, 'no page here']);
    expect(await open('/pay/consol')).toEqual([404, expect.stringContaining('"not_found"')]);
    expect(await open('/pay/openapi/v1/x', browser)).toEqual([404, expect.stringContaining('"not_found"')]);
  });

  test.each(['/pay', '/pay/', '/pay?lang=de', '/pay/?lang=de'])('D-942 %s is the start', async (url) => {
    const query = url.includes('?') ? '?lang=de' : '';
    expect(await open(url, browser)).toEqual([200, `{"start":"/${query}"}`]);
    expect((await open(url.replace('/pay', '/payment'), browser))[0]).toBe(404);
  });

  test('with a slash too many leads to the page, below the prefix and with its query', async () => {
    expect(await open('/pay/console/?a=b', browser)).toEqual([302, '/pay/console?a=b']);
    expect(await open('/pay/console/')).toEqual([404, expect.stringContaining('"not_found"')]);
    expect(await open('/pay//evil.example/', browser)).toEqual([404, 'no page here']);
  });

  test('D-980 below a page that answers for many addresses leads to the page, and no error names a payment', async () => {
    const app = http();
    const { errorHandler } = createPages(app);
    for (const path of ['/platform', '/platform/*', '/console/merchants/*', '/consent/:uid']) {
      app.get(path, { errorHandler }, () => ({ ok: true }));
    }
    const get = async (url: string, accept = browser) => {
      const { statusCode, headers, body } = await app.inject({ url, headers: { accept } });
      return [statusCode, headers.location ?? body];
    };
    expect(await get('/pay/platform/')).toEqual([302, '/pay/platform']);
    expect(await get('/pay/console/merchants/mr_1/?tab=a')).toEqual([
      302,
      '/pay/console/merchants/mr_1?tab=a',
    ]);
    expect(await get('/pay/consent/')).toEqual([404, expect.stringContaining('There is no page here')]);
    expect((await get('/pay/platform/', '*/*'))[0]).toBe(404);
  });
});
