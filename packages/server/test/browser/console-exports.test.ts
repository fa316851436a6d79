import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/console-browser.ts';
import { type LocalReceiver, localReceiver } from '../support/notifications/notify.ts';
import { violationsOnTop } from '../support/browser/overlays.ts';
import { type Platform, setUpPlatform } from '../support/desks/platform.ts';
import { startTestService, type TestService } from '../support/desks/service.ts';

let receiver: LocalReceiver;
let service: TestService;
let platform: Platform;
let browser: Browser;

beforeAll(async () => {
  receiver = await localReceiver();
  service = await startTestService({ role: 'web', env: receiver.env });
  platform = await setUpPlatform(service);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await receiver.remove();
});

const work = () => service.admin('POST', '/jobs/send-exports/run');

test('D-384 D-442 D-691 an owner schedules an export, sees that it fails and since when, and that it arrives again', async () => {
  const at = (path: string): string => `/console/merchants/${platform.merchant_no}${path}`;
  const visitor = await visit(browser, service.url, platform.owner, at('/wallet'));
  const { page } = visitor;
  const found: unknown[] = [];
  const check = async (what: string): Promise<void> => {
    for (const violation of await violationsOnTop(visitor, 'html')) found.push([what, violation]);
  };
  await page.getByRole('main').getByRole('link', { name: 'Scheduled exports' }).click();
  await page.getByText('No scheduled exports yet').waitFor();
  await check('empty');

  await page.getByRole('button', { name: 'New scheduled export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This service sends no mail.').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Choose a team member above, or enter an address.').waitFor();
  await dialog.getByLabel('Frequency').and(dialog.locator('input')).click();
  await page.getByRole('option', { name: 'Weekly' }).click();
  await dialog.getByLabel('Time zone').and(dialog.locator('input')).click();
  await page.getByRole('option', { name: 'Europe/Berlin', exact: true }).click();
  await dialog.getByLabel('HTTPS address').fill(receiver.url('/statements'));
  await check('the form');
  await dialog.getByRole('button', { name: 'Save' }).click();
  expect(await dialog.getByTestId('secret').innerText()).toMatch(/^ns_/);
  expect(await dialog.evaluate((at) => at.contains(document.activeElement))).toBe(true);
  await check('the key');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { name: 'Weekly · Europe/Berlin' }).waitFor();

  receiver.answerWith({ status: 503 });
  await page.getByRole('button', { name: 'Send now' }).click();
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('It is sent within seconds').waitFor();
  await work();
  await service.advance(61);
  await work();
  await visitor.open(at('/exports'));
  await page.getByText(/^Failing since/).waitFor();
  await page.getByText('HTTP 503').waitFor();
  await check('failing');
  await visitor.go(at(''));
  await page.getByText('A scheduled export is failing').waitFor();
  await check('home');
  await page.getByRole('link', { name: 'Check scheduled exports' }).click();

  receiver.answerWith({ status: 200 });
  await service.advance(301);
  await work();
  await visitor.open(at('/exports'));
  await page
    .getByRole('region', { name: 'Deliveries 1' })
    .getByText('Sent', { exact: true })
    .nth(1)
    .waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^statement-\d{4}-W\d\d\.csv$/);

  await page.getByRole('button', { name: 'Pause' }).click();
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await check('before deleting');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No scheduled exports yet').waitFor();
  expect(found).toEqual([]);
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});

test('D-1326 D-1330 D-1357 a time zone is found by the name of its city and taken by Enter, and a search that finds none says so', async () => {
  const at = `/console/merchants/${platform.merchant_no}/exports`;
  const { page, context } = await visit(browser, service.url, platform.owner, at);
  await page.getByRole('button', { name: 'New scheduled export' }).click();
  const zone = page.getByLabel('Time zone').and(page.locator('input'));
  await zone.fill('atlantis');
  await page.getByText('No results.').waitFor();
  await zone.fill('kolkata');
  await page.getByRole('option', { name: 'Asia/Kolkata (Asia/Calcutta)', exact: true }).waitFor();
  await zone.fill('new york');
  await page.getByRole('option', { name: 'America/New_York', exact: true }).waitFor();
  await zone.press('Enter');
  expect(await zone.inputValue()).toBe('America/New_York');
  await context.close();
});
