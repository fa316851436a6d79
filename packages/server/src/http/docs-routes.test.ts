import { operations } from '@paydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { systemIds } from '../base/ids.ts';
import { createLog } from '../base/log.ts';
import { docsRoutes } from './docs-routes.ts';
import { curlOf } from './docs/curl.ts';
import { html } from './docs/html.ts';
import { prose } from './docs/prose.ts';
import { createHttp } from './server.ts';

let app: FastifyInstance;
let page: { headers: Record<string, unknown>; text: string };

beforeAll(async () => {
  const config = { public_url: 'https://pay.example/pay', base_path: '/pay', trusted_proxies: [] };
  app = createHttp({ config, log: createLog('silent'), ids: systemIds() });
  docsRoutes(app, { config });
  const answer = await app.inject('/pay/docs');
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

describe('/docs', () => {
  test('H-17 is a page without scripts, under a policy whose nonce its style carries', () => {
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const [nonce] = all(/<style nonce="([^"]+)">/g);
    expect(policy).toContain(`'nonce-${nonce ?? 'none'}'`);
    expect(page.text).not.toMatch(/<script|\son\w+=|\sstyle=/);
  });

  test('the nonce is new each time', async () => {
    const again = await app.inject('/pay/docs');
    expect(/<style nonce="([^"]+)">/.exec(again.body)?.[1]).not.toBe(all(/<style nonce="([^"]+)">/g)[0]);
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

describe('the parts of the page', () => {
  test.each([
    ['text', html`<p>${'<b> & "x" \'y\''}</p>`, '<p>&lt;b&gt; &amp; &quot;x&quot; &#39;y&#39;</p>'],
    ['HTML of its own', html`<p>${html`<b>x</b>`}</p>`, '<p><b>x</b></p>'],
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
