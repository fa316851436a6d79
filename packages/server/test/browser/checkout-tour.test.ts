import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { randomBytes } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, patience_ms } from '../support/browser/browser.ts';
import {
  addCardChannel,
  addUser,
  type Merchant,
  merchantOf,
  type Order,
  type Person,
  type Platform,
  setUpPlatform,
  topUp,
} from '../support/desks/platform.ts';
import { eventually, startTestService, type TestService } from '../support/desks/service.ts';

let cardsim: Cardsim;
let service: TestService;
let platform: Platform;
let merchant: Merchant;
let browser: Browser;

beforeAll(async () => {
  cardsim = await startCardsim();
  service = await startTestService();
  platform = await setUpPlatform(service);
  const card = await addCardChannel(service, cardsim.url, {
    fees: [
      {
        currency: 'USD',
        buyer: { fixed_minor: 30, percent_ppm: 29_000 },
        merchant: { fixed_minor: 0, percent_ppm: 0 },
      },
    ],
    supported_currencies: ['USD'],
  });
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
  merchant = await merchantOf(service, platform.client);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await service.stop();
  await cardsim.close();
});

/** Where the merchant's shop would be; the way there is answered here, and nothing leaves this machine. */
const shop = 'https://shop.example';

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('%s', (_name, hasScripts) => {
  let context: BrowserContext;
  let page: Page;
  /** What the browser complained of: script errors, refused resources, violated policies. */
  let complaints: string[];
  /** What the browser asked the shop for. */
  let visits: string[];
  let order: Order;
  let return_url: string;

  beforeEach(async () => {
    complaints = [];
    visits = [];
    context = await browser.newContext({ javaScriptEnabled: hasScripts, locale: 'en-US' });
    await context.route(`${shop}/**`, async (route) => {
      // The favicon of the shop is the browser's own idea.
      if (!route.request().url().endsWith('/favicon.ico')) visits.push(route.request().url());
      await route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><title>Thanks</title><h1>Thanks</h1>',
      });
    });
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    context.on('weberror', (found) => complaints.push(String(found.error())));
    context.setDefaultTimeout(patience_ms);
    page = await context.newPage();
    return_url = `${shop}/thanks%20you/${randomBytes(4).toString('hex')}?order=7&x=%2F#part`;
    order = await merchant.order({ return_url, description: 'The Night Sky, 2nd edition' });
  });

  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  /** What the page says, with plain spaces. */
  const words = async (): Promise<string> => (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');

  const heading = (text: string) => page.getByRole('heading', { name: text });

  /** Chooses a method and shows what it costs. */
  async function choose(method: string): Promise<void> {
    await page.getByRole('radio', { name: method }).check();
    if (!hasScripts) await page.getByRole('button', { name: 'Show total' }).click();
  }

  async function signIn({ email, password }: Person): Promise<void> {
    await page.getByRole('link', { name: 'Sign in to pay' }).click();
    await page.locator('input[name=email]').fill(email);
    await page.locator('input[name=password]').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Without scripts the page stays as it is until it is loaded again. */
  async function untilShown(text: string): Promise<void> {
    if (hasScripts) await heading(text).waitFor();
    else {
      await eventually(
        async () => {
          if (await heading(text).isVisible()) return true;
          await page.goto(order.checkout_url);
          return false;
        },
        (isThere) => isThere,
      );
    }
  }

  /** Where the buyer is after a payment: on the way back to the shop, or one click from it. */
  async function expectWayBack(): Promise<void> {
    // With scripts the page leaves by itself in a moment.
    if (!hasScripts) {
      const link = page.getByRole('link', { name: 'Back to Bookshop' });
      expect(await link.getAttribute('href')).toBe(return_url);
      expect(visits).toEqual([]);
      await link.click();
    }
    await page.waitForURL(return_url);
    expect(page.url()).toBe(return_url);
    expect(visits).toEqual([return_url.replace(/#.*$/, '')]);
  }

  const read = async (): Promise<Order> => (await merchant.read(order.order_no)).body;

  test('R-208 R-210 R-212 R-219 R-222 pay with PTK: choose, sign in, pay, and back to the shop', async () => {
    const buyer = await addUser(service, 'Bea Browser');
    await topUp(service, buyer, 200n * 100_000_000n);
    await page.goto(order.checkout_url);
    const text = await words();
    for (const shownText of [
      'Bookshop',
      'The Night Sky, 2nd edition',
      'order-1',
      order.order_no,
      'USD 10.00',
    ]) {
      expect(text).toContain(shownText);
    }
    await choose('PTK wallet');
    await signIn(buyer);
    await page.getByText('Signed in as Bea Browser').waitFor();
    expect(await words()).toContain('PTK 200.00');
    expect(await read()).toMatchObject({ status: 'pending', payment_no: '' });
    await page.getByRole('button', { name: /^Pay / }).click();
    await heading('Payment confirmed').waitFor();
    expect(await read()).toMatchObject({ status: 'paid', payment_no: platform.ptk_channel });
    await expectWayBack();
  });

  // With scripts, checkout-states and checkout-buyer prove the rest.
  if (hasScripts) return;

  test('R-199 R-219 R-222 pay by card on the provider’s page and come back to the confirmation', async () => {
    await page.goto(order.checkout_url);
    await choose('Card');
    expect(await words()).toContain('Fee USD 0.60 Total USD 10.60');
    await page.getByRole('button', { name: /Pay USD\s10\.60/ }).click();
    await page.waitForURL(`${cardsim.url}/**`);
    await page.getByLabel('Email').fill('bea@people.test');
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Expiry').fill('12 / 40');
    await page.getByLabel('Security code').fill('123');
    await page.getByRole('button', { name: /^Pay / }).first().click();
    await page.waitForURL(`${service.url}/checkout/**`);
    expect(new URL(page.url()).pathname).toBe(`/checkout/${order.order_no}`);
    await untilShown('Payment confirmed');
    expect(await read()).toMatchObject({ status: 'paid', payment_amount: '10.60' });
    await expectWayBack();
  });

  test('R-220 R-201 R-200 D-258 who cancels at the provider finds the same page again, or another method, and no way to the shop', async () => {
    await page.goto(order.checkout_url);
    await choose('Card');
    await page.getByRole('button', { name: /Pay USD\s10\.60/ }).click();
    await page.waitForURL(`${cardsim.url}/**`);
    const provider = page.url();
    await page.getByRole('link', { name: /cancel|back/i }).click();
    await page.waitForURL(`${service.url}/checkout/**`);
    const resume = page.getByRole('button', { name: /Continue to pay USD\s10\.60/ });
    await resume.waitFor();
    expect(await page.getByRole('link', { name: 'Back to Bookshop' }).count()).toBe(0);
    await heading('Nothing was charged').waitFor();
    await resume.click();
    await page.waitForURL(provider);
    await page.getByRole('link', { name: /cancel|back/i }).click();
    // Another method closes the page at the provider, and begins nothing.
    await page.getByRole('button', { name: /PTK/ }).click();
    await page.getByRole('link', { name: 'Sign in to pay' }).waitFor();
    expect(await page.getByRole('radio', { name: /PTK/ }).isChecked()).toBe(true);
    expect(await (await fetch(provider)).text()).not.toContain('Security code');
    expect(await read()).toMatchObject({ payment_no: '', fee_status: 'unselected' });
    expect(visits).toEqual([]);
    expect((await read()).status).toBe('pending');
  });

  test('R-220 R-221 R-177 the deadline passes while the buyer looks: the page says so and sends the buyer nowhere', async () => {
    const address = new URL(order.checkout_url);
    address.searchParams.set('status', 'paid');
    address.searchParams.set('return_url', 'https://evil.example/');
    await page.goto(address.href);
    await heading('How would you like to pay?').waitFor();
    await service.advance(1_800);
    await untilShown('The time to pay has passed');
    expect(await page.getByRole('button', { name: /^Pay / }).count()).toBe(0);
    expect(await page.content()).not.toContain('evil.example');
    expect(visits).toEqual([]);
    expect((await read()).status).toBe('expired');
  });

  test('R-224 R-381 a link that was cut short says so, with nothing of the order', async () => {
    const answer = await page.goto(order.checkout_url.slice(0, -1));
    expect(answer?.status()).toBe(404);
    await heading('We cannot find this payment').waitFor();
    expect(await page.content()).not.toContain('Night Sky');
    // The browser itself reports the 404 of the page.
    complaints = complaints.filter((text) => !/the server responded with a status of 404/.test(text));
  });
});
