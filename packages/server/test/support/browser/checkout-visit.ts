import { negotiateLocale } from '@paydesk/checkout';
import { isDeepStrictEqual } from 'node:util';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Page,
  Request,
  WebError,
} from 'playwright-core';
import { patience_ms } from './browser.ts';
import type { CheckoutDesk } from '../desks/checkout-desk.ts';
import { fromAnywhere, type Order, type Person, signIn } from '../desks/platform.ts';

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
  /**
   * A browser that nobody had before, and nobody has after: with an empty cache, or with a clock, scripts or rights that are
   * not taken back.
   */
  alone?: boolean;
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

interface Place {
  settings: Settings;
  page: Page;
}

interface Settings extends BrowserContextOptions {
  viewport: { width: number; height: number };
  colorScheme: 'light' | 'dark';
}

/**
 * The place that the last buyer of a browser has left, which the next one takes: a page in a new process costs three times
 * as much.
 */
const left = new WeakMap<Browser, Place>();

async function takePlace(browser: Browser, alone: boolean, settings: Settings): Promise<Place> {
  const place = left.get(browser);
  if (!alone && place !== undefined) {
    left.delete(browser);
    if (isDeepStrictEqual(place.settings, settings)) return place;
    await place.page.context().close();
  }
  const context = await browser.newContext(settings);
  context.setDefaultTimeout(patience_ms);
  return { settings, page: await context.newPage() };
}

/**
 * Leaves a place as it was found: without the buyer's session, windows, routes and look. The checkout keeps cookies in a
 * browser, and nothing else.
 */
async function leavePlace(
  { browser, service: { url } }: CheckoutDesk,
  { settings, page }: Place,
): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.setOffline(false);
  // Of the same site: from another the next page would begin in a new process.
  const isHere = await page.goto(`${url}/healthz`).then(
    () => true,
    () => false,
  );
  // It was closed, or on its way elsewhere.
  if (!isHere) return context.close();
  await context.unrouteAll();
  await page.unrouteAll();
  for (const event of ['request', 'response', 'load'] as const) page.removeAllListeners(event);
  await context.clearCookies();
  await page.setViewportSize(settings.viewport);
  await page.emulateMedia({ media: null, colorScheme: settings.colorScheme });
  if (left.has(browser)) await context.close();
  else left.set(browser, { settings, page });
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
    alone = false,
    zone,
  } = options;
  const from = fromAnywhere();
  const complaints: string[] = [];
  const requests: Visit['requests'] = [];
  const shopVisits: string[] = [];
  const place = await takePlace(desk.browser, alone, {
    locale,
    ...(zone === undefined ? {} : { timezoneId: zone }),
    ignoreHTTPSErrors: insecure,
    javaScriptEnabled: scripts,
    viewport: { width, height: width < 600 ? 780 : 860 },
    colorScheme: scheme,
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
  });
  const { page } = place;
  const context = page.context();
  // A separate address, because most tests are not about limits per address.
  await context.setExtraHTTPHeaders(from);
  if (shopping) {
    await context.route(`${shop}/**`, (route) => {
      const body = '<!doctype html><title>Thanks</title><h1>Thanks</h1>';
      return route.fulfill({ contentType: 'text/html', body });
    });
  }
  const hears = (request: Request): void => {
    const url = request.url();
    requests.push({ url, referer: request.headers().referer });
    // The icon is the browser's own idea.
    if (url.startsWith(`${shop}/`) && !url.endsWith('/favicon.ico')) shopVisits.push(url);
  };
  const reads = (message: ConsoleMessage): void => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  };
  const catches = (found: WebError): void => {
    complaints.push(String(found.error()));
  };
  context.on('request', hears).on('console', reads).on('weberror', catches);

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
    async close() {
      context.off('request', hears).off('console', reads).off('weberror', catches);
      await (alone ? context.close() : leavePlace(desk, place));
    },
  };
}
