import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit, type Visitor } from '../support/browser/console-browser.ts';
import { openWorld, type World } from '../support/desks/console-world.ts';
import { shopper, userToken } from '../support/desks/catalog.ts';
import { simulate } from '../support/desks/own-channel.ts';
import { addClient, checkoutOf } from '../support/desks/platform.ts';
import { eventually } from '../support/desks/service.ts';

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

const at = (path: string): string => `/console/merchants/${world.platform.merchant_no}${path}`;
const button = ({ page }: Visitor, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true }).first();
const dialog = ({ page }: Visitor): Locator => page.getByRole('dialog').last();
const follow = (visitor: Visitor, name: string) =>
  visitor.page.getByRole('link', { name, exact: true }).first().click();

/** Fills what a dialog asks for, by the words on it, and confirms. */
async function answer(
  visitor: Visitor,
  texts: Readonly<Record<string, string>>,
  confirm: string | RegExp,
): Promise<void> {
  for (const [label, text] of Object.entries(texts)) {
    await dialog(visitor).getByLabel(label).first().fill(text);
  }
  await dialog(visitor).getByRole('button', { name: confirm, exact: true }).click();
}
const closed = (visitor: Visitor) => dialog(visitor).waitFor({ state: 'detached' });

test('D-283 D-551 a merchant who has never been here sells a product, delivers by hand and by codes, and has notifications sent again', async () => {
  const walk = await visit(browser, world.service.url, world.platform.owner, at(''));
  const { page } = walk;

  // The amounts of an order are sums, each part in its currency, with the rate.
  await walk.go(at(`/orders/${world.orders.disputed.order_no}`));
  const sums = await page.locator('.panel', { has: page.locator('.sum') }).allInnerTexts();
  expect(sums.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    'Amounts Gross 33.00 USD 330.00 PTK − Fee 0.34 USD 3.40 PTK = Net 326.60 PTK ' +
      'Net 326.60 PTK − Taken back 342.70 PTK = Left in the wallet −16.10 PTK ' +
      'Price 33.00 USD + Buyer fee 1.27 USD = Buyer pays 34.27 USD Fee made up of 1% of 34.27 USD Rate 1 PTK = 0.10 USD, fixed at creation',
  ]);

  // A product, whose price falls with the number: what any number comes to is shown while it is typed.
  await follow(walk, 'Products');
  await button(walk, 'New product').click();
  await answer(walk, { Name: 'Star chart', 'Unit price': '12.50' }, 'Create');
  await page.getByRole('heading', { level: 1, name: 'Star chart' }).waitFor();
  const gd_no = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await button(walk, 'Add tier').click();
  await page.getByLabel('From', { exact: true }).fill('10');
  await page.getByLabel('Unit price, USD').fill('9.99');
  await page.getByLabel('Try a quantity').fill('9');
  await page.getByText('112.50').waitFor();
  await page.getByLabel('Try a quantity').fill('12');
  await page.getByText('119.88').waitFor();
  await button(walk, 'Save tiers').click();
  await page.getByText('Saved.').first().waitFor();

  // What buyers are asked for.
  await button(walk, 'Add question').click();
  await page.getByRole('textbox', { name: 'Key' }).fill('email');
  await page.getByRole('textbox', { name: 'Question' }).fill('Where to send it');
  // The notice of before may still be there.
  const saved = page.waitForResponse((response) => response.request().method() !== 'GET');
  await button(walk, 'Save questions').click();
  expect((await saved).ok()).toBe(true);

  // Which ways of paying it can be bought by.
  await button(walk, 'Edit').click();
  await dialog(walk).getByLabel('Payable through').first().click();
  await page.getByRole('option', { name: 'Selected channels only' }).click();
  await dialog(walk).getByLabel('Channels').first().click();
  await page.getByRole('option', { name: 'PTK wallet' }).click();
  await page.keyboard.press('Tab');
  await answer(walk, {}, 'Save');
  await closed(walk);
  await page.getByText('PTK wallet', { exact: true }).waitFor();
  await button(walk, 'Start selling').click();
  await answer(walk, {}, 'Start selling');
  await closed(walk);

  // Somebody orders two before there are codes, and gets them when they are there.
  await button(walk, 'Upload codes').click();
  await answer(walk, { Codes: 'AAAA-1\nAAAA-2\nAAAA-3' }, 'Upload');
  await closed(walk);
  const scopes = ['orders.create', 'orders.read', 'payments.create', 'payments.read'];
  const client = await addClient(world.service, world.platform.merchant_no, { scopes });
  const { user_id } = world.platform.buyer;
  const buyer = shopper(world.service, await userToken(world.service, client, user_id));
  const payment_no = world.platform.ptk_channel;
  const order_no = await buyer.order({
    gd_no,
    quantity: 2,
    payment_no,
    other_ipu: { email: 'bo@people.test' },
  });
  await buyer.pay(order_no, payment_no);
  await eventually(
    () => buyer.read(order_no),
    ({ body }) => body.status === 3,
  );
  await walk.open(at(`/products/${gd_no}`));
  const left = page.locator('.panel', { hasText: 'Remaining' }).last();
  expect(await left.innerText()).toContain('1');

  // What is delivered by hand is marked, once.
  await follow(walk, 'Catalog orders');
  await page.getByText('bo@people.test').first().waitFor();
  await button(walk, 'Mark as delivered').click();
  await answer(walk, { 'Message to the buyer': 'In your letter box.' }, 'Mark as delivered');
  await closed(walk);
  await button(walk, 'Mark as delivered').waitFor({ state: 'detached' });

  // Notifications that were given up: one sent again, then all since a time.
  await page
    .getByRole('link', { name: /^Webhook deliveries/ })
    .first()
    .click();
  await page.getByLabel('Delivery').first().click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await page.waitForURL('**status=failed');
  await page.getByRole('button', { name: /^mp_/ }).first().click();
  await button(walk, 'Resend').click();
  await answer(walk, {}, 'Resend now');
  await page.getByText('Webhook is being sent.').waitFor();
  // Its row is gone: the keyboard goes on in the list, and not at the beginning of the page.
  await page.waitForFunction(() => document.activeElement?.id === 'content');
  await button(walk, 'Replay all failed').click();
  await dialog(walk).getByLabel('My server is ready to receive webhooks').check();
  await answer(walk, { Since: '2026-01-01T00:00' }, 'Replay');
  await page.getByText(/webhooks? (is|are) being sent again\./).waitFor();
  await eventually(
    () => world.desk.get<{ items: unknown[] }>('/notifications?status=failed'),
    ({ body }) => body.items.length === 0,
  );
  expect(walk.complaints).toEqual([]);
  await walk.context.close();
});

async function paidByCard(): Promise<string> {
  const { service, merchant, cardsim } = world;
  const order = await merchant.order({ external_reference: 'INV-card' });
  const checkout = checkoutOf(service, order);
  const { body } = await checkout.start(await checkout.methodOf('cardprov'));
  const session = new URL(String(body.redirect_url)).pathname.split('/').at(-1);
  await simulate(cardsim, 'POST', `/sessions/${session}/pay`, {});
  await eventually(
    () => merchant.read(order.order_no),
    ({ body: { status } }) => status === 'paid',
  );
  return order.order_no;
}

test('D-982 D-1345 D-1351 an administrator who has never been here does what the interface leaves to one, and reads what accepting a dispute gives the buyer', async () => {
  const walk = await visit(browser, world.service.url, world.admin, '/platform');
  const { page } = walk;

  // A public client becomes one that keeps a secret, as collection orders demand.
  await world.desk.send('POST', '/clients', {
    name: 'Shop app',
    type: 'public',
    scopes: ['products.read'],
    redirect_uris: ['https://shop.example/app'],
  });
  await follow(walk, 'API keys');
  await button(walk, 'Make confidential').click();
  await answer(walk, { Reason: 'It has moved to a server' }, 'Make confidential');
  expect((await dialog(walk).getByTestId('secret').innerText()).length).toBeGreaterThan(20);
  await dialog(walk).getByRole('button', { name: 'Done' }).click();

  // An application is approved, or scopes are set at once, each with a reason.
  await follow(walk, 'Scope requests');
  await button(walk, 'Approve').click();
  await answer(walk, { Reason: 'Known shop' }, 'Approve');
  await closed(walk);

  // How long income is held, and what may be taken on credit.
  await walk.go(`/platform/merchants/${world.platform.merchant_no}`);
  await button(walk, 'Edit').click();
  await answer(walk, { 'Hold period in days': '30' }, 'Save');
  await closed(walk);
  await page.getByText('30 days').waitFor();
  await button(walk, 'Change credit limit').click();
  await answer(walk, { Limit: '500', Reason: 'Grew' }, 'Set');
  await closed(walk);

  // Who may test, with the result of the two lists.
  await walk.go(`/platform/channels/${world.test_channel.payment_no}`);
  await page.getByText('Both are on the lists.').waitFor();

  // What buyers see of the channel. Methods that cannot pay in its currency are refused at their field.
  await button(walk, 'Edit names and methods').click();
  const methods = dialog(walk).getByLabel('Methods of the provider').and(dialog(walk).locator('input'));
  const offer = async (name: string): Promise<void> => {
    await methods.click();
    await page.getByRole('option', { name, exact: true }).click();
    await methods.press('Tab');
  };
  await offer('iDEAL');
  await answer(walk, { 'Name in Deutsch': 'Karte' }, 'Save');
  await dialog(walk).getByText('None of these methods can pay in USD.').waitFor();
  expect(await methods.getAttribute('aria-invalid')).toBe('true');
  await offer('Card');
  await answer(walk, {}, 'Save');
  await closed(walk);
  await page.getByText('iDEAL, Card', { exact: true }).waitFor();
  await page.getByText('Karte', { exact: true }).waitFor();

  // An order of a product is found by its number; a complaint about it is opened, and confirmed.
  await walk.go('/platform/orders');
  await page.getByLabel('Find orders').fill(world.catalog_order);
  await follow(walk, world.catalog_order);
  await button(walk, 'Dispute').click();
  // D-1345: what the merchant can use already is not frozen.
  await dialog(walk).getByText('is still on hold, it is frozen').waitFor();
  await answer(walk, { Reason: 'Never came' }, 'Open');
  await closed(walk);
  await button(walk, 'Accept').click();
  // D-982
  await dialog(walk).getByText('The buyer gets the loss as PTK.').waitFor();
  expect(await dialog(walk).getByLabel('External costs').count()).toBe(0);
  await answer(walk, { Reason: 'Lost in the post' }, 'Confirm loss');
  await closed(walk);
  await page.getByText('Accepted', { exact: true }).first().waitFor();
  // Of a payment by card, the buyer would get nothing.
  const order_no = await paidByCard();
  await world.service.admin('POST', `/collection-orders/${order_no}/complaints`, { reason: 'Never came' });
  await walk.go(`/platform/orders/${order_no}`);
  // D-1351
  await page.getByRole('list').getByRole('listitem').filter({ hasText: 'Created' }).first().waitFor();
  await button(walk, 'Accept').click();
  await dialog(walk).getByText('The buyer gets no money by this.').waitFor();
  await button(walk, 'Cancel').click();
  expect(walk.complaints).toEqual([]);
  await walk.context.close();
});
