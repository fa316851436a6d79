import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { patience_ms } from './browser.ts';
import type { Person } from '../desks/platform.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const everyRule: RunOptions = { resultTypes: ['violations'] };

/** The differences that two appearances of one page may have. */
export const rulesOfLooks: RunOptions = {
  runOnly: ['color-contrast', 'target-size'],
  resultTypes: ['violations'],
};

/** The difference that two schemes of one page may have. */
const ruleOfSchemes: RunOptions = { runOnly: ['color-contrast'], resultTypes: ['violations'] };

const ruleOfLandmarks: RunOptions = { runOnly: ['region'], resultTypes: ['violations'] };

/** A person at a console, in a browser of their own. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Complaints of the browser: script errors, refused resources, policy violations. */
  complaints: string[];
  /** Opens an address, and waits until the screen is drawn and its data is there. */
  open(path: string): Promise<void>;
  /**
   * Lets another person take the place, at an address. The browser has the console's files, and has compiled them: in a
   * new one a page costs three times as much.
   */
  become(person: Pick<Person, 'email' | 'password'>, start: string): Promise<void>;
  /** The same with a link of the console, without a reload of the page. */
  go(path: string): Promise<void>;
  /**
   * The axe findings of the page.
   *
   * @param again what the page was checked in before: another width and scheme, or another scheme
   * @param within checks only the last element of this selector that is shown
   */
  violations(again?: 'look' | 'scheme' | null, within?: string): Promise<unknown[]>;
  /** The parts of the page that are outside every landmark, such as a menu above it. */
  outsideLandmarks(): Promise<unknown[]>;
}

export interface VisitorOptions {
  width?: number;
  scheme?: 'light' | 'dark';
  /** Whether it is a phone, which is touched. */
  touch?: boolean;
  /** Device pixels for each pixel of the page. */
  scale?: number;
  /** The time of the page, if the service runs at another time. */
  now?: Date;
  /** Signs in by the form, where the console sends people who have no session. */
  by_form?: boolean;
}

/** Signs a person in, in a browser that need not have a page. */
export async function signIn(
  context: BrowserContext,
  url: string,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  const headers = { origin: new URL(url).origin };
  const answer = await context.request.post(`${url}/session`, { data: { email, password }, headers });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
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
  { width = 1_280, scheme = 'light', touch = false, scale = 1, now, by_form = false }: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    hasTouch: touch,
    isMobile: touch,
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
    // The screen explains a refused call, but the browser reports it as an error.
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
    await signIn(context, url, { email, password });
    await page.goto(url + start);
  }
  // The form has a heading too: the console's own is asked for where the console is.
  await page.waitForURL((address) => address.pathname.startsWith(start));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  const open = async (path: string): Promise<void> => {
    await page.goto(url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  };
  return {
    page,
    context,
    complaints,
    open,
    async become(person, path) {
      await signIn(context, url, person);
      await page.unrouteAll();
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      complaints.length = 0;
      await open(path);
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
        .waitForFunction(() => document.title !== '')
        .catch(async (cause: unknown) => {
          const text = await page.locator('main').last().innerText();
          throw new Error(`${path} shows no screen: ${text}`, { cause });
        });
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    },
    violations: (again = null, within = 'html') =>
      findings(page, again === null ? everyRule : again === 'look' ? rulesOfLooks : ruleOfSchemes, within),
    outsideLandmarks: () => findings(page, ruleOfLandmarks, 'html'),
  };
}

/** What axe finds in the last element of a selector that is shown. */
async function findings(page: Page, rules: RunOptions, within: string): Promise<unknown[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(
    async ([selector, options]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(on: Node, o: RunOptions): Promise<AxeResults> };
      };
      const shown = [...document.querySelectorAll(selector)].findLast((one) => one.checkVisibility());
      const on = shown === document.documentElement || !shown ? document : shown;
      const { violations } = await axe.run(on, options);
      // All that axe says is much, and to carry it out of the page costs as much as a part of the check.
      return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
    },
    [within, rules] as const,
  );
}
