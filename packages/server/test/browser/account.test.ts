import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, patience_ms } from '../support/browser.ts';
import { corners, flaws, turnTo } from '../support/checkout-checks.ts';
import { addUser, type Person } from '../support/platform.ts';
import { freePort } from '../support/ports.ts';
import { startTestService, type TestService } from '../support/service.ts';

const phone = { width: 390, height: 844 };
/** The service under a name, as passkeys need it. */
let url: string;
let service: TestService;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let person: Person;
/** What the browser complained of: script errors, refused resources, violated policies. */
let complaints: string[];

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  service = await startTestService({ env: { PORT: String(port), PAYDESK_PUBLIC_URL: url } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});
beforeEach(async () => {
  complaints = [];
  person = await addUser(service, 'Bo Buyer');
  context = await browser.newContext({
    locale: 'en-US',
    viewport: phone,
    deviceScaleFactor: 2,
  });
  context.setDefaultTimeout(patience_ms);
  context.on('console', (message) => {
    // A refused sign-in is an answer like others; the browser tells of it all the same.
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
  for (const corner of corners(pages++)) {
    await turnTo({ page }, corner);
    expect([what, corner, await flaws({ page })]).toEqual([what, corner, []]);
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

test('H-17 an account on a phone: name, password, authenticator app and recovery codes', async () => {
  await signIn();
  await heading('Your account').waitFor();
  await expectFlawless('account');

  await page.locator('#name').fill('Bo B. Buyer');
  await press('Save');
  await page.getByText('You are signed in as Bo B. Buyer.').waitFor();

  await page.getByText('Set up an authenticator app').first().click();
  await page.locator('#totp-on-password').fill(person.password);
  await page.locator('details[open] button').click();
  await page.locator('main code').waitFor();
  await expectFlawless('app');
  const key = (await page.locator('main code').innerText()).replaceAll(' ', '');
  await page.locator('#code').fill(new TOTP({ secret: Secret.fromBase32(key) }).generate());
  await page.locator('main button').click();
  await page.locator('.codes li').first().waitFor();
  expect(await page.locator('.codes li').count()).toBe(10);
  await expectFlawless('codes');
  const code = await page.locator('.codes li').first().innerText();

  await signOut();
  await signIn();
  await page.waitForURL(/second-factor/);
  await expectFlawless('second-factor');
  await page.locator('#code').fill(code);
  await page.locator('form[action$="/second-factor"] button').click();
  await heading('Your account').waitFor();
});

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
