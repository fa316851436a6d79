import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/console-browser.ts';
import {
  envelopeOf,
  isAuthentic,
  type LocalReceiver,
  localReceiver,
} from '../support/notifications/notify.ts';
import { addMerchant, addUser, type Person, setUpPlatform } from '../support/desks/platform.ts';
import { startTestService, type TestService } from '../support/desks/service.ts';

let receiver: LocalReceiver;
let service: TestService;
let browser: Browser;
let newcomer: Person;
let merchant_no: string;

beforeAll(async () => {
  receiver = await localReceiver();
  service = await startTestService({ env: receiver.env });
  await setUpPlatform(service);
  newcomer = await addUser(service, 'Nora Newshop');
  ({ merchant_no } = await addMerchant(service, newcomer, { name: 'Newshop' }));
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await service.stop();
  await receiver.remove();
});

test('D-513 a newcomer goes from sign-in to a verified test event on one page, while the scopes wait', async () => {
  const start = `/console/merchants/${merchant_no}/developers/quickstart`;
  const visitor = await visit(browser, service.url, newcomer, start);
  const { page } = visitor;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  const secret = async (): Promise<string> => {
    await dialog.getByTestId('secret').waitFor();
    return dialog.getByTestId('secret').innerText();
  };
  const done = (step: string) => page.getByText(`${step} (Done)`).waitFor();
  await page.getByRole('heading', { name: 'Next: Create an API key' }).waitFor();

  await button('New API key').click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop server');
  await button('Create').click();
  const shown = await secret();
  // The page notices the step behind the dialog, which keeps the secret that is seen once.
  await done('Create an API key');
  expect(await secret()).toBe(shown);
  await button('Done').click();
  await page.getByRole('heading', { name: 'Next: Get its scopes approved' }).waitFor();

  await button('Set endpoint').click();
  await dialog.getByRole('textbox', { name: 'Endpoint' }).fill(receiver.url('/hook'));
  await button('Save').click();
  const key = await secret();
  await done('Save your webhook endpoint');
  expect(await secret()).toBe(key);
  await button('Done').click();

  receiver.answerWith((request) => ({ status: isAuthentic(request, key) ? 204 : 401 }));
  await button('Send test event').click();
  await done('Accept a test event');
  const [came] = receiver.received;
  if (came === undefined) throw new Error('nothing came');
  expect([isAuthentic(came, key), envelopeOf(came).data.test_mode]).toEqual([true, true]);
  expect(await page.getByRole('region', { name: 'Body of the test event' }).innerText()).toBe(
    came.body.toString('utf8'),
  );
  await button('Send invalid signature').click();
  await done('Reject an invalid signature');
  await page.getByText('Your server rejected the invalid signature').waitFor();
  expect(await visitor.violations()).toEqual([]);
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});
