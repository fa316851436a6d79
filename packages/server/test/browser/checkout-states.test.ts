import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  corners,
  everyRule,
  expectQuiet,
  flaws,
  layoutFlaws,
  rulesOfWords,
  turnTo,
} from '../support/browser/checkout-checks.ts';
import { type CheckoutDesk, openCheckoutDesk } from '../support/desks/checkout-desk.ts';
import { type CheckoutCase, checkoutCases } from '../support/browser/checkout-states.ts';
import { rulesOfLooks } from '../support/browser/console-browser.ts';
import { everyLook } from '../support/browser/looks.ts';
import { shop, visit, type Visit, type VisitOptions } from '../support/browser/checkout-visit.ts';
import { onePtk, topUp } from '../support/desks/platform.ts';
import { openProgress } from '../support/run/progress.ts';

const languages = ['en-US', 'de', 'es', 'fr', 'zh-CN', 'ja', 'ar'];

let desk: CheckoutDesk;
let open: Visit[] = [];

beforeAll(async () => {
  desk = await openCheckoutDesk();
  // Each language of a state may cost the buyer another order.
  if (everything) await topUp(desk.service, desk.platform.buyer, 100_000n * onePtk);
});
afterAll(() => desk.stop());
afterEach(async () => {
  await desk.sim('DELETE', '/faults');
  await Promise.all(open.map((one) => one.close()));
  open = [];
});

async function someone(options: VisitOptions): Promise<Visit> {
  const one = await visit(desk, options);
  open.push(one);
  return one;
}

/** Every state once in one language and both looks; the whole product where it is asked for. */
const everything = process.env.PAYDESK_CHECKOUT_PRODUCT === 'all';
const pictures = 'test-results/checkout-states';
const progress = openProgress(everything ? `${pictures}/done.txt` : null);
const rows = checkoutCases.map((one, i) => {
  const [first = 'en-US', ...others] = [...languages.slice(i % languages.length), ...languages];
  return {
    name: one.name,
    locale: first,
    others: everything ? others.slice(0, languages.length - 1) : [],
    one,
  };
});
/** Rows of one language beside each other: their buyers take turns at one page. */
const byLocale = (a: { locale: string }, b: { locale: string }): number => a.locale.localeCompare(b.locale);
const looks = [320, 1_280].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ width, scheme })),
);

/** Somebody who has come to a state by its way in. */
async function arrived(one: CheckoutCase, locale: string): Promise<Visit> {
  const buyer = await someone({
    locale,
    ...(one.person === undefined ? {} : { person: one.person(desk) }),
  });
  await one.arrive(desk, buyer);
  return buyer;
}

/** The page in one language, in each look: axe sees the first in all, and with every look of the others what may differ. */
async function lookAt(buyer: Visit, one: CheckoutCase, locale: string, again: boolean): Promise<void> {
  const { page } = buyer;
  if (one.screen !== null) await buyer.screen(one.screen);
  // It stays where it is while it is looked at.
  const stay = page.locator('.leaving:not(.unseen) button');
  if ((await stay.count()) > 0) await stay.click();

  const [language] = locale.split('-');
  expect(await page.locator('html').getAttribute('lang')).toContain(language);
  expect(await page.locator('form.pay button.primary').count()).toBe(one.pays ? 1 : 0);
  const corner = everything ? looks : corners(checkoutCases.indexOf(one));
  for (const [i, look] of corner.entries()) {
    await turnTo(buyer, look);
    const [of_page, of_look] = again
      ? [rulesOfWords, null]
      : [everyRule, everyLook || everything ? rulesOfLooks : null];
    const found = await flaws(buyer, i === 0 ? of_page : of_look);
    const file = `${one.name}-${locale}-${look.width}-${look.scheme}.png`;
    if (everything) await page.screenshot({ path: `${pictures}/${file}` });
    expect([locale, look, found]).toEqual([locale, look, []]);
  }
}

describe('R-208 to R-220 every state, by its way in', () => {
  const left = rows.filter(({ name }) => !progress.done.has(name)).toSorted(byLocale);
  const time = everything ? { timeout: 1_200_000 } : {};
  test.each(left)('$name in $locale', time, async ({ one, locale, others }) => {
    let buyer = await arrived(one, locale);
    await lookAt(buyer, one, locale, false);
    for (const other of others) {
      if (one.lasting === true) {
        await buyer.inLanguage(other);
      } else {
        await buyer.close();
        await desk.sim('DELETE', '/faults');
        buyer = await arrived(one, other);
      }
      await lookAt(buyer, one, other, true);
    }
    for (const seen of open) expectQuiet(seen, [...desk.origins, shop]);
    progress.finish(one.name, rows.length);
  });
});

/** What a buyer does by forms, where no script does it. */
const byForms = new Set([
  'preview-ptk',
  'sign-in',
  'self-payment',
  'back-from-the-provider',
  'unresolved',
  'mismatch',
  'rejected',
  'conflict',
  'paid-in-another-tab',
  'paid-and-back-to-the-shop',
  'receipt',
  'expired-while-paying',
]);
const plainRows = checkoutCases
  .filter(({ name, scripts_only = false }) => !scripts_only && (everything || byForms.has(name)))
  .map((one, i) => ({ name: one.name, one, locale: languages[(i + 3) % languages.length] ?? 'en-US' }))
  .toSorted(byLocale);

describe('D-115 the same without scripts', () => {
  test.each(plainRows)('$name in $locale', async ({ one, locale }) => {
    const person = one.person === undefined ? {} : { person: one.person(desk) };
    const buyer = await someone({ locale, scripts: false, width: 320, ...person });
    const statuses: number[] = [];
    buyer.page.on('response', (response) => {
      if (response.request().isNavigationRequest()) statuses.push(response.status());
    });
    await one.arrive(desk, buyer);
    if (one.screen !== null) await buyer.screen(one.screen);
    if (one.status !== undefined) expect(statuses.at(-1)).toBe(one.status);
    expect(await buyer.page.locator('form.pay button.primary').count()).toBe(one.pays ? 1 : 0);
    expect(await buyer.page.evaluate(layoutFlaws)).toEqual([]);
    expectQuiet(buyer, [...desk.origins, shop]);
  });
});
