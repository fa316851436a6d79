import { request as rawRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { createLog } from '../../../src/base/log.ts';
import { setCookie } from '../../../src/http/cookies.ts';
import { pageNonce, sendPage } from '../../../src/http/page.ts';
import { requireSameOrigin } from '../../../src/http/same-origin.ts';
import { createHttp, type HttpOptions } from '../../../src/http/server.ts';

const json = 'application/json; charset=utf-8';
const logged: string[] = [];
const stream = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged.push(chunk.toString());
    done();
  },
});

function build(options: Partial<HttpOptions> = {}): FastifyInstance {
  const app = createHttp({
    config: { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: ['127.0.0.0/8'] },
    log: createLog('info', stream),
    ids: systemIds(),
    ...options,
  });
  app.get('/things/:id', ({ params }) => ({ params, amount: 9_007_199_254_740_993n }));
  app.get('/things/:id/parts', ({ params }) => ({ params }));
  app.get('/echo', ({ query, client_ip }) => ({ query, client_ip }));
  app.post('/things', ({ body }) => ({ body }));
  app.post('/forms', { config: { body: 'form' } }, ({ body }) => ({
    a: (body as URLSearchParams).getAll('a'),
  }));
  app.post('/ignored', { config: { body: 'ignored' } }, () => ({ accepted: true }));
  app.post('/raw', { config: { body: 'raw' } }, ({ body }) => ({ length: (body as Buffer).length }));
  app.post('/guarded', { onRequest: () => Promise.reject(new AppError('invalid_token')) }, () => 'never');
  app.post('/same-origin', { config: { body: 'ignored' } }, (request) => {
    requireSameOrigin(request);
    return { ok: true };
  });
  app.get('/broken', () => {
    throw new Error('relation "secret_table" does not exist at /srv/x.ts');
  });
  app.get('/limited', () => {
    throw new AppError('rate_limited', { retry_after_s: 0.2 });
  });
  app.get('/down', () => {
    throw new AppError('service_unavailable');
  });
  app.get('/page', (_request, reply) =>
    sendPage(reply, '<p>hello</p>', { nonce: pageNonce(), form_action: ['https://pay.example'] }),
  );
  app.get('/cookie', (_request, reply) => {
    setCookie(reply, 'paydesk_session', 'abc');
    return {};
  });
  return app;
}

let app: FastifyInstance;
let base: string;

async function listen(server: FastifyInstance): Promise<string> {
  await server.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  app = build();
  base = await listen(app);
});
afterAll(() => app.close());

const call = (path: string, init: RequestInit = {}): Promise<Response> => fetch(base + path, init);
const post = (path: string, body: BodyInit, type = 'application/json'): Promise<Response> =>
  call(path, { method: 'POST', body, headers: { 'content-type': type } });
const errorOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { error: unknown }).error;

/** Sends bytes as they are and gives back everything that comes until the connection ends. */
function exchange(text: string, port = Number(new URL(base).port)): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    let all = '';
    socket.on('data', (chunk) => (all += chunk.toString()));
    socket.on('end', () => {
      resolve(all);
    });
    socket.on('error', reject);
  });
}

describe('addresses and methods', () => {
  test.each([
    ['/nowhere', 404],
    ['/openapi/v1/nowhere', 404],
    ['/things/', 404],
    ['/things/x/', 404],
    ['/things//', 404],
    ['/things//parts', 404],
    ['//things/x', 404],
    ['/Things/x', 404],
  ])('H-01 H-05 GET %s is %i in JSON', async (path, status) => {
    const response = await call(path);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe(json);
    expect(await errorOf(response)).toBe('not_found');
  });

  test('H-05 dot segments are not resolved, and nothing redirects', async () => {
    const answer = await exchange('GET /x/../things/y HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
  });

  test.each([
    ['PUT', '/things/x', 'GET, HEAD'],
    ['DELETE', '/things', 'POST'],
    ['PATCH', '/things', 'POST'],
    ['GET', '/things', 'POST'],
    ['HEAD', '/things', 'POST'],
    ['OPTIONS', '/things', 'POST'],
    ['PUT', '/things/x?a=b', 'GET, HEAD'],
  ])('H-02 H-03 H-04 %s %s is 405 and allows %s', async (method, path, allow) => {
    const response = await call(path, { method, headers: { origin: 'https://evil.example' } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allow);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    if (method !== 'HEAD') expect(await errorOf(response)).toBe('method_not_allowed');
  });

  test('D-011 an unknown address is reported before any other error', async () => {
    const sent = { method: 'POST', body: 'x'.repeat(70_000), headers: { 'content-type': 'nonsense' } };
    expect((await call('/nowhere?q=%zz', sent)).status).toBe(404);
    expect((await call('/page', sent)).status).toBe(405);
  });

  test('H-03 HEAD answers like GET, without the body', async () => {
    const [get, head] = [await call('/things/x'), await call('/things/x', { method: 'HEAD' })];
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe(json);
    expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
    expect(await head.text()).toBe('');
  });

  test.each([
    ['GET /things/x HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['GET /things/x HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n', 200],
  ])('R-368 %j is %i, with a body', async (request, status) => {
    const [head = '', body = ''] = (await exchange(request)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain('x-request-id: ');
    if (status === 400) expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request' });
  });

  test.each([
    ['%00', 404],
    ['a%00b', 404],
    ['%zz', 404],
    ['%ff', 404],
    ['%', 404],
    ['a'.repeat(10_000), 404],
    ['a%2Fb', 200],
  ])('H-06 the path parameter %.20s gives %i', async (id, status) => {
    const answer = await exchange(`GET /things/${id} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('x-request-id: ');
    if (status !== 200) expect(answer).toContain('"error":"not_found"');
  });

  test.each([
    ['?a=1&a=2&limit[]=1', 200],
    ['?q=a+b%20c', 200],
    ['?q=%00', 400],
    ['?q=%ff', 400],
    ['?q=%zz', 400],
  ])('H-22 D-156 the query %s gives %i', async (query, status) => {
    const response = await call(`/echo${query}`);
    expect(response.status).toBe(status);
    const body: unknown = await response.json();
    if (query.startsWith('?a')) expect(body).toMatchObject({ query: { a: ['1', '2'], 'limit[]': '1' } });
    if (query.startsWith('?q=a')) expect(body).toMatchObject({ query: { q: 'a b c' } });
  });

  test('R-001 everything is served below the prefix of the public address, and nothing beside it', async () => {
    const prefixed = build({
      config: { public_url: 'https://h.example/pay', base_path: '/pay', trusted_proxies: [] },
    });
    const statuses = await Promise.all(
      ['/pay/things/x', '/things/x', '/payment/things/x', '/pay', '/pay/echo?a=1'].map(
        async (url) => (await prefixed.inject({ url })).statusCode,
      ),
    );
    expect(statuses).toEqual([200, 404, 404, 404, 200]);
    await prefixed.close();
  });
});

describe('bodies', () => {
  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/json-patch+json', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=latin1', 415],
    ['json', 415],
    ['application/json', 200],
    ['Application/JSON', 200],
    ['application/json;charset=utf-8', 200],
    ['application/json; charset="UTF-8"', 200],
    ['application/json; v=1', 200],
  ])('H-07 D-018 %s gives %i', async (type, status) => {
    const response = await post('/things', '{"a":1}', type);
    expect(response.status).toBe(status);
    if (status === 415) expect(await errorOf(response)).toBe('unsupported_media_type');
  });

  test('H-07 a body without a type is 415', async () => {
    const head = 'POST /things HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}';
    expect(await exchange(head)).toMatch(/^HTTP\/1.1 415 /);
  });

  test.each([
    ['', 'empty'],
    ['{', 'cut short'],
    ['{"a":1} x', 'trailing garbage'],
    ['{"a":1/*c*/}', 'comment'],
    ['{"a":NaN}', 'NaN'],
    [`{'a':1}`, 'single quotes'],
    ['{"a":1,"a":1}', 'duplicate key'],
    ['{"a":"\\u0000"}', 'NUL'],
    ['{"a":"\\ud800"}', 'lone surrogate'],
    ['['.repeat(40) + ']'.repeat(40), 'too deep'],
    [Buffer.from([0x22, 0xff, 0x22]), 'invalid UTF-8'],
    [Buffer.from('{"a":1}', 'utf16le'), 'UTF-16'],
  ])('H-08 H-09 H-10 %j (%s) is 400', async (body, _what) => {
    const response = await post('/things', body);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toBe('invalid_request');
  });

  test('H-08 a missing body is 400', async () => {
    const response = await call('/things', { method: 'POST' });
    expect([response.status, await errorOf(response)]).toEqual([400, 'invalid_request']);
  });

  test('H-09 H-10 a byte-order mark and hostile names do no harm; numbers stay exact', async () => {
    const response = await post(
      '/things',
      '\ufeff{"__proto__":{"x":1},"constructor":2,"n":9007199254740993}',
    );
    expect(await response.text()).toBe('{"body":{"__proto__":{"x":1},"constructor":2,"n":9007199254740993}}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test.each([65_536, 65_537, 500_000, 9_000_000])('H-11 a body of %i bytes', async (size) => {
    const body = `"${'x'.repeat(size - 2)}"`;
    const head = `POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
    if (size <= 65_536) {
      expect((await post('/things', body)).status).toBe(200);
      return;
    }
    const declared = await exchange(`${head}Content-Length: ${size}\r\n\r\n${body.slice(0, 500_000)}`);
    expect(declared).toMatch(/^HTTP\/1.1 413 [^]*connection: close[^]*"error":"request_too_large"/i);
  });

  test('H-11 a chunked body beyond the limit is 413 and the connection ends', async () => {
    const head = `POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `${(70_000).toString(16)}\r\n${'x'.repeat(70_000)}\r\n`;
    expect(await exchange(head + chunk)).toMatch(/^HTTP\/1.1 413 [^]*connection: close/i);
    expect(await exchange(`${head}${chunk}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 413 /);
  });

  test('H-11 a slow body is 408 in JSON and the connection ends', async () => {
    const slow = build({ body_limits: { size: 65_536, timeout_ms: 50 } });
    const port = Number(new URL(await listen(slow)).port);
    const head = `POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`;
    expect(await exchange(head, port)).toMatch(
      /^HTTP\/1.1 408 [^]*connection: close[^]*"error":"request_timeout"/i,
    );
    await slow.close();
  });

  test('D-1103 a refused connection ends, although its other end never does', async () => {
    const refusing = build();
    const port = Number(new URL(await listen(refusing)).port);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write('nonsense\r\n\r\n');
    let answer = '';
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    const open = () =>
      new Promise((resolve) => {
        refusing.server.getConnections((_error, count) => {
          resolve(count);
        });
      });
    await expect.poll(open, { timeout: 20_000 }).toBe(0);
    socket.destroy();
    await refusing.close();
  });

  test('H-11 compressed bodies are 415', async () => {
    const response = await call('/things', {
      method: 'POST',
      body: gzipSync('{}'),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    expect(response.status).toBe(415);
  });

  test('D-018 a route that ignores its body needs no type and minds the limit', async () => {
    const statuses = await Promise.all([
      call('/ignored', { method: 'POST' }),
      post('/ignored', 'not json', 'text/plain'),
      post('/ignored', 'x'.repeat(70_000), 'text/plain'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 413]);
  });

  test('forms and raw bytes only where a route takes them', async () => {
    const form = await post('/forms', 'a=1&a=%C3%A9+x', 'application/x-www-form-urlencoded');
    expect(await form.json()).toEqual({ a: ['1', 'é x'] });
    expect((await post('/forms', '{}')).status).toBe(415);
    expect((await post('/forms', 'a=%ff', 'application/x-www-form-urlencoded')).status).toBe(400);
    expect(await (await post('/raw', Buffer.from([0xff, 0]), 'image/png')).json()).toEqual({ length: 2 });
  });

  test('D-011 authorization is checked before the body', async () => {
    expect((await post('/guarded', '{', 'text/plain')).status).toBe(401);
  });
});

describe('answers', () => {
  test('H-12 H-15 D-023 answers are JSON for any Accept header, not cached, with exact integers', async () => {
    const response = await call('/things/x', { headers: { accept: 'text/html' } });
    expect(response.headers.get('content-type')).toBe(json);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('server')).toBeNull();
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(await response.text()).toContain('"amount":9007199254740993');
  });

  test('R-372 an unexpected failure says nothing about itself', async () => {
    const response = await call('/broken');
    expect(response.status).toBe(500);
    const body = await response.text();
    expect(body).toContain('"error":"server_error"');
    expect(body).not.toMatch(/secret_table|srv/);
    expect(logged.join('')).toContain('secret_table');
  });

  test('H-13 401 challenges, and names an error only where a token was sent', async () => {
    const bare = await call('/guarded', { method: 'POST' });
    expect(bare.headers.get('www-authenticate')).toBe('Bearer realm="api"');
    const sent = await call('/guarded', { method: 'POST', headers: { authorization: 'bearer x' } });
    expect(sent.headers.get('www-authenticate')).toBe('Bearer realm="api", error="invalid_token"');
  });

  test('H-16 429 and 503 say when to retry, in whole seconds', async () => {
    expect((await call('/limited')).headers.get('retry-after')).toBe('1');
    expect((await call('/down')).headers.get('retry-after')).toBe('5');
  });

  test.each([
    ['abc-123', true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['a b', false],
    ['a_b', false],
  ])('H-21 the request id %j is taken over: %s', async (id, taken) => {
    const response = await call('/nowhere', { headers: { 'x-request-id': id } });
    expect(response.headers.get('x-request-id') === id).toBe(taken);
    expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9-]{1,64}$/);
  });

  test('R-034 D-192 the access log has path, status, client, duration and request id, and no query', async () => {
    logged.length = 0;
    await call('/echo?token=very-secret', { headers: { 'x-request-id': 'log-me' } });
    await expect.poll(() => logged.join('')).toContain('log-me');
    const line = JSON.parse(logged.find((text) => text.includes('log-me')) ?? '') as Record<string, unknown>;
    expect(line).toMatchObject({
      request_id: 'log-me',
      method: 'GET',
      path: '/echo',
      status: 200,
      client_id: null,
    });
    expect(line.duration_ms).toBeTypeOf('number');
    expect(logged.join('')).not.toContain('very-secret');
  });

  test.each([
    ['/pay/very-secret?lang=de', '/pay/-'],
    ['/console/v1/merchants/mr_1/payment-links/very-secret', '/console/v1/merchants/mr_1/payment-links/-'],
    ['/webhooks/cardprov/very-secret', '/webhooks/cardprov/-'],
    ['/payment', '/payment'],
  ])(
    'D-934 D-1421 the access log has %s as %s, without the key of a payment link or a webhook',
    async (path, kept) => {
      logged.length = 0;
      await call(path);
      await expect.poll(() => logged.join('')).toContain(`"path":"${kept}"`);
      expect(logged.join('')).not.toContain('very-secret');
    },
  );

  test.each([
    ['/shop', '/webhooks/cardprov/very-secret', '/webhooks/cardprov/-'],
    ['/shop', '/pay/very-secret', '/pay/-'],
    ['/shop', '/shop/pay/very-secret', '/shop/pay/-'],
    ['', '/shop/webhooks/cardprov/very-secret', '/shop/webhooks/cardprov/-'],
    ['', '//webhooks/cardprov/very-secret', '//webhooks/cardprov/-'],
    ['', '/shop/pay/very-secret', '/shop/pay/-'],
    ['/shop', '/other/pay/very-secret/pay/more', '/other/pay/-'],
  ])(
    'D-1387 behind a proxy that changes paths, the access log below "%s" has %s as %s',
    async (base_path, path, kept) => {
      logged.length = 0;
      const public_url = `https://h.example${base_path}`;
      const site = build({ config: { public_url, base_path, trusted_proxies: [] } });
      await site.inject({ url: path });
      await expect.poll(() => logged.join('')).toContain(`"path":"${kept}"`);
      expect(logged.join('')).not.toContain('very-secret');
      await site.close();
    },
  );

  test('H-17 pages let in nothing but their own parts', async () => {
    const response = await call('/page');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const part of [`default-src 'none'`, `frame-ancestors 'none'`, `base-uri 'none'`]) {
      expect(policy).toContain(part);
    }
    expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/=]{16,}'/);
    expect(policy).toContain(`form-action 'self' https://pay.example;`);
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('permissions-policy')).toContain('geolocation=()');
  });

  test.each([
    ['http://127.0.0.1:8080', '', 'paydesk_session=abc; Path=/; HttpOnly; SameSite=Lax'],
    ['https://h.example', '', '__Host-paydesk_session=abc; Path=/; HttpOnly; SameSite=Lax; Secure'],
    ['https://h.example/pay', '/pay', '__Host-paydesk_session=abc; Path=/; HttpOnly; SameSite=Lax; Secure'],
  ])('H-18 the cookie under %s%s', async (public_url, base_path, cookie) => {
    const site = build({ config: { public_url, base_path, trusted_proxies: [] } });
    const response = await site.inject({ url: `${base_path}/cookie` });
    expect(response.headers['set-cookie']).toBe(cookie);
    expect(response.headers['strict-transport-security'] !== undefined).toBe(public_url.startsWith('https'));
    await site.close();
  });

  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ origin: 'http://127.0.0.1:8080' }, 200],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 200],
    [{}, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://127.0.0.1:8081' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:8080' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 403],
  ])('H-19 D-121 a write with %j is %i', async (headers, status) => {
    const response = await app.inject({ method: 'POST', url: '/same-origin', headers: headers as never });
    expect(response.statusCode).toBe(status);
    if (status === 403) expect(response.json()).toMatchObject({ error: 'cross_site_request' });
  });

  test.each([
    [undefined, '127.0.0.1'],
    ['203.0.113.9', '203.0.113.9'],
    ['1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['203.0.113.9, 127.0.0.3', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['nonsense', '127.0.0.1'],
    ['203.0.113.9, nonsense, 127.0.0.3', '127.0.0.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2:3:4:5:6]:443', '2001:db8:1:2::/64'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
  ])('D-161 behind a trusted proxy, %j comes from %s', async (forwarded, ip) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    expect(await (await call('/echo', { headers })).json()).toMatchObject({ client_ip: ip });
  });

  test('D-161 an untrusted peer cannot say that it is another', async () => {
    const direct = build({
      config: { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: [] },
    });
    const response = await direct.inject({ url: '/echo', headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(response.json()).toMatchObject({ client_ip: '127.0.0.1' });
    await direct.close();
  });

  test('input that is not HTTP is answered in JSON', async () => {
    const answer = await exchange('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*"error":"invalid_request"/);
  });
});

describe('stopping', () => {
  test('H-24 a running request is finished, its connection ends, and new ones are refused', async () => {
    const stopping = build();
    let release: () => void = () => undefined;
    let entered: () => void = () => undefined;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    stopping.get('/slow', async () => {
      entered();
      await new Promise<void>((resolve) => (release = resolve));
      return { done: true };
    });
    const at = await listen(stopping);
    const answer = fetch(`${at}/slow`);
    await inside;
    const closed = stopping.close();
    await expect.poll(() => fetch(`${at}/echo`).catch(() => 'refused')).toBe('refused');
    release();
    const response = await answer;
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    await closed;
  });

  test('H-24 a request that does not end is cut after the grace', async () => {
    const stopping = build({ grace_ms: 50 });
    let entered: () => void = () => undefined;
    const inside = new Promise<void>((resolve) => (entered = resolve));
    stopping.get('/hang', () => {
      entered();
      return new Promise(() => undefined);
    });
    const at = new URL('/hang', await listen(stopping));
    const failed = new Promise((resolve) => rawRequest(at).on('error', resolve).end());
    await inside;
    await stopping.close();
    expect(await failed).toBeInstanceOf(Error);
  });
});
