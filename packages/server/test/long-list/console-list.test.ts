import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raw, sql } from '../../src/base/pg/index.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit, type Visitor } from '../support/browser/console-browser.ts';
import { openWorld, type World } from '../support/desks/console-world.ts';
import { beside } from '../support/desks/wallets.ts';

/** How many orders the list is as long as; how often it is opened. */
const orders = Number(process.env.PAYDESK_LONG_LIST ?? 100_000);
const times = 20;

let world: World;
let browser: Browser;

beforeAll(async () => {
  world = await openWorld();
  await multiply();
  browser = await launchBrowser();
}, 300_000);

afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** Copies of an order that expired, one for each minute before it. */
async function multiply(): Promise<void> {
  const { order_no } = world.orders.expired;
  await beside(world.service, async (db) => {
    const columns = await db.query<{ name: string }>(
      sql`SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = 'collection_orders' ORDER BY ordinal_position`,
    );
    const values: Readonly<Record<string, string>> = {
      order_no: `'mp_' || lpad(upper(to_hex(g)), 26, '0')`,
      idempotency_key: `'copy-' || g`,
      external_reference: `'INV-' || g`,
      created_at: `o.created_at - g * interval '1 minute'`,
      expires_at: `o.expires_at - g * interval '1 minute'`,
    };
    const names = columns.map(({ name }) => name);
    const copied = names.map((name) => values[name] ?? `o.${name}`);
    await db.query(
      sql`${raw(`INSERT INTO collection_orders (${names.join(', ')}) SELECT ${copied.join(', ')}
        FROM collection_orders o, generate_series(1, ${orders}) g`)} WHERE o.order_no = ${order_no}`,
    );
    await db.query(sql`ANALYZE collection_orders`);
  });
}

/** In ascending order, the one below which so much of them lies. */
const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;

const rows = ({ page }: Visitor) => page.locator('.table tbody tr:not(.space)');

describe(`a list of ${orders.toLocaleString('en')} orders`, () => {
  test.each([
    [
      'merchant',
      () => world.platform.owner,
      (): string => `/console/merchants/${world.platform.merchant_no}/orders`,
      /\/console\/v1\/.*\/collection-orders\?/,
    ],
    ['platform', () => world.admin, (): string => '/platform/orders', /\/admin\/v1\/collection-orders\?/],
  ] as const)(
    'of the %s opens as fast as an empty one, and scrolls by pages',
    { timeout: 600_000 },
    async (side, who, path, call) => {
      const visitor = await visit(browser, world.service.url, who(), path());
      const { page } = visitor;
      const asked: string[] = [];
      page.on('request', (request) => {
        if (call.test(request.url())) asked.push(request.url());
      });
      /** From asking for the page to its rows, or to the word that there are none. */
      const open = async (query: string, ready: Locator): Promise<number> => {
        const address = `${world.service.url}${path()}${query}`;
        asked.length = 0;
        const begun = performance.now();
        await page.goto(address, { waitUntil: 'commit' });
        await ready.waitFor();
        expect(asked).toHaveLength(1);
        return performance.now() - begun;
      };
      const empty: number[] = [];
      const long: number[] = [];
      for (let nth = 0; nth < times; nth++) {
        empty.push(await open('?q=nothing', page.getByText(/^No (such orders|order fits)$/).first()));
        long.push(await open('', rows(visitor).first()));
      }
      const figures = { 'all orders': long, 'the same page without any': empty };
      for (const [what, took] of Object.entries(figures)) {
        took.sort((a, b) => a - b);
        const [p50, p95] = [quantile(took, 0.5), quantile(took, 0.95)].map((ms) => Math.round(ms));
        console.log(`${side}, ${what}: opened ${times} times; p50 ${p50} ms, p95 ${p95} ms`);
      }
      // The length of the list must not matter. The speed of the machine can vary.
      expect(quantile(long, 0.5)).toBeLessThan(1.5 * quantile(empty, 0.5));

      // Further down, page after page: hidden rows are not drawn, and later pages are not loaded.
      const table = page.locator('.table-scroll');
      for (let nth = 1; nth <= 5; nth++) {
        await table.evaluate((element) => {
          element.scrollTop = element.scrollHeight;
        });
        await expect.poll(() => asked.length, { timeout: 15_000 }).toBe(nth + 1);
        await page.getByText('Loading more').waitFor({ state: 'detached' });
      }
      expect(await rows(visitor).count()).toBeLessThan(60);
      expect(visitor.complaints).toEqual([]);
      await visitor.context.close();
    },
  );
});
