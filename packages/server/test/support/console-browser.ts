import type { Browser, BrowserContext, Page } from 'playwright-core';
import { axeFindings } from './axe.ts';
import { patience_ms } from './browser.ts';
import type { Person } from './platform.ts';

/** A person at a console, in a browser of their own. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Complaints of the browser: script errors, refused resources, policy violations. */
  complaints: string[];
  /** Opens an address, and waits until the screen is drawn and its data is there. */
  open(path: string): Promise<void>;
  /** The same by a link of the console's own: without loading the page anew. */
  go(path: string): Promise<void>;
  /** The axe findings of the page, or of the last element of a selector that is shown. */
  violations(within?: string): Promise<unknown[]>;
  /** What of them may differ where the page has another width and scheme. */
  violationsOfLook(): Promise<unknown[]>;
  /** The same within the last element that is shown, in the light and in the dark. */
  violationsInBoth(within: string): Promise<unknown[]>;
  /** What of the whole page is in no landmark, such as a menu above it. */
  outsideLandmarks(): Promise<unknown[]>;
}

export interface VisitorOptions {
  width?: number;
  scheme?: 'light' | 'dark';
  /** Device pixels for each pixel of the page. */
  scale?: number;
  /** The time of the page, if the service runs at another time. */
  now?: Date;
  /** Signs in by the form, where the console sends people who have no session. */
  by_form?: boolean;
}

/**
 * Signs a person in, and waits for the console.
 *
 * @param start an address without a redirect: `/console` redirects people with one merchant, a moment later
 */
export async function visit(
  browser: Browser,
  url: string,
  { email, password }: Pick<Person, 'email' | 'password'>,
  start: string,
  { width = 1_280, scheme = 'light', scale = 1, now, by_form = false }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    deviceScaleFactor: scale,
    colorScheme: scheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patience_ms);
  if (now !== undefined) await context.clock.setFixedTime(now);
  const complaints: string[] = [];
  context.on('console', (message) => {
    // A refusal of a call is an answer that the screen explains; the browser reports it all the same.
    const isAnswer = message.text().includes('the server responded with a status of');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text());
  });
  context.on('weberror', (found) => complaints.push(String(found.error())));
  context.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const page = await context.newPage();
  if (by_form) {
    await page.goto(url + start);
    await page.waitForURL('**/sign-in?**');
    await page.locator('input[name=email]').fill(email);
    await page.locator('input[name=password]').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  } else {
    const headers = { origin: new URL(url).origin };
    const answer = await context.request.post(`${url}/session`, { data: { email, password }, headers });
    if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
    await page.goto(url + start);
  }
  // The form has a heading too: the console's own is asked for where the console is.
  await page.waitForURL((address) => address.pathname.startsWith(start));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  return {
    page,
    context,
    complaints,
    async open(path) {
      await page.goto(url + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    },
    async go(path) {
      const isElsewhere = new URL(page.url()).pathname !== new URL(path, url).pathname;
      await page.evaluate(
        ([to, named]) => {
          if (named) document.title = '';
          history.pushState({}, '', to);
        },
        [path, isElsewhere] as const,
      );
      // Each screen names the tab once it is there.
      await page
        .waitForFunction(() => document.title !== '', undefined, { polling: 20 })
        .catch(async (cause: unknown) => {
          const text = await page.locator('main').last().innerText();
          throw new Error(`nothing comes of ${path}: ${text}`, { cause });
        });
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    },
    violations: (within = 'html') => axeFindings(page, { rules: {}, within }),
    violationsOfLook: () => axeFindings(page, { targets: true }),
    violationsInBoth: (within) => axeFindings(page, { rules: {}, within, both: true }),
    outsideLandmarks: () => axeFindings(page, { rules: { runOnly: ['region'] }, texts: false }),
  };
}
