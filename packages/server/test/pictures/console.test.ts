import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { visit } from '../support/console-browser.ts';
import { openWorld, type World } from '../support/console-world.ts';

/** Where `npm run pictures` wants them. */
const directory = process.env.PAYDESK_PICTURES ?? '';

let world: World;
let browser: Browser;
let now: Date;

beforeAll(async () => {
  world = await openWorld({ days: 14 });
  now = new Date((await world.service.admin<{ now: string }>('GET', '/test-clock')).now);
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

async function compare(page: Page): Promise<void> {
  await page.getByLabel('Or paste records here').fill(records);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByText('No order has this reference').waitFor();
}

describe('pictures of the consoles', () => {
  test.each<Shot>([
    ['merchant-home', 'merchant', () => at(''), 1_280, 'light'],
    ['merchant-orders', 'merchant', () => at('/orders'), 1_280, 'light'],
    ['merchant-order', 'merchant', () => at(`/orders/${world.orders.complained.order_no}`), 1_280, 'light'],
    [
      'merchant-order-money',
      'merchant',
      () => at(`/orders/${world.orders.disputed.order_no}?tab=money`),
      1_280,
      'light',
    ],
    ['merchant-wallet', 'merchant', () => at('/wallet'), 1_280, 'dark'],
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
    ['merchant-developers', 'merchant', () => at('/developers'), 1_280, 'dark'],
    ['merchant-orders-phone', 'merchant', () => at('/orders'), 390, 'light'],
    ['merchant-product-phone', 'merchant', () => at(`/products/${world.gd_no}`), 390, 'dark'],
    ['platform-overview', 'admin', () => '/platform', 1_280, 'light'],
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
    ['platform-complaints', 'admin', () => '/platform/complaints', 1_280, 'light'],
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
  ])('%s', async (name, who, path, width, scheme, act) => {
    const person = who === 'admin' ? world.admin : world.platform.owner;
    const visitor = await visit(browser, world.service.url, person, path(), { width, scheme, now });
    await visitor.open(path());
    await act?.(visitor.page);
    // Charts draw themselves once they know their size.
    await visitor.page.waitForLoadState('networkidle');
    await visitor.page.screenshot({ path: `${directory}/${name}.png` });
    await visitor.context.close();
  });
});
