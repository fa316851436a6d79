/** What the consoles do where a call fails, the network is gone, or a list has more than one page. */
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { signIn, visit, type VisitorOptions } from '../support/browser/console-browser.ts';
import {
  addClient,
  addMerchant,
  addPayer,
  addUser,
  free,
  merchantOf,
  onePtk,
  payWithPtk,
  type Person,
  type Platform,
  setUpPlatform,
} from '../support/desks/platform.ts';
import { startTestService, type TestService } from '../support/desks/service.ts';
import { consoleOf } from '../support/people/console.ts';
import { addStaff } from '../support/people/staff.ts';

let service: TestService;
let platform: Platform;
let admin: Person;
let browser: Browser;

beforeAll(async () => {
  service = await startTestService();
  platform = await setUpPlatform(service);
  admin = await addUser(service, 'Ada Admin', 'admin');
  await addMerchant(service, platform.owner, { name: 'Toyshop' });
  const merchant = await merchantOf(service, platform.client);
  await merchant.order({ external_reference: 'INV-1' });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await service.stop();
});

const at = (path: string): string => `/console/merchants/${platform.merchant_no}${path}`;
const asOwner = (path: string, options?: VisitorOptions) =>
  visit(browser, service.url, platform.owner, at(path), options);
const asAdmin = (path: string) => visit(browser, service.url, admin, path);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

const failed = { status: 500, json: { error: 'server_error', error_description: 'Something went wrong.' } };
const noAnswer = 'The service does not answer';

/** Opens the form of an order by hand, and fills it in. */
async function fillOrder(page: Page, reference: string, amount = '12.00') {
  await button(page, 'New order').click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await form.getByLabel('Currency').and(form.locator('input')).click();
  await page.getByRole('option', { name: 'USD' }).click();
  await form.getByRole('textbox', { name: 'Reference' }).fill(reference);
  const create = () => form.getByRole('button', { name: 'Create', exact: true }).click();
  return { form, create };
}

/** Lets a minute pass, after which the person comes back from another tab: the page reads again. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.setFixedTime(new Date(Date.now() + 120_000));
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}

/** The references of the merchant's orders by hand that begin so. */
async function ordersOf(beginning: string): Promise<unknown[]> {
  const { items } = await service.admin<{ items: { external_reference: string }[] }>(
    'GET',
    `/collection-orders?limit=100&q=${beginning}`,
  );
  return items.map(({ external_reference }) => external_reference).sort();
}

const isCreation = (route: Route): boolean => route.request().method() === 'POST';

describe('D-1175 what could not be read or done takes nothing away, and is told', () => {
  test('a form stays where the merchants of the person could not be read again; D-1480 D-1481 an order that no channel takes says whom to ask, and an unpaid one nothing of a refund', async () => {
    const { page, context } = await asOwner('/orders');
    const { form, create } = await fillOrder(page, 'kept');
    const error = 'channel_unavailable';
    await page.route('**/collection-orders', (route) =>
      route.fulfill({ status: 422, json: { error, error_description: 'Not available.' } }),
    );
    await create();
    await form.getByText('Ask the platform for a channel for this currency.').waitFor();
    await page.unrouteAll();
    await page.route('**/console/v1/merchants', (route) =>
      route.fulfill({ status: 401, json: { error: 'authentication_required', error_description: 'No.' } }),
    );
    const refused = page.waitForResponse((answer) => answer.status() === 401);
    await comeBack(page);
    await refused;
    await page.unrouteAll();
    await create();
    await form.getByText('Order created').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'kept', exact: true }).click();
    await button(page, 'Add note').waitFor();
    expect(await page.getByText('To refund this order').count()).toBe(0);
    await context.close();
  });

  test('a change that fails after its dialog was closed', async () => {
    const { page, context } = await asOwner('/orders');
    const { form, create } = await fillOrder(page, 'closed');
    const asked = page.waitForRequest((request) => request.method() === 'POST');
    let answer: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/collection-orders', async (route) => {
      if (!isCreation(route)) return route.fallback();
      await closed;
      return route.fulfill(failed);
    });
    await create();
    await asked;
    await form.getByRole('button', { name: 'Close', exact: true }).click();
    await form.waitFor({ state: 'hidden' });
    answer();
    await page.getByText('The change was not made').waitFor();
    await context.close();
  });

  test('a sign-out', async () => {
    const { page, context } = await asOwner('/orders');
    await page.route('**/session', (route) => route.abort());
    await page.getByRole('button', { name: /account of Olga Owner$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText(noAnswer).waitFor();
    await context.close();
  });
});

test('D-1176 D-1310 without a network a change fails at once, and is not made later; the keyboard goes on at what is wrong', async () => {
  const { page, context } = await asOwner('/orders');
  const focused = page.locator(':focus');
  const { form, create } = await fillOrder(page, '');
  await create();
  await form.getByRole('textbox', { name: 'Reference' }).and(focused).fill('offline');
  await context.setOffline(true);
  await create();
  await form.getByRole('alert').filter({ hasText: noAnswer }).and(focused).waitFor();
  await form.getByRole('textbox', { name: 'Reference' }).fill('online');
  await context.setOffline(false);
  await create();
  await form.getByText('Order created').waitFor();
  expect([await ordersOf('offline'), await ordersOf('online')]).toEqual([[], ['online']]);
  await context.close();
});

test('D-1178 an order by hand that is sent again after a lost answer is the same order, and another form is another', async () => {
  const { page, context } = await asOwner('/orders');
  let isLost = true;
  await page.route('**/collection-orders', async (route) => {
    if (!isCreation(route) || !isLost) return route.fallback();
    isLost = false;
    await route.fetch();
    return route.abort();
  });
  const first = await fillOrder(page, 'lost-1');
  await first.create();
  await first.form.getByText(noAnswer).waitFor();
  await first.create();
  await first.form.getByText('Order created').waitFor();
  await button(page, 'Done').click();
  await first.form.waitFor({ state: 'hidden' });

  isLost = true;
  const second = await fillOrder(page, 'lost-2');
  await second.create();
  await second.form.getByText(noAnswer).waitFor();
  await button(page, 'Cancel').click();
  await second.form.waitFor({ state: 'hidden' });
  const third = await fillOrder(page, 'lost-3', '13.00');
  await third.create();
  await third.form.getByText('Order created').waitFor();
  expect(await ordersOf('lost-')).toEqual(['lost-1', 'lost-2', 'lost-3']);
  await context.close();
});

describe('D-407 a failure is told where it happens', () => {
  /** Lets a list say that there is more, and fails to give it. Counts how often it is asked for. */
  async function withoutMore(page: Page): Promise<{ asked: number }> {
    const count = { asked: 0 };
    await page.route(/\/collection-orders\?/, async (route) => {
      if (new URL(route.request().url()).searchParams.has('cursor')) {
        count.asked += 1;
        return route.fulfill(failed);
      }
      const response = await route.fetch();
      const page_of = (await response.json()) as object;
      return route.fulfill({ response, json: { ...page_of, next_cursor: 'more' } });
    });
    return count;
  }

  test('a further page of a list, which is asked for again only by a person', async () => {
    const { page, context } = await asOwner('/developers');
    const count = await withoutMore(page);
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByText('Loading failed').waitFor();
    const again = page.waitForResponse((answer) => answer.url().includes('cursor='));
    await button(page, 'Try again').click();
    await again;
    await button(page, 'Try again').waitFor();
    expect(count.asked).toBe(2);
    await context.close();
  });

  test('a further page of a list on a phone', async () => {
    const { page, context } = await asOwner('/developers', { width: 360, touch: true });
    await withoutMore(page);
    await button(page, 'Open navigation').click();
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await button(page, 'Show more').click();
    await page.getByText('Loading failed').waitFor();
    await button(page, 'Try again').waitFor();
    await context.close();
  });

  test('a check of the books, in place of the result of an earlier one', async () => {
    const { page, context } = await asAdmin('/platform/ledger');
    await button(page, 'Check the books now').click();
    await page.getByText('The books balance').waitFor();
    await page.route('**/ledger/verification', (route) => route.fulfill(failed));
    await button(page, 'Check the books now').click();
    await page.getByText('Loading failed').waitFor();
    expect(await page.getByText('The books balance').count()).toBe(0);
    await context.close();
  });

  test('a part of a screen that could not be read, which does not seem to be read for ever', async () => {
    const visitor = await asAdmin('/platform/merchants');
    const { page, context } = visitor;
    const again = button(page, 'Try again');
    await page.route(/\/admin\/v1\/merchants\/[^/]+$/, (route) => route.fulfill(failed));
    await page.getByRole('link', { name: 'Bookshop' }).click();
    await again.waitFor();
    await page.unrouteAll();
    await again.click();
    await page.getByText(platform.owner.email).waitFor();
    await page.route(/\/admin\/v1\/currencies/, (route) => route.fulfill(failed));
    await visitor.open(`/platform/channels/${platform.ptk_channel}`);
    await again.waitFor();
    await page.unrouteAll();
    await again.click();
    await page.getByLabel('Percent, PTK, Buyer').waitFor();
    await context.close();
  });

  test('a search of choices, which has not found nothing', async () => {
    const { page, context } = await asAdmin('/platform/orders');
    await page.route(/\/admin\/v1\/merchants\?.*q=/, (route) => route.fulfill(failed));
    await page.getByLabel('Merchant').and(page.locator('input')).first().fill('toy');
    await page.getByText('Something went wrong.').waitFor();
    await context.close();
  });
});

test('D-1179 the figures of a merchant are not shown as those of another, whose are still read', async () => {
  const { page, context } = await asOwner('');
  await page.getByText('Orders created', { exact: true }).waitFor();
  const name = (merchant: string) => page.getByRole('heading', { name: merchant, level: 1 });
  const change = async (merchant: string): Promise<void> => {
    await page.getByLabel('Merchant').and(page.locator('input')).click();
    await page.getByRole('option', { name: merchant }).click();
    await name(merchant).waitFor();
  };
  // The figures of the toyshop do not come.
  await page.route(/\/sales\?/, (route) =>
    route.request().url().includes(platform.merchant_no) ? route.continue() : Promise.resolve(),
  );
  await change('Toyshop');
  await page.getByText('Awaiting payment').waitFor();
  await change('Bookshop');
  await page.getByText('Orders created', { exact: true }).waitFor();
  await change('Toyshop');
  await page.getByText('Awaiting payment').waitFor();
  expect(await page.getByText('Orders created', { exact: true }).count()).toBe(0);
  await context.close();
});

test('R-377 the page of a channel that is not on the first page of the list', async () => {
  for (let number = 0; number < 52; number += 1) {
    await service.admin('POST', '/channels', {
      ...{ owner: 'platform', provider: 'ptk', name: `Channel ${number}`, currency: 'PTK', enabled: false },
      fees: [{ currency: 'PTK', ...free }],
    });
  }
  const { items } = await service.admin<{ items: { payment_no: string; name: string }[] }>(
    'GET',
    '/channels?limit=100',
  );
  const last = items.at(-1);
  const { page, context } = await asAdmin(`/platform/channels/${last?.payment_no ?? ''}`);
  await page.getByRole('heading', { name: last?.name ?? '', level: 1, exact: true }).waitFor();
  await context.close();
});

test('D-1038 the filter of amounts takes them as phones type them, and refuses what may mean a thousand times as much', async () => {
  const visitor = await asOwner('/orders');
  const { page, context } = visitor;
  await visitor.go(at('/orders?currency=USD'));
  const from = page.getByRole('textbox', { name: 'Amount from' });
  await from.fill('12,500');
  await from.and(page.locator('[aria-invalid=true]')).waitFor();
  await from.fill('١٢٫٥');
  await page.waitForURL(/amount_from=12\.5(&|$)/);
  await context.close();
});

test('D-1038 prices of tiers and fees of channels are taken as phones type them', async () => {
  const made = { gd_name: 'Poster', actual_price: '999000000', currency: 'USD', in_stock: 10 };
  const path = `/merchants/${platform.merchant_no}/products`;
  const { gd_no } = await service.admin<{ gd_no: string }>('POST', path, made);
  const owner = await asOwner(`/products/${gd_no}`);
  await button(owner.page, 'Add tier').click();
  await owner.page.getByLabel('From').fill('١٠');
  await owner.page.getByLabel('Unit price').fill('9,50');
  expect(await owner.page.getByLabel('Unit price').getAttribute('inputmode')).toBe('decimal');
  await owner.page.getByText('95.00').waitFor();
  await button(owner.page, 'Save tiers').click();
  await owner.page.getByText('Saved.', { exact: true }).waitFor();
  await owner.context.close();

  const { page, context } = await asAdmin(`/platform/channels/${platform.ptk_channel}`);
  await page.getByLabel('Percent, PTK, Buyer').fill('2,9');
  await button(page, 'Save fees').click();
  await page.getByText('Fees saved').first().waitFor();
  await context.close();
});

test('D-1139 in an Arabic console, a text in Latin letters keeps its order and its side', async () => {
  const website_url = 'https://shop.example/';
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { website_url });
  const context = await browser.newContext({ locale: 'ar' });
  await signIn(context, service.url, platform.owner);
  const page = await context.newPage();
  await page.goto(service.url + at('/settings'));
  const { first, end, edge } = await page
    .getByText(website_url, { exact: true })
    .evaluate((node: HTMLElement) => {
      const placeOf = (at: number): DOMRect => {
        const range = document.createRange();
        range.setStart(node.firstChild ?? node, at);
        range.setEnd(node.firstChild ?? node, at + 1);
        return range.getBoundingClientRect();
      };
      const end = placeOf(node.innerText.length - 1);
      return { first: placeOf(0), end, edge: node.closest('dd')?.getBoundingClientRect().right ?? 0 };
    });
  expect(end.x).toBeGreaterThan(first.x);
  expect(Math.abs(edge - end.right)).toBeLessThan(2);
  await context.close();
});

test('D-1139 on a phone in Arabic, a text in Latin letters keeps its order and its beginning, and JSON its first line', async () => {
  const arab = await addUser(service, 'Amal Arab');
  const { merchant_no } = await addMerchant(service, arab, { name: 'Books & Co.' });
  const client = await addClient(service, merchant_no);
  const { order_no } = await (await merchantOf(service, client)).order();
  const home = `/console/merchants/${merchant_no}`;
  const visitor = await visit(browser, service.url, arab, home, { width: 360 });
  const { page, context } = visitor;
  /** The places of the first letter and of the last one, and of the element. */
  const places = (shown: Locator) =>
    shown.first().evaluate((node) => {
      const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      const words = texts.nextNode() as Text;
      const placeOf = (letter: number): number => {
        const range = document.createRange();
        range.setStart(words, letter);
        range.setEnd(words, letter + 1);
        return range.getBoundingClientRect().left;
      };
      const { left, right } = node.getBoundingClientRect();
      return { first: placeOf(0), last: placeOf(words.length - 1), left, right };
    });
  await visitor.open(`${home}?lang=ar`);
  const name = await places(page.getByRole('heading', { level: 1, name: 'Books & Co.' }));
  expect(name.last).toBeGreaterThan(name.first);

  await visitor.open(`${home}/developers`);
  const identifier = await places(page.getByText(client.client_id, { exact: true }));
  expect(identifier.first).toBeGreaterThanOrEqual(identifier.left - 1);

  const link = { currency: 'USD', amount: '25' };
  await (await consoleOf(service, arab, merchant_no)).send('POST', '/payment-links', link);
  await visitor.open(`${home}/activity`);
  // The word before the identifier.
  const word = await places(page.locator('.card-more .wrap:has(> .identifier)'));
  const cell = await places(page.locator('.card-more > span:has(.wrap > .identifier)'));
  expect(word.first).toBeGreaterThan(cell.left);
  expect(word.first).toBeLessThan(cell.right);

  const note = { note_id: 'n1', text: 'Call back.', created_at: new Date().toISOString() };
  await page.route(`**/collection-orders/${order_no}/notes`, (route) =>
    route.fulfill({ json: { items: [{ ...note, author: { user_id: arab.user_id, name: 'Amal' } }] } }),
  );
  await visitor.open(`${home}/orders/${order_no}`);
  const written = await places(page.getByText(note.text, { exact: true }));
  expect(written.last).toBeGreaterThan(written.first);

  await visitor.open(`${home}/orders/${order_no}?tab=json`);
  const json = page.getByRole('region').filter({ hasText: '"order_no"' });
  const copy = await json.locator('xpath=..').getByRole('button').boundingBox();
  const { left, right } = await places(json);
  expect(copy?.x).toBeGreaterThan((left + right) / 2);
  await context.close();
});

test('D-1131 on a phone in German, no word of a button is broken', async () => {
  const german = await addUser(service, 'Gerda German', 'admin');
  const path = '/platform/currencies';
  const visitor = await visit(browser, service.url, german, path, { width: 360 });
  const { page, context } = visitor;
  await visitor.open(`${path}?lang=de`);
  for (const opener of await page.locator('.card-opener').all()) await opener.click();
  const edit = page.getByRole('button', { name: 'Bearbeiten', exact: true });
  await edit.first().waitFor();
  const broken = await edit.evaluateAll((all) =>
    all.flatMap((one) => {
      const words = document.createRange();
      words.selectNodeContents(one.querySelector('.mantine-Button-label') ?? one);
      const { right } = one.closest('li')?.getBoundingClientRect() ?? { right: 0 };
      return [words.getClientRects().length, one.getBoundingClientRect().right <= right];
    }),
  );
  expect(new Set(broken)).toEqual(new Set([1, true]));
  await context.close();
});

test('D-1190 at 200 % text on a phone, the screens of a merchant do not scroll sideways', async () => {
  const order = await (await merchantOf(service, platform.client)).order();
  const visitor = await asOwner('/orders', { width: 360 });
  const { page, context } = visitor;
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  for (const path of [`/orders/${order.order_no}`, '/developers', '/developers/quickstart', '/settings']) {
    await visitor.go(at(path));
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width(), path).toBe(360);
  }
  await context.close();
});

test('D-1188 D-1358 before an amount is entered, a booking tells the balance and its effect as a sentence with a gap', async () => {
  const { page, context } = await asAdmin(`/platform/merchants/${platform.merchant_no}`);
  await button(page, 'Write off losses').click();
  const form = page.getByRole('dialog');
  await form.getByText('no longer owes').waitFor();
  expect(await form.innerText()).toContain('Bookshop no longer owes … PTK.');
  expect(await form.innerText()).toMatch(/Owed from losses\s+0.00 PTK/);
  await context.close();
});

test('D-556 a reason of a method whose channel is gone leads to orders, without a filter that is none', async () => {
  const { page, context } = await asOwner('/developers');
  await page.route(/\/sales\?/, async (route) => {
    const response = await route.fetch();
    const sales = (await response.json()) as object;
    const method = {
      ...{ payment_no: 'ch_gone', name: 'ch_gone', provider: null, conversion: '0.0000' },
      ...{ method_chosen: 1, started: 1, paid: 0, unpaid: [{ reason: 'abandoned', orders: 1 }] },
    };
    return route.fulfill({ response, json: { ...sales, methods: [method] } });
  });
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  const table = page.getByRole('region', { name: 'By payment method' });
  await table.getByRole('link').click();
  await page.waitForURL(/unpaid=abandoned/);
  expect(new URL(page.url()).searchParams.get('method')).toBeNull();
  await context.close();
});

test('D-981 a secret that is shown once stays where the session has ended', async () => {
  const { page, context } = await asOwner('/developers/quickstart');
  await button(page, 'New API key').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Shop server');
  await button(page, 'Create').click();
  const secret = page.getByTestId('secret');
  const shown = await secret.innerText();
  await context.clearCookies();
  // The page looks every three seconds.
  for (const _ of [1, 2]) await page.waitForResponse((answer) => answer.status() === 401);
  expect(await secret.innerText()).toBe(shown);
  await context.close();
});

test('D-981 the form of a row stays where a phone is turned', async () => {
  const person = await addUser(service, 'Wanda Waiting');
  const desk = { email: person.email, role: 'finance' };
  const { page, context } = await asOwner('/settings', { width: 360, touch: true });
  await context.request.post(`${service.url}/console/v1/merchants/${platform.merchant_no}/people`, {
    data: desk,
    headers: { origin: new URL(service.url).origin },
  });
  await page.reload();
  const card = page.getByRole('listitem').filter({ hasText: 'Wanda Waiting' });
  await card.getByRole('button', { name: 'Show everything' }).click();
  await card.getByRole('button', { name: 'Role', exact: true }).click();
  const role = page.getByRole('dialog').getByLabel('Role').and(page.locator('input')).first();
  await role.click();
  await page.getByRole('option', { name: /^Developer/ }).click();
  await page.setViewportSize({ width: 740, height: 360 });
  expect(await role.inputValue()).toMatch(/^Developer/);
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await context.close();
});

test('D-1177 a form that did not change the stock of a product leaves what orders have taken from it', async () => {
  const path = `/merchants/${platform.merchant_no}/products`;
  const made = { gd_name: 'Poster', actual_price: '999000000', currency: 'USD', in_stock: 10 };
  const { gd_no } = await service.admin<{ gd_no: string }>('POST', path, made);
  const { page, context } = await asOwner(`/products/${gd_no}`);
  await button(page, 'Edit').click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Description').fill('On thick paper');
  await service.admin('PATCH', `${path}/${gd_no}`, { in_stock: 9 });
  const read = page.waitForResponse((answer) => answer.url().endsWith(gd_no));
  await comeBack(page);
  await read;
  await page.locator('dd').getByText('9', { exact: true }).waitFor({ state: 'attached' });
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByText('On thick paper').waitFor();
  await page.locator('dd').getByText('9', { exact: true }).waitFor();
  await context.close();
});

test('D-1218 a sentence about money writes its amounts as the lists do', async () => {
  const merchant = await merchantOf(service, platform.client);
  const order = await merchant.order({ amount: '1234.50' });
  const buyer = await addPayer(service, 'Bea Buyer', 20_000n * onePtk);
  await payWithPtk(service, order, buyer.cookie);
  // A person keeps the language.
  const german = await addUser(service, 'Gerd German', 'admin');
  const path = `/platform/orders/${order.order_no}`;
  const visitor = await visit(browser, service.url, german, path);
  const { page, context } = visitor;
  await visitor.open(`${path}?lang=de`);
  await page.getByRole('button', { name: 'Erstattung' }).click();
  const form = page.getByRole('dialog');
  await form
    .getByText(/12\.\d{3},\d+ PTK/)
    .first()
    .waitFor();
  expect(await form.innerText()).not.toMatch(/12\d{3}\.\d/);
  await context.close();
});

test('D-1219 D-1328 D-1403 an approval says what is decided, and its drawer the decision where the list has only what waits', async () => {
  const asking = await addStaff(service, 'Ben Asks');
  await asking.call('PUT', '/settings', { four_eyes_ptk: onePtk.toString() });
  const asked = { amount_ptk: (5n * onePtk).toString(), reference: 'large', reason: 'as agreed' };
  await asking.call('POST', `/merchants/${platform.merchant_no}/ptk-top-ups`, asked);
  const visitor = await asAdmin('/platform/approvals');
  const { page, context } = visitor;
  await visitor.go('/platform/approvals?status=pending');
  await page.getByRole('button', { name: /wallet/ }).click();
  const drawer = page.getByRole('dialog').first();
  await drawer.getByRole('button', { name: 'Approve', exact: true }).click();
  // Not the last dialog: until the question is there, that is the drawer itself.
  const decision = page.getByRole('dialog').nth(1);
  await decision.getByText('5.00 PTK').waitFor();
  await decision.getByText('Bookshop').waitFor();
  const said = await decision.locator('dd').allInnerTexts();
  expect(said).toEqual([`Bookshop\nmerchant:${platform.merchant_no}`, '5.00 PTK', 'Ben Asks']);
  await decision.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('Approved and booked.').waitFor();
  await drawer.getByText('Approved', { exact: true }).waitFor();
  expect(await drawer.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  await asking.call('PUT', '/settings', { four_eyes_ptk: '0' });
  await context.close();
});

test('D-1426 D-1450 D-1451 who approves a payout sees whom it pays, and what, and nothing is left to decide at the payout', async () => {
  const asking = await addStaff(service, 'Bo Pays');
  const money = { amount_ptk: (6n * onePtk).toString(), reference: 'paid-out', reason: 'as agreed' };
  await asking.call('POST', `/merchants/${platform.merchant_no}/ptk-top-ups`, money);
  const { reason, ...payout } = money;
  const asked = {
    merchant_no: platform.merchant_no,
    payout_currency: 'USD',
    payout_amount: '0.60',
    ...payout,
  };
  const { body } = await asking.call('POST', '/withdrawals', asked);
  await asking.call('PUT', '/settings', { four_eyes_ptk: onePtk.toString() });
  const { withdrawal_id } = body as { withdrawal_id: string };
  await asking.call('POST', `/withdrawals/${withdrawal_id}/decision`, { decision: 'paid', reason });
  await asking.call('PUT', '/settings', { four_eyes_ptk: '0' });
  const visitor = await asAdmin('/platform/withdrawals');
  const { page, context } = visitor;
  const waiting = page.getByRole('row', { name: 'Bookshop' });
  await waiting.getByRole('link', { name: 'Waiting for approval' }).waitFor();
  expect(await waiting.getByRole('button').count()).toBe(0);
  // More payouts than a list reads: the one that is approved is not among them (D-1450).
  await page.route('**/admin/v1/withdrawals?*', (route) => route.fulfill({ json: { items: [] } }));
  await visitor.go('/platform/approvals?status=pending');
  await button(page, 'Approve').click();
  const said = page.getByRole('dialog').locator('dd').first();
  await said.getByText('Bookshop').waitFor();
  expect(await said.innerText()).toBe(`Bookshop, 0.60 USD\nwithdrawal:${withdrawal_id}`);
  await context.close();
});

test('D-1424 D-1425 D-1458 an error at a field names the field, and is gone once the field changes; an invitation promises no mail that is not sent', async () => {
  const { page, context } = await asOwner('/settings');
  await button(page, 'Invite team member').click();
  const form = page.getByRole('dialog');
  const email = form.getByRole('textbox', { name: 'Email' });
  await email.fill('nobody');
  await form.getByRole('button', { name: 'Invite', exact: true }).click();
  const told = form.getByText('Email must be an address such as name@example.com, of at most 254 bytes.');
  await told.waitFor();
  await email.fill('nobody@shop.example');
  await told.waitFor({ state: 'detached' });
  await form.getByText('This service sends no mail.').waitFor();
  expect(await form.getByText('The change was not made').count()).toBe(0);
  await context.close();
});

test('D-1423 a refund says that the merchant bears all of it, and a top-up of a merchant that owes no payout', async () => {
  const merchant = await merchantOf(service, platform.client);
  const order = await merchant.order({ external_reference: 'borne' });
  const payer = await addPayer(service, 'Pia Payer', 200n * onePtk);
  await payWithPtk(service, order, payer.cookie);
  const visitor = await asAdmin(`/platform/orders/${order.order_no}`);
  const { page, context } = visitor;
  await button(page, 'Refund').click();
  await page.getByText('The merchant bears all that the buyer paid.').waitFor();
  await page.route(`**/admin/v1/collection-orders/${order.order_no}`, async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as { postings: object[] };
    const postings = [...json.postings, { ...json.postings[0], posting: 'P21' }];
    await route.fulfill({ response: answer, json: { ...json, postings } });
  });
  await page.reload();
  await button(page, 'Refund').click();
  await page.getByText('The person’s wallet pays first').waitFor();
  expect(await page.getByText('The merchant bears all that the buyer paid.').count()).toBe(0);
  await page.route('**/admin/v1/merchants/*/wallet*', async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as object;
    await route.fulfill({ response: answer, json: { ...json, recovery_ptk: onePtk.toString() } });
  });
  await visitor.open(`/platform/merchants/${platform.merchant_no}`);
  await button(page, 'Top up').click();
  const form = page.getByRole('dialog');
  await form.getByText('become available').waitFor();
  await form.getByText('Owed from losses').waitFor();
  expect(await form.getByText('paid out').count()).toBe(0);
  await context.close();
});

test('D-1405 a choice that is needed stays chosen where a person chooses it again', async () => {
  const { page, context } = await asOwner('/settings');
  await button(page, 'Invite team member').click();
  const role = page.getByRole('dialog').getByLabel('Role').and(page.locator('input'));
  const chosen = await role.inputValue();
  expect(chosen).not.toBe('');
  await role.click();
  await page.getByRole('option', { name: chosen }).click();
  await page.getByRole('option').first().waitFor({ state: 'hidden' });
  expect(await role.inputValue()).toBe(chosen);
  await context.close();
});

test('D-1220 an amount that was received is not booked without its currency, nor a currency without an amount', async () => {
  const { page, context } = await asAdmin(`/platform/merchants/${platform.merchant_no}`);
  const sent: string[] = [];
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())));
  await button(page, 'Top up').click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Amount', exact: true }).fill('5');
  await form.getByLabel('Amount received').fill('100.00');
  await form.getByLabel('Reason').fill('as agreed');
  await form.getByLabel('Reference').fill('received');
  const [currency, amount] = [form.getByLabel('Currency received'), form.getByLabel('Amount received')];
  await form.getByRole('button', { name: 'Top up', exact: true }).click();
  await currency.and(page.locator('[aria-invalid=true]')).waitFor();
  await currency.fill('USD');
  await amount.fill('');
  await form.getByRole('button', { name: 'Top up', exact: true }).click();
  await amount.and(page.locator('[aria-invalid=true]')).waitFor();
  expect(sent).toEqual([]);
  await context.close();
});

test('D-1348 D-1352 a platform without orders names no filter as the reason; a search tells that it found nothing', async () => {
  const { page, context } = await asAdmin('/platform');
  await page.route('**/admin/v1/collection-orders**', (route) => route.fulfill({ json: { items: [] } }));
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByText('No orders yet').waitFor();
  // D-1352: the part that tells of nothing found was there before.
  await button(page, 'Search').click();
  const told = await page.getByRole('dialog').getByRole('status').elementHandle();
  const typed = page.getByRole('dialog').getByRole('combobox');
  await typed.fill('toyshop');
  await page.getByRole('option').first().waitFor();
  await typed.fill('nobody at all');
  await expect.poll(() => told.evaluate((part) => part.isConnected && part.textContent)).toBe('No results.');
  await page.keyboard.press('Escape');
  await page.goto(`${page.url()}?status=paid`);
  await page.getByText('No matching orders').waitFor();
  await context.close();
});

test('D-1349 a printed page has no bar over its text, and dark text in the dark scheme', async () => {
  const { page, context } = await asOwner('/wallet', { scheme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  for (const part of ['.skip', 'header']) expect(await page.locator(part).first().isVisible()).toBe(false);
  const text = page.getByRole('heading', { name: 'Monthly statements' });
  expect(await text.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(0, 0, 0)');
  await context.close();
});

test('D-1343 the wallet as a channel asks for no owner, currency and test mode, and offers fees in PTK only', async () => {
  const { page, context } = await asAdmin('/platform/channels');
  await button(page, 'New channel').click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).fill('Wallet');
  await form.getByLabel('Display currency').and(form.locator('input')).waitFor();
  await form.getByLabel('Method').and(form.locator('input')).click();
  await page.getByRole('option', { name: 'PTK wallet' }).click();
  await form.getByLabel('Display currency').and(form.locator('input')).waitFor({ state: 'detached' });
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await button(page, 'Add currency').click();
  await page.getByLabel('Currency', { exact: true }).and(page.locator('main input')).click();
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['PTK']);
  await context.close();
});

test('D-1330 D-1454 Enter in a search of choices does not send the form without what was searched; a new channel says what it lacks', async () => {
  const { page, context } = await asAdmin('/platform/channels');
  const sent: string[] = [];
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())));
  await button(page, 'New channel').click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).fill('Cards');
  await form.getByLabel('Display currency').and(form.locator('input')).click();
  await page.getByRole('option', { name: 'USD' }).click();
  const owner = form.getByLabel('Owner').and(form.locator('input'));
  await owner.fill('toysh');
  await page.getByRole('option', { name: 'Toyshop' }).waitFor();
  await owner.press('Enter');
  await page.getByRole('option', { name: 'Toyshop' }).click();
  expect(sent).toEqual([]);
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  const lack = 'Buyers see this channel once this is set: Secret key, Webhook secret, Fees.';
  await page.getByRole('alert').filter({ hasText: lack }).waitFor();
  await button(page, 'Enable').click();
  await page.getByRole('dialog').getByText(lack).waitFor();
  await context.close();
});

test('D-1327 D-1310 a currency is taken in small letters, and one that is refused is told at its field', async () => {
  const { page, context } = await asAdmin(`/platform/merchants/${platform.merchant_no}`);
  await button(page, 'Top up').click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Amount', exact: true }).fill('5');
  await form.getByLabel('Amount received').fill('5.00');
  await form.getByLabel('Reason').fill('as agreed');
  await form.getByLabel('Reference').fill('small-letters');
  const currency = form.getByLabel('Currency received');
  await currency.fill('euro');
  await form.getByRole('button', { name: 'Top up', exact: true }).click();
  await currency.and(page.locator('[aria-invalid=true]:focus')).waitFor();
  await currency.fill('usd');
  await form.getByRole('button', { name: 'Top up', exact: true }).click();
  await page.getByText('Booked.', { exact: true }).waitFor();
  await context.close();
});

test('D-1327 the currency of a product is taken in small letters', async () => {
  const { page, context } = await asOwner('/products');
  await button(page, 'New product').click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).fill('A lamp');
  await form.getByRole('textbox', { name: 'Unit price' }).fill('5');
  await form.getByRole('textbox', { name: 'Currency' }).fill('usd');
  const answer = page.waitForResponse((one) => one.request().method() === 'POST');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  expect((await answer).status()).toBe(201);
  await context.close();
});

describe('D-1221 a change that goes on after its dialog was closed', () => {
  /** Holds back the calls of a method until they are let go. */
  async function holdBack(page: Page, method: string): Promise<() => void> {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/console/v1/**', async (route) => {
      if (route.request().method() === method) await held;
      return route.fallback();
    });
    return () => {
      letGo();
    };
  }

  test('is seen in the list, also where the dialog would have shown what it made', async () => {
    const { page, context } = await asOwner('/developers');
    const letGo = await holdBack(page, 'POST');
    await button(page, 'New API key').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Late server');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await form.getByRole('button', { name: 'Close', exact: true }).click();
    await form.waitFor({ state: 'hidden' });
    letGo();
    await page.getByText('Late server').waitFor();
    await context.close();
  });

  test('does not close the one that was opened since', async () => {
    const { page, context } = await asOwner('/settings');
    const letGo = await holdBack(page, 'PATCH');
    await button(page, 'Edit').click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByRole('button', { name: 'Close', exact: true }).click();
    await form.waitFor({ state: 'hidden' });
    await button(page, 'Edit').click();
    await form.getByLabel('Short description').fill('All about books');
    letGo();
    await page.getByText('Saved.', { exact: true }).waitFor();
    // Longer than a dialog takes to close.
    await page.waitForTimeout(500);
    expect(await form.getByLabel('Short description').inputValue()).toBe('All about books');
    await context.close();
  });
});

test.each([
  ['leaves the end of a rate as it is', '2040-05-06T07:08:09.000Z', '2040-05-06T07:08:09.000Z'],
  ['of a rate that is over has no end', '2020-05-06T07:08:09.000Z', null],
])('D-1222 a new price %s', async (_, before, after) => {
  await service.admin('PUT', '/rates/KWD', { ptk_price: '0.03', valid_until: before });
  const { page, context } = await asAdmin('/platform/currencies');
  const row = page.getByRole('table', { name: 'Rates' }).or(page.locator('table')).getByRole('row');
  await row
    .filter({ hasText: 'KWD' })
    .filter({ hasText: before.slice(0, 4) })
    .getByRole('button', { name: 'Edit' })
    .click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Price of 1 PTK').fill('0.031');
  await form.getByRole('button', { name: 'Set', exact: true }).click();
  await form.waitFor({ state: 'hidden' });
  const { items } = await service.admin<{ items: Record<string, string | null>[] }>('GET', '/rates');
  expect(items.find(({ code }) => code === 'KWD')).toMatchObject({ ptk_price: '0.031', valid_until: after });
  await context.close();
});

test('D-1224 what was entered stays where another person saves something else, and that is said', async () => {
  const path = `/merchants/${platform.merchant_no}/products`;
  const made = { gd_name: 'Globe', actual_price: '999000000', currency: 'USD', in_stock: 10 };
  const { gd_no } = await service.admin<{ gd_no: string }>('POST', path, made);
  const { page, context } = await asOwner(`/products/${gd_no}`);
  const replaces = page.getByText('Saving replaces it.');
  await button(page, 'Add tier').click();
  await page.getByLabel('From').fill('20');
  await page.getByLabel('Unit price').fill('8,5');
  await service.admin('PATCH', `${path}/${gd_no}`, { wholesale_price_cnf: ['10=9.00'] });
  await comeBack(page);
  await replaces.waitFor();
  expect(await page.getByLabel('From').inputValue()).toBe('20');
  await button(page, 'Save tiers').click();
  await page.getByText('Saved.', { exact: true }).waitFor();
  await replaces.waitFor({ state: 'hidden' });
  await service.admin('PATCH', `${path}/${gd_no}`, { wholesale_price_cnf: ['30=7.00'] });
  await page.clock.setFixedTime(new Date(Date.now() + 300_000));
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[value="30"]') !== null);
  expect(await replaces.count()).toBe(0);
  await context.close();
});
