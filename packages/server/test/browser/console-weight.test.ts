import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, patience_ms } from '../support/browser/browser.ts';
import { signIn, visit } from '../support/browser/console-browser.ts';
import { openWorld, type World } from '../support/desks/console-world.ts';
import { addUser } from '../support/desks/platform.ts';
import { countBytes } from '../support/browser/wire-bytes.ts';

let world: World;
let browser: Browser;

beforeAll(async () => {
  world = await openWorld();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** Records the time at which the figures are in the page: they may have needed everything that was requested before. */
function noteFigures(last: string): void {
  new MutationObserver((_, observer) => {
    if (!document.body.textContent.includes(last)) return;
    performance.mark('figures');
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true });
}

/** What was asked for only once the application ran, before the figures were there; and how often the session was. */
const askedLate = (page: Page): Promise<{ scripts: string[]; sessions: number }> =>
  page.evaluate(() => {
    const [mark] = performance.getEntriesByName('figures');
    const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const found = performance.getEntriesByType('resource');
    const isLate = ({ startTime }: PerformanceEntry): boolean =>
      startTime > (opening?.domInteractive ?? 0) && startTime < (mark?.startTime ?? 0);
    return {
      scripts: found.filter((one) => one.name.endsWith('.js') && isLate(one)).map(({ name }) => name),
      sessions: found.filter(({ name }) => name.endsWith('/session')).length,
    };
  });

/** The paths of the scripts that were asked for before the figures were there, and of those after. */
const scriptsOf = (page: Page): Promise<{ first: string[]; later: string[] }> =>
  page.evaluate(() => {
    const [mark] = performance.getEntriesByName('figures');
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
    const paths = (early: boolean): string[] =>
      scripts
        .filter(({ startTime }) => startTime < (mark?.startTime ?? 0) === early)
        .map(({ name }) => new URL(name).pathname);
    return { first: paths(true), later: paths(false) };
  });

// The languages with the longest texts.
test.each([
  ['merchant', 'de', 'Erstellte Bestellungen'],
  ['platform', 'ar', 'الدفاتر'],
] as const)(
  'D-335 D-1400 D-284 the home of the %s console in %s shows its figures after at most 180 KB of scripts that load at once, and then its charts; its menu fits 768 px',
  async (side, language, last) => {
    const person = side === 'merchant' ? world.platform.owner : world.admin;
    const path = side === 'merchant' ? `/console/merchants/${world.platform.merchant_no}` : '/platform';
    // The browser has nothing of the console yet.
    const context = await browser.newContext({ viewport: { width: 1_280, height: 768 } });
    await signIn(context, world.service.url, person);
    context.setDefaultTimeout(patience_ms);
    const page = await context.newPage();
    const count = await countBytes(page);
    await page.addInitScript(noteFigures, last);
    await page.goto(`${world.service.url}${path}?lang=${language}`);
    await page.waitForFunction(() => performance.getEntriesByName('figures').length > 0);
    await page.keyboard.press('End');
    await page.locator('.recharts-surface').first().waitFor();
    const { first, later } = await scriptsOf(page);
    const bytes = first.map((script) => count.bytes.get(script) ?? NaN);
    const total = bytes.reduce((sum, one) => sum + one, 0);
    expect(total, JSON.stringify(first.map((script, i) => [script, bytes[i]]))).toBeLessThanOrEqual(
      180 * 1_024,
    );
    expect(total).toBeGreaterThan(100_000);
    const late = await askedLate(page);
    // The texts of errors, in this language and in English.
    expect(late.scripts.length, late.scripts.join(' ')).toBeLessThanOrEqual(2);
    expect(late.sessions).toBe(1);
    expect(later.some((script) => script.includes('figure-charts'))).toBe(true);
    const hidden = await page
      .locator('.menu-scroll')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    expect(hidden).toBe(0);
    await context.close();
  },
);

// The longest names of the menu's entries.
test('D-284 D-500 the menu of an auditor fits 768 px, who reads what a role may do, and fees without a field', async () => {
  const auditor = await addUser(world.service, 'Anna Auditor', 'auditor');
  const visitor = await visit(browser, world.service.url, auditor, '/platform');
  const { page } = visitor;
  await page.setViewportSize({ width: 1_280, height: 768 });
  await page.goto(`${world.service.url}/platform?lang=de`);
  await page.getByText('Ihre Rolle ist').waitFor();
  const hidden = await page
    .locator('.menu-scroll')
    .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  expect(hidden).toBe(0);
  await visitor.open(`/platform/channels/${world.card.payment_no}?lang=en`);
  await page.getByRole('cell', { name: '2.9', exact: true }).waitFor();
  const fees = page.getByRole('table', { name: 'Fees by currency' });
  expect(await fees.locator('input, button').count()).toBe(0);
  expect(await page.getByRole('button', { name: /Save fees|Add currency/ }).count()).toBe(0);
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});
