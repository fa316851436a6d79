import { fileURLToPath } from 'node:url';
import { test_cards, formatCardNumber } from '@paydesk/cardsim';
import { adminOperations, errorTable, methods, openapi, adminOpenapi, operations } from '@paydesk/contract';
import { type Built, buildPages, searchIndex, searchOptions } from '@paydesk/docs';
import type { FastifyInstance } from 'fastify';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemIds } from '../base/ids.ts';
import { createLog } from '../base/log.ts';
import { docsRoutes } from './docs-routes.ts';
import { createHttp } from './server.ts';

/** The documentation as a visitor and a program find it, below a path prefix, built from the files of the repository. */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const noon = new Date('2026-11-22T12:00:00Z');
const public_url = 'https://pay.example/pay';
const asset = { content_type: 'image/png', compressed: false };

let built: Built;
let app: FastifyInstance;
/** Every page by its address, such as `/pay/docs/catalog`. */
const pages = new Map<string, string>();

beforeAll(async () => {
  const assets: Record<string, typeof asset> = {};
  const keepPicture = (file: string): string => {
    const name = file.replaceAll('/', '-');
    assets[name] = asset;
    return name;
  };
  built = buildPages({ root, keepPicture });
  app = createHttp({
    config: { public_url, base_path: '/pay', trusted_proxies: [] },
    log: createLog('silent'),
    ids: systemIds(),
  });
  docsRoutes(app, {
    config: { public_url, security: null },
    clock: { now: () => noon, real: () => noon },
    files: {
      site: { ...built, assets, script: 'docs-1.js', search_index: 'search-1.json' },
      readPage: (path) => {
        const page = built.pages.find((one) => one.path === path);
        return page === undefined ? Promise.reject(new Error(path)) : Promise.resolve(page.content);
      },
      readAsset: (name) =>
        Promise.resolve(
          assets[name] === undefined ? null : { asset, bytes: Buffer.from(name), is_brotli: false },
        ),
    },
  });
  const paths = ['', ...built.sections.flatMap((section) => section.paths.map((path) => `/${path}`))];
  for (const path of paths) {
    const answer = await app.inject(`/pay/docs${path}`);
    expect([path, answer.statusCode, answer.headers['content-type']]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ]);
    pages.set(`/pay/docs${path}`, answer.body);
  }
});

afterAll(() => app.close());

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, one = '']) => one);
const idsOf = (text: string): string[] => found(text, /\sid="([^"]+)"/g);
const pageAt = (path: string): string => pages.get(`/pay/docs/${path}`) ?? '';

describe('links', () => {
  test('D-288 no link and no anchor of any page is dead, and all stay below the path prefix', async () => {
    const anchors = new Map([...pages].map(([address, text]) => [address, new Set(idsOf(text))]));
    const dead: string[] = [];
    const others = new Set<string>();
    for (const [address, text] of pages) {
      for (const link of new Set(found(text, /\shref="([^"]+)"/g))) {
        if (/^(https?|mailto|data):/.test(link)) continue;
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? address : path;
        const known = anchors.get(target);
        if (known === undefined) others.add(target);
        else if (anchor !== undefined && !known.has(anchor)) dead.push(`${address}: ${link}`);
      }
      for (const picture of new Set(found(text, /<img src="([^"]+)"/g))) others.add(picture);
    }
    expect(dead).toEqual([]);
    for (const address of others) {
      expect([address, (await app.inject(address)).statusCode]).toEqual([address, 200]);
    }
  });

  test('D-288 the first page leads to every page, and every page to its neighbours', () => {
    const links = new Set(found(pages.get('/pay/docs') ?? '', /\shref="([^"#]+)"/g));
    expect([...pages.keys()].filter((address) => !links.has(address))).toEqual([]);
    expect(pageAt('catalog')).toMatch(/Previous<\/span> Receiving notifications/);
  });

  test('D-288 ids are unique on each page', () => {
    for (const [address, text] of pages) {
      const ids = idsOf(text);
      expect([address, ids.filter((id, i) => ids.indexOf(id) !== i)]).toEqual([address, []]);
    }
  });

  test('D-288 anchors of the reference from before are on the first page, as links to the calls', () => {
    const home = pages.get('/pay/docs') ?? '';
    const anchors = new Set(idsOf(home));
    const reference = idsOf(pageAt('api')).filter((id) => !/^(top|search|search-button)$|-title$/.test(id));
    expect(reference.length).toBeGreaterThan(100);
    expect(reference.filter((id) => !anchors.has(id))).toEqual([]);
    expect(home).toContain('<li id="createCollectionOrder"><a href="/pay/docs/api#createCollectionOrder">');
  });

  test.each([
    '/docs/',
    '/docs/no-such-page',
    '/docs/no-such-page.md',
    '/docs/.md',
    '/docs/assets/x',
    '/docs/__proto__',
  ])('H-01 %s is not found', async (path) => {
    const answer = await app.inject(`/pay${path}`);
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: 'not_found' }]);
  });
});

describe('for programs', () => {
  test('D-289 llms.txt lists every page as Markdown, with absolute addresses that exist and lead on', async () => {
    const list = await app.inject('/pay/llms.txt');
    expect([list.statusCode, list.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(list.body).toMatch(/^# Paydesk\n\n> /);
    const targets = found(list.body, /\]\(([^)]+)\)/g);
    expect(targets.sort()).toEqual(
      [...pages.keys()]
        .filter((path) => path !== '/pay/docs')
        .map((path) => `https://pay.example${path}.md`)
        .sort(),
    );
    const texts = new Map<string, string>();
    for (const target of targets) {
      const answer = await app.inject(target.replace('https://pay.example', ''));
      expect([target, answer.statusCode, answer.headers['content-type']]).toEqual([
        target,
        200,
        'text/markdown; charset=utf-8',
      ]);
      expect(answer.body, target).toMatch(/^# \S/);
      expect(answer.body, target).not.toMatch(/\uE000|<!--/);
      texts.set(target, answer.body);
    }
    const dead = [...texts].flatMap(([address, text]) =>
      found(text.replaceAll(/^ *```[^]*?^ *```$/gm, '').replaceAll(/`[^`]+`/g, ''), /\]\(([^)\s]+)\)/g)
        .filter((link) => !/^(https?:\/\/(?!pay\.example\/pay\/docs\/(?!assets\/))|#|mailto:)/.test(link))
        .filter((link) => !targets.includes(link.split('#')[0] ?? ''))
        .map((link) => `${address}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  test('D-289 the reference as Markdown has every call with its command', async () => {
    const { body } = await app.inject('/pay/docs/api.md');
    for (const { summary } of operations) expect(body).toContain(`\n### ${summary}\n`);
    expect(body).toContain("curl 'https://pay.example/pay/openapi/v1/merchant-payments'");
    expect((await app.inject('/pay/docs/admin-api.md')).body).toContain('$PAYDESK_ADMIN_KEY');
    for (const { id } of adminOperations) expect(pageAt('admin-api')).toContain(`id="${id}"`);
  });
});

describe('content', () => {
  test('D-290 every error code of the contract has a section with cause and action', () => {
    const text = pageAt('errors');
    for (const [code, [status]] of Object.entries(errorTable)) {
      const section = text.slice(text.indexOf(`<h3 id="${code}">`)).split('<h3 ', 2)[1] ?? '';
      expect(section, code).toContain(`HTTP ${status}.`);
      expect(section, code).toMatch(/Cause:<\/strong> \S.{10}/);
      expect(section, code).toMatch(/What to do:<\/strong> \S.{4}/);
    }
  });

  test('D-290 the test cards are the cards of the simulator', () => {
    const shown = found(pageAt('test-cards'), /<code>(\d{4} [\d ]+)<\/code>/g);
    expect(shown).toEqual(test_cards.map(({ number }) => formatCardNumber(number)));
  });

  test('D-290 every call that a guide names exists', () => {
    const base = {
      base_url: 'https://a',
      token_endpoint: 'https://a/oauth/token',
      userinfo_endpoint: 'https://a/oauth/userinfo',
    };
    const documents = [openapi(base), adminOpenapi(base)];
    const calls = documents.flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([path, item]) =>
        methods.flatMap((method) => (item[method] === undefined ? [] : `${method.toUpperCase()} ${path}`)),
      ),
    );
    const pages_of_people = ['/oauth/authorize', '/account'];
    const shape = (path: string): string => path.replaceAll(/\{\w+\}|\$\w+/g, '*').replace(/\?.*$/, '');
    const known = new Set(calls.map(shape));
    const guides = built.pages.filter(({ path }) =>
      ['start', 'catalog', 'shop-checklist', 'errors'].includes(path),
    );
    const unknown = guides.flatMap(({ path, content: { markdown } }) => [
      ...found(markdown, /`((?:GET|POST|PUT|PATCH|DELETE) \/[^\s`]+)`/g).filter(
        (call) => !known.has(shape(call)),
      ),
      ...found(markdown, /\$PAYDESK(\/[^\s"']+)/g)
        .map(shape)
        .filter(
          (one) => !calls.some((call) => shape(call).endsWith(` ${one}`)) && !pages_of_people.includes(one),
        )
        .map((one) => `${path}: ${one}`),
    ]);
    expect(unknown).toEqual([]);
  });
});

describe('search', () => {
  let index: MiniSearch;

  beforeAll(() => {
    // As the browser loads it.
    index = MiniSearch.loadJSON(searchIndex(built.entries), searchOptions);
  });

  test.each([
    ['a code', 'payment_conflict', 'errors#payment_conflict'],
    ['a call', 'create collection order', 'api#createCollectionOrder'],
    ['a call by its address', 'merchant-payments retry', 'api#replayNotification'],
    ['a setting', 'PAYDESK_DB_POOL', 'operating/connections'],
    ['a heading', 'standard webhooks', 'notifications#standard-webhooks'],
    ['a beginning', 'idempot', 'api#createCollectionOrder'],
    ['a slip of the pen', 'chargebak', 'errors'],
  ])('D-291 %s is among the first five: %s', (_name, asked, expected) => {
    const hrefs = index
      .search(asked)
      .slice(0, 5)
      .map(({ href }) => String(href));
    expect(
      hrefs.some((href) => href.startsWith(expected)),
      hrefs.join(', '),
    ).toBe(true);
  });

  test('D-291 every result leads to a section that exists', () => {
    const anchors = new Map([...pages].map(([address, text]) => [address, new Set(idsOf(text))]));
    const dead = built.entries.filter(({ href }) => {
      const [path = '', anchor] = href.split('#');
      const known = anchors.get(`/pay/docs/${path}`);
      return known === undefined || (anchor !== undefined && !known.has(anchor));
    });
    expect(dead.map(({ href }) => href)).toEqual([]);
  });
});
