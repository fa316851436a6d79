import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemIds } from '../../src/base/ids.ts';
import { createLog } from '../../src/base/log.ts';
import { docsRoutes } from '../../src/http/docs-routes.ts';
import { createHttp } from '../../src/http/server.ts';
import { launchBrowser } from '../support/browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let app: FastifyInstance;
let browser: Browser;
let url: string;

beforeAll(async () => {
  const config = { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: [] };
  app = createHttp({ config, log: createLog('silent'), ids: systemIds() });
  docsRoutes(app, { config });
  [url, browser] = await Promise.all([app.listen({ host: '127.0.0.1', port: 0 }), launchBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await app.close();
});

describe.each([
  ['a phone in the light', 390, 'light'],
  ['a desk in the dark', 1_280, 'dark'],
] as const)('the reference on %s', (_name, width, colorScheme) => {
  test('fits its width, breaks no policy, and axe finds nothing against it', async () => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(`${url}/docs`);
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const { violations } = await page.evaluate<AxeResults>(`${axe}; axe.run()`);
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

test('the contents lead to every call, on a phone behind one tap', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 900 } });
  await page.goto(`${url}/docs`);
  const link = page.getByRole('link', { name: 'Start or resume the payment' }).and(page.locator('nav a'));
  expect(await link.filter({ visible: true }).count()).toBe(0);
  await page.getByText('Contents', { exact: true }).filter({ visible: true }).click();
  await link.filter({ visible: true }).click();
  expect(new URL(page.url()).hash).toBe('#startPayment');
  const top = await page.locator('#startPayment').evaluate((section) => section.getBoundingClientRect().top);
  expect(top).toBeGreaterThan(40);
  expect(top).toBeLessThan(120);
  await page.close();
});
