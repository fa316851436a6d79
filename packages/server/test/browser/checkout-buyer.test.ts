import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectQuiet } from '../support/browser/checkout-checks.ts';
import { type CheckoutDesk, openCheckoutDesk, type SimSession } from '../support/desks/checkout-desk.ts';
import { byCard, byPtk, orderOf } from '../support/browser/checkout-states.ts';
import { readCode } from '../support/browser/qr-code.ts';
import { type EmbedSite, shopPage, startEmbedSite } from '../support/browser/embed-shop.ts';
import { countBytes } from '../support/browser/wire-bytes.ts';
import { shop, visit, type Visit, type VisitOptions } from '../support/browser/checkout-visit.ts';
import type { Order } from '../support/desks/platform.ts';
import { eventually } from '../support/desks/service.ts';

/* What buyers do with the page beside paying once: they click twice, go back, reload, lose the network. */

let desk: CheckoutDesk;
let open: Visit[] = [];

beforeAll(async () => {
  desk = await openCheckoutDesk();
});
afterAll(() => desk.stop());
afterEach(async () => {
  await desk.sim('DELETE', '/faults');
  await Promise.all(open.map((one) => one.close()));
  open = [];
});

async function someone(options: VisitOptions = {}): Promise<Visit> {
  const one = await visit(desk, options);
  open.push(one);
  return one;
}

const buyerSignedIn = (): Promise<Visit> => someone({ person: desk.platform.buyer });

const atProvider = (page: Page): Promise<void> => page.waitForURL(`${desk.cardsim.url}/**`);

const sessionsOf = async ({ order_no }: Order): Promise<SimSession[]> =>
  (await desk.sim<{ items: SimSession[] }>('GET', '/sessions')).items.filter(
    ({ metadata }) => metadata.order_no === order_no,
  );

/** A minute goes by on a page whose clock is ours, and nothing has led to the shop or could. */
async function staysHere({ page, shopVisits }: Visit): Promise<void> {
  await page.clock.runFor(60_000);
  expect(shopVisits).toEqual([]);
  expect(await page.locator(`a[href^="${shop}"]`).count()).toBe(0);
}

const payAtProvider = (page: Page): Promise<void> => page.getByTestId('hosted-payment-submit-button').click();

async function toProvider(buyer: Visit, order: Order): Promise<void> {
  await buyer.open(order);
  await buyer.choose(byCard);
  await buyer.pay();
  await atProvider(buyer.page);
}

describe('the first view on the wire', () => {
  const offer = (payment_method_types: readonly string[]) =>
    desk.service.admin('PATCH', `/channels/${desk.card_channel}`, { config: { payment_method_types } });
  afterAll(() => offer([]));

  const eight = [
    'card',
    'apple_pay',
    'google_pay',
    'paypal',
    'klarna',
    'alipay',
    'wechat_pay',
    'us_bank_account',
  ];

  // German and Arabic are the longest.
  test.each([
    ['de', []],
    ['ar', []],
    ['ar', eight],
  ])(
    'D-256 in %s, listing the methods %j: at most 25 KB in three requests, with the button that pays',
    async (locale, types) => {
      await offer(types);
      const buyer = await someone({ locale });
      await buyer.page.setViewportSize({ width: 390, height: 664 });
      const count = await countBytes(buyer.page);
      await buyer.open(await orderOf(desk, { description: 'The Night Sky, 2nd edition' }));
      // The stream begins with 15 bytes. With an event behind them, the page asks for the state at once.
      await eventually(
        () => Promise.resolve([...count.bytes].find(([path]) => path.endsWith('/events'))?.[1] ?? 0),
        (streamed) => streamed > 300,
      );
      const rest = () => new Promise((resolve) => requestIdleCallback(resolve));
      for (let i = 0; i < 3; i++) await buyer.page.evaluate(rest);
      expect([...count.bytes.keys()].map((path) => path.split('/').at(-1)?.split('-')[0])).toEqual([
        expect.stringMatching(/^mp_/),
        'checkout',
        'events',
      ]);
      const pay = await buyer.page.locator('form.pay button').boundingBox();
      expect((pay?.y ?? 664) + (pay?.height ?? 0)).toBeLessThanOrEqual(664);
      const total = [...count.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
      expect(total, JSON.stringify([...count.bytes])).toBeLessThanOrEqual(25 * 1_024);
      expect(total).toBeGreaterThan(10_000);
    },
  );
});

describe('R-201 one payment, for every way to ask for it', () => {
  test('a double click starts one session, and leads to it', async () => {
    const buyer = await someone();
    const order = await orderOf(desk);
    await buyer.open(order);
    await buyer.choose(byCard);
    await buyer.page.locator('form.pay button').dblclick();
    await atProvider(buyer.page);
    expect((await sessionsOf(order)).map(({ url }) => url)).toEqual([buyer.page.url()]);
    const starts = buyer.requests.filter(({ url }) => /\/payments(\?|$)/.test(url));
    expect(starts).toHaveLength(1);
  });

  test('R-200 two tabs with different methods: the second follows the first, and is paid once', async () => {
    const buyer = await buyerSignedIn();
    const order = await orderOf(desk);
    await buyer.open(order);
    await buyer.choose(byPtk);
    const other = await buyer.context.newPage();
    await other.goto(order.checkout_url);
    await other.locator('.method').filter({ hasText: byCard }).locator('input').check();
    await other.locator('form.pay button').click();
    await atProvider(other);
    // No buyer used this page: it learns of the payment, and no longer offers the other method.
    await buyer.screen('resume');
    expect(await buyer.page.locator('input[name=method]').count()).toBe(0);
    expect(await buyer.page.locator('.panel').innerText()).toContain('USD 10.60'.replace(' ', '\u00a0'));
    await payAtProvider(other);
    await buyer.screen('paid');
    expect(await sessionsOf(order)).toHaveLength(1);
    expect((await desk.until(order, 'paid')).payment_amount).toBe('10.60');
    await other.close();
  });

  test('the back button finds a page at rest, from which the same session goes on', async () => {
    const buyer = await someone();
    const order = await orderOf(desk);
    await toProvider(buyer, order);
    const provider = buyer.page.url();
    await buyer.page.goBack();
    await buyer.screen('resume');
    await buyer.page.locator('form.pay button[aria-disabled=false]').click();
    await buyer.page.waitForURL(provider);
    expect(await sessionsOf(order)).toHaveLength(1);
  });

  test('back from each step finds the page as it was left, and starts nothing', async () => {
    const buyer = await someone({ shopping: true, alone: true });
    await buyer.page.clock.install();
    const order = await orderOf(desk, { return_url: `${shop}/thanks` });
    await buyer.open(order);
    await buyer.choose(byPtk);
    await buyer.page.locator('.obstacle a').click();
    await buyer.page.locator('input[name=password]').waitFor();
    await buyer.page.goBack();
    await buyer.page.locator('.live .obstacle a').waitFor();
    expect(await buyer.page.locator('.method input:checked').count()).toBe(1);

    await buyer.choose(byCard);
    await buyer.pay();
    await atProvider(buyer.page);
    await buyer.page.goBack();
    await buyer.screen('resume');
    await buyer.page.goForward();
    await atProvider(buyer.page);
    await buyer.page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await payAtProvider(buyer.page);

    // Back from the shop, the buyer is not sent there again; there is a link.
    await buyer.page.waitForURL(`${shop}/thanks`);
    await buyer.page.goBack();
    await buyer.screen('paid');
    await buyer.page.clock.runFor(60_000);
    await buyer.page.locator('a[href*="/receipt?"]').click();
    await buyer.page.locator('.receipt').waitFor();
    await buyer.page.goBack();
    await buyer.screen('paid');
    await buyer.page.clock.runFor(60_000);
    expect(await buyer.page.locator('a.primary').getAttribute('href')).toBe(`${shop}/thanks`);
    expect(buyer.shopVisits).toHaveLength(1);
    expect(await sessionsOf(order)).toHaveLength(1);
  });

  test('a reload shows the same at each step, and starts nothing', async () => {
    const buyer = await buyerSignedIn();
    const order = await orderOf(desk);
    await buyer.open(order);
    await buyer.choose(byPtk);
    await buyer.page.reload();
    await buyer.page.getByRole('button', { name: /Pay PTK/ }).waitFor();
    await buyer.page.waitForLoadState('load');
    expect((await desk.merchant.read(order.order_no)).body.payment_no).toBe('');
    await buyer.choose(byCard);
    await buyer.pay();
    await atProvider(buyer.page);
    await buyer.page.reload();
    await buyer.page.getByRole('link', { name: 'Cancel and go back' }).click();
    await buyer.screen('resume');
    await buyer.page.reload();
    await buyer.screen('resume');
    const [session] = await sessionsOf(order);
    await desk.sim('POST', `/sessions/${session?.id ?? ''}/pay`, {});
    await buyer.screen('paid');
    await buyer.page.reload();
    await buyer.screen('paid');
    expect(await sessionsOf(order)).toHaveLength(1);
    expectQuiet(buyer, desk.origins);
  });
});

describe('R-220 only a payment leads back to the shop', () => {
  test('a payment that is refunded before the page hears of it does not', async () => {
    const buyer = await someone({ alone: true });
    await buyer.page.clock.install();
    const order = await orderOf(desk, { return_url: `${shop}/thanks` });
    await buyer.open(order);
    await buyer.context.setOffline(true);
    await desk.startElsewhere(order, 'cardprov');
    const { id } = await desk.sessionOf(order);
    await desk.sim('POST', `/sessions/${id}/pay`, {});
    await desk.until(order, 'paid');
    await desk.service.admin('POST', `/collection-orders/${order.order_no}/refunds`, { reason: 'returned' });
    await desk.until(order, 'refunded');
    await buyer.context.setOffline(false);
    await buyer.screen('refunded');
    await staysHere(buyer);
  });

  test('a deadline that passes while somebody looks does not either', async () => {
    const buyer = await someone({ alone: true });
    await buyer.page.clock.install();
    const order = await orderOf(desk, { return_url: `${shop}/thanks`, expires_in: 60 });
    await buyer.open(order);
    await desk.service.advance(60);
    await buyer.screen('expired');
    await staysHere(buyer);
  });
});

test('D-1132 a buyer who wants to stay on the confirmation stays, and the link leads to the shop', async () => {
  const buyer = await someone({ alone: true });
  const { page } = buyer;
  await page.clock.install();
  const order = await orderOf(desk, { return_url: `${shop}/thanks` });
  await desk.startElsewhere(order, 'ptk', desk.platform.buyer);
  await desk.until(order, 'paid');
  await buyer.open(order);
  await page.getByRole('button', { name: 'Stay on this page' }).click();
  await page.clock.runFor(60_000);
  expect(buyer.shopVisits).toEqual([]);
  expect(await page.getByRole('link', { name: 'Back to' }).getAttribute('href')).toBe(`${shop}/thanks`);
});

describe('D-101 what the provider does with the buyer', () => {
  test('3-D Secure: failed once, completed then, and paid', async () => {
    const buyer = await someone();
    const order = await orderOf(desk);
    await toProvider(buyer, order);
    for (const decision of ['Fail authentication', 'Complete authentication']) {
      await buyer.page.getByLabel('Card number').fill('4000 0027 6000 3184');
      await payAtProvider(buyer.page);
      await buyer.page.getByRole('button', { name: decision }).click();
    }
    await buyer.screen('paid');
    expectQuiet(buyer, desk.origins);
  });

  test.each([
    ['succeeded', 'paid'],
    ['failed', 'attempt_ended'],
  ])('an asynchronous method that has %s in the end shows %s, without a reload', async (outcome, screen) => {
    const buyer = await someone({ shopping: true });
    const order = await orderOf(desk, { return_url: `${shop}/async` });
    await toProvider(buyer, order);
    await buyer.page.getByRole('button', { name: 'waits for the control API' }).click();
    await buyer.screen('processing');
    // What the server has drawn is there before the page counts as loaded.
    await buyer.page.waitForLoadState('load');
    let loads = 0;
    buyer.page.on('load', () => loads++);
    const [session] = await sessionsOf(order);
    await desk.sim('POST', `/sessions/${session?.id ?? ''}/settle-async`, { outcome });
    await buyer.screen(screen);
    expect(loads).toBe(0);
    if (screen === 'paid') await buyer.page.waitForURL(`${shop}/async`);
    else expect(await buyer.page.locator('form.pay').count()).toBe(0);
  });
});

describe('R-219 the page is live', () => {
  test('offline nothing can be paid; back online it knows at once what happened', async () => {
    const buyer = await someone();
    const order = await orderOf(desk);
    await buyer.open(order);
    await buyer.choose(byCard);
    await buyer.context.setOffline(true);
    await buyer.page.locator('.banner.offline').waitFor();
    await buyer.page.locator('form.pay button').click({ force: true });
    expect(await buyer.page.locator('form.pay').getAttribute('data-phase')).toBe('idle');
    await desk.startElsewhere(order, 'ptk', desk.platform.buyer);
    await buyer.context.setOffline(false);
    await buyer.screen('paid');
    expect(await buyer.page.locator('.banner.offline').count()).toBe(0);
    expect(await sessionsOf(order)).toEqual([]);
  });

  test('R-223 where no stream comes through it polls, and finds the payment', async () => {
    const buyer = await someone();
    await buyer.context.route(/\/events\?/, (route) => route.abort());
    const order = await orderOf(desk);
    await buyer.open(order);
    await desk.startElsewhere(order, 'ptk', desk.platform.buyer);
    const polls = () => buyer.requests.filter(({ url }) => url.endsWith(order.order_no)).length;
    const before = polls();
    await buyer.screen('paid');
    // The one that was under way, and the next.
    expect(polls() - before).toBeLessThanOrEqual(2);
  });

  test('R-223 D-256 an open page of which nothing is news never asks for the state', async () => {
    const buyer = await someone({ alone: true });
    const order = await orderOf(desk);
    await buyer.context.clock.install();
    const pages = [buyer.page, await buyer.context.newPage(), await buyer.context.newPage()];
    const open = async (page: Page): Promise<void> => {
      const stream = page.waitForResponse((answer) => answer.url().includes('/events'));
      await page.goto(order.checkout_url);
      await stream;
      // A page whose stream is not open polls. What is answered after the stream says that the page knows of it.
      await page.evaluate(() => fetch('/healthz').then(() => undefined));
    };
    for (const page of pages) await open(page);
    // As long as nine polls would take.
    await buyer.context.clock.runFor(30_000);
    await buyer.page.evaluate(() => fetch('/healthz').then(() => undefined));
    const asked = (end: string): number =>
      buyer.requests.filter(({ url }) => new URL(url).pathname.endsWith(end)).length;
    expect([asked('/events'), asked(`/api/${order.order_no}`)]).toEqual([3, 0]);
  });

  test.each([
    [429, 'rate_limited', { 'retry-after': '20' }],
    [503, 'rate_limit_unavailable', { 'retry-after': '5' }],
    [500, 'server_error', {}],
  ])(
    'R-202 a start that is answered %i %s says so, promises nothing, and can be tried again',
    async (status, error, headers) => {
      const buyer = await someone();
      const order = await orderOf(desk);
      await buyer.open(order);
      await buyer.choose(byCard);
      await buyer.context.route(/\/payments(\?|$)/, (route) =>
        route.fulfill({ status, headers, json: { error } }),
      );
      await buyer.pay();
      await buyer.notice(status === 500 ? 'unclear' : error);
      await buyer.context.unroute(/\/payments(\?|$)/);
      await buyer.page.locator('form.pay button[aria-disabled=false]').click();
      await atProvider(buyer.page);
    },
  );
});

describe('for every buyer', () => {
  test('with only the keyboard: choose, pay, and the focus is on the new content', async () => {
    const buyer = await buyerSignedIn();
    const { page } = buyer;
    await buyer.open(await orderOf(desk));
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement: at } = document;
        return `${at?.tagName ?? ''} ${at instanceof HTMLInputElement ? at.type : (at?.textContent ?? '')}`;
      });
    const path: string[] = [];
    const tab = async (): Promise<void> => {
      await page.keyboard.press('Tab');
      path.push(await focused());
      expect(
        await page.evaluate(
          () =>
            getComputedStyle(
              document.activeElement?.closest('.method') ?? document.activeElement ?? document.body,
            ).outlineStyle,
        ),
      ).toBe('solid');
    };
    await tab();
    await tab();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await tab();
    expect(path).toEqual(['SUMMARY Language: English', 'INPUT radio', 'BUTTON Pay PTK\u00a0100.00']);
    await page.keyboard.press('Enter');
    await buyer.screen('paid');
    expect(await focused()).toBe('H2 Payment confirmed');
  });

  test('a buyer’s own language stays, and keeps what was chosen', async () => {
    const buyer = await someone();
    const order = await orderOf(desk);
    await buyer.open(order);
    await buyer.choose(byCard);
    await buyer.page.locator('.languages summary').click();
    await buyer.page.getByRole('link', { name: 'العربية' }).click();
    await buyer.page.locator('html[lang=ar][dir=rtl] .live').waitFor();
    expect(await buyer.page.locator('.method:has(:checked)').innerText()).toContain(byCard);
    await buyer.open(await orderOf(desk));
    expect(await buyer.page.locator('html').getAttribute('lang')).toBe('ar');
  });

  test('numbers are copied, and that is said', async () => {
    const buyer = await someone({ alone: true });
    await buyer.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const order = await orderOf(desk);
    await buyer.open(order);
    await buyer.page.getByRole('button', { name: 'Copy order number' }).click();
    await buyer.page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await buyer.page.evaluate(() => navigator.clipboard.readText())).toBe(order.order_no);
  });

  test('the countdown is quiet, but for five minutes and one', async () => {
    const buyer = await someone({ alone: true });
    const { clock } = buyer.page;
    await clock.install();
    await buyer.open(await orderOf(desk, { expires_in: 400 }));
    const timer = buyer.page.getByRole('timer');
    expect(await timer.getAttribute('aria-live')).toBe('off');
    // From here on the time of the page passes by the second, so that a short message is not missed.
    await clock.pauseAt(Date.now() + 30_000);
    const said = buyer.page.getByRole('status').filter({ hasText: '5 minutes left to pay' });
    expect(await said.count()).toBe(0);
    await expect.poll(() => clock.runFor(1_000).then(() => said.count())).toBe(1);
  });

  test('who wants less motion gets none', async () => {
    const buyer = await someone({ reducedMotion: true });
    await buyer.open(await orderOf(desk));
    await buyer.choose(byCard);
    const release = await buyer.hold(/\/payments(\?|$)/);
    await buyer.pay();
    await buyer.page.locator('.spinner').waitFor();
    expect(await buyer.page.evaluate(() => document.getAnimations().length)).toBe(0);
    await release();
    await atProvider(buyer.page);
  });

  test('a QR code leads to the same page on a phone, and is not on one', async () => {
    const buyer = await someone({ scheme: 'dark' });
    const order = await orderOf(desk);
    await buyer.open(order);
    const isCode = ({ url }: { url: string }): boolean => url.includes('/qr.svg');
    expect(buyer.requests.filter(isCode)).toEqual([]);
    await buyer.page.getByText('Continue on your phone').click();
    const code = buyer.page.getByRole('img', { name: /QR/ });
    await code.evaluate((image: HTMLImageElement) => image.decode());
    expect((await code.boundingBox())?.width).toBeGreaterThan(200);
    expect(await readCode(buyer.context, await code.screenshot())).toBe(order.checkout_url);
    await buyer.page.setViewportSize({ width: 390, height: 800 });
    expect(await code.isVisible()).toBe(false);
  });

  test('D-355 the receipt prints on one page, and nothing but it, and is a PDF in the zone of the browser', async () => {
    const buyer = await someone({ person: desk.platform.buyer, alone: true });
    const order = await orderOf(desk);
    await desk.startElsewhere(order, 'ptk', desk.platform.buyer);
    await buyer.open(order);
    await buyer.context.addInitScript(() => {
      window.print = () => {
        document.title = 'printed';
      };
    });
    await buyer.page.getByRole('link', { name: 'Receipt' }).click();
    await buyer.page.getByRole('button', { name: 'Print' }).click();
    expect(await buyer.page.title()).toBe('printed');
    const [saved] = await Promise.all([
      buyer.page.waitForEvent('download'),
      buyer.page.getByRole('link', { name: 'Receipt as PDF' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(`receipt-${order.order_no}.pdf`);
    const zone = await buyer.page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(new URL(saved.url()).searchParams.get('zone')).toBe(zone);
    await buyer.page.emulateMedia({ media: 'print' });
    const words = await buyer.page.locator('body').innerText();
    for (const part of ['Lantern Books', 'INV-2026-00417', order.order_no, 'PTK\u00a0100.00', 'Paid']) {
      expect(words).toContain(part);
    }
    // Letters of an order number may spell anything.
    expect(words).not.toMatch(/Print|\bPDF\b|Back to|English/);
    const pdf = (await buyer.page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  });
});

test('D-263 D-630 the page of a card payment has the time of the buyer’s zone, and the receipt has it with card, contact and number', async () => {
  const contact = 'help@lantern.example';
  await desk.service.admin('PATCH', `/merchants/${desk.platform.merchant_no}`, { contact });
  const buyer = await someone({ width: 390, zone: 'Asia/Tokyo' });
  const { page } = buyer;
  const order = await orderOf(desk);
  await toProvider(buyer, order);
  await payAtProvider(page);
  await buyer.screen('paid');
  await expect.poll(() => page.locator('main time').first().innerText()).toContain('GMT+9');
  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.locator('time[data-local]').waitFor();
  const { provider_trade_no } = await desk.until(order, 'paid');
  // The page's script writes the time in the buyer's zone, after the page is there.
  const words = async (): Promise<string> => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
  await expect.poll(words).toContain('GMT+9');
  for (const part of ['Visa •••• 4242', contact, String(provider_trade_no)]) {
    expect(await words()).toContain(part);
  }
  // The largest figure is what was paid.
  const sizes = await page
    .locator('main .amount')
    .evaluateAll((all) =>
      all
        .map((one) => [Number.parseFloat(getComputedStyle(one).fontSize), one.textContent] as const)
        .sort(([a], [b]) => b - a),
    );
  expect(sizes[0]?.[1]).toContain('10.60');
  expect(sizes[0]?.[0]).toBeGreaterThan(sizes[1]?.[0] ?? 0);

  await desk.service.admin('PATCH', `/merchants/${desk.platform.merchant_no}`, { contact: '' });
});

describe('D-655 on a small phone', () => {
  const phone = { width: 360 };
  const inView = (page: Page, selector: string): Promise<boolean> =>
    page.locator(selector).evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });

  test('an answer to a press and a lost connection come into view where the buyer is', async () => {
    const buyer = await someone(phone);
    const { page, context } = buyer;
    await page.setViewportSize({ width: 360, height: 500 });
    await buyer.open(await orderOf(desk));
    await buyer.choose(byCard);
    await page.evaluate(() => {
      scrollTo(0, document.body.scrollHeight);
    });
    await context.setOffline(true);
    await page.locator('.offline').waitFor();
    expect(await inView(page, '.offline')).toBe(true);
    await context.setOffline(false);
    await page.locator('.offline').waitFor({ state: 'detached' });
    await context.route(/\/payments(\?|$)/, (route) => route.abort());
    await buyer.pay();
    await buyer.notice('unclear');
    await expect.poll(() => inView(page, '.notice')).toBe(true);
  });

  test('D-752 what is missing leaves the chosen method in view, and enlarged text the whole page', async () => {
    const buyer = await someone({ ...phone, person: desk.platform.buyer });
    const { page } = buyer;
    await page.setViewportSize({ width: 360, height: 740 });
    await buyer.open(await orderOf(desk, { amount: '999999.00' }));
    await buyer.choose(byPtk);
    await page.getByText('Your balance is too low').waitFor();
    const topOf = async (): Promise<number> => (await page.locator('.bar').boundingBox())?.y ?? 0;
    const bottomOf = async (part: string): Promise<number> => {
      const box = await page.locator(part).last().boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    // The amount of the chosen method is not covered.
    expect(await topOf()).toBeGreaterThan(await bottomOf('.method:has(:checked) .name'));
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    expect(await topOf()).toBeGreaterThanOrEqual((await bottomOf('.breakdown')) - 1);
  });

  test('numbers have their names, and enlarged text leaves the brand in one line', async () => {
    const buyer = await someone(phone);
    const { page } = buyer;
    await buyer.open(await orderOf(desk));
    const name = await page.locator('.numbers dt').last().boundingBox();
    expect(name?.width).toBeGreaterThan(40);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    expect((await page.locator('.brand').boundingBox())?.height).toBeLessThan(80);
  });

  test('D-1187 enlarged German text leaves the time to pay on the page', async () => {
    const buyer = await someone({ ...phone, locale: 'de-DE' });
    const { page } = buyer;
    await buyer.open(await orderOf(desk));
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    const face = await page.getByRole('timer').boundingBox();
    expect((face?.x ?? 0) + (face?.width ?? Infinity)).toBeLessThanOrEqual(360);
  });

  test('what a method offers takes the whole width, and Arabic keeps the order of its words', async () => {
    const config = { payment_method_types: ['card', 'apple_pay', 'google_pay', 'us_bank_account'] };
    await desk.service.admin('PATCH', `/channels/${desk.card_channel}`, { config });
    const buyer = await someone({ ...phone, locale: 'ar' });
    const { page } = buyer;
    await buyer.open(await orderOf(desk));
    const [offer, names] = await Promise.all(
      ['.offer', '.offer .marks small'].map((one) => page.locator(one).first().boundingBox()),
    );
    expect(names?.width).toBe(offer?.width);
    const places = await page
      .locator('.offer .marks small bdi')
      .evaluateAll((all) => all.slice(0, 3).map((one) => one.getClientRects()[0]?.right ?? 0));
    expect(places).toEqual(places.toSorted((a, b) => b - a));
    await buyer.choose(byCard);
    await buyer.pay();
    await atProvider(page);
    await page.goBack();
    await buyer.screen('resume');
    const ends = await page
      .locator('.others .offer')
      .first()
      .evaluate((one) => {
        const words = document.createRange();
        words.selectNodeContents(one.querySelector('bdi') ?? one);
        return [words.getBoundingClientRect().right, one.getBoundingClientRect().right];
      });
    expect(ends[0]).toBe(ends[1]);
    await desk.service.admin('PATCH', `/channels/${desk.card_channel}`, {
      config: { payment_method_types: [] },
    });
  });
});

describe('safe', () => {
  test('R-034 R-382 the token stays between the browser and us, all the way through a card payment', async () => {
    const buyer = await someone({ shopping: true });
    const order = await orderOf(desk, { return_url: `${shop}/thanks` });
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    await toProvider(buyer, order);
    await payAtProvider(buyer.page);
    await buyer.page.waitForURL(`${shop}/thanks`);
    expect(token).toMatch(/^[\w-]{64}$/);
    const asked = await desk.sim('GET', '/requests');
    const events = await desk.sim('GET', '/events');
    expect(JSON.stringify([asked, events, await sessionsOf(order)])).not.toContain(token);
    expect(desk.logged().join('')).toContain(order.order_no);
    expect(desk.logged().join('')).not.toContain(token);
    const elsewhere = buyer.requests.filter(({ url }) => !url.startsWith(desk.service.url));
    expect(elsewhere.map(({ url }) => new URL(url).origin)).toContain(shop);
    expect(JSON.stringify(elsewhere)).not.toContain(token);
    expectQuiet(buyer, [...desk.origins, shop]);
  });

  test('H-17 every page has a policy of its own nonce, and says nothing to others', async () => {
    const order = await orderOf(desk);
    const paid = await orderOf(desk);
    await desk.startElsewhere(paid, 'ptk', desk.platform.buyer);
    const addresses = [
      order.checkout_url,
      order.checkout_url,
      paid.checkout_url.replace('?', '/receipt?'),
      `${desk.service.url}/sign-in`,
      order.checkout_url.slice(0, -1),
    ];
    const nonces = new Set<string>();
    for (const address of addresses) {
      const answer = await fetch(address);
      const policy = answer.headers.get('content-security-policy') ?? '';
      const html = await answer.text();
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
      nonces.add(nonce);
      expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'.*base-uri 'none'/);
      expect(policy).not.toMatch(/unsafe|\*|https?:(?!\/\/127)/);
      expect(html).toContain(`nonce="${nonce}"`);
      expect(html).toContain('content="noindex, nofollow"');
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
    expect(nonces.size).toBe(addresses.length);
  });

  test('H-19 a form on another site starts nothing', async () => {
    const buyer = await buyerSignedIn();
    const order = await orderOf(desk);
    await buyer.open(order);
    const fields = await buyer.page.evaluate(() =>
      [...document.querySelectorAll<HTMLInputElement>('input[name=token], input[name=method]')].map(
        ({ name, value }) => [name === 'method' ? 'method_id' : name, value],
      ),
    );
    const inputs = fields
      .slice(0, 2)
      .map(([name, value]) => `<input name="${name ?? ''}" value="${value ?? ''}">`);
    const body = `<form method="post" action="${desk.service.url}/checkout/${order.order_no}/pay">${inputs.join('')}<button>Win</button></form>`;
    await buyer.context.route(`${shop}/form`, (route) => route.fulfill({ contentType: 'text/html', body }));
    await buyer.page.goto(`${shop}/form`);
    await buyer.page.getByRole('button', { name: 'Win' }).click();
    await buyer.page.locator('[data-code=cross_site_request]').waitFor();
    expect((await desk.merchant.read(order.order_no)).body).toMatchObject({
      status: 'pending',
      payment_no: '',
    });
  });

  test('H-20 R-221 opening an address starts nothing, with any query', async () => {
    const buyer = await buyerSignedIn();
    const order = await orderOf(desk);
    await buyer.open(order);
    const methods = await buyer.page
      .locator('input[name=method]')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    for (const method of methods)
      await buyer.open(order, `&method=${method}&method_id=${method}&status=paid&pay=1`);
    await buyer.screen('choose');
    expect((await desk.merchant.read(order.order_no)).body).toMatchObject({
      status: 'pending',
      payment_no: '',
    });
  });

  test('R-381 what a merchant wrote is text', async () => {
    const buyer = await someone();
    const description = '</script><img src=x onerror="document.title=1"><script>document.title=2</script>';
    await buyer.open(await orderOf(desk, { description, external_reference: '"><b>bold</b>' }));
    const words = await buyer.page.locator('.frame').innerText();
    expect(words).toContain(description);
    expect(words).toContain('"><b>bold</b>');
    expect(await buyer.page.title()).toContain('Lantern Books');
    expectQuiet(buyer, desk.origins);
  });
});

describe('in a frame of a merchant’s page', () => {
  interface Heard {
    heard: { origin: string; data: unknown }[];
    paid: unknown[];
    over: unknown[];
  }

  let sites: EmbedSite[] = [];
  afterEach(async () => {
    await Promise.all(sites.map((site) => site.close()));
    sites = [];
  });

  /** A merchant's page that may embed the checkout of a new order, and a buyer who looks at it. */
  async function atShop(options: VisitOptions & { attributes?: string } = {}) {
    const { url } = desk.service;
    const order = await orderOf(desk, { return_url: `${shop}/thanks` });
    const site = await startEmbedSite(url, { '/': shopPage(url, order.checkout_url, options.attributes) });
    sites.push(site);
    await desk.service.admin('PATCH', `/merchants/${desk.platform.merchant_no}`, {
      embed_origins: [site.origin, 'https://shop.example'],
    });
    const buyer = await someone({ ...options, insecure: true });
    await buyer.page.goto(site.origin);
    const { page } = buyer;
    return { order, site, buyer, page, frame: page.frameLocator('iframe') };
  }

  /** Waits until the sheet has risen to its place. */
  const stands = (sheet: Locator): Promise<unknown> =>
    sheet.evaluate((dialog) => Promise.all(dialog.getAnimations().map(({ finished }) => finished)));

  const heardBy = (page: Page): Promise<Heard> =>
    page.evaluate(() => {
      const { heard, paid, over } = window as unknown as Heard;
      return { heard, paid, over };
    });

  test('D-267 D-268 D-269 it is paid in another tab, and tells the shop only number and status', async () => {
    const { order, buyer, page, frame } = await atShop();
    const { order_no } = order;
    await page.getByRole('button', { name: 'Pay now' }).click();
    const sheet = page.getByRole('dialog', { name: 'Payment' });
    await frame.locator('.frame.live').waitFor();
    await stands(sheet);
    expect(await sheet.boundingBox()).toMatchObject({ width: 480, height: 760 });
    expect(await frame.locator('html').evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    await frame.locator('.method').filter({ hasText: byCard }).locator('input').check();
    // The page behind neither scrolls nor gets the focus.
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe('hidden');
    await page.locator('#pay').focus();
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('pay');
    expect(await buyer.context.cookies()).toEqual([]);

    const opened = buyer.context.waitForEvent('page');
    await frame.locator('form.pay button').click();
    const tab = await opened;
    await atProvider(tab);
    await frame.locator('.frame[data-screen=resume]').waitFor();
    // What another window or the shop itself says is not believed.
    await page.evaluate(
      (data) => {
        window.postMessage(data, '*');
      },
      { order_no, status: 'paid' },
    );
    expect((await heardBy(page)).paid).toEqual([]);
    await payAtProvider(tab);
    await tab.getByText('You can close this tab.').waitFor();
    await frame.locator('.frame[data-screen=paid]').waitFor();
    await tab.close();

    const { origin } = new URL(desk.service.url);
    const told = (status: string) => ({ origin, data: { order_no, status } });
    const before = await heardBy(page);
    expect(before.heard.filter((one) => one.origin === origin)).toEqual([told('pending'), told('paid')]);
    expect([before.paid, before.over]).toEqual([[{ order_no, status: 'paid' }], []]);
    await frame.getByRole('button', { name: 'Done' }).click();
    await sheet.waitFor({ state: 'detached' });
    const after = await heardBy(page);
    expect([after.paid, after.over]).toEqual([before.paid, [{ order_no, status: 'paid' }]]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('pay');
    expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('');
    expect(buyer.shopVisits).toEqual([]);
    // The service of the tests is plain HTTP on loopback, which the browser allows here and mentions.
    expect(buyer.complaints.filter((text) => !text.startsWith('Mixed Content'))).toEqual([]);
  });

  test('D-268 on a phone it is a full sheet; who signs in does so in a tab, and Escape closes it', async () => {
    const { order, buyer, page, frame } = await atShop({
      width: 390,
      reducedMotion: true,
      locale: 'ar',
      attributes: 'lang="ar" dir="rtl"',
    });
    await page.locator('#pay').click();
    const sheet = page.getByRole('dialog', { name: 'الدفع' });
    await frame.locator('.frame.live').waitFor();
    await stands(sheet);
    expect(await sheet.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 780 });
    expect((await page.getByRole('button', { name: 'إغلاق الدفع' }).boundingBox())?.x).toBe(0);
    await frame.locator('.method').filter({ hasText: byPtk }).locator('input').check();
    const opened = buyer.context.waitForEvent('page');
    await frame.locator('.obstacle a').click();
    const tab = await opened;
    await tab.locator('[name=email]').fill(desk.platform.buyer.email);
    await tab.locator('[name=password]').fill(desk.platform.buyer.password);
    await tab.locator('form button[type=submit]').first().click();
    await tab.locator('form.pay button').click();
    await tab.locator('.frame[data-screen=paid]').waitFor();
    await tab.close();
    await frame.locator('.frame[data-screen=paid]').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await heardBy(page)).toMatchObject({
      paid: [{ order_no: order.order_no, status: 'paid' }],
      over: [{ order_no: order.order_no, status: 'paid' }],
    });
  });

  test('D-266 H-17 no other site can show it, nor can one around the merchant’s page', async () => {
    const { order, site, buyer, page } = await atShop({ alone: true });
    const { url } = desk.service;
    const framing = (address: string) => `<!doctype html><iframe src="${address}"></iframe>`;
    const stranger = await startEmbedSite(url, {
      '/': shopPage(url, order.checkout_url),
      '/frame': framing(`${order.checkout_url}&embed=1`),
      '/around': framing(`${site.origin}/`),
    });
    sites.push(stranger);
    const refused = 'chrome-error://chromewebdata/';
    const innermost = (wanted: number): Promise<string> =>
      eventually(
        () => Promise.resolve(page.frames()[wanted]?.url() ?? ''),
        (address) => address !== '' && address !== 'about:blank',
      );
    await page.goto(`${stranger.origin}/frame`);
    expect(await innermost(1)).toBe(refused);
    // The merchant's page itself may stand anywhere; the checkout in it then does not open.
    await page.goto(`${stranger.origin}/around`);
    await page.frameLocator('iframe').locator('#pay').click();
    expect(await innermost(2)).toBe(refused);
    // The full page is for no frame at all.
    await page.goto(site.origin);
    await page.evaluate((address) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src: address }));
    }, order.checkout_url);
    expect(await innermost(1)).toBe(refused);

    await page.clock.install();
    await page.goto(stranger.origin);
    await page.locator('#pay').click();
    expect(await innermost(1)).toBe(refused);
    await page.clock.fastForward(10_000);
    const way = page.getByRole('link', { name: 'Open the payment page' });
    expect(await way.getAttribute('href')).toBe(order.checkout_url);
    expect(buyer.complaints.join('\n')).toContain('embed_origins');
    expect(await heardBy(page)).toEqual({ heard: [], paid: [], over: [] });
    // Nor can a script of another site read it.
    const read = await page.evaluate(
      (address) =>
        fetch(address).then(
          () => 'read',
          () => 'refused',
        ),
      `${order.checkout_url}&embed=1`,
    );
    expect(read).toBe('refused');
    for (const wrong of [`${stranger.origin}/`, 'javascript:alert(1)', `${url}/sign-in`]) {
      const thrown = await page.evaluate((checkout_url) => {
        try {
          window.Paydesk?.open({ checkout_url });
          return 'opened';
        } catch (error) {
          return String(error);
        }
      }, wrong);
      expect(thrown).toContain('TypeError: Paydesk.open needs the checkout_url');
    }
  });
});
