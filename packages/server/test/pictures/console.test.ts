import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { visit } from '../support/console-browser.ts';
import { openWorld, type World } from '../support/console-world.ts';

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
    const clock = await world.service.admin<{ now: string }>('GET', '/test-clock');
    const now = new Date(clock.now);
    const [address = ''] = path().split('?');
    const visitor = await visit(browser, world.service.url, person, address, { width, scheme, now });
    await visitor.open(path());
    await act?.(visitor.page);
    // Everything has come: lists, figures, and the choice of a merchant in the header.
    await visitor.page.waitForFunction(
      () =>
        document.querySelector('[data-loading], .switcher') === null &&
        // What is below the fold is loaded when it comes into view.
        [...document.querySelectorAll('.mantine-Skeleton-root')].every(
          (one) => one.getBoundingClientRect().top >= window.innerHeight,
        ),
    );
    await visitor.page.screenshot({ path: `${directory}/${name}.png` });
    await visitor.context.close();
  });
});
