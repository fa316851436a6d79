import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, patience_ms } from '../support/browser/browser.ts';
import { corners, everyRule, flaws, turnTo } from '../support/browser/checkout-checks.ts';
import { everyLook } from '../support/browser/looks.ts';
import {
  addCardChannel,
  addClient,
  addMerchant,
  addUser,
  busyMerchant,
  type Person,
  type Platform,
  setUpPlatform,
} from '../support/desks/platform.ts';
import { freePort } from '../support/servers/ports.ts';
import { startTlsProxy, type TlsProxy } from '../support/servers/tls-proxy.ts';
import { outlineOf, tabTo } from '../support/browser/screen-reader.ts';
import { eventually, startTestService, type TestService } from '../support/desks/service.ts';
import { type MailServer, plainText, startMailServer } from '../support/servers/smtp.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../support/run/temporary.ts';

const phone = { width: 390, height: 844 };
/** The service as in production: under a name and a path, behind a proxy that ends TLS. */
let url: string;
let proxy: TlsProxy;
let service: TestService;
let mail: MailServer;
let temporary: TemporaryDirectory;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let person: Person;
let cardsim: Cardsim;
let platform: Platform;
/** What the browser complained of: script errors, refused resources, violated policies. */
let complaints: string[];

beforeAll(async () => {
  proxy = await startTlsProxy();
  url = `${proxy.origin}/pay`;
  temporary = await temporaryDirectory('account');
  mail = await startMailServer('pay', 'desk');
  const ca = join(temporary.path, 'ca.pem');
  await writeFile(ca, mail.ca);
  service = await startTestService({
    env: {
      PAYDESK_PUBLIC_URL: url,
      PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32',
      PAYDESK_ADMIN_SECOND_FACTOR: 'required',
      PAYDESK_SMTP_URL: `smtp://pay:desk@127.0.0.1:${mail.port}`,
      PAYDESK_SMTP_CA_FILE: ca,
      PAYDESK_MAIL_FROM: 'Paydesk <pay@desk.test>',
    },
  });
  proxy.serve(service.service.url);
  cardsim = await startCardsim();
  await setUpTopUps();
  browser = await launchBrowser(proxy.key_hash);
});
afterAll(async () => {
  await browser.close();
  await proxy.stop();
  await service.stop();
  await cardsim.close();
  await mail.stop();
  await temporary.remove();
});
beforeEach(async () => {
  complaints = [];
  person = await addUser(service, 'Bo Buyer');
  context = await browser.newContext({
    locale: 'en-US',
    timezoneId: 'Asia/Tokyo',
    viewport: phone,
    deviceScaleFactor: 2,
    // For calls of the test itself.
    ignoreHTTPSErrors: true,
  });
  context.setDefaultTimeout(patience_ms);
  context.on('console', (message) => {
    // A refused sign-in is an expected answer, but the browser reports it.
    const isRefusal = message.text().includes('the server responded with a status of 401');
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  context.on('weberror', (found) => complaints.push(String(found.error())));
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

/** Pages looked at so far: each next one in the other pair of looks. */
let pages = 0;

/** Nothing is wrong with the page, on a small phone as on a wide screen, by day and by night. */
async function expectFlawless(what: string): Promise<void> {
  for (const [i, corner] of corners(pages++).entries()) {
    await turnTo({ page }, corner);
    const found = await flaws({ page }, i === 0 || everyLook ? everyRule : null);
    expect([what, corner, found]).toEqual([what, corner, []]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(phone);
}
const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

async function signIn(): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.locator('input[name=email]').fill(person.email);
  await page.locator('form[action$="/sign-in"] input[name=password]').fill(person.password);
  await press('Sign in');
}
const signOut = async (): Promise<void> => {
  await page.goto(`${url}/account`);
  await press('Sign out');
};

test('D-931 a person comes to an app that sends them on, by allowing it and later by signing in alone', async () => {
  const port = await freePort();
  const app = createServer(({ url: asked = '', headers }, response) => {
    // The app sends its visitors on to another origin.
    if (headers.host?.startsWith('127.') === true) {
      response.writeHead(302, { location: `http://localhost:${port}${asked}` }).end();
    } else response.setHeader('content-type', 'text/html').end('the app');
  });
  await once(app.listen(port), 'listening');
  const redirect_uri = `http://127.0.0.1:${port}/back`;
  const { client_id } = await addClient(service, null, { scopes: ['openid'], redirect_uris: [redirect_uri] });
  const asked = { response_type: 'code', scope: 'openid', code_challenge_method: 'S256' };
  const code_challenge = 'c'.repeat(43);
  const query = new URLSearchParams({ client_id, redirect_uri, ...asked, code_challenge });
  const comeFromApp = async (): Promise<void> => {
    await page.goto(`${url}/oauth/authorize?${query.toString()}`);
    await page.locator('input[name=email]').fill(person.email);
    await page.locator('form[action$="/sign-in"] input[name=password]').fill(person.password);
    await press('Sign in');
  };
  await comeFromApp();
  await press('Allow');
  await page.waitForURL(/localhost:\d+\/back\?code=/);
  await signOut();
  await comeFromApp();
  await page.waitForURL(/localhost:\d+\/back\?code=/);
  app.close();
});

/** Sets up an authenticator app, and leads to the recovery codes. */
async function setUpApp(look?: () => Promise<void>): Promise<void> {
  await page.locator('summary', { hasText: 'Set up an authenticator app' }).click();
  await page.locator('#totp-on-password').fill(person.password);
  await page.locator('details[open] button').click();
  await page.locator('main code').waitFor();
  await look?.();
  const key = (await page.locator('main code').innerText()).replaceAll(' ', '');
  await page.locator('#code').fill(new TOTP({ secret: Secret.fromBase32(key) }).generate());
  await page.locator('main button').click();
  await page.locator('.codes li').first().waitFor();
}

test('D-940 an administrator who comes for the first time sets up a second factor, and then sees the console', async () => {
  person = await addUser(service, 'Ada Admin', 'admin');
  await page.goto(`${url}/platform/orders?status=paid`);
  await page.locator('input[name=email]').fill(person.email);
  await page.locator('form[action$="/sign-in"] input[name=password]').fill(person.password);
  await press('Sign in');
  await page.waitForURL(`${url}/account#factor`);
  const part = page.locator('section', { has: heading('Second factor') });
  expect(await part.innerText()).toContain('Your role needs a second factor.');
  await setUpApp();
  await page.goto(`${url}/platform/orders?status=paid`);
  await heading('Orders').waitFor();
});

test('H-17 D-408 D-630 D-1039 D-1329 an account on a phone: name, password, authenticator app and recovery codes', async () => {
  // "Back" leads to a form that was refused, and not to an error of the browser.
  await page.goto(`${url}/sign-in?return_to=%2Fpay%2Faccount`);
  expect(await flaws({ page }, null)).toEqual([]);
  await page.locator('input[name=email]').fill(person.email);
  await page.locator('form[action$="/sign-in"] input[name=password]').fill('not the password');
  await press('Sign in');
  await page.locator('.said.bad, [role=alert]').filter({ visible: true }).first().waitFor();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.waitForURL(/forgot-password/);
  await page.goBack();
  await heading('Sign in').waitFor();
  expect(page.url()).toBe(`${url}/sign-in?return_to=%2Fpay%2Faccount`);

  await signIn();
  await heading('Your account').waitFor();
  await expectFlawless('account');
  // As in all of these tests, the zone of the browser is not that of the service.
  const sessions = page.locator('section', { has: heading('Sessions') });
  for (const time of await sessions.locator('div.quiet').allInnerTexts()) expect(time).not.toContain('UTC');

  await page.locator('#name').fill('Bo B. Buyer');
  await press('Save');
  await page.getByText('You are signed in as Bo B. Buyer.').waitFor();

  await setUpApp(async () => {
    await expectFlawless('app');
    // The phone cannot scan its own screen.
    const link = page.locator('a', { hasText: 'Open in an authenticator app on this device' });
    expect(await link.getAttribute('href')).toMatch(/^otpauth:\/\/totp\/Paydesk.*secret=/);
  });
  expect(await page.locator('.codes li').count()).toBe(10);
  await expectFlawless('codes');
  const code = await page.locator('.codes li').first().innerText();

  // A reload sends the code again: it was right.
  await page.reload();
  await page.getByText('An authenticator app is set up.').waitFor();
  expect(await page.getByText('The code is wrong').count()).toBe(0);

  await signOut();
  await signIn();
  await page.waitForURL(/second-factor/);
  await expectFlawless('second-factor');
  await page.locator('#code').fill(code);
  await page.locator('form[action$="/second-factor"] button').click();
  await heading('Your account').waitFor();
});

test('D-1402 a sign-in that is sent offline stays on the page with what was typed, and goes on later', async () => {
  await page.goto(`${url}/sign-in`);
  await page.locator('#email').fill(person.email);
  await page.locator('#password').fill(person.password);
  await context.setOffline(true);
  await page.locator('#password').press('Enter');
  const said = page.getByRole('alert').filter({ hasText: 'You are offline.' });
  await said.waitFor();
  expect(await page.locator('#email').inputValue()).toBe(person.email);
  await context.setOffline(false);
  await said.waitFor({ state: 'hidden' });
  await page.locator('#password').press('Enter');
  await page.waitForURL(`${url}/account`);
  // The browser reports that its question was not answered.
  complaints.splice(0);
});

test('D-1135 D-1136 a person who has forgotten the password gets back to where they were, also by a double tap', async () => {
  await page.goto(`${url}/sign-in?return_to=%2Fpay%2Faccount%2Fwallet`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.locator('input[name=email]').fill(person.email);
  await press('Send the link');
  await page.getByRole('status').waitFor();
  const sent = await eventually(
    () => Promise.resolve(mail.mails.find(({ to, text }) => to === person.email && text.includes('Reset'))),
    (one) => one !== undefined,
  );
  await page.goto(/http\S+\/reset-password\?token=[\w-]+/.exec(plainText(sent?.text ?? ''))?.[0] ?? '');
  await page.locator('#new_password').fill('a long enough one');
  let sends = 0;
  await page.route('**/reset-password', async (route) => {
    sends += 1;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await route.continue().catch(() => undefined);
  });
  await page.getByRole('button', { name: 'Set the password' }).evaluate(async (button: HTMLButtonElement) => {
    button.click();
    await new Promise((resolve) => setTimeout(resolve, 500));
    button.click();
  });
  await page.getByText('The password was changed.').waitFor();
  expect(sends).toBe(1);
  await page.locator('input[name=email]').fill(person.email);
  await page.locator('form[action$="/sign-in"] input[name=password]').fill('a long enough one');
  await press('Sign in');
  await page.waitForURL(`${url}/account/wallet`);
});

test('D-352, D-376 a buyer gets from the shop by sign-up and top-up to the receipt by keyboard, and a screen reader hears each page in order', async () => {
  const merchant = await busyMerchant(service, platform.merchant_no, 1);
  const { checkout_url } = await merchant.order({ amount: '125', currency: 'PTK', description: 'Two books' });
  const shop = `<!doctype html><html lang="en"><title>Shop</title><h1>Your basket</h1><a href="${checkout_url}">Pay now</a>`;
  await context.route('https://shop.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: shop }),
  );
  const follow = async (name: string): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press('Enter');
  };
  const enter = async (name: string, text: string): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.type(text);
  };
  /** Every page begins with the same: the brand, the languages, and its main part. */
  const top = ['banner', 'group', 'DisclosureTriangle "Language: English"', 'main'];
  const hears = async (...lines: string[]): Promise<void> => {
    expect(await outlineOf(page)).toEqual([...top, ...lines]);
  };
  const checkout = (heading: string, ...lines: string[]): Promise<void> =>
    hears(
      ...['region "Payment to Bookshop"', 'heading "Payment to Bookshop" level=1'],
      ...lines.flatMap((line) =>
        line === 'screen' ? [`region "${heading}"`, 'alert', `heading "${heading}" level=2`] : [line],
      ),
      ...['button "Copy merchant reference"', 'button "Copy order number"', 'status', 'contentinfo'],
    );
  const costs = [
    ...['form', 'group "Payment methods"', 'radio "PTK wallet PTK 125.00 No fee" checked'],
    ...['region "What you pay"', 'heading "What you pay" level=3'],
  ];

  await page.goto('https://shop.example/');
  await follow('Pay now');
  await page.locator('.live').waitFor();
  await checkout('How would you like to pay?', 'timer', 'screen', ...costs, 'link "Sign in to pay"');

  await follow('Sign in to pay');
  await page.waitForURL(/sign-in/);
  await hears(
    ...['heading "Sign in" level=1', 'form', 'textbox "Email address" required'],
    ...['textbox "Password" required', 'button "Sign in"', 'form', 'alert', 'button "Use a passkey"'],
    ...[
      'link "New here? Create an account"',
      'link "Forgot your password?"',
      'link "Back without signing in"',
    ],
  );
  await follow('Create an account');
  await page.waitForURL(/sign-up/);
  const known = 'link "I have an account: sign in"';
  const create = 'heading "Create your account" level=1';
  await hears(create, 'form', 'textbox "Email address" required', 'button "Send the link"', known);
  await enter('Email', 'nina@people.test');
  await page.keyboard.press('Enter');
  await page.getByRole('status').waitFor();
  await hears(create, 'status', known);

  const sent = await eventually(
    () => Promise.resolve(mail.mails.find(({ to }) => to === 'nina@people.test')),
    (one) => one !== undefined,
  );
  await page.goto(/http\S+\/sign-up\/confirm\?token=[\w-]+/.exec(plainText(sent?.text ?? ''))?.[0] ?? '');
  await hears(
    ...[create, 'form', 'textbox "Name" required', 'textbox "Password" required'],
    ...['button "Create the account"', 'form', 'heading "Or without a password" level=2'],
    ...['textbox "Name" required', 'alert', 'button "Create the account with a passkey"'],
  );
  await enter('Name', 'Nina New');
  await enter('Password', 'a long enough one');
  await page.keyboard.press('Enter');
  await page.locator('.live').waitFor();

  const short = 'link "Top up your balance"';
  await checkout(
    'How would you like to pay?',
    'timer',
    'screen',
    ...costs,
    short,
    'link "Use another account"',
  );
  await expectFlawless('too little PTK');
  await follow('Top up your balance');
  await page.waitForURL(/\/account\/top-up\?/);
  await hears(
    ...['heading "Top up" level=1', 'form', 'textbox "Amount" required', 'combobox "Currency"'],
    ...['button "Continue to payment"', 'link "Back to the payment page"'],
  );
  // What is missing is filled in.
  expect(await page.getByLabel('Amount').inputValue()).toBe('12.50');
  await expectFlawless('top-up for an order');
  await follow('Continue to payment');
  await page.waitForURL(/\/checkout\//);
  await page.locator('.live').waitFor();
  await follow('Pay USD');
  await page.waitForURL(`${cardsim.url}/**`);
  await follow('Pay ');
  // The top-up leads on by itself.
  await page.waitForURL(new RegExp(`/checkout/${new URL(checkout_url).pathname.split('/').at(-1) ?? ''}\\?`));
  await page.locator('.live').waitFor();
  await checkout(
    'How would you like to pay?',
    ...['timer', 'screen', ...costs, 'form', 'button "Pay PTK 125.00"', 'link "Use another account"'],
  );
  await follow('Pay PTK');
  await page.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
  const paid = (level: number): string[] => [
    'region "What was paid"',
    `heading "What was paid" level=${level}`,
  ];
  await checkout('Payment confirmed', 'screen', ...paid(3), 'link "Receipt"');

  await follow('Receipt');
  await page.waitForURL(/receipt/);
  await page.getByRole('button', { name: 'Print' }).waitFor();
  await hears(
    ...['heading "Receipt" level=1', ...paid(2), 'button "Print"', 'link "Receipt as PDF"'],
    ...[
      'link "Back to the payment page"',
      'form',
      'textbox "Send the receipt by email" required',
      'button "Send"',
    ],
  );
});

test('D-356 a buyer tops up by card on a phone, and finds the PTK and the receipt in the account', async () => {
  await signIn();
  await page.getByRole('link', { name: 'Top up', exact: true }).click();
  await heading('Top up').waitFor();
  await expectFlawless('top-up');
  await page.getByLabel('Amount').fill('10,0');
  await press('Continue to payment');
  await page.waitForURL(/\/checkout\//);
  await page.getByRole('button', { name: /^Pay USD/ }).click();
  await page.waitForURL(`${cardsim.url}/**`);
  await page.getByTestId('hosted-payment-submit-button').click();
  await page.locator('.frame[data-screen=paid]').waitFor();
  await page.goto(`${url}/account`);
  await page.locator('.lines > li', { hasText: '+PTK 100.00' }).filter({ hasText: 'Top-up' }).waitFor();
  expect(await page.locator('#wallet').locator('xpath=..').innerText()).toMatch(/PTK\s100\.00/);
  await expectFlawless('account with a top-up');
  const [receipt] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Receipt as PDF' }).click(),
  ]);
  expect(new URL(receipt.url()).searchParams.get('zone')).toMatch(/\w/);
});

/** A merchant of the platform's own, a card channel, and top-ups that are allowed. */
async function setUpTopUps(): Promise<void> {
  platform = await setUpPlatform(service);
  const owner = await addUser(service, 'Otto Owner', 'finance');
  const { merchant_no } = await addMerchant(service, owner, { name: 'Top-ups', hold_days: 0 });
  const { webhook_url } = await addCardChannel(service, cardsim.url, { supported_currencies: ['USD'] });
  const target = webhook_url.replace(url, service.url);
  await cardsim.registerWebhook({ url: target, secret: 'whsec_simulated' });
  const top_up = { enabled: true, merchant_no, max_per_payment: '50000000000', max_per_day: '100000000000' };
  await service.admin('PUT', '/settings', { top_up });
}

describe('a passkey', () => {
  let cdp: CDPSession;
  let authenticatorId: string;

  /** A device that keeps passkeys, and whose owner always says yes. */
  beforeEach(async () => {
    cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    ({ authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    }));
  });

  const kept = async (): Promise<unknown[]> =>
    (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

  async function add(password: string): Promise<void> {
    await page.locator('#passkey-password').fill(password);
    await page.locator('form[data-passkey=new] button').click();
  }

  test('is added with the password, signs in without one, and stands for the second factor', async () => {
    await signIn();
    await add('a wrong password');
    await page.locator('form[data-passkey=new] [role=alert]').filter({ hasText: 'wrong' }).waitFor();
    expect(await kept()).toEqual([]);
    await add(person.password);
    await page.getByText('Saved.').waitFor();
    expect(await kept()).toHaveLength(1);
    await expectFlawless('passkey');

    await signOut();
    await page.goto(`${url}/sign-in`);
    await page.locator('form[data-passkey=use] button').click();
    await page.getByText('You are signed in as Bo Buyer.').waitFor();

    await signOut();
    await signIn();
    await page.waitForURL(/second-factor/);
    await page.locator('form[data-passkey=use] button').click();
    await page.getByText('You are signed in as Bo Buyer.').waitFor();
  });

  test('of a device that does not know its owner opens nothing', async () => {
    await signIn();
    await add(person.password);
    await page.getByText('Saved.').waitFor();
    await signOut();
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.goto(`${url}/sign-in`);
    await page.locator('form[data-passkey=use] button').click();
    await page.locator('form[data-passkey=use] [role=alert]').filter({ hasText: /\w/ }).waitFor();
    expect((await context.request.get(`${url}/session`)).status()).toBe(401);
  });

  test('of somebody else does not stand for a second factor, and one that was taken away for nothing', async () => {
    await signIn();
    await add(person.password);
    await page.getByText('Saved.').waitFor();
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    await signOut();

    // Another person, with a passkey of their own that is on another device.
    person = await addUser(service, 'Una Other');
    await signIn();
    await add(person.password);
    await page.getByText('Saved.').waitFor();
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
    for (const credential of credentials) {
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
    }
    await signOut();
    await signIn();
    await page.waitForURL(/second-factor/);
    await page.locator('form[data-passkey=use] button').click();
    await page.locator('form[data-passkey=use] [role=alert]').filter({ hasText: /\w/ }).waitFor();
    expect((await context.request.get(`${url}/session`)).status()).toBe(401);
  });

  test('that was taken away opens nothing', async () => {
    await signIn();
    await add(person.password);
    await page.getByText('Saved.').waitFor();
    await page.locator('#key-0-password').locator('xpath=ancestor::details').locator('summary').click();
    await page.locator('#key-0-password').fill(person.password);
    await press('Remove this passkey');
    await page.getByText('Saved.').waitFor();
    await signOut();
    await page.goto(`${url}/sign-in`);
    await page.locator('form[data-passkey=use] button').click();
    await page.locator('form[data-passkey=use] [role=alert]').filter({ hasText: /\w/ }).waitFor();
    await signIn();
    await heading('Your account').waitFor();
  });
});
