/** An administrator sends evidence about a dispute, texts and a file, and sees the bank's decision. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser/browser.ts';
import { visit } from '../support/browser/console-browser.ts';
import { type LossDesk, openLossDesk, openShop } from '../support/desks/losses.ts';
import { eventually } from '../support/desks/service.ts';

let desk: LossDesk;
let browser: Browser;

beforeAll(async () => {
  desk = await openLossDesk();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await desk.stop();
});

const read = (id: string) => desk.service.admin('GET', `/disputes/${id}`);

test('D-343 D-344 D-553 evidence is sent from the screen, with a file, and its state is followed to the end', async () => {
  const { session_id } = await (await openShop(desk)).byCard();
  const { id } = await desk.sim<{ id: string }>('POST', `/sessions/${session_id}/dispute`, {
    reason: 'product_not_received',
  });
  await eventually(
    () =>
      desk.service.send('GET', `/admin/v1/disputes/${id}`, {
        headers: { authorization: 'Bearer test-administration-key' },
      }),
    ({ body }) => body.state === 'needs_response',
  );
  const wanted = { email: 'ada@people.test', password: 'correct horse battery', name: 'Ada', role: 'admin' };
  await desk.service.admin('POST', '/users', wanted);
  const visitor = await visit(browser, desk.service.url, wanted, '/platform/complaints');
  const { page } = visitor;
  const dialog = page.getByRole('dialog').last();

  await page.getByRole('button', { name: 'Product not received' }).click();
  await page.getByText('No evidence was sent yet.').waitFor();
  // Its deadline is near.
  expect(await visitor.violations()).toEqual([]);
  await page.getByRole('button', { name: 'Add a file' }).click();
  await dialog.getByLabel('What it shows').and(dialog.locator('input')).click();
  await page.getByRole('option', { name: 'Receipt' }).click();
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'receipt.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7 the receipt'),
  });
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('Receipt, 1 KB').waitFor();

  const late = 'The deadline has passed: the bank may not consider it.';
  await page.getByRole('button', { name: 'Send evidence' }).click();
  await dialog.getByLabel('Explanation').waitFor();
  expect(await dialog.getByText(late).count()).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Explanation').waitFor({ state: 'detached' });
  await page.clock.setFixedTime(Date.now() + 8 * 86_400_000);
  await page.getByRole('button', { name: 'Send evidence' }).click();
  await dialog.getByText(late).waitFor();
  await dialog.getByLabel('Explanation').fill('It was delivered on Monday.');
  await dialog.getByLabel('Buyer’s name').fill('Bo Buyer');
  await dialog.getByRole('button', { name: 'Send to the bank' }).click();
  await page.getByText('It was delivered on Monday.', { exact: true }).waitFor();
  await page.getByText('Sent', { exact: true }).first().waitFor();
  expect(await read(id)).toMatchObject({
    stage: 'under_review',
    evidence: [
      {
        status: 'sent',
        texts: { uncategorized_text: 'It was delivered on Monday.', customer_name: 'Bo Buyer' },
        files: [{ field: 'receipt' }],
      },
    ],
  });
  expect((await desk.provider(`/disputes/${id}`)).evidence).toMatchObject({
    uncategorized_text: 'It was delivered on Monday.',
    receipt: expect.stringMatching(/^file_/) as string,
  });
  expect(await visitor.violations()).toEqual([]);

  await desk.sim('POST', `/sessions/${session_id}/dispute`, { outcome: 'won' });
  await eventually(
    () => read(id),
    ({ state }) => state === 'won',
  );
  await visitor.open(`/platform/complaints?stage=ended&dispute_id=${id}`);
  await page.getByRole('dialog').getByText('Won', { exact: true }).waitFor();
  await page.getByText('It was delivered on Monday.', { exact: true }).waitFor();
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});
