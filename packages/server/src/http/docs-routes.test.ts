import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type JsonSchema, type OpenApiDocument, operations } from '@paydesk/contract';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { systemIds } from '../base/ids.ts';
import { createLog } from '../base/log.ts';
import { readConfig } from '../config.ts';
import { docsRoutes } from './docs-routes.ts';
import { curlOf } from './docs/curl.ts';
import { html } from './docs/html.ts';
import { prose } from './docs/prose.ts';
import { createHttp } from './server.ts';

// Both are CommonJS, whose names Node.js does not see.
const { Spectral } = spectralCore;
const { oas } = spectralRulesets;

const noon = new Date('2026-11-22T12:00:00Z');
const clock = { now: () => noon, real: () => noon };
let app: FastifyInstance;
let page: { headers: Record<string, unknown>; text: string };

beforeAll(async () => {
  const config = {
    public_url: 'https://pay.example/pay',
    base_path: '/pay',
    trusted_proxies: [],
    security: null,
  };
  app = createHttp({ config, log: createLog('silent'), ids: systemIds() });
  docsRoutes(app, { config, clock });
  const answer = await app.inject('/pay/docs/api');
  expect(answer.statusCode).toBe(200);
  page = { headers: answer.headers, text: answer.body };
});

afterAll(() => app.close());

const all = (pattern: RegExp): string[] => [...page.text.matchAll(pattern)].map(([, found = '']) => found);

describe('/openapi.json', () => {
  test('is JSON that may be cached for five minutes', async () => {
    const answer = await app.inject('/pay/openapi.json');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
    });
    expect(answer.json()).toMatchObject({ openapi: '3.1.0' });
  });

  test('R-001 its addresses come from the configuration, not from the request', async () => {
    const answer = await app.inject({ url: '/pay/openapi.json', headers: { host: 'evil.example' } });
    expect(answer.json()).toMatchObject({ servers: [{ url: 'https://pay.example/pay' }] });
    expect(answer.body).toContain('https://pay.example/pay/oauth/token');
    expect(answer.body).not.toContain('evil.example');
  });
});

describe.each(['/pay/openapi.json', '/pay/openapi-admin.json'])('%s for generators of clients', (url) => {
  test('D-241 has no error and no warning of Redocly recommended and of Spectral', async () => {
    const { body } = await app.inject(url);
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: body, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas as RulesetDefinition] });
    const found = await spectral.run(JSON.parse(body) as Record<string, unknown>);
    expect(found.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`)).toEqual([]);
  });

  test('D-242 describes every member, and names every enumeration', async () => {
    const document = (await app.inject(url)).json<OpenApiDocument>();
    const undescribed: string[] = [];
    const unnamed: string[] = [];
    const visit = (at: string, value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties = {}, enum: values } = value as JsonSchema;
      for (const [name, member] of Object.entries(properties)) {
        if ((member.description ?? '') === '') undescribed.push(`${at}.${name}`);
      }
      if (Array.isArray(values) && values.length > 1 && !/^components\.schemas\.\w+$/.test(at))
        unnamed.push(at);
      for (const [name, inner] of Object.entries(value)) {
        if (!/^examples?$/.test(name)) visit(at === '' ? name : `${at}.${name}`, inner);
      }
    };
    visit('', document);
    // Say in the schema what the member is, or in packages/contract/src/openapi/glossary.ts.
    expect(undescribed).toEqual([]);
    expect(unnamed).toEqual([]);
  });
});

describe.each(['/pay/openapi.json', '/pay/openapi-admin.json', '/pay/docs/api'])('%s', (url) => {
  const ask = (headers: Record<string, string> = {}) => app.inject({ url, headers });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['deflate', undefined],
    ['*', 'br'],
    ['', undefined],
  ])('for Accept-Encoding %j is compressed as %j, with a tag of that form', async (accepted, encoding) => {
    const plain = await ask();
    const answer = await ask({ 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toBe('accept-encoding');
    const unpack =
      { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
    expect(unpack(answer.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(answer.headers.etag === plain.headers.etag).toBe(encoding === undefined);
    if (encoding !== undefined) expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
  });

  test('is not sent again to a caller that has it', async () => {
    const { headers } = await ask({ 'accept-encoding': 'br' });
    const etag = String(headers.etag);
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `"x", W/${etag}`, '*']) {
      const answer = await ask({ 'accept-encoding': 'br', 'if-none-match': known });
      expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag]);
      expect(answer.headers['cache-control']).toBe('public, max-age=300');
    }
    expect((await ask({ 'if-none-match': etag })).statusCode).toBe(200);
    expect((await ask({ 'accept-encoding': 'br', 'if-none-match': '"x"' })).statusCode).toBe(200);
  });

  test('is made once: the tag and the bytes stay', async () => {
    const [one, two] = await Promise.all([ask(), ask()]);
    expect([one.headers.etag, one.body]).toEqual([two.headers.etag, two.body]);
    const head = await app.inject({ url, method: 'HEAD' });
    expect(head.headers['content-length']).toBe(String(one.rawPayload.length));
  });
});

describe('/docs/api', () => {
  test('H-17 is a page without scripts, under a policy that has the hash of its style', () => {
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const [style = ''] = all(/<style>([^]+?)<\/style>/g);
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy).toContain(`style-src 'self' 'sha256-${hash}'`);
    expect(policy).toContain("script-src 'self';");
    expect(page.text).not.toMatch(
      /<script(?! type="module" src="\/pay\/docs\/assets\/docs-[\w-]+\.js"><)|\son\w+=|\sstyle=/,
    );
  });

  test('every link within it has a target, and every id is unique', () => {
    const ids = all(/\sid="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = new Set(all(/href="#([^"]+)"/g));
    expect([...targets].filter((target) => !ids.includes(target))).toEqual([]);
    expect(page.text).toContain('href="/pay/openapi.json"');
  });

  test.each(operations.map(({ id, summary, errors }) => [id, summary, errors] as const))(
    'shows %s: its summary, a line for the shell, and each of its errors',
    (id, summary, errors) => {
      const section = page.text.slice(page.text.indexOf(`id="${id}"`)).split('</section>')[0] ?? '';
      expect(section).toContain(summary);
      expect(section).toContain('curl ');
      for (const code of errors) expect(section).toContain(`<code>${code}</code>`);
    },
  );

  test('shows the webhook with its headers', () => {
    for (const name of ['X-Service-Event-ID', 'X-Service-Timestamp', 'X-Service-Signature']) {
      expect(page.text).toContain(`<code>${name}</code>`);
    }
  });
});

describe('/.well-known/security.txt', () => {
  const url = '/pay/.well-known/security.txt';

  test('H-01 does not exist where no contact is configured', async () => {
    const answer = await app.inject(url);
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: 'not_found' }]);
  });

  test('has the contacts and an end in the future, and names its own address (RFC 9116)', async () => {
    const { public_url, security } = readConfig({
      PAYDESK_PUBLIC_URL: 'https://pay.example/pay',
      PAYDESK_SECURITY_CONTACT: 'security@pay.example, https://pay.example/report',
      PAYDESK_SECURITY_POLICY: 'https://pay.example/policy',
    });
    const config = { public_url, base_path: '/pay', trusted_proxies: [], security };
    const own = createHttp({ config, log: createLog('silent'), ids: systemIds() });
    docsRoutes(own, { config, clock });
    const answer = await own.inject(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body.split('\n')).toEqual([
      'Contact: mailto:security@pay.example',
      'Contact: https://pay.example/report',
      'Expires: 2027-05-21T00:00:00Z',
      'Policy: https://pay.example/policy',
      'Canonical: https://pay.example/pay/.well-known/security.txt',
      '',
    ]);
    await own.close();
  });

  test.each([
    [{ PAYDESK_SECURITY_CONTACT: 'security' }, /^PAYDESK_SECURITY_CONTACT contains "security"/],
    [{ PAYDESK_SECURITY_CONTACT: 'http://a.example' }, /^PAYDESK_SECURITY_CONTACT contains/],
    [{ PAYDESK_SECURITY_CONTACT: 'a@b.example\nContact: x' }, /^PAYDESK_SECURITY_CONTACT contains/],
    [{ PAYDESK_SECURITY_POLICY: 'https://a.example/' }, /^PAYDESK_SECURITY_CONTACT must be set/],
    [
      { PAYDESK_SECURITY_CONTACT: 'a@b.example', PAYDESK_SECURITY_POLICY: 'http://a.example/' },
      /^PAYDESK_SECURITY_POLICY must be/,
    ],
  ])('the setting %j is refused', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });
});

describe('the parts of the page', () => {
  test.each([
    ['text', html`<p>${'<b> & "x" \'y\''}</p>`, '<p>&lt;b&gt; &amp; &quot;x&quot; &#39;y&#39;</p>'],
    ['its own HTML', html`<p>${html`<b>x</b>`}</p>`, '<p><b>x</b></p>'],
    ['a list', html`${['a', 'b'].map((item) => html`<i>${item}</i>`)}`, '<i>a</i><i>b</i>'],
    ['a backslash', html`${'a\\n'}`, 'a\\n'],
  ])('html escapes what is put in: %s', (_name, { text }, expected) => {
    expect(text).toBe(expected);
  });

  test('prose renders paragraphs, lists and code', () => {
    const { text } = prose('One `a<b`.\n\n- two\n- three');
    expect(text.replaceAll(/\s+/g, ' ').replaceAll('> <', '><')).toBe(
      '<p>One <code>a&lt;b</code>.</p><ul><li>two</li><li>three</li></ul>',
    );
  });

  test('the shell command quotes its values', () => {
    const line = curlOf({
      method: 'post',
      url: 'https://pay.example/orders/{order_no}',
      operation: {
        operationId: 'x',
        tags: [],
        summary: '',
        description: '',
        security: [{ merchant_token: [] }],
        parameters: [
          { name: 'order_no', in: 'path', required: true, description: '', schema: {}, example: 'mp_1' },
          { name: 'q', in: 'query', required: false, description: '', schema: {}, example: 'a b&c' },
          { name: 'limit', in: 'query', required: false, description: '', schema: {} },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: {}, example: { a: "it's" } } },
        },
        responses: {},
      },
    });
    expect(line.split(' \\\n  ')).toEqual([
      "curl 'https://pay.example/orders/mp_1?q=a%20b%26c'",
      '-H "Authorization: Bearer $ACCESS_TOKEN"',
      "-H 'Content-Type: application/json'",
      `-d '{\n  "a": "it'\\''s"\n}'`,
    ]);
  });
});
