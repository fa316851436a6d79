import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { corners, expectQuiet, flaws, layoutFlaws, turnTo } from '../support/checkout-checks.ts';
import { type CheckoutDesk, openCheckoutDesk } from '../support/checkout-desk.ts';
import { checkoutCases } from '../support/checkout-states.ts';
import { shop, visit, type Visit, type VisitOptions } from '../support/checkout-visit.ts';

const languages = ['en-US', 'de', 'es', 'fr', 'zh-CN', 'ja', 'ar'];

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

async function someone(options: VisitOptions): Promise<Visit> {
  const one = await visit(desk, options);
  open.push(one);
  return one;
}

/** Every state once in one language and both looks; the whole product where it is asked for. */
const everything = process.env.PAYDESK_CHECKOUT_PRODUCT === 'all';
const rows = checkoutCases.flatMap((one, i) =>
  languages
    .filter((_, j) => everything || j === i % languages.length)
    .map((locale) => ({ ...one, locale, one })),
);

describe('R-208 to R-220 every state, by its way in', () => {
  test.each(rows)('$name in $locale', async ({ one, locale }) => {
    const buyer = await someone({
      locale,
      ...(one.person === undefined ? {} : { person: one.person(desk) }),
    });
    const { page } = buyer;
    await one.arrive(desk, buyer);
    if (one.screen !== null) await buyer.screen(one.screen);
    // It stays where it is while it is looked at.
    const stay = page.locator('.leaving:not(.unseen) button');
    if ((await stay.count()) > 0) await stay.click();

    const [language] = locale.split('-');
    expect(await page.locator('html').getAttribute('lang')).toContain(language);
    expect(await page.locator('form.pay button.primary').count()).toBe(one.pays ? 1 : 0);
    const looks = everything
      ? [320, 1_280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))
      : corners(checkoutCases.indexOf(one));
    for (const [i, look] of looks.entries()) {
      await turnTo(buyer, look);
      const found = await flaws(buyer, i > 0);
      if (everything) {
        const file = `${one.name}-${locale}-${look.width}-${look.scheme}.png`;
        await page.screenshot({ path: `test-results/checkout-states/${file}` });
      }
      expect([look, found]).toEqual([look, []]);
    }
    expectQuiet(buyer, [...desk.origins, shop]);
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
  .map((one, i) => ({ name: one.name, one, locale: languages[(i + 3) % languages.length] ?? 'en-US' }));

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
