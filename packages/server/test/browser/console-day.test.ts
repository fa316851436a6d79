import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit, type Visitor } from '../support/browser/console-browser.ts';
import {
  addCardChannel,
  addMerchant,
  addUser,
  checkoutOf,
  free,
  fromAnywhere,
  type Merchant,
  merchantOf,
  type Order,
  payWithPtk,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
} from '../support/desks/platform.ts';
import { eventually, startTestService, type TestService } from '../support/desks/service.ts';

/** What must stay text wherever a person wrote it. */
const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>{{7*7}}"'><svg/onload=alert(3)>`;

let cardsim: Cardsim;
let service: TestService;
let platform: Platform;
let merchant: Merchant;
let browser: Browser;
let admin: Person;
let card: { payment_no: string };
let paid: Order;
let second: Order;
let odd: Order;

beforeAll(async () => {
  cardsim = await startCardsim();
  service = await startTestService();
  platform = await setUpPlatform(service);
  const channel = await addCardChannel(service, cardsim.url, {
    name: `Card ${hostile}`,
    fees: [{ currency: 'USD', ...free }],
    supported_currencies: ['USD'],
  });
  card = channel;
  await cardsim.registerWebhook({ url: channel.webhook_url, secret: 'whsec_simulated' });
  const person = { email: 'ada@people.test', password: 'a long enough password' };
  const { user_id } = await service.admin<{ user_id: string }>('POST', '/users', {
    ...person,
    name: 'Ada Admin',
    role: 'admin',
  });
  admin = { ...person, user_id };
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, {
    short_description: hostile,
    contact: hostile,
  });
  await addMerchant(service, await addUser(service, 'Other Owner'), { name: hostile });
  merchant = await merchantOf(service, platform.client);
  paid = await merchant.order({ external_reference: 'INV-1', description: hostile });
  second = await merchant.order({ external_reference: 'INV-2', amount: '25.00' });
  odd = await merchant.order({ external_reference: 'INV-3', amount: '40.00' });
  await merchant.order({ external_reference: 'INV-4' });
  const buyer = await signIn(service, platform.buyer);
  for (const order of [paid, second]) {
    await payWithPtk(service, order, buyer);
  }
  await payTooLittle(odd);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await service.stop();
  await cardsim.close();
});

/** A card payment of another amount than was asked for: a case for a person. */
async function payTooLittle(order: Order): Promise<void> {
  const checkout = checkoutOf(service, order);
  await checkout.start(await checkout.methodOf('cardprov'));
  const sessions = (await (await fetch(`${cardsim.url}/_sim/sessions`)).json()) as {
    items: { id: string; metadata: { order_no?: string } }[];
  };
  const session = sessions.items.find(({ metadata }) => metadata.order_no === order.order_no);
  await fetch(`${cardsim.url}/_sim/sessions/${session?.id ?? ''}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...fromAnywhere() },
    body: JSON.stringify({ amount_total: 100 }),
  });
  await eventually(
    () => service.admin<{ items: unknown[] }>('GET', '/cases?state=open'),
    ({ items }) => items.length > 0,
  );
}

async function refuseOneRefund(): Promise<void> {
  const error = { type: 'invalid_request_error', code: 'charge_not_refundable', message: 'No.' };
  await fetch(`${cardsim.url}/_sim/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...fromAnywhere() },
    body: JSON.stringify({ endpoint: 'refunds.create', mode: 'status', status: 400, body: { error } }),
  });
}

/** Orders are sorted by amount: the service fails, and then has too many of them. */
async function refuseSorted({ page }: Visitor): Promise<void> {
  const answers = [
    { status: 500, error: 'internal_error', error_description: 'It failed.' },
    { status: 400, error: 'invalid_request', field: 'sort', error_description: 'At most 50000 orders.' },
  ];
  const isSorted = (url: URL): boolean =>
    url.pathname.endsWith('/collection-orders') && url.searchParams.has('sort');
  await page.route(isSorted, async (route) => {
    const { status = 400, ...body } = answers.length > 1 ? (answers.shift() ?? {}) : (answers[0] ?? {});
    await route.fulfill({ status, json: body, headers: { 'x-request-id': `seen-${status}` } });
  });
  await page.getByLabel('Sort', { exact: true }).and(page.locator('input')).click();
  await page.getByRole('option', { name: 'Highest amount first' }).click();
  await page.getByText('seen-500').waitFor();
  expect((await page.locator('body').innerText()).match(/seen-500/g)).toHaveLength(1);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Too many orders to sort by amount').waitFor();
  await page.getByRole('button', { name: 'Sort by creation' }).click();
  await page.getByRole('link', { name: 'INV-1' }).waitFor();
  await page.unroute(isSorted);
}

const merchantAt = (path: string): string => `/console/merchants/${platform.merchant_no}${path}`;

const button = ({ page }: Visitor, name: string) => page.getByRole('button', { name, exact: true });
const dialog = ({ page }: Visitor) => page.getByRole('dialog');
/** A field of the dialog that is open; a required one has an asterisk behind its label. */
const field = (visitor: Visitor, name: string) => dialog(visitor).getByLabel(name).first();
const inDialog = (visitor: Visitor, name: string) =>
  dialog(visitor).getByRole('button', { name, exact: true });

test('D-406 D-407 D-557 D-1138 D-1311 D-1312 D-1407 a merchant’s day: from signing in to orders, wallet, notifications, a client and reconciliation', async () => {
  const day = await visit(browser, service.url, platform.owner, '/console', { by_form: true });
  const { page } = day;

  // One merchant alone: there is nothing to choose.
  await page.waitForURL(`**${merchantAt('')}`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Bookshop');

  // An order is found by its reference, and the address holds what was searched.
  await day.go(merchantAt('/orders'));
  await page.getByLabel('Find orders').fill('INV-1');
  await page.waitForURL('**/orders?q=INV-1');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect([file.suggestedFilename(), await file.failure()]).toEqual(['collection-orders.csv', null]);
  // A list that is too long to be sorted says what to do; an error names its request, once.
  await refuseSorted(day);
  // The search opens above a field, and leads to an order with only the keyboard: to the first one, or to a chosen one.
  await page.getByLabel('Find orders').press('Control+k');
  await dialog(day)
    .getByRole('combobox', { name: 'Search' })
    .fill(`https://pay.example/checkout/${second.order_no}?token=t`);
  await dialog(day).getByText('INV-2', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/orders/${second.order_no}`);
  // From the beginning of a page, three keys reach what is done there most.
  await day.open(merchantAt('/orders'));
  for (const key of ['Tab', 'Enter', 'Tab']) await page.keyboard.press(key);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('New order');
  await page.getByLabel('Find orders').press('Control+k');
  await dialog(day).getByRole('combobox', { name: 'Search' }).fill('INV-1');
  await dialog(day).getByText('INV-1', { exact: true }).waitFor();
  // The first one is chosen when the text changes. The results are the same.
  await page.keyboard.press('Space');
  await page.getByRole('option', { name: 'INV-1', selected: true }).waitFor();
  await page.keyboard.press('ArrowDown');
  // A screen reader is told the chosen one, although the focus stays in the field.
  const chosen = await page.getByRole('option', { name: 'INV-1', selected: true }).getAttribute('id');
  expect(await page.locator(':focus').getAttribute('aria-activedescendant')).toBe(chosen);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await page.waitForURL(`**/orders/${paid.order_no}`);
  expect(await page.getByText(hostile).count()).toBeGreaterThan(0);
  await page.getByRole('tab', { name: 'Money' }).click();
  await page.getByRole('heading', { name: 'Postings' }).waitFor();
  await page.waitForURL('**?tab=money');

  // The statement says where the money came from. A link leads to the title of its screen.
  await page.getByRole('link', { name: 'Wallet', exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'Wallet' }).and(page.locator(':focus')).waitFor();
  await page.getByRole('link', { name: 'Order', exact: true }).first().waitFor();
  await page.getByText('To request a payout, contact Paydesk support.').waitFor();

  // An address that cannot be is refused at its field; a good one shows its secret, once.
  await day.go(merchantAt('/notification-settings'));
  await page.keyboard.press('/');
  await dialog(day).getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog(day).waitFor({ state: 'detached' });
  await button(day, 'Edit').click();
  // Nothing opens above a dialog: from here on only one is open.
  await field(day, 'Endpoint').press('Control+k');
  await field(day, 'Endpoint').fill('http://shop.example/hook');
  await inDialog(day, 'Save').click();
  await dialog(day).getByText('must be a public HTTPS address').waitFor();
  await field(day, 'Endpoint').fill('https://93.184.216.34/hook');
  await inDialog(day, 'Save').click();
  const secret = await dialog(day).getByTestId('secret').innerText();
  expect(secret.length).toBeGreaterThan(31);
  await inDialog(day, 'Done').click();
  await day.open(merchantAt('/notification-settings'));
  await page.getByText('https://93.184.216.34/hook').first().waitFor();
  expect(await page.content()).not.toContain(secret);

  // A new client, with an application for its scopes.
  await day.go(merchantAt('/developers'));
  await button(day, 'New API key').click();
  await inDialog(day, 'Create').click();
  await dialog(day).getByText('Enter a value.').first().waitFor();
  await field(day, 'Name').fill(`Till ${hostile}`);
  await inDialog(day, 'Create').click();
  await dialog(day).getByTestId('secret').waitFor();
  await inDialog(day, 'Done').click();
  await page.getByText(`Till ${hostile}`).waitFor();

  // What the shop's server has asked is found by the id of its answer.
  const refused = await merchant.get('/merchant-payments/mp_none');
  await day.go(merchantAt('/developers/requests'));
  await page.getByLabel('Request ID', { exact: true }).fill(refused.headers.get('x-request-id') ?? '');
  await page.getByText('payment_not_found').waitFor();

  // Own records beside the orders: one fits, one differs, one is missing.
  await day.go(merchantAt('/reconciliation'));
  await page
    .getByLabel('Or paste records here')
    .fill('reference,amount,currency\nINV-1,10.00,USD\nINV-2,24.00,USD\nINV-9,1.00,USD');
  await button(day, 'Compare').click();
  await page.getByText('Differs in amount').waitFor();
  await page.getByText('No order has this reference').waitFor();

  // D-1138: a file that was corrected is chosen again under its name.
  for (const count of [1, 2]) {
    const chosen = page.waitForEvent('filechooser');
    await button(day, 'Open file').click();
    const input = (await chosen).element();
    expect(await input.evaluate((node) => (node as HTMLInputElement).value)).toBe('');
    const buffer = Buffer.from(`reference,amount\n${'INV-1,10.00\n'.repeat(count)}`);
    await input.setInputFiles({ name: 'own.csv', mimeType: 'text/csv', buffer });
  }

  // What belongs to somebody else is not there, and the platform is for others.
  await day.open('/console/merchants/mr_00000000000000000000000000');
  await page.getByText('Page not found').waitFor();
  await day.open('/platform');
  await page.getByText('The platform console is for platform staff.').waitFor();

  // Out, and what was open asks to sign in again.
  await day.go(merchantAt(''));
  await page.getByRole('button', { name: /account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  await page.goto(service.url + merchantAt('/wallet'));
  await page.waitForURL('**/sign-in?return_to=*wallet');
  expect(day.complaints).toEqual([]);
  await day.context.close();
});

test('D-551 D-552 D-557 D-750 an administrator’s day: an application, money, a case, a refund, fees, a withdrawal, the books', async () => {
  const day = await visit(browser, service.url, admin, '/platform');
  const { page } = day;

  // Nothing is wrong, and the overview says so.
  await page.getByRole('heading', { name: 'No alarms' }).waitFor();

  // What the merchant applied for is approved, with a reason.
  await day.go('/platform/scope-applications');
  await button(day, 'Approve').click();
  await inDialog(day, 'Approve').click();
  await dialog(day).getByText('Enter a value.').waitFor();
  await field(day, 'Reason').fill('Known shop');
  await inDialog(day, 'Approve').click();
  await dialog(day).waitFor({ state: 'detached' });
  await page.getByText('Known shop').waitFor();
  await page.getByRole('link', { name: 'Paydesk, Platform' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  // Money moves only after saying what will happen.
  await day.go(`/platform/merchants/${platform.merchant_no}`);
  await button(day, 'Top up').click();
  await field(day, 'Amount').fill('1500.5');
  await dialog(day).getByText('1,500.50 PTK become available to Bookshop.').waitFor();
  await field(day, 'Reference').fill('bank-7');
  await field(day, 'Reason').fill('Paid by bank transfer');
  await inDialog(day, 'Top up').click();
  await dialog(day).waitFor({ state: 'detached' });
  await page.getByText('Booked.').waitFor();

  // The same reference with another amount is refused, in the words of the service.
  await button(day, 'Top up').click();
  await field(day, 'Amount').fill('2');
  await field(day, 'Reference').fill('bank-7');
  await field(day, 'Reason').fill('Paid by bank transfer');
  await inDialog(day, 'Top up').click();
  await dialog(day).getByText('was used before').waitFor();
  await inDialog(day, 'Cancel').click();

  // A case shows what was asked for and what the provider has; it is decided with a reason.
  await day.go('/platform/cases');
  await page.getByRole('button', { name: 'Mismatch' }).click();
  await page.getByRole('heading', { name: 'Reported by the provider' }).waitFor();
  // The dialog names the amount. A refusal of the provider is said, with its answer and the way on (D-750).
  await refuseOneRefund();
  const decision = page.getByRole('dialog', { name: 'Refund' });
  const refund = async (): Promise<void> => {
    await button(day, 'Refund').click();
    await decision.getByText('1.00 USD is refunded to the buyer').waitFor();
    await decision.getByLabel('Reason').fill('The buyer is paid back');
    await decision.getByRole('button', { name: 'Refund', exact: true }).click();
    await decision.waitFor({ state: 'detached' });
  };
  await refund();
  await page.getByText('The provider has not made the refund.', { exact: true }).waitFor();
  await page.getByText('charge_not_refundable').first().waitFor();
  await button(day, 'Paid back by bank').click();
  await page.getByText('you have paid 1.00 USD to the buyer by bank').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await button(day, 'Close the case').waitFor();
  await refund();

  // An order is refunded as a whole.
  await day.go(`/platform/orders/${second.order_no}`);
  await button(day, 'Refund').click();
  await field(day, 'Reason').fill('Sold out');
  await dialog(day).getByText('A part of it cannot be refunded.').waitFor();
  await dialog(day).getByText('A refund cannot be undone.').waitFor();
  await dialog(day)
    .getByRole('button', { name: /^Refund / })
    .click();
  await dialog(day).waitFor({ state: 'detached' });
  await page.getByText('Refunded', { exact: true }).first().waitFor();

  // Fees are tried out before they are saved.
  await day.go(`/platform/channels/${card.payment_no}`);
  const fees = page.getByRole('region', { name: 'Fees by currency' });
  expect(await fees.getByRole('columnheader').allInnerTexts()).toEqual([
    'Currency',
    ...['Buyer: Fixed', 'Buyer: %', 'Buyer: Cap', 'Merchant: Fixed', 'Merchant: %', 'Merchant: Cap'],
    'Remove',
  ]);
  // Key by key, as a person types: no key takes the focus away, and Enter saves.
  await fees.getByLabel('Percent, USD, Buyer').fill('');
  await page.keyboard.type('2.9');
  await page.getByRole('heading', { name: 'Simulator' }).waitFor();
  await page.getByLabel('Order amount, USD').fill('100');
  await page.getByText('102.90').waitFor();
  await fees.getByLabel('Percent, USD, Buyer').press('Enter');
  await page.getByText('Fees saved.').waitFor();

  // A withdrawal is requested, and decided.
  await day.go('/platform/withdrawals');
  await button(day, 'New payout').click();
  await field(day, 'Merchant').click();
  await page.getByRole('option', { name: /^Bookshop/ }).click();
  await field(day, 'Amount').fill('100');
  await field(day, 'Payout currency').click();
  await page.getByRole('option', { name: 'USD' }).click();
  await field(day, 'Payout amount').fill('10.00');
  await field(day, 'Reference').fill('wd-1');
  await inDialog(day, 'Request').click();
  await dialog(day).waitFor({ state: 'detached' });
  await button(day, 'Mark as paid').click();
  // What is asked for first gets the focus, once the dialog has opened.
  await field(day, 'Reason').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Transfer 4711');
  expect(await field(day, 'Reason').inputValue()).toBe('Transfer 4711');
  await inDialog(day, 'Mark as paid').click();
  await dialog(day).waitFor({ state: 'detached' });
  await page.getByText('Paid', { exact: true }).first().waitFor();

  // The books balance, and everything is in the log.
  await day.go('/platform/ledger');
  await button(day, 'Check the books now').click();
  await page.getByText('The books balance').waitFor();
  await day.go(`/platform/ledger?book=${platform.merchant_no}`);
  await button(day, 'm:available').click();
  await page.getByRole('button', { name: 'All accounts' }).waitFor();
  await day.go('/platform/complaints');
  await page.getByText(second.order_no).first().waitFor();
  await day.go('/platform/audit-log');
  await page.getByText('Transfer 4711').waitFor();
  expect(day.complaints).toEqual([]);
  await day.context.close();
});

test('H-17 the page of the consoles loads nothing from elsewhere, and browsers may keep its files without a limit', async () => {
  const page = await service.send('GET', '/console');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/default-src 'none'/);
  expect(policy).toMatch(/frame-ancestors 'none'/);
  expect(policy).not.toMatch(/unsafe/);
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(page.text) ?? [];
  const file = await service.send('GET', script, { headers: { 'accept-encoding': 'br' } });
  expect(file.status).toBe(200);
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await service.send('GET', '/console/assets/none.js')).status).toBe(404);
  expect((await service.send('GET', '/console/v1/none')).status).toBe(404);
  const { status, headers } = await service.send('GET', '/');
  expect([status, headers.get('location')]).toEqual([303, '/sign-in?return_to=%2F']);
});
