import { type ConsoleRole, consoleRoles } from '@paydesk/contract';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writes } from '../../src/console/request/permissions.ts';
import { launchBrowser, patience_ms } from '../support/browser/browser.ts';
import { visit, type Visitor } from '../support/browser/console-browser.ts';
import { openWorld, type World } from '../support/desks/console-world.ts';
import {
  checkErrors,
  checkNotice,
  checkOverlays,
  checkSearch,
  type Look,
  turnTo,
} from '../support/browser/overlays.ts';
import { hostileTexts } from '../support/browser/hostile-texts.ts';
import { everyLook } from '../support/browser/looks.ts';
import { textFields } from '../support/browser/text-fields.ts';

const hostile = hostileTexts();
let world: World;
let browser: Browser;
/** One browser at a desk, at which people of these tests take turns. */
let visitor: Visitor;

beforeAll(async () => {
  world = await openWorld({ texts: hostile.texts });
  browser = await launchBrowser();
  visitor = await visit(browser, world.service.url, world.admin, '/platform');
});

afterAll(async () => {
  await browser.close();
  await world.stop();
});

const at = (path: string): string => `/console/merchants/${world.platform.merchant_no}${path}`;

describe('H-17 hostile texts', () => {
  /** Which calls write the same thing. */
  const things: Readonly<Record<string, readonly string[]>> = {
    order: ['createCollectionOrder', 'createConsoleOrder', 'createPaymentLink'],
    note: ['addOrderNote'],
    catalog_order: ['createCatalogOrder', 'fulfilCatalogOrder'],
    product: [
      'createOwnProduct',
      'changeOwnProduct',
      'createProduct',
      'changeProduct',
      'uploadProductCodes',
      'withdrawProductCodes',
    ],
    merchant: ['createMerchant', 'changeMerchant', 'changeOwnSettings'],
    client: ['createClient', 'createAnyClient', 'changeClient'],
    channel: ['createChannel', 'changeChannel'],
    user: ['createUser', 'changeUser'],
    key: ['createAdminKey'],
  };
  const thingOf = (call: string): string =>
    Object.entries(things).find(([, calls]) => calls.includes(call))?.[0] ?? call;

  /** Texts that no page shows as they were written, each with the reason. */
  const elsewhere: readonly (readonly [RegExp, string])[] = [
    [
      /\.(payment_no|merchant_no|gd_no|owner_user_id|method_id|cursor)$/,
      'names what is there, or is refused',
    ],
    [/\.(merchants|users|user_ids|payment_methods|scopes)\[\]$/, 'each names what is there, or is refused'],
    [/\.(amount|fees|payout_amount|loss_amount|external_cost)$/, 'an amount, or refused'],
    [/\.(since|from|to|now|valid_until|expires_at)$/, 'a time, or refused'],
    [/\.time_zone$/, 'a name that is known, or refused'],
    [/\.allowed_cidrs\[\]$/, 'an address range, or refused'],
    [/\.wholesale_price_cnf\[\]$/, 'numbers, or refused'],
    [
      /^(get|revoke)Token\.|^signIn\.|^confirmSignIn\.|^reauthenticate\.|\.password$/,
      'compared, and shown nowhere',
    ],
    [/\.api_base$|\.embed_origins\[\]$/, 'an origin, or refused'],
    [/\.names\.[\w-]+$/, 'escaped like the name of the method'],
    [/\.branding\.(logo|support_address)$|\.terms_url$/, 'a picture or an address, or refused'],
    [/\.(secret_key|webhook_secret|notify_secret)$/, 'sealed, and shown nowhere'],
    [/\.keywords\[\]$/, 'kept as product.keywords'],
    [/^sendEvidence\.texts\./, 'shown as the texts of a case are'],
    [/^addMember\.email$/, 'names a person who is there'],
    [/^findNamedOrders\./, 'compared, and shown nowhere'],
    [/^(save|rename)View\./, 'shown to the person who wrote it, in a menu'],
    [
      /\.notify_url$|^(saveNotificationSettings|(create|change)StatementExport)\.url$/,
      'a public address, or refused; shown as client addresses are',
    ],
  ];

  test('stand in every text that a call takes and a page can show', () => {
    const missing = textFields.filter((field) => {
      const [, call = '', path = ''] = /^(\w+)\.(.+)$/.exec(field) ?? [];
      const written = [`${thingOf(call)}.${path}`, path].some((key) => hostile.marks.has(key));
      return !written && !elsewhere.some(([pattern]) => pattern.test(field));
    });
    expect(missing).toEqual([]);
  });

  /** Only its recipient sees it, on their own pages. */
  const sealed = ['product.codes[]', 'catalog_order.note'];
  const shown = new Set<string>();

  /** Checks the texts of the page and of its fields, and finds texts that were interpreted as HTML. */
  async function look({ page }: Visitor, width: number): Promise<string[]> {
    const found = await page.evaluate(() => {
      const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
      const run = 'img[src="x"], svg[onload], iframe, [onmouseover], [onerror], a[href^="javascript:" i]';
      const shadows = [...document.querySelectorAll(run)].map(({ outerHTML }) => outerHTML);
      return {
        text: [document.body.textContent, document.title, ...fields.map(({ value }) => value)]
          .join(' ')
          .toLowerCase(),
        shadows,
        wide: document.documentElement.scrollWidth,
        tall: [...document.querySelectorAll('.cards > li')]
          .map((row) => row.getBoundingClientRect().height)
          .filter((height) => height > 96),
      };
    });
    for (const marks of hostile.marks.values()) {
      for (const mark of marks) if (found.text.includes(mark)) shown.add(mark);
    }
    const tall = found.tall.map((height) => `D-284 a row of ${height} px`);
    return [...found.shadows, ...tall, ...(found.wide > width ? [`${found.wide} px wide`] : [])];
  }

  /** Behind tabs and in drawers, as addresses lead there. */
  const parts = (side: 'merchant' | 'platform'): string[] => {
    const { order_no } = world.orders.complained;
    return side === 'merchant'
      ? ['payment', 'money', 'notifications', 'json'].map((tab) => `${at('/orders')}/${order_no}?tab=${tab}`)
      : [`/platform/orders/${order_no}?tab=money`, `/platform/ledger?book=${world.platform.merchant_no}`];
  };

  /** The menu of a small screen passes axe and closes with Escape; a tablet has tables (D-284, D-333). */
  async function turnToTablet(visitor: Visitor): Promise<unknown[]> {
    const { page } = visitor;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('button', { name: 'Close navigation' }).waitFor();
    const found = await visitor.violations();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open navigation' }).waitFor();
    await page.setViewportSize({ width: 768, height: 1_024 });
    await page.getByRole('table').first().waitFor();
    const cards = await page.locator('.cards').count();
    return [...found, ...(cards > 0 ? ['a tablet has cards'] : [])];
  }

  /** What must have been opened, among the rest. */
  const opened = {
    merchant: [
      /^dialog: Search$/,
      /^menu: /,
      /^listbox of page$/,
      /^listbox of dialog, many/,
      /^dialog: Columns/,
      /^dialog: Saved views/,
      /^dialog: Jan 1, 2026/,
      /^dialog: New order/,
      /^dialog: Resend, dialog/,
    ],
    platform: [
      /^dialog: Search$/,
      /^menu: /,
      /^dialog: column 0, page .platform.(cases|audit-log)/,
      // The field of a colour, in the dialog of the branding.
      /^dialog: , dialog .platform.settings/,
    ],
  };
  /** What is open in a state of a screen only; the order keeps two states of a screen apart. */
  const states = (side: 'merchant' | 'platform'): string[] =>
    side === 'merchant'
      ? [at('/notifications?status=failed'), `${at('')}?from=2026-01-01&until=2026-01-31`]
      : ['/platform/complaints?stage=ended'];

  const [wide, narrow] = [1_280, 320];
  const desk = { width: wide, scheme: 'light' } as const;
  const night = { width: wide, scheme: 'dark' } as const;
  const phone = { width: narrow, scheme: 'dark' } as const;
  const day = { width: narrow, scheme: 'light' } as const;
  /**
   * The two looks of each screen, by turns: axe sees the first one, and what opens is opened on the desk. A screen is drawn
   * in the scheme that the one before was turned to.
   */
  const turns: readonly (readonly [Look, Look])[] = [
    [desk, phone],
    [phone, desk],
    [night, day],
    [day, night],
  ];
  const looksAt = (i: number): readonly Look[] => {
    const two: readonly Look[] = turns[i % turns.length] ?? [];
    return everyLook ? [...two, ...[desk, phone, night, day].filter((one) => !two.includes(one))] : two;
  };

  test.each([
    ['merchant', () => world.platform.owner, (): string => at('')],
    ['platform', () => world.admin, (): string => '/platform'],
  ] as const)(
    'D-284 D-333 D-521 D-559 D-740 every screen of the %s keeps them texts and fits, on a desk and on the narrowest phone, one in the light and the other in the dark; axe finds nothing in it and in whatever opens, and Escape closes one at a time',
    { timeout: 960_000 },
    async (side, who, start) => {
      await visitor.become(who(), start());
      const { page } = visitor;
      const found: unknown[] = [];
      const seen = new Set<string>();
      const screens = world.screens[side];
      const shownIn = async (what: string, look_at: Look): Promise<void> => {
        await turnTo(visitor, look_at);
        for (const wrong of await look(visitor, look_at.width)) found.push([what, look_at, wrong]);
      };
      for (const [i, path] of [...screens, ...states(side), ...parts(side)].entries()) {
        await visitor.go(path);
        for (const [turn, one] of looksAt(i).entries()) {
          await shownIn(path, one);
          const seenBy = turn === 0 ? await visitor.violations() : [];
          if (turn > 0 && everyLook) seenBy.push(...(await visitor.violations('look')));
          for (const violation of seenBy) found.push([path, one, violation]);
          if (one.width === narrow || i >= screens.length + states(side).length) continue;
          // Two screens of one kind open the same.
          const kind = path.replace(/\w{2}_[0-9A-Z]{26}/, ':no');
          found.push(...(await checkOverlays(visitor, kind, seen)));
        }
      }
      expect(opened[side].filter((wanted) => ![...seen].some((key) => wanted.test(key)))).toEqual([]);
      await turnTo(visitor, desk);
      found.push(...(await checkSearch(visitor)));
      await visitor.go(side === 'merchant' ? at('/developers') : '/platform/workers');
      found.push(
        ...(side === 'merchant'
          ? await checkErrors(visitor, 'New API key', 'Create', { Name: 'Till' })
          : await checkNotice(visitor, /^Run now: /)),
      );
      // What is read in drawers only.
      if (side === 'platform') {
        const { items } = await world.service.admin<{ items: { case_id: string }[] }>('GET', '/cases');
        await visitor.go(`/platform/cases?case_id=${items[0]?.case_id ?? ''}`);
        await page.getByRole('heading', { name: 'Requested' }).waitFor();
      } else {
        await visitor.go(at('/notifications?status=failed'));
        await page.getByRole('button', { name: /^mp_/ }).first().click();
        await page.getByRole('heading', { name: 'Body' }).waitFor();
      }
      for (const one of [desk, phone]) await shownIn('a drawer', one);
      found.push(...(await turnToTablet(visitor)));
      expect(found).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
  );

  test('the buyer’s pages keep them texts as well', async () => {
    await visitor.become(world.admin, '/console');
    await visitor.page.setViewportSize({ width: 320, height: 900 });
    // Where the merchant's picture is: nothing leaves this machine.
    await visitor.page.route('https://shop.example/**', (route) => route.fulfill({ body: '' }));
    const { open, paid, expired } = world.orders;
    const found: unknown[] = [];
    const { pathname } = new URL(`${world.service.url}/account`);
    for (const address of [
      ...[open, paid, expired].map(({ checkout_url }) => checkout_url.slice(world.service.url.length)),
      pathname,
    ]) {
      await visitor.open(address);
      for (const wrong of await look(visitor, 320)) found.push([address, wrong]);
    }
    expect(found).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  test('every one of them was seen, and nothing that is sealed', () => {
    const fields = [...hostile.marks];
    const isShown = (marks: readonly string[]): boolean => marks.some((mark) => shown.has(mark));
    const unseen = fields.filter(([, marks]) => !isShown(marks)).map(([field]) => field);
    expect(unseen.sort()).toEqual([...sealed].sort());
  });
});

test('D-322 D-323 D-324 D-531 D-534 D-1189 a list keeps in its address what a person chose, and saves it under a name', async () => {
  await visitor.become(world.platform.owner, at('/orders'));
  const { page } = visitor;
  const field = (name: string) => page.getByLabel(name, { exact: true }).and(page.locator('input'));
  const choose = async (name: string, option: string): Promise<void> => {
    await field(name).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const isIn =
    (name: string, value: string) =>
    ({ searchParams }: URL): boolean =>
      searchParams.get(name) === value;
  // A pause in typing filters, and does not take the field from the person.
  await field('Find orders').focus();
  await page.keyboard.type('INV');
  await page.waitForURL(isIn('q', 'INV'));
  await page.keyboard.type('-1');
  await page.waitForURL(isIn('q', 'INV-1'));
  await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
  await page.waitForURL((address) => !address.searchParams.has('q'));
  // The button is gone, and the focus stays where it was (D-1189).
  await page.locator('[role=search]:focus').waitFor();
  await expect.poll(() => field('Find orders').inputValue(), { timeout: patience_ms }).toBe('');

  await page.getByRole('button', { name: 'More filters' }).click();
  await choose('Sort', 'Highest amount first');
  await choose('Created', 'This month');
  await choose('Mode', 'Live');
  await choose('Currency', 'USD');
  await page.waitForURL(isIn('currency', 'USD'));
  await field('Amount from').fill('a few');
  await page.getByText('Enter an amount with at most eight decimals.').waitFor();
  await field('Amount from').fill('1,5');
  await page.waitForURL(isIn('amount_from', '1.5'));
  const { searchParams, search: chosen } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toEqual({
    ...{ sort: '-amount', period: 'this-month', mode: 'live', currency: 'USD', amount_from: '1.5' },
  });

  // After a reload it shows the same; the count of a long list says that there are more.
  await page.route('**/collection-order-count?**', (route) =>
    route.fulfill({ json: { count: 10_000, more: true } }),
  );
  await page.reload();
  await page.getByText('10,000+ results').waitFor();
  expect(new URL(page.url()).search).toBe(chosen);
  expect(await field('Mode').inputValue()).toBe('Live');
  expect(await field('Sort').inputValue()).toBe('Highest amount first');

  // By keyboard: it is saved, replaced, and renamed; Escape leaves the name as it is, and then the menu.
  const views = page.getByRole('dialog', { name: 'Saved views' });
  const opener = page.getByRole('button', { name: 'Saved views' });
  const hasFocus = async (name: string): Promise<void> => {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused, { timeout: patience_ms }).toBe(name);
  };
  const staysInMenu = () => views.evaluate((menu) => menu.contains(document.activeElement));
  for (const button of ['Save', 'Replace']) {
    if (button === 'Save') await opener.press('Enter');
    await views.getByLabel('Name of this view').fill('Large ones');
    await views.getByRole('button', { name: button, exact: true }).press('Enter');
    await views.getByRole('button', { name: 'Large ones', exact: true }).waitFor();
    await expect
      .poll(() => views.getByLabel('Name of this view').inputValue(), { timeout: patience_ms })
      .toBe('');
    await expect.poll(staysInMenu, { timeout: patience_ms }).toBe(true);
  }
  // The next one is saved before the list with the last one has come.
  let comes: () => void = () => undefined;
  const list = new Promise<void>((resolve) => (comes = resolve));
  await page.route('**/console/v1/views?**', (route) => list.then(() => route.fallback()));
  await views.getByLabel('Name of this view').fill('One more');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => views.getByLabel('Name of this view').inputValue(), { timeout: patience_ms })
    .toBe('');
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await views.getByLabel('Name of this view').fill('Others');
  await page.keyboard.press('Enter');
  await sent;
  comes();
  await views.getByRole('button', { name: 'Others', exact: true }).waitFor();
  await page.unroute('**/console/v1/views?**');
  const rename = views.getByRole('button', { name: 'Rename the view “Large ones”' });
  await rename.press('Enter');
  await page.keyboard.press('Escape');
  await hasFocus('Rename the view “Large ones”');
  await rename.press('Enter');
  await views.getByLabel('Name of this view').fill('Others');
  await page.keyboard.press('Enter');
  await views.getByText('Another view of this list has this name.', { exact: true }).waitFor();
  await views.getByLabel('Name of this view').fill('Above 1.50');
  await page.keyboard.press('Enter');
  await hasFocus('Rename the view “Above 1.50”');
  await page.keyboard.press('Escape');
  await views.waitFor({ state: 'detached' });

  // It opens from a list without filters, and no other person has it.
  await visitor.open(at('/orders'));
  await opener.press('Enter');
  await views.getByRole('button', { name: 'Above 1.50', exact: true }).press('Enter');
  await page.waitForURL(isIn('amount_from', '1.5'));
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(Object.fromEntries(searchParams));
  const other = await visit(browser, world.service.url, world.people.finance, at('/orders'));
  await other.page.getByRole('button', { name: 'Saved views' }).press('Enter');
  await other.page.getByText('No saved views yet.').waitFor();
  await opener.press('Enter');
  for (const name of ['Above 1.50', 'Others', 'One more'])
    await views.getByRole('button', { name: `Delete the view “${name}”` }).press('Enter');
  await views.getByText('No saved views yet.').waitFor();
  expect(await staysInMenu()).toBe(true);
  await page.keyboard.press('Escape');
  await views.waitFor({ state: 'detached' });
  expect([...visitor.complaints, ...other.complaints]).toEqual([]);
  await other.context.close();
});

test('D-656 in a window of 1280, 768 and 320 pixels a dialog and the search stand in the middle, and a drawer at its end', async () => {
  await visitor.become(world.admin, '/platform/people');
  const { page } = visitor;
  for (const width of [1_280, 768, 320]) {
    await turnTo(visitor, { width, scheme: 'light' });
    /** How far what is open is from the window's edges. */
    const edges = async (): Promise<number[]> => {
      const { x = -1, width: wide = 0 } = (await page.getByRole('dialog').boundingBox()) ?? {};
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return [Math.round(x), Math.round(width - x - wide)];
    };
    await page.getByRole('button', { name: 'New person' }).click();
    const [left, right] = await edges();
    expect([width, left]).toEqual([width, right]);
    await page.locator('main .mantine-Anchor-root[aria-haspopup=dialog]').first().click();
    const [start = -1, end] = await edges();
    expect([width, start >= 0, end]).toEqual([width, true, 0]);
    await page.keyboard.press('Control+k');
    const [before, after] = await edges();
    expect([width, before]).toEqual([width, after]);
  }
});

test('D-1314 in the colours of the system, what is chosen and what is on has their highlight', async () => {
  await visitor.become(world.admin, '/platform/withdrawals');
  const { page } = visitor;
  await turnTo(visitor, { width: 1_280, scheme: 'light' });
  await page.emulateMedia({ forcedColors: 'active' });
  const highlighted = (selector: string, kind: 'backgroundColor' | 'color' = 'backgroundColor') =>
    page.evaluate(
      ([of, property]) => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.cssText = 'forced-color-adjust: none; background-color: Highlight; color: HighlightText';
        const wanted = getComputedStyle(probe)[property];
        probe.remove();
        const found = [...document.querySelectorAll(of)];
        return found.filter((one) => getComputedStyle(one)[property] === wanted).length;
      },
      [selector, kind] as const,
    );
  const counts = [await highlighted('nav a'), await highlighted('[role=radiogroup] label')];
  await visitor.go('/platform/currencies');
  await page.getByRole('button', { name: 'New currency' }).click();
  await page.getByRole('switch').waitFor();
  counts.push(await highlighted('.mantine-Switch-track'));
  await page.keyboard.press('Escape');
  // Both lines of the chosen result can be read, whatever colour the page gives them.
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--mantine-primary-color-contrast', 'red');
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('mp_');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { selected: true }).waitFor();
  counts.push(await highlighted('[aria-selected=true] .mantine-Spotlight-actionDescription', 'color'));
  await page.keyboard.press('Escape');
  await page.emulateMedia({ forcedColors: 'none' });
  await page.evaluate(() => {
    document.documentElement.style.removeProperty('--mantine-primary-color-contrast');
  });
  expect(counts).toEqual([1, 1, 1, 1]);
});

test('D-657 D-692 D-751 D-1315 D-1350 on a phone, also at 200 % text, a figure has its name, what is touched its size, and a field the keyboard for what is typed', async () => {
  const visitor = await visit(browser, world.service.url, world.admin, '/platform/currencies', {
    width: 360,
    touch: true,
  });
  const { page } = visitor;
  const dollar = page.locator('.cards > li', { hasText: 'USD' }).first();
  expect(await dollar.locator('.card-figure').innerText()).toBe('Decimals 2');
  const opener = dollar.getByRole('button', { name: 'Show everything', description: 'USD' });
  await opener.tap();
  expect(await dollar.locator('dt').first().innerText()).toBe('Decimals');
  await visitor.go('/platform/people');
  const person = page.locator('.card-title button').first();
  expect((await person.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  await person.tap();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Top up' }).tap();
  const amount = page.getByRole('textbox', { name: 'Amount' }).first();
  expect(await amount.getAttribute('inputmode')).toBe('decimal');
  expect(
    await amount.evaluate((field) => parseFloat(getComputedStyle(field).fontSize)),
  ).toBeGreaterThanOrEqual(16);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New person' }).tap();
  expect(await page.getByRole('textbox', { name: 'Email' }).getAttribute('type')).toBe('email');
  // What is opened from a list can be decided where it is read.
  await visitor.go('/platform/approvals');
  const waiting = page.locator('.cards > li', { hasText: 'Pending' }).first();
  expect(await waiting.locator('.card-figure').innerText()).toContain('PTK');
  await waiting.locator('.card-title button').tap();
  await drawer.getByRole('button', { name: /^(Approve|Withdraw)$/ }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  // An open dispute is decided at the top of its order (D-751).
  await visitor.go(`/platform/orders/${world.orders.complained.order_no}`);
  const [dispute, amounts] = await Promise.all(
    ['Disputes', 'Amounts'].map((name) => page.getByRole('heading', { name, exact: true }).boundingBox()),
  );
  expect(dispute?.y).toBeLessThan(amounts?.y ?? 0);
  // A choice with a long number breaks, and is read without scrolling sideways (D-1315).
  await visitor.go('/platform/withdrawals');
  await page.setViewportSize({ width: 320, height: 900 });
  await page.getByRole('button', { name: 'New payout' }).tap();
  await page.getByRole('combobox', { name: 'Merchant' }).tap();
  await page.getByRole('option').first().waitFor();
  const choices = page.getByRole('listbox');
  expect(await choices.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 360, height: 900 });
  await visitor.go('/platform/approvals');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  const title = await waiting.locator('.card-title').boundingBox();
  expect(title?.width).toBeGreaterThan(120);
  await page.getByRole('button', { name: 'account of' }).tap();
  const menu = await page.getByRole('menu').boundingBox();
  expect([menu?.x, (menu?.x ?? 0) + (menu?.width ?? 0)].every((at = -1) => at >= 0 && at <= 360)).toBe(true);
  // Nothing makes the page wider than the phone.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await visitor.context.close();
});

test('D-898 on a phone, a word stays whole beside an identifier', async () => {
  const { service, admin } = world;
  const wrong = { email: admin.email, password: 'not the password' };
  expect((await service.send('POST', '/session', { body: wrong })).status).toBe(401);
  const { page, context } = await visit(browser, service.url, admin, '/platform/audit-log', { width: 360 });
  const actor = page.locator('.card-more .identifier', { hasText: /^anonymous$/ }).first();
  await actor.waitFor();
  expect(await actor.evaluate((text) => text.getClientRects().length)).toBe(1);
  await context.close();
});

/** The lines of text and the marks of shut rows of which a part is hidden. */
const cutIn = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const look = (within: Element, box: DOMRect, text: string): void => {
      let [top, bottom, end] = [box.top, box.bottom, box.right];
      const row = within.closest('li');
      for (let at: Element | null = within; at !== null && at !== row; at = at.parentElement) {
        if (getComputedStyle(at).overflowY !== 'hidden') continue;
        const room = at.getBoundingClientRect();
        [top, bottom] = [Math.max(top, room.top), Math.min(bottom, room.bottom)];
        // A text ends in an ellipsis or has its end further below.
        if (within.matches('.status')) end = Math.min(end, room.right);
      }
      const hidden = box.height - (bottom - top);
      if ((bottom - top > 4 && hidden > 4) || box.right - end > 1) found.push(`${text}: ${hidden} px`);
    };
    for (const head of document.querySelectorAll('.card-head:not(.opened)')) {
      const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const range = document.createRange();
        range.selectNode(texts.currentNode);
        const { parentElement, textContent } = texts.currentNode;
        if (parentElement === null) continue;
        for (const box of range.getClientRects()) look(parentElement, box, textContent ?? '');
      }
      for (const mark of head.querySelectorAll('.status')) {
        look(mark, mark.getBoundingClientRect(), mark.textContent);
      }
    }
    return found;
  });

test('D-1032 on the smallest phone, a shut row cuts no line and no status in half, and says that it has more amounts', async () => {
  const { service, admin, platform } = world;
  const visitor = await visit(browser, service.url, admin, '/platform/currencies', {
    width: 320,
    touch: true,
  });
  const screens = ['/platform/currencies', '/platform/complaints', '/platform/orders'];
  for (const path of screens) {
    await visitor.open(path);
    await visitor.page.locator('.card-head').first().waitFor();
    expect(await cutIn(visitor), path).toEqual([]);
  }
  await visitor.page.route('**/admin/v1/merchant-figures?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { items: { merchant_no: string; volume: unknown[] }[] };
    for (const one of body.items) {
      if (one.merchant_no !== platform.merchant_no) continue;
      one.volume = ['JPY', 'KWD', 'USD'].map((currency) => ({ currency, amount: '9840000', orders: 1 }));
    }
    await route.fulfill({ response: answer, json: body });
  });
  await visitor.open('/platform/merchant-figures');
  const figure = visitor.page.locator('.card-figure', { hasText: 'JPY' });
  await figure.waitFor();
  expect(await figure.innerText()).not.toContain('KWD');
  const sign = await figure
    .locator('.mantine-Stack-root')
    .evaluate((one) => getComputedStyle(one, '::after').content);
  expect(sign).toBe('"…"');
  expect(await cutIn(visitor)).toEqual([]);
  await visitor.open('/platform/audit-log');
  await visitor.page.locator('.card-head').first().waitFor();
  expect(await cutIn(visitor)).toEqual([]);
  await visitor.become(platform.owner, at('/orders'));
  for (const path of ['/orders', '/activity', '/catalog-orders', '/developers']) {
    await visitor.open(at(path));
    await visitor.page.locator('.card-head').first().waitFor();
    expect(await cutIn(visitor), path).toEqual([]);
  }
  await visitor.context.close();
});

test('D-1131 on the smallest phone, no label of a button is cut', async () => {
  const { service, platform, orders } = world;
  const visitor = await visit(browser, service.url, platform.owner, at('/orders'), {
    width: 320,
    touch: true,
  });
  const { page, context } = visitor;
  for (const [path, name] of [
    [`/orders/${orders.complained.order_no}`, 'Delete'],
    ['/developers/quickstart', 'Send invalid signature'],
  ] as const) {
    await visitor.open(at(path));
    await page.getByRole('button', { name, exact: true }).first().waitFor();
    const cut = await page
      .locator('.mantine-Button-label')
      .evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent),
      );
    expect(cut, path).toEqual([]);
  }
  await context.close();
});

test('D-753 D-1309 the choice of the merchant shows its name on a phone, also at 200 % text, and a shut menu is out of reach', async () => {
  const { page, context } = await visit(browser, world.service.url, world.people.finance, at('/orders'), {
    width: 360,
    touch: true,
  });
  const choice = page.getByRole('combobox', { name: 'Merchant' });
  const width = async (): Promise<number> => (await choice.boundingBox())?.width ?? 0;
  await choice.waitFor();
  expect(await width()).toBeGreaterThan(140);
  // The keyboard shuts the menu with Escape, and by leaving it.
  const links = page.getByRole('navigation').getByRole('link');
  const menu = page.getByRole('button', { name: 'Open navigation' });
  expect(await links.count()).toBe(0);
  await menu.tap();
  await links.first().press('Escape');
  await menu.and(page.locator(':focus')).waitFor();
  await menu.tap();
  await page.locator('#content').focus();
  await menu.waitFor();
  // The zoom of the browser leaves half the width.
  await page.setViewportSize({ width: 180, height: 370 });
  await page.locator('.above-screen').waitFor();
  // It is drawn there anew, a moment after its place.
  await expect.poll(() => choice.count(), { timeout: patience_ms }).toBe(1);
  expect(await width()).toBeGreaterThan(140);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(180);
  await context.close();
});

describe('D-121 what each role is offered', () => {
  /** Where each write is offered, and by which button. */
  const offers: Readonly<Record<string, readonly [path: string, button: string]>> = {
    'POST /people': ['/settings', 'Invite team member'],
    'PATCH /people/:user_id': ['/settings', 'Role'],
    'DELETE /people/:user_id': ['/settings', 'Remove'],
    'DELETE /people/invitations/:invitation_id': ['/settings', 'Withdraw'],
    'POST /collection-orders': ['/orders', 'New order'],
    'POST /collection-orders/:order_no/notes': ['/orders/:order_no', 'Add note'],
    'DELETE /collection-orders/:order_no/notes/:note_id': ['/orders/:order_no', 'Delete'],
    'POST /payment-links': ['/payment-links', 'New payment link'],
    'DELETE /payment-links/:link': ['/payment-links', 'Close link'],
    'POST /statement-exports': ['/exports', 'New scheduled export'],
    'PUT /statement-exports/:export_id': ['/exports', 'Edit'],
    'DELETE /statement-exports/:export_id': ['/exports', 'Delete'],
    'POST /statement-exports/:export_id/sending': ['/exports', 'Send now'],
    'PATCH /settings': ['/settings', 'Edit'],
    'PUT /notification-settings': ['/notification-settings', 'Edit'],
    'POST /notification-settings/rotation': ['/notification-settings', 'Rotate signing secret'],
    'POST /test-event': ['/notification-settings', 'Send test event'],
    'POST /notifications/retry-failed': ['/notifications?status=failed', 'Replay all failed'],
    'POST /notifications/:event_id/retry': ['/notifications?status=failed', 'Resend'],
    'POST /clients': ['/developers', 'New API key'],
    'PATCH /clients/:client_id': ['/developers', 'Disable'],
    'PUT /clients/:client_id/keys': ['/developers', 'Public keys'],
    'POST /clients/:client_id/scope-applications': ['/developers', 'Request scopes'],
    'POST /clients/:client_id/secret-rotation': ['/developers', 'Rotate'],
    'POST /products': ['/products', 'New product'],
    'PATCH /products/:gd_no': ['/products/:gd_no', 'Save tiers'],
    'POST /products/:gd_no/codes': ['/products/:gd_no', 'Upload codes'],
    'POST /products/:gd_no/codes/withdrawal': ['/products/:gd_no', 'Withdraw codes'],
    'POST /catalog-orders/:order_no/fulfilment': ['/catalog-orders', 'Mark as delivered'],
    'POST /reconciliation': ['/reconciliation', 'Compare'],
  };

  test('is known of every write there is', () => {
    expect(Object.keys(offers).sort()).toEqual(Object.keys(writes).sort());
  });

  /** The texts that all people of the team see, with every role. */
  const told: Readonly<Record<string, readonly string[]>> = {
    '/settings': ['Last sign-in', 'Two-factor authentication', 'Permission', 'View and export everything'],
    '/orders/:order_no': ['To refund this order, contact'],
  };

  /** The buttons of the writes on one screen that somebody of a role sees there. */
  async function offered({ page }: Visitor, path: string): Promise<string[]> {
    const here = Object.entries(offers).filter(([, [where]]) => where === path);
    if (here.some(([, [, button]]) => button === 'Resend')) {
      await page.getByRole('button', { name: /^mp_/ }).first().click();
      await page.getByRole('heading', { name: 'Body' }).waitFor();
    }
    const names = await page.getByRole('button', { includeHidden: true }).allInnerTexts();
    if (path === '/developers' && names.includes('Actions')) {
      await page.getByRole('button', { name: 'Actions', exact: true }).first().click();
      await page.getByRole('menuitem').first().waitFor();
      names.push(...(await page.getByRole('menuitem').allInnerTexts()));
      await page.keyboard.press('Escape');
    }
    return here.filter(([, [, button]]) => names.includes(button)).map(([write]) => write);
  }

  const paths = [...new Set(Object.values(offers).map(([path]) => path))];

  test.each([...consoleRoles])('%s: what may be done, and nothing else', async (role: ConsoleRole) => {
    await visitor.become(world.people[role], at('/settings'));
    const seen: string[] = [];
    for (const path of paths) {
      await visitor.go(
        at(path.replace(':gd_no', world.gd_no).replace(':order_no', world.orders.complained.order_no)),
      );
      seen.push(...(await offered(visitor, path)));
      for (const text of told[path] ?? []) await visitor.page.getByText(text).first().waitFor();
    }
    const allowed = Object.keys(writes).filter((write) => writes[write]?.includes(role) === true);
    expect(seen.sort()).toEqual(allowed.sort());
    // What is for others is said, and leads back to where this person may be.
    await visitor.page.evaluate(() => {
      history.pushState({}, '', '/platform/merchants');
    });
    await visitor.page.getByText('The platform console is for platform staff.').waitFor();
    await visitor.page.evaluate(() => {
      history.pushState({}, '', '/console/merchants/mr_00000000000000000000000000/wallet');
    });
    await visitor.page.getByText('Page not found').waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});

test.each(['merchant', 'platform'] as const)(
  'every screen of the %s console is among those looked at',
  (side) => {
    const source = new URL(`../../../console/src/${side}/routes.tsx`, import.meta.url);
    const [frame, ...routes] = [...readFileSync(source, 'utf8').matchAll(/path: '([^']+)'/g)].map(
      ([, path = '']) => path,
    );
    const shapeOf = (path: string): RegExp =>
      new RegExp(`^${`${frame ?? ''}${path === '/' ? '' : path}`.replaceAll(/\$\w+/g, '[^/]+')}$`);
    const unseen = routes.filter((path) => !world.screens[side].some((one) => shapeOf(path).test(one)));
    expect(unseen).toEqual([]);
  },
);
