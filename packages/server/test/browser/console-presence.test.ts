/** The console asks for a proof of presence in a dialog, and then makes the change by itself. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase, sql } from '../../src/base/pg/index.ts';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/console-browser.ts';
import { type Platform, type Person, setUpPlatform } from '../support/desks/platform.ts';
import { startTestService, type TestService } from '../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let admin: Person;
let browser: Browser;
let db: Database;

beforeAll(async () => {
  service = await startTestService();
  platform = await setUpPlatform(service);
  const wanted = { email: 'ada@people.test', password: 'correct horse battery', name: 'Ada', role: 'admin' };
  const { user_id } = await service.admin<{ user_id: string }>('POST', '/users', wanted);
  admin = { ...wanted, user_id };
  db = openDatabase({ url: service.database.url, max: 2 });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await db.close();
  await service.stop();
});

/** Lets the proofs of a person become too old. */
const wait = ({ user_id }: Person): Promise<unknown> =>
  db.query(
    sql`UPDATE sessions SET proved_at = now() - interval '11 minutes' WHERE user_id = ${user_id}::uuid`,
  );
const rateOfUsd = async (): Promise<unknown> => {
  const { items } = await service.admin<{ items: { code: string; ptk_price: string }[] }>('GET', '/rates');
  return items.find(({ code }) => code === 'USD')?.ptk_price;
};

test('D-1310 D-1313 an administrator confirms with the password, and the rate is set', async () => {
  const visitor = await visit(browser, service.url, admin, '/platform/currencies');
  const { page } = visitor;
  await wait(admin);
  await page.getByRole('button', { name: 'Set rate', exact: true }).click();
  const form = page.getByRole('dialog').last();
  await form.getByLabel('Currency').and(form.locator('input')).first().click();
  await page.getByRole('option', { name: 'USD' }).first().click();
  await form.getByLabel('Price of 1 PTK').fill('0.12');
  await form.getByRole('button', { name: 'Set', exact: true }).click();

  const question = page.getByRole('dialog', { name: 'Confirm your identity' });
  await question.waitFor();
  expect(await rateOfUsd()).toBe('0.1');
  await question.getByLabel('Password').and(question.locator('input')).fill('wrong password');
  await question.getByRole('button', { name: 'Confirm' }).click();
  await question.getByText('Not confirmed').waitFor();
  await question.getByRole('alert').and(page.locator(':focus')).waitFor();
  await question.getByRole('button', { name: 'Show or hide what is typed' }).waitFor();
  await question.getByLabel('Password').and(question.locator('input')).fill(admin.password);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await question.waitFor({ state: 'hidden' });
  await form.waitFor({ state: 'hidden' });
  expect(await rateOfUsd()).toBe('0.12');
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});

test('an owner who cancels sees why nothing was done', async () => {
  const start = `/console/merchants/${platform.merchant_no}/developers`;
  const visitor = await visit(browser, service.url, platform.owner, start);
  const { page } = visitor;
  await wait(platform.owner);
  await page.getByRole('button', { name: 'Actions', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Disable', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Confirm your identity' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Your identity was not confirmed.').waitFor();
  const headers = { authorization: 'Bearer test-administration-key' };
  const { body } = await service.send('GET', '/admin/v1/clients', { headers });
  expect((body as { items: { disabled: boolean }[] }).items.map(({ disabled }) => disabled)).toEqual([false]);
  await visitor.context.close();
});

test('D-1130 a change whose question an upgrade has replaced is refused, and the page offers to load the new one', async () => {
  const start = `/console/merchants/${platform.merchant_no}/developers`;
  const { page, context } = await visit(browser, service.url, platform.owner, start);
  await wait(platform.owner);
  await page.route(/presence-proof-.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole('button', { name: 'Actions', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Disable', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByText('Your identity was not confirmed.').waitFor();
  const reload = page.getByRole('button', { name: 'Reload', exact: true });
  await reload.waitFor();
  // By keyboard, although the dialog is open.
  await page.keyboard.press('Tab');
  await reload.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await reload.waitFor({ state: 'detached' });
  await page.locator('[role=dialog]:focus, [role=dialog] :focus').waitFor();
  await context.close();
});
