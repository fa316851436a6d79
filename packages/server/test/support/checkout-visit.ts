import { negotiateLocale } from '@paydesk/checkout';
import type { BrowserContext, Page } from 'playwright-core';
import { patience_ms } from './browser.ts';
import type { CheckoutDesk } from './checkout-desk.ts';
import { fromAnywhere, type Order, type Person, signIn } from './platform.ts';

/** Where the merchant's shop would be; the way there is answered in the browser, and nothing leaves this machine. */
export const shop = 'https://shop.example';

export interface VisitOptions {
  /** The `Accept-Language` of the browser. */
  locale?: string;
  scripts?: boolean;
  width?: number;
  scheme?: 'light' | 'dark';
  reducedMotion?: boolean;
  /** The time zone of the browser. */
  zone?: string;
  person?: Person;
  /** Whether the browser finds the shop there, and does not only lead to it: every request then goes through this process. */
  shopping?: boolean;
  /** Whether the browser accepts certificates of an authority that it does not know. */
  insecure?: boolean;
}

/** One buyer with one browser, and a record of everything that the browser did. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  scripts: boolean;
  /** The header by which its requests come from an address of their own. */
  from: Record<string, string>;
  /** Complaints of the browser: script errors, refused resources, policy violations. */
  complaints: string[];
  /** Every request that left the browser: its address and its headers. */
  requests: { url: string; referer: string | undefined }[];
  /** The requests of the browser to the shop. */
  shopVisits: string[];
  open(order: Order, query?: string): Promise<number>;
  /** Loads the page again in another language, as its menu of them does. */
  inLanguage(locale: string): Promise<void>;
  /** Chooses a method by its channel's name, in any language of the page. */
  choose(name: string): Promise<void>;
  pay(): Promise<void>;
  /** The screen that the page shows, once it is that one. */
  screen(kind: string): Promise<void>;
  /** The code of the notice on the page, once there is one. */
  notice(code: string): Promise<void>;
  signIn(person: Person): Promise<void>;
  /** Holds matching requests back until they are released, so that the intermediate state can be checked. */
  hold(url: string | RegExp): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export async function visit(desk: CheckoutDesk, options: VisitOptions = {}): Promise<Visit> {
  const {
    locale = 'en-US',
    scripts = true,
    width = 1_280,
    scheme = 'light',
    reducedMotion = false,
    shopping = false,
    insecure = false,
    zone,
  } = options;
  const from = fromAnywhere();
  const complaints: string[] = [];
  const requests: Visit['requests'] = [];
  const shopVisits: string[] = [];
  const context = await desk.browser.newContext({
    locale,
    ...(zone === undefined ? {} : { timezoneId: zone }),
    ignoreHTTPSErrors: insecure,
    javaScriptEnabled: scripts,
    viewport: { width, height: width < 600 ? 780 : 860 },
    colorScheme: scheme,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    // A separate address, because most tests are not about limits per address.
    extraHTTPHeaders: from,
  });
  context.setDefaultTimeout(patience_ms);
  if (shopping) {
    await context.route(`${shop}/**`, (route) => {
      const body = '<!doctype html><title>Thanks</title><h1>Thanks</h1>';
      return route.fulfill({ contentType: 'text/html', body });
    });
  }
  context.on('request', (request) => {
    const url = request.url();
    requests.push({ url, referer: request.headers().referer });
    // The icon is the browser's own idea.
    if (url.startsWith(`${shop}/`) && !url.endsWith('/favicon.ico')) shopVisits.push(url);
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (found) => complaints.push(String(found.error())));
  const page = await context.newPage();

  async function become(person: Person): Promise<void> {
    const [name = '', value = ''] = (await signIn(desk.service, person)).split('=');
    await context.addCookies([{ name, value, url: desk.service.url, httpOnly: true, sameSite: 'Lax' }]);
  }
  if (options.person !== undefined) await become(options.person);
  const shown = async (): Promise<void> => {
    if (scripts) await page.locator('.live').or(page.locator('main.single')).first().waitFor();
  };

  return {
    page,
    context,
    scripts,
    from,
    complaints,
    requests,
    shopVisits,
    signIn: become,
    async open({ checkout_url }, query = '') {
      const answer = await page.goto(checkout_url + query);
      await shown();
      return answer?.status() ?? 0;
    },
    async inLanguage(language) {
      const here = new URL(page.url());
      here.searchParams.set('lang', negotiateLocale(language));
      await page.goto(here.href);
      await shown();
    },
    async choose(name) {
      await page.locator('.method').filter({ hasText: name }).locator('input').check();
      if (!scripts) await page.locator('form.choose button').click();
    },
    pay: () => page.locator('form.pay button').click(),
    screen: (kind) => page.locator(`.frame[data-screen=${kind}]`).waitFor(),
    notice: (code) => page.locator(`.notice[data-code=${code}]`).waitFor(),
    async hold(url) {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await context.route(url, async (route) => {
        await released;
        // The page may be gone by now.
        await route.continue().catch(() => undefined);
      });
      return async () => {
        release();
        await context.unroute(url);
      };
    },
    close: () => context.close(),
  };
}
