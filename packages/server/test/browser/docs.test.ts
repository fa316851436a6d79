import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../../src/base/ids.ts';
import { OffsetClock } from '../../src/base/time/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { docsRoutes } from '../../src/http/docs-routes.ts';
import { createHttp } from '../../src/http/server.ts';
import { launchBrowser } from '../support/browser/browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let app: FastifyInstance;
let browser: Browser;
/** One page for all tests: axe costs a third in a process that has run it before. */
let page: Page;
/** What the browser complained of in the test. */
let complaints: string[];
let url: string;

beforeAll(async () => {
  const config = { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: [], security: null };
  app = createHttp({ config, log: createLog('silent'), ids: systemIds() });
  docsRoutes(app, { config, clock: new OffsetClock() });
  [url, browser] = await Promise.all([app.listen({ host: '127.0.0.1', port: 0 }), launchBrowser()]);
  page = await browser.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
});
beforeEach(() => {
  complaints = [];
});

afterAll(async () => {
  await browser.close();
  await app.close();
});

/** Opens a page, and all that can be unfolded on it. */
async function open(path: string, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.goto(url + path);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
}

/** @param context where axe looks, and for what: JavaScript */
async function expectNothingFound(context: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  // All that axe says is much, and to carry it out of the page costs as much as a part of the check.
  const found = await page.evaluate(
    `axe.run(${context}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0]?.html]))`,
  );
  expect(found).toEqual([]);
}

/** Every call is drawn by the same code: one that takes a body, one that takes a form, and one that lists. */
const everyKind = ['header', 'nav', '#createCollectionOrder', '#getToken', '#listNotifications'];

/**
 * Axe computes the colours around each text, which takes long: one call of each kind stands for all. It looks for what lies
 * over each other on the whole page, so the other calls leave the page first.
 */
async function expectReadable(): Promise<void> {
  const left = await page.evaluate((kept) => {
    const sections = [...document.querySelectorAll('section.call, section.schema')];
    const others = sections.filter(({ id }) => !kept.includes(`#${id}`));
    for (const other of others) other.remove();
    return sections.length - others.length;
  }, everyKind);
  expect(left).toBe(3);
  await expectNothingFound(
    `{ include: ${JSON.stringify(everyKind)} }, { runOnly: ['color-contrast'], resultTypes: ['violations'] }`,
  );
}

test('the reference fits a phone, breaks no policy, and axe finds nothing against it', async () => {
  await open('/docs/api', 390, 'light');
  const rules = { 'color-contrast': { enabled: false } };
  await expectNothingFound(`document, ${JSON.stringify({ resultTypes: ['violations'], rules })}`);
  await expectReadable();
  expect(complaints).toEqual([]);
});

test.each(['/docs/api', '/docs/admin-api'])('D-1033 the names in %s fit the smallest phone', async (path) => {
  await open(path, 320, 'light');
});

test('in the dark, and on a desk, every kind of text can be read', async () => {
  await open('/docs/api', 1_280, 'dark');
  await expectReadable();
  expect(complaints).toEqual([]);
});

test('the contents lead to every call, on a phone behind one tap', async () => {
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto(`${url}/docs/api`);
  const link = page.getByRole('link', { name: 'Start or resume the payment' }).and(page.locator('nav a'));
  expect(await link.filter({ visible: true }).count()).toBe(0);
  await page.getByText('Contents', { exact: true }).filter({ visible: true }).click();
  await link.filter({ visible: true }).click();
  expect(new URL(page.url()).hash).toBe('#startPayment');
  const top = await page.locator('#startPayment').evaluate((section) => section.getBoundingClientRect().top);
  expect(top).toBeGreaterThan(40);
  expect(top).toBeLessThan(120);
});

test.each([
  ['/docs', 390, 'dark'],
  ['/docs/notifications', 390, 'light'],
  ['/docs/test-cards', 1_280, 'dark'],
] as const)('D-288 %s at %d pixels, %s, fits and can be read', async (path, width, scheme) => {
  await open(path, width, scheme);
  await expectNothingFound(`document, { resultTypes: ['violations'] }`);
  expect(complaints).toEqual([]);
});

test('D-291 the search by keyboard: the index comes when it opens, an arrow and Enter lead to a section', async () => {
  await open('/docs/start', 1_280, 'light');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search' }).fill('payment_conflict');
  await page
    .getByRole('status')
    .getByText(/results?\./)
    .waitFor();
  expect(loaded.filter((path) => path.endsWith('.json'))).toHaveLength(1);
  await expectNothingFound(`document.querySelector('dialog'), { resultTypes: ['violations'] }`);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/errors#payment_conflict');
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('searchbox').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('D-288 an anchor of the reference from before leads to its call', async () => {
  await page.goto(`${url}/docs#startPayment`);
  await page.waitForURL('**/docs/api#startPayment');
});
