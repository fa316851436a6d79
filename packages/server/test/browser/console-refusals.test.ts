import { adminOperations, operations } from '@paydesk/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase, sql } from '../../src/base/pg/index.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit, type Visitor } from '../support/browser/console-browser.ts';
import { openWorld, type World } from '../support/desks/console-world.ts';
import { fingerprintOf } from '../support/books/fingerprint.ts';
import { addUser, type Person } from '../support/desks/platform.ts';

let world: World;
let browser: Browser;
let db: Database;
/** A second owner, who can be made less than that while a dialog is open. */
let helper: Person;

beforeAll(async () => {
  world = await openWorld();
  db = openDatabase({ url: world.service.database.url, max: 2 });
  helper = await addUser(world.service, 'Hana Helper');
  await world.desk.send('POST', '/people', { email: helper.email, role: 'owner' });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await db.close();
  await world.stop();
});

const admin = <T = unknown>(path: string, body: unknown): Promise<T> =>
  world.service.admin<T>('POST', path, body);
const at = (path: string): string => `/console/merchants/${world.platform.merchant_no}${path}`;
const ourMerchant = (path = ''): string => `/platform/merchants/${world.platform.merchant_no}${path}`;
const long = 'x'.repeat(201);
const reason = { Reason: 'As agreed' };

interface Refusal {
  /** As the documents have it. */
  write: string;
  screen: () => string;
  /** What is clicked on the way to the dialog, or to the form on the screen itself. */
  open: (page: Page) => Locator[];
  /** Texts by their labels; a list of labels is chosen from, and `+` is added and taken with Enter. */
  fill?: Readonly<Record<string, string>>;
  choose?: Readonly<Record<string, RegExp | string>>;
  add?: Readonly<Record<string, string>>;
  check?: readonly string[];
  /** What the form is sent by; where there is no dialog, the last of `open`. */
  confirm: RegExp | string;
  /** What somebody else does while the form is open. */
  meanwhile?: () => Promise<unknown>;
  /** The signed-in person loses the right before confirming. */
  demoted?: true;
  /** What the page sends instead: something that was there when it was opened, and no longer is. */
  tamper?: (body: Record<string, unknown>) => Record<string, unknown>;
  /** A form on the screen itself: there is no dialog. */
  inline?: true;
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true }).first();
const by =
  (...names: string[]) =>
  (page: Page): Locator[] =>
    names.map((name) => button(page, name));
/** An action in the menu of a row. */
const inMenu =
  (name: string) =>
  (page: Page): Locator[] => [button(page, 'Actions'), page.getByRole('menuitem', { name, exact: true })];
const moreThanThereIs = { Amount: '90000', Reference: 'more-than-there-is' };

const platform: Refusal[] = [
  {
    write: 'PUT /admin/v1/currencies/{code}',
    screen: () => '/platform/currencies',
    open: by('New currency'),
    fill: { Code: 'EUR', Decimals: '9' },
    confirm: 'Save',
  },
  {
    write: 'PUT /admin/v1/rates/{code}',
    screen: () => '/platform/currencies',
    open: by('Set rate'),
    choose: { Currency: 'USD' },
    fill: { 'Price of 1 PTK': '0' },
    confirm: 'Set',
  },
  {
    write: 'POST /admin/v1/channels',
    screen: () => '/platform/channels',
    open: by('New channel'),
    fill: { Name: long },
    choose: { 'Display currency': 'USD' },
    confirm: 'Create',
  },
  {
    write: 'PATCH /admin/v1/channels/{payment_no}',
    screen: () => `/platform/channels/${world.test_channel.payment_no}`,
    open: by('Edit'),
    fill: { Name: long },
    confirm: 'Save',
  },
  {
    write: 'PATCH /admin/v1/channels/{payment_no}',
    screen: () => `/platform/channels/${world.test_channel.payment_no}`,
    open: by('Edit names and methods'),
    fill: { 'Name in Deutsch': long },
    confirm: 'Save',
  },
  {
    write: 'PUT /admin/v1/channels/{payment_no}/debug-grants',
    screen: () => `/platform/channels/${world.test_channel.payment_no}`,
    open: by('Edit access'),
    confirm: 'Save',
    tamper: (body) => ({ ...body, merchants: ['mr_00000000000000000000000000'] }),
  },
  {
    write: 'POST /admin/v1/channels/{payment_no}/webhook-secret-rotation',
    screen: () => `/platform/channels/${world.test_channel.payment_no}`,
    open: by('Rotate the webhook secret'),
    fill: { 'New secret from the provider': 'x'.repeat(256) },
    confirm: 'Rotate',
  },
  {
    write: 'POST /admin/v1/channels/{payment_no}/payouts',
    screen: () => `/platform/channels/${world.test_channel.payment_no}`,
    open: by('Record provider payout'),
    fill: { Currency: 'XXX', 'Gross amount': '10', Reference: 'payout-1' },
    confirm: 'Record',
  },
  {
    write: 'POST /admin/v1/users',
    screen: () => '/platform/people',
    open: by('New person'),
    fill: { Name: 'Somebody', Email: 'ada@people.test', Password: 'a long enough password' },
    confirm: 'Create',
  },
  {
    write: 'PATCH /admin/v1/users/{user_id}',
    screen: () => '/platform/people',
    open: by('Bo Buyer', 'Edit'),
    fill: { Name: long, ...reason },
    confirm: 'Save',
  },
  {
    write: 'DELETE /admin/v1/users/{user_id}/sessions',
    screen: () => '/platform/people',
    open: by('Bo Buyer', 'Sign out everywhere'),
    confirm: 'Sign out',
    demoted: true,
  },
  {
    write: 'DELETE /admin/v1/users/{user_id}/factors',
    screen: () => '/platform/people',
    open: by('Bo Buyer', 'Reset two-factor authentication'),
    confirm: 'Reset',
    demoted: true,
  },
  {
    write: 'POST /admin/v1/users/{user_id}/ptk-top-ups',
    screen: () => '/platform/people',
    open: by('Bo Buyer', 'Top up'),
    fill: {
      Amount: '1',
      'Currency received': 'XXX',
      'Amount received': '1',
      Reference: 'top-up-x',
      Reason: 'paid in cash',
    },
    confirm: 'Top up',
  },
  {
    write: 'POST /admin/v1/merchants',
    screen: () => '/platform/merchants',
    open: by('New merchant'),
    fill: { Name: 'Next shop', 'Hold period in days': '31' },
    choose: { Owner: /^Bo Buyer/ },
    confirm: 'Create',
  },
  {
    write: 'PATCH /admin/v1/merchants/{merchant_no}',
    screen: ourMerchant,
    open: by('Edit'),
    fill: { Website: 'javascript:alert(1)', Contact: 'typed before' },
    confirm: 'Save',
  },
  {
    write: 'POST /admin/v1/merchants/{merchant_no}/ptk-top-ups',
    screen: ourMerchant,
    open: by('Top up'),
    fill: { Amount: '7', Reference: 'top-up-1', Reason: 'typed before' },
    confirm: 'Top up',
  },
  {
    write: 'POST /admin/v1/merchants/{merchant_no}/guarantee-deposits',
    screen: ourMerchant,
    open: by('Add guarantee'),
    fill: { Amount: '7', Reference: 'guarantee-1' },
    confirm: 'Add guarantee',
  },
  {
    write: 'POST /admin/v1/merchants/{merchant_no}/guarantee-returns',
    screen: ourMerchant,
    open: by('Return guarantee'),
    fill: moreThanThereIs,
    confirm: 'Return guarantee',
  },
  {
    write: 'POST /admin/v1/merchants/{merchant_no}/credit-repayments',
    screen: ourMerchant,
    open: by('Repay credit'),
    fill: moreThanThereIs,
    confirm: 'Repay credit',
  },
  {
    write: 'POST /admin/v1/merchants/{merchant_no}/recovery-repayments',
    screen: ourMerchant,
    open: by('Repay losses'),
    fill: moreThanThereIs,
    confirm: 'Repay losses',
  },
  {
    write: 'POST /admin/v1/merchants/{merchant_no}/recovery-write-offs',
    screen: ourMerchant,
    open: by('Write off losses'),
    fill: { ...moreThanThereIs, ...reason },
    confirm: 'Write off losses',
  },
  {
    write: 'POST /admin/v1/clients',
    screen: () => '/platform/clients',
    open: by('New API key'),
    fill: { Name: 'A client' },
    add: { Scopes: 'everything' },
    confirm: 'Create',
  },
  {
    write: 'PATCH /admin/v1/clients/{client_id}',
    screen: () => '/platform/clients',
    open: by('Edit'),
    fill: { Name: 'Renamed', ...reason },
    add: { 'Redirect URIs': 'http://shop.example/back' },
    confirm: 'Save',
  },
  {
    write: 'PUT /admin/v1/clients/{client_id}/scopes',
    screen: () => '/platform/clients',
    open: by('Scopes'),
    fill: reason,
    add: { Scopes: 'everything' },
    confirm: 'Save',
  },
  {
    write: 'POST /admin/v1/scope-applications/{application_id}/decision',
    screen: () => '/platform/scope-applications',
    open: by('Approve'),
    fill: reason,
    add: { Approved: 'everything' },
    confirm: 'Approve',
  },
  {
    write: 'POST /admin/v1/withdrawals',
    screen: () => '/platform/withdrawals',
    open: by('New payout'),
    fill: { Amount: '1', 'Payout amount': '0.10', Reference: 'transfer-3' },
    choose: { Merchant: /^Bookshop/, 'Payout currency': 'USD' },
    confirm: 'Request',
  },
  {
    write: 'POST /admin/v1/withdrawals/{withdrawal_id}/decision',
    screen: () => '/platform/withdrawals',
    open: by('Mark as paid'),
    fill: reason,
    confirm: 'Mark as paid',
    async meanwhile() {
      const { items } = await world.service.admin<{ items: { withdrawal_id: string; status: string }[] }>(
        'GET',
        '/withdrawals?status=pending&order=oldest',
      );
      const { withdrawal_id = '' } = items.find(({ status }) => status === 'pending') ?? {};
      await admin(`/withdrawals/${withdrawal_id}/decision`, { decision: 'reject', reason: 'elsewhere' });
    },
  },
  {
    write: 'POST /admin/v1/collection-orders/{order_no}/complaints',
    screen: () => `/platform/orders/${world.orders.complained.order_no}`,
    open: by('Dispute'),
    fill: reason,
    confirm: 'Open',
  },
  {
    write: 'POST /admin/v1/complaints/{complaint_id}/decision',
    screen: () => `/platform/orders/${world.orders.complained.order_no}`,
    open: by('Accept'),
    fill: { Loss: '999999', ...reason },
    confirm: 'Confirm loss',
  },
  {
    write: 'POST /admin/v1/collection-orders/{order_no}/refunds',
    screen: () => `/platform/orders/${world.orders.paid.order_no}`,
    open: by('Refund'),
    fill: reason,
    confirm: /^Refund /,
    meanwhile: () =>
      admin(`/collection-orders/${world.orders.paid.order_no}/refunds`, { reason: 'elsewhere' }),
  },
  {
    write: 'POST /admin/v1/catalog-orders/{order_no}/complaints',
    screen: () => `/platform/catalog-orders/${world.catalog_order}`,
    open: by('Dispute'),
    fill: reason,
    confirm: 'Open',
    meanwhile: () => admin(`/catalog-orders/${world.catalog_order}/complaints`, { reason: 'elsewhere' }),
  },
  {
    write: 'POST /admin/v1/catalog-orders/{order_no}/refunds',
    screen: () => `/platform/catalog-orders/${world.catalog_order}`,
    open: by('Refund'),
    fill: reason,
    confirm: /^Refund /,
    meanwhile: () => admin(`/catalog-orders/${world.catalog_order}/refunds`, { reason: 'elsewhere' }),
  },
  {
    write: 'POST /admin/v1/cases/{case_id}/resolution',
    screen: () => '/platform/cases',
    open: (page) => [page.getByRole('button', { name: 'Mismatch' }), button(page, 'Refund')],
    fill: reason,
    confirm: 'Refund',
    tamper: (body) => ({ ...body, action: 'absent' }),
  },
  {
    write: 'PUT /admin/v1/settings',
    screen: () => '/platform/settings',
    open: by('Change threshold'),
    fill: { Threshold: '9'.repeat(31) },
    confirm: 'Set',
  },
  {
    write: 'POST /admin/v1/keys',
    screen: () => '/platform/keys',
    open: by('New admin key'),
    fill: { Name: 'Export', Expires: '2020-01-01T00:00' },
    confirm: 'Create',
  },
  {
    write: 'DELETE /admin/v1/keys/{key_id}',
    screen: () => '/platform/keys',
    open: by('Revoke'),
    fill: reason,
    confirm: 'Revoke',
    demoted: true,
  },
  {
    write: 'POST /admin/v1/approvals/{approval_id}/approve',
    screen: () => '/platform/approvals',
    open: by('Approve'),
    fill: reason,
    confirm: 'Approve',
    demoted: true,
  },
  {
    write: 'POST /admin/v1/approvals/{approval_id}/reject',
    screen: () => '/platform/approvals',
    open: by('Reject'),
    fill: reason,
    confirm: 'Reject',
    demoted: true,
  },
  {
    write: 'POST /admin/v1/jobs/{name}/run',
    screen: () => '/platform/workers',
    open: (page) => [page.getByRole('button', { name: 'Run now: Deliver webhooks' })],
    confirm: '',
    inline: true,
    demoted: true,
  },
  {
    write: 'POST /admin/v1/merchants/{merchant_no}/notifications/{event_id}/retry',
    screen: () => '/platform/dead-letters',
    open: by('Resend'),
    confirm: 'Resend',
    demoted: true,
  },
  {
    write: 'POST /admin/v1/merchants/{merchant_no}/notifications/retry-failed',
    screen: () => '/platform/dead-letters',
    open: by('Resend all of a merchant'),
    choose: { Merchant: /^Bookshop/ },
    fill: { Since: '2026-01-01T00:00' },
    confirm: 'Resend',
    demoted: true,
  },
];

const merchant: Refusal[] = [
  {
    write: 'POST /console/v1/merchants/{merchant_no}/products',
    screen: () => at('/products'),
    open: by('New product'),
    fill: { Name: 'Poster', 'Unit price': '3.50', Currency: 'XXX' },
    confirm: 'Create',
  },
  {
    write: 'PATCH /console/v1/merchants/{merchant_no}/products/{gd_no}',
    screen: () => at(`/products/${world.gd_no}`),
    open: by('Add tier'),
    fill: { 'From >> nth=2': '3', 'Unit price, USD >> nth=2': 'nothing' },
    confirm: 'Save tiers',
    inline: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/products/{gd_no}/codes',
    screen: () => at(`/products/${world.gd_no}`),
    open: by('Upload codes'),
    fill: { Codes: 'x'.repeat(1_001) },
    confirm: 'Upload',
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/products/{gd_no}/codes/withdrawal',
    screen: () => at(`/products/${world.gd_no}`),
    open: by('Withdraw codes'),
    fill: { Codes: 'AAAA-1' },
    confirm: 'Withdraw',
    demoted: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/collection-orders',
    screen: () => at('/orders'),
    open: by('New order'),
    fill: { Amount: '1.005', Reference: 'by hand' },
    choose: { Currency: 'USD' },
    confirm: 'Create',
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/collection-orders/{order_no}/notes',
    screen: () => at(`/orders/${world.orders.complained.order_no}`),
    open: by('Add note'),
    fill: { Note: 'x'.repeat(2_001) },
    confirm: 'Save',
  },
  {
    write: 'DELETE /console/v1/merchants/{merchant_no}/collection-orders/{order_no}/notes/{note_id}',
    screen: () => at(`/orders/${world.orders.complained.order_no}`),
    open: by('Delete'),
    confirm: 'Delete',
    demoted: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/payment-links',
    screen: () => at('/payment-links'),
    open: by('New payment link'),
    fill: { 'Amount to pay': '1.005' },
    choose: { Currency: 'USD' },
    confirm: 'Create',
  },
  {
    write: 'DELETE /console/v1/merchants/{merchant_no}/payment-links/{link}',
    screen: () => at('/payment-links'),
    open: by('Close link'),
    confirm: 'Close the link',
    demoted: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/statement-exports',
    screen: () => at('/exports'),
    open: by('New scheduled export'),
    fill: { 'HTTPS address': 'http://shop.example/' },
    confirm: 'Save',
  },
  {
    write: 'PUT /console/v1/merchants/{merchant_no}/statement-exports/{export_id}',
    screen: () => at('/exports'),
    open: by('Edit'),
    fill: { 'HTTPS address': 'https://10.0.0.1/' },
    confirm: 'Save',
  },
  {
    write: 'DELETE /console/v1/merchants/{merchant_no}/statement-exports/{export_id}',
    screen: () => at('/exports'),
    open: by('Delete'),
    confirm: 'Delete',
    demoted: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/statement-exports/{export_id}/sending',
    screen: () => at('/exports'),
    open: by('Send now'),
    confirm: 'Send',
    demoted: true,
  },
  {
    write: 'PATCH /console/v1/merchants/{merchant_no}/settings',
    screen: () => at('/settings'),
    open: by('Edit'),
    fill: { Website: 'javascript:alert(1)', Contact: 'typed before' },
    confirm: 'Save',
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/people',
    screen: () => at('/settings'),
    open: by('Invite team member'),
    fill: { Email: 'no address' },
    confirm: 'Invite',
  },
  {
    write: 'DELETE /console/v1/merchants/{merchant_no}/people/invitations/{invitation_id}',
    screen: () => at('/settings'),
    open: by('Withdraw'),
    confirm: 'Withdraw',
    demoted: true,
  },
  {
    write: 'PATCH /console/v1/merchants/{merchant_no}/people/{user_id}',
    screen: () => at('/settings'),
    open: by('Role'),
    confirm: 'Save',
    demoted: true,
  },
  {
    write: 'DELETE /console/v1/merchants/{merchant_no}/people/{user_id}',
    screen: () => at('/settings'),
    open: by('Remove'),
    confirm: 'Remove',
    demoted: true,
  },
  {
    write: 'PUT /console/v1/merchants/{merchant_no}/notification-settings',
    screen: () => at('/notification-settings'),
    open: by('Edit'),
    fill: { Endpoint: 'http://shop.example/hook' },
    confirm: 'Save',
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/notification-settings/rotation',
    screen: () => at('/notification-settings'),
    open: by('Rotate signing secret'),
    confirm: 'Rotate',
    demoted: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/test-event',
    screen: () => at('/notification-settings'),
    open: by('Send test event'),
    confirm: '',
    inline: true,
    demoted: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/notifications/retry-failed',
    screen: () => at('/notifications?status=failed'),
    open: by('Replay all failed'),
    fill: { Since: '2026-01-01T00:00' },
    check: ['My server is ready to receive webhooks'],
    confirm: 'Replay',
    demoted: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/notifications/{event_id}/retry',
    screen: () => at('/notifications?status=failed'),
    open: (page) => [page.getByRole('button', { name: /^mp_/ }).first(), button(page, 'Resend')],
    confirm: 'Resend now',
    demoted: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/clients',
    screen: () => at('/developers'),
    open: by('New API key'),
    fill: { Name: long },
    confirm: 'Create',
  },
  {
    write: 'PATCH /console/v1/merchants/{merchant_no}/clients/{client_id}',
    screen: () => at('/developers'),
    open: inMenu('Disable'),
    confirm: 'Disable',
    demoted: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/clients/{client_id}/scope-applications',
    screen: () => at('/developers'),
    open: inMenu('Request scopes'),
    confirm: 'Request',
    tamper: () => ({ scopes: ['everything'] }),
  },
  {
    write: 'PUT /console/v1/merchants/{merchant_no}/clients/{client_id}/keys',
    screen: () => at('/developers'),
    open: inMenu('Public keys'),
    fill: { 'JSON Web Key Set': '{"keys": [{"kty": "oct", "k": "AAAA"}]}' },
    confirm: 'Set',
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/clients/{client_id}/secret-rotation',
    screen: () => at('/developers'),
    open: inMenu('Rotate'),
    check: ['The old secret has leaked: revoke it now'],
    confirm: 'Rotate',
    demoted: true,
  },
  {
    write: 'POST /console/v1/merchants/{merchant_no}/catalog-orders/{order_no}/fulfilment',
    screen: () => at('/catalog-orders'),
    open: by('Mark as delivered'),
    fill: { 'Message to the buyer': 'On its way' },
    confirm: 'Mark as delivered',
    meanwhile: () => world.desk.send('POST', `/catalog-orders/${world.catalog_order}/fulfilment`, {}),
  },
];

/** Writes without a form, each with the reason. */
const withoutForm: Readonly<Record<string, string>> = {
  'PUT /admin/v1/clients/{client_id}/keys': 'merchants set the keys of their clients in their own console',
  'PUT /console/v1/views':
    'a field above a list: the name of a view cannot be typed too long, nor sent empty',
  'PATCH /console/v1/views/{view_id}': 'a field above a list: console-screens refuses a name that is taken',
  'DELETE /console/v1/views/{view_id}': 'a menu above a list: what is gone is gone',
  'POST /console/v1/merchants/{merchant_no}/reconciliation':
    'it asks for what is in a file; a file that is none is refused in the browser',
  'POST /admin/v1/merchants/{merchant_no}/products':
    'merchants keep their catalogs; programs of the platform may',
  'PATCH /admin/v1/merchants/{merchant_no}/products/{gd_no}': 'the same',
  'POST /admin/v1/channels/{payment_no}/webhooks/{provider_event_id}/retry':
    'the same dialog as a notification’s, on a webhook that failed for a day: dead-letters',
  'POST /admin/v1/disputes/{dispute_id}/files':
    'its form needs a dispute that waits: scenarios/disputes refuses files',
  'POST /admin/v1/disputes/{dispute_id}/evidence': 'the same',
  'PUT /admin/v1/test-clock': 'for tests alone',
};

test('every write of the documents has a refusal here, or a reason not to', () => {
  const known = [...platform, ...merchant].map(({ write }) => write);
  const written = [...operations, ...adminOperations].flatMap(({ method, place }) =>
    method !== 'get' && 'path' in place && /^\/(console|admin)\/v1\//.test(place.path)
      ? [`${method.toUpperCase()} ${place.path}`]
      : [],
  );
  const excused = Object.keys(withoutForm);
  expect(written.filter((write) => !known.includes(write) && !excused.includes(write))).toEqual([]);
  expect([...known, ...excused].filter((write) => !written.includes(write))).toEqual([]);
});

/** Takes the rights of the signed-in person away, and gives them back. */
const roles = {
  merchant: (may: boolean) =>
    world.desk.send('PATCH', `/people/${helper.user_id}`, { role: may ? 'owner' : 'read-only' }),
  platform: (may: boolean) =>
    db.query(
      sql`UPDATE users SET role = ${may ? 'admin' : 'user'} WHERE user_id = ${world.admin.user_id}::uuid`,
    ),
};

/** The fields with what is typed into them; `>> nth=` tells fields of one label apart. */
function fieldOf(form: Locator, label: string): Locator {
  const [name = '', nth = '0'] = label.split(' >> nth=');
  return form.getByLabel(name).and(form.locator('input, textarea')).nth(Number(nth));
}

async function typeIn(page: Page, form: Locator, refusal: Refusal): Promise<void> {
  for (const [label, option] of Object.entries(refusal.choose ?? {})) {
    await fieldOf(form, label).click();
    await page.getByRole('option', { name: option }).first().click();
  }
  for (const [label, text] of Object.entries(refusal.fill ?? {})) await fieldOf(form, label).fill(text);
  for (const [label, text] of Object.entries(refusal.add ?? {})) {
    await fieldOf(form, label).fill(text);
    await fieldOf(form, label).press('Enter');
  }
  for (const label of refusal.check ?? []) await form.getByLabel(label).check();
}

/** Sends the form, and gives what the service answered. */
async function send(page: Page, { tamper, ...refusal }: Refusal, form: Locator): Promise<Refused> {
  const pattern = refusal.write.replace(/^\w+ /, '').replaceAll(/\{\w+\}/g, '[^/]+');
  const method = refusal.write.replace(/ .*/, '');
  const isIt = (url: string): boolean => new RegExp(`${pattern}$`).test(new URL(url).pathname);
  if (tamper !== undefined) {
    await page.route(
      (url) => isIt(url.href),
      (route, request) =>
        route.continue({
          postData: JSON.stringify(tamper(request.postDataJSON() as Record<string, unknown>)),
        }),
      { times: 1 },
    );
  }
  const answered = page.waitForResponse(
    (response) => response.request().method() === method && isIt(response.url()),
  );
  const last = refusal.open(page).at(-1);
  if (refusal.confirm === '') await last?.click();
  else await form.getByRole('button', { name: refusal.confirm, exact: true }).first().click();
  const response = await answered;
  const request_id = response.headers()['x-request-id'] ?? '';
  return { status: response.status(), request_id, ...((await response.json()) as object) } as Refused;
}

interface Refused {
  status: number;
  request_id: string;
  error: string;
  error_description: string;
  field?: string;
}

/** Goes through one refusal; what was not as it should be. */
async function refuse(visitor: Visitor, side: 'merchant' | 'platform', refusal: Refusal): Promise<unknown[]> {
  const { page } = visitor;
  const { open, inline = false, demoted = false, meanwhile } = refusal;
  await visitor.go(refusal.screen());
  for (const way of inline && refusal.confirm === '' ? [] : open(page)) await way.click();
  const form = inline ? page.locator('main') : page.getByRole('dialog').last();
  await typeIn(page, form, refusal);
  await meanwhile?.();
  const before = await fingerprintOf(db, world.orders.review.order_no);
  if (demoted) await roles[side](false);
  const answer = await send(page, refusal, form);
  const wrong: unknown[] = [];
  if (answer.status < 400) wrong.push(['was not refused', answer]);
  // At a field, its label stands for the name of the API (D-1425).
  const { field: member = '', error_description: told } = answer;
  const words = told.startsWith(`${member} `) ? told.slice(member.length + 1) : told;
  const shown = page.getByText(words).first();
  await shown.waitFor().catch(() => wrong.push(['says nothing of', answer]));
  const named = (await page.locator('body').innerText()).split(answer.request_id).length - 1;
  const isUnclear = answer.status >= 500 || (answer.status === 400 && answer.field === undefined);
  if (named !== (isUnclear ? 1 : 0)) wrong.push([`names the request ${named} times`, answer]);
  if (demoted) await roles[side](true);
  const name = answer.field?.split('.').findLast((part) => !/^\d+$/.test(part));
  const field = form.locator(`input[name="${name ?? ''}"], textarea[name="${name ?? ''}"]`);
  const isText = name !== undefined && (await field.count()) > 0 && (await field.first().isVisible());
  if (isText && (await field.first().getAttribute('aria-invalid')) !== 'true') {
    wrong.push(['is not said at its field', answer]);
  }
  for (const [label, text] of Object.entries(refusal.fill ?? {})) {
    const kept = await fieldOf(form, label).inputValue();
    if (kept !== text) wrong.push(['has lost what was typed', label, kept]);
  }
  const after = await fingerprintOf(db, world.orders.review.order_no);
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  // What was done meanwhile is told of; taking a role and giving it back is written down.
  const others = [
    ...(meanwhile === undefined ? [] : ['notifications', 'notification_attempts']),
    ...(demoted ? ['audit_log', 'merchant_acts', 'merchant_members'] : []),
  ];
  const touched = changed.filter((table) => !others.includes(table));
  if (touched.length > 0) wrong.push(['has changed', touched]);
  if (!inline) await form.getByRole('button', { name: 'Cancel' }).click();
  if (await page.getByRole('dialog').count()) await page.keyboard.press('Escape');
  return wrong.map((what) => [refusal.write, what]);
}

describe('D-407 D-532 what the service refuses is said where it was asked for, without a request ID unless it is unclear, keeps what was typed, and changes nothing', () => {
  test.each([
    ['merchant', () => helper, (): string => at(''), merchant],
    ['platform', () => world.admin, (): string => '/platform', platform],
  ] as const)('every write of the %s console', async (side, who, start, refusals) => {
    const visitor = await visit(browser, world.service.url, who(), start());
    const wrong: unknown[] = [];
    for (const refusal of refusals) {
      const found = await refuse(visitor, side, refusal).catch(async (error: unknown) => {
        await visitor.open(start());
        return [[refusal.write, String(error)]];
      });
      wrong.push(...found);
    }
    expect(wrong).toEqual([]);
    expect(visitor.complaints).toEqual([]);
    await visitor.context.close();
  });
});

test('D-981 where the session has ended, a form keeps what was typed, and can be sent after signing in beside it', async () => {
  const visitor = await visit(browser, world.service.url, helper, at('/payment-links'));
  const { page, context } = visitor;
  await button(page, 'New payment link').click();
  const form = page.getByRole('dialog');
  await typeIn(page, form, {
    ...{ choose: { Currency: 'USD' }, fill: { 'Amount to pay': '12.34', Description: 'A poster' } },
    ...{ write: '', screen: () => '', open: () => [], confirm: '' },
  });
  const cookies = await context.cookies();
  await context.clearCookies();
  const read = page.waitForResponse((response) => response.status() === 401);
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await read;
  const beside = form.getByRole('link', { name: 'Sign in in another tab' });
  await beside.waitFor();
  expect(await beside.getAttribute('target')).toBe('_blank');
  expect(await fieldOf(form, 'Description').inputValue()).toBe('A poster');
  await context.addCookies(cookies);
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await form.getByRole('button', { name: 'Done', exact: true }).click();
  await page.getByText('A poster').first().waitFor();
  // Without a form, the person is led to the sign-in page.
  await context.clearCookies();
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  // Each refused read leads there, so the first navigation may be aborted.
  await expect.poll(() => page.url()).toMatch(/\/sign-in\?/);
  await context.close();
});

test('D-981 a panel that holds what was not yet sent keeps it where the session has ended', async () => {
  const visitor = await visit(browser, world.service.url, world.admin, at('/reconciliation'));
  const { page, context } = visitor;
  const owner = await visit(browser, world.service.url, helper, at(`/products/${world.gd_no}`));
  const forms = [
    {
      ...{ by: owner, screen: at(`/products/${world.gd_no}`), name: 'Save tiers' },
      field: () => owner.page.getByLabel('From').first(),
      typed: '3',
    },
    {
      ...{ by: owner, screen: at('/reconciliation'), name: 'Compare' },
      field: () => owner.page.getByLabel('Or paste records here'),
      typed: 'reference,amount,currency,status\nINV-1,1.00,USD,paid\n',
    },
    {
      ...{ by: visitor, screen: `/platform/channels/${world.test_channel.payment_no}`, name: 'Save fees' },
      field: () => page.getByLabel('Percent').first(),
      typed: '1.5',
    },
  ];
  for (const { by: person, screen, name, field, typed } of forms) {
    await person.open(screen);
    await field().fill(typed);
    const cookies = await person.context.cookies();
    await person.context.clearCookies();
    const refused = person.page.waitForResponse((response) => response.status() === 401);
    await button(person.page, name).click();
    await refused;
    await person.page.getByRole('link', { name: 'Sign in in another tab' }).waitFor();
    expect(await field().inputValue(), screen).toBe(typed);
    await person.context.addCookies(cookies);
  }
  await owner.context.close();
  await context.close();
});

test('D-1130 a page whose files an upgrade has replaced stays, and offers to load the new one', async () => {
  const visitor = await visit(browser, world.service.url, world.people.finance, at('/orders'));
  const { page, context } = visitor;
  const search = page.getByRole('button', { name: 'Search', exact: true });
  await search.waitFor();
  let isReplaced = true;
  await page.route(/\.js$/, (route) => (isReplaced ? route.fulfill({ status: 404 }) : route.continue()));
  await search.click();
  const offer = page.getByRole('alert').filter({ hasText: 'Reload this page' });
  await offer.waitFor();
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  isReplaced = false;
  await offer.getByRole('button', { name: 'Reload', exact: true }).click();
  await offer.waitFor({ state: 'detached' });
  await search.click();
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await context.close();
});

test.each(['script', 'stylesheet'])(
  'D-1397 a page whose %s a process of another release lacks loads itself again',
  async (type) => {
    const visitor = await visit(browser, world.service.url, world.people.finance, at('/orders'));
    const { page, context } = visitor;
    const started = page.getByRole('heading', { name: 'Orders', level: 1 });
    await started.waitFor();
    let refused = 0;
    await page.route(/\/console\/assets\/main-/, (route) =>
      route.request().resourceType() === type && ++refused < 3
        ? route.fulfill({ status: 404 })
        : route.continue(),
    );
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.reload();
    for (const seen of [1, 2]) {
      await page.locator('#absent').waitFor();
      expect(refused).toBe(seen);
      const again = page.waitForEvent('load');
      await page.clock.runFor(3_000);
      await again;
    }
    await page.clock.resume();
    await started.waitFor();
    await page.waitForFunction(() => [...document.styleSheets].some(({ href }) => href?.includes('/main-')));
    await context.close();
  },
);

test('D-1397 a page whose file no process has tries a hundred times, says what happened, and rests', async () => {
  const visitor = await visit(browser, world.service.url, world.people.finance, at('/orders'));
  const { page, context } = visitor;
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  await page.route(/\/console\/assets\/main-.*js$/, (route) => route.fulfill({ status: 404 }));
  await page.evaluate(() => {
    history.replaceState({ ...(history.state as object), absent: 99 }, '');
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.reload();
  const said = page.getByRole('alert').filter({ hasText: 'lacks one of its files' });
  await said.waitFor();
  const again = page.waitForEvent('load');
  await page.clock.runFor(3_000);
  await again;
  await said.waitFor();
  let loads = 0;
  page.on('load', () => void ++loads);
  await page.clock.runFor(60_000);
  expect(loads).toBe(0);
  await context.close();
});

test('D-1030 saving one panel of a product keeps what was entered in another', async () => {
  const visitor = await visit(browser, world.service.url, helper, at(`/products/${world.gd_no}`));
  const { page, context } = visitor;
  await page.getByLabel('Example').first().fill('Not yet saved');
  await page.getByLabel('From').last().fill('9');
  const read = page.waitForResponse(
    (answer) => answer.request().method() === 'GET' && answer.url().endsWith(world.gd_no),
  );
  await button(page, 'Save tiers').click();
  await read;
  await page.getByText('Saved.', { exact: true }).first().waitFor();
  expect(await page.getByLabel('Example').first().inputValue()).toBe('Not yet saved');
  expect(await page.getByLabel('From').last().inputValue()).toBe('9');
  await context.close();
});
