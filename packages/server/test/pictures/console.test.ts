import { writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/console-browser.ts';
import { openWorld, type World } from '../support/desks/console-world.ts';

/** Where `npm run pictures` wants them. */
const directory = process.env.PAYDESK_PICTURES ?? '';

let world: World;
let browser: Browser;

beforeAll(async () => {
  world = await openWorld({ days: 14, owes: false });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await world.stop();
});

const at = (path: string): string => `/console/merchants/${world.platform.merchant_no}${path}`;

type Shot = [
  name: string,
  who: 'merchant' | 'admin',
  path: () => string,
  width: number,
  scheme: 'light' | 'dark',
  /** The actions before the picture is taken. */
  act?: (page: Page) => Promise<unknown>,
];

const records = [
  'reference,amount,currency,status',
  'INV-2026-00400,11.90,USD,paid',
  'INV-2026-00401,16.90,USD,paid',
  'INV-2026-00402,99.00,USD,paid',
  'INV-2026-00777,5.00,USD,paid',
].join('\n');

/** A home is long: its charts are drawn when they come into view. */
const showCharts =
  (height: number) =>
  async (page: Page): Promise<void> => {
    await page.setViewportSize({ width: 1_280, height });
    await page.locator('.recharts-surface').first().waitFor();
  };

const showTeam = (page: Page) =>
  page.getByRole('heading', { name: 'Team' }).evaluate((heading) => {
    heading.scrollIntoView();
  });

async function compare(page: Page): Promise<void> {
  await page.getByLabel('Or paste records here').fill(records);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByText('No order has this reference').waitFor();
}

/** The time of the service, which is that of the pages. */
async function serviceNow(): Promise<Date> {
  const { now } = await world.service.admin<{ now: string }>('GET', '/test-clock');
  return new Date(now);
}

/** Everything has come: lists, figures, and the choice of a merchant in the header. */
const untilWhole = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      document.querySelector('[data-loading], .switcher') === null &&
      // What is below the fold is loaded when it comes into view.
      [...document.querySelectorAll('.mantine-Skeleton-root')].every(
        (one) => one.getBoundingClientRect().top >= window.innerHeight,
      ),
  );

describe('pictures of the consoles', () => {
  test.each<Shot>([
    ['merchant-home', 'merchant', () => at(''), 1_280, 'light', showCharts(1_620)],
    ['merchant-orders', 'merchant', () => at('/orders'), 1_280, 'light'],
    ['merchant-order', 'merchant', () => at(`/orders/${world.orders.complained.order_no}`), 1_280, 'light'],
    [
      'merchant-order-money',
      'merchant',
      () => at(`/orders/${world.orders.disputed.order_no}?tab=money`),
      1_280,
      'light',
    ],
    ['merchant-payment-links', 'merchant', () => at('/payment-links'), 1_280, 'light'],
    ['merchant-wallet', 'merchant', () => at('/wallet'), 1_280, 'dark'],
    ['merchant-exports', 'merchant', () => at('/exports'), 1_280, 'light'],
    ['merchant-reconciliation', 'merchant', () => at('/reconciliation'), 1_280, 'light', compare],
    [
      'merchant-notification',
      'merchant',
      () => at(`/notifications?status=failed`),
      1_280,
      'light',
      (page) => page.getByRole('button', { name: /^mp_/ }).first().click(),
    ],
    ['merchant-product', 'merchant', () => at(`/products/${world.gd_no}`), 1_280, 'light'],
    ['merchant-catalog-orders', 'merchant', () => at('/catalog-orders'), 1_280, 'light'],
    ['merchant-webhooks', 'merchant', () => at('/notification-settings'), 1_280, 'light'],
    ['merchant-developers', 'merchant', () => at('/developers'), 1_280, 'dark'],
    ['merchant-quickstart', 'merchant', () => at('/developers/quickstart'), 1_280, 'light'],
    ['merchant-requests', 'merchant', () => at('/developers/requests'), 1_280, 'light'],
    ['merchant-team', 'merchant', () => at('/settings'), 1_280, 'light', showTeam],
    ['merchant-activity', 'merchant', () => at('/activity'), 1_280, 'dark'],
    ['merchant-orders-phone', 'merchant', () => at('/orders'), 390, 'light'],
    ['merchant-product-phone', 'merchant', () => at(`/products/${world.gd_no}`), 390, 'dark'],
    ['platform-overview', 'admin', () => '/platform', 1_280, 'light', showCharts(1_340)],
    ['platform-orders', 'admin', () => '/platform/orders', 1_280, 'light'],
    ['platform-order', 'admin', () => `/platform/orders/${world.orders.complained.order_no}`, 1_280, 'light'],
    [
      'platform-cases',
      'admin',
      () => '/platform/cases',
      1_280,
      'light',
      (page) => page.getByRole('button', { name: 'Mismatch' }).click(),
    ],
    ['platform-complaints', 'admin', () => '/platform/complaints?stage=ended', 1_280, 'light'],
    ['platform-payouts', 'admin', () => '/platform/withdrawals', 1_280, 'light'],
    ['platform-approvals', 'admin', () => '/platform/approvals', 1_280, 'dark'],
    ['platform-figures', 'admin', () => '/platform/merchant-figures', 1_280, 'light'],
    ['platform-settings', 'admin', () => '/platform/settings', 1_280, 'light'],
    ['platform-audit-log', 'admin', () => '/platform/audit-log', 1_280, 'dark'],
    [
      'platform-ledger',
      'admin',
      () => `/platform/ledger?book=${world.platform.merchant_no}`,
      1_280,
      'light',
      (page) => page.getByRole('button', { name: 'Check the books now' }).click(),
    ],
    ['platform-merchant', 'admin', () => `/platform/merchants/${world.platform.merchant_no}`, 1_280, 'light'],
    ['platform-channel', 'admin', () => `/platform/channels/${world.card.payment_no}`, 1_280, 'dark'],
    [
      'platform-test-channel',
      'admin',
      () => `/platform/channels/${world.test_channel.payment_no}`,
      1_280,
      'light',
      (page) => page.getByRole('heading', { name: 'Test access' }).scrollIntoViewIfNeeded(),
    ],
    ['platform-currencies', 'admin', () => '/platform/currencies?history=USD', 1_280, 'light'],
    ['platform-queues', 'admin', () => '/platform/workers', 1_280, 'light'],
    ['platform-overview-phone', 'admin', () => '/platform', 390, 'dark'],
    // The last, because the language stays with the account.
    ['merchant-home-arabic', 'merchant', () => `${at('')}?lang=ar`, 1_280, 'light', showCharts(1_620)],
  ])('%s', async (name, who, path, width, scheme, act) => {
    const person = who === 'admin' ? world.admin : world.platform.owner;
    const [address = ''] = path().split('?');
    const options = { width, scheme, now: await serviceNow() };
    const visitor = await visit(browser, world.service.url, person, address, options);
    await visitor.open(path());
    await act?.(visitor.page);
    await untilWhole(visitor.page);
    await visitor.page.screenshot({ path: `${directory}/${name}.png` });
    await visitor.context.close();
  });
});

/** The looks of a screen in the sheet. The last is in Arabic, because the language stays with the account. */
const looks = [
  { look: 'light', width: 1_280, scheme: 'light' },
  { look: 'dark', width: 1_280, scheme: 'dark' },
  { look: 'phone', width: 390, scheme: 'light' },
  { look: 'right-to-left', width: 1_280, scheme: 'light' },
] as const;

/** Small ones: there are many, and they show how a screen is laid out. */
const scale = 0.5;

describe('a sheet of every screen', () => {
  const titles = new Map<string, string>();
  const nameOf = (path: string): string =>
    path
      .replace(`/console/merchants/${world.platform.merchant_no}`, 'merchant')
      .replace(/^\//, '')
      .replaceAll(/\w{2}_[0-9A-Z]{26}/g, 'one')
      .replaceAll('/', '-');
  /** Two screens of one kind have one name. */
  const screensOf = (side: 'merchant' | 'platform'): Map<string, string> =>
    new Map(world.screens[side].map((path) => [nameOf(path), path]));

  describe.each(looks)('$look', ({ look, width, scheme }) => {
    test.each(['merchant', 'platform'] as const)('%s', { timeout: 600_000 }, async (side) => {
      const person = side === 'platform' ? world.admin : world.platform.owner;
      const [start = ''] = world.screens[side];
      const options = { width, scheme, scale, now: await serviceNow() };
      const visitor = await visit(browser, world.service.url, person, start, options);
      await visitor.open(`${start}?lang=${look === 'right-to-left' ? 'ar' : 'en'}`);
      for (const [name, path] of screensOf(side)) {
        await visitor.go(path);
        await untilWhole(visitor.page);
        const title = (await visitor.page.title()).replace(/ · Paydesk$/, '');
        if (look === 'light') titles.set(name, `${side === 'merchant' ? 'Merchant' : 'Platform'}: ${title}`);
        await visitor.page.screenshot({ path: `${directory}/screen-${name}-${look}.png` });
      }
      await visitor.context.close();
    });
  });

  test('is written', () => {
    const pictureOf = (name: string, look: string): string =>
      `<img src="images/consoles/screen-${name}-${look}.png" width="${look === 'phone' ? 100 : 330}" alt="${titles.get(name) ?? name}, ${look}">`;
    const rows = [...titles].map(
      ([name, title]) => `### ${title}\n\n${looks.map(({ look }) => pictureOf(name, look)).join(' ')}\n`,
    );
    writeFileSync(`${directory}/sheet.md`, rows.join('\n'));
  });
});
