/** What people are told by mail about their top-ups. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { askDatabase } from '../../support/servers/database.ts';
import { type Merchant, merchantOf, payWithPtk } from '../../support/desks/platform.ts';
import { eventually } from '../../support/desks/service.ts';
import { type MailServer, plainText, startMailServer } from '../../support/servers/smtp.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';
import { openTopUpDesk, type TopUpDesk, type TopUpPerson } from '../../support/desks/top-ups.ts';
import { visitorOf } from '../../support/people/visitor.ts';

let mail: MailServer;
let temporary: TemporaryDirectory;
let desk: TopUpDesk;
let buyer: TopUpPerson;
/** Where PTK are spent. */
let goods: Merchant;

beforeAll(async () => {
  temporary = await temporaryDirectory('top-up-mails');
  mail = await startMailServer('pay', 'desk');
  const ca = join(temporary.path, 'ca.pem');
  await writeFile(ca, mail.ca);
  desk = await openTopUpDesk({
    PAYDESK_SMTP_URL: `smtp://pay:desk@127.0.0.1:${mail.port}`,
    PAYDESK_SMTP_CA_FILE: ca,
    PAYDESK_MAIL_FROM: 'Paydesk <pay@desk.test>',
  });
  goods = await merchantOf(desk.service, desk.platform.client);
});
afterAll(async () => {
  await desk.stop();
  await mail.stop();
  await temporary.remove();
});
beforeEach(async () => {
  buyer = await desk.person();
  const { email, password } = buyer;
  const german = { 'accept-language': 'de' };
  await visitorOf(desk.service).post(`${desk.service.url}/sign-in`, { email, password }, german);
});

/** The mails about a top-up, once there are so many and nothing waits: recipient and text. */
async function mailsAbout(order_no: string, count: number): Promise<{ to: string; text: string }[]> {
  const found = () =>
    mail.mails
      .map(({ to, text }) => ({ to, text: plainText(text) }))
      .filter(({ text }) => text.includes(order_no));
  await eventually(
    async () => {
      // Has mail sent now: the worker looks every ten seconds.
      const email = `${randomUUID()}@people.test`;
      await visitorOf(desk.service).post(`${desk.service.url}/forgot-password`, { email });
      return askDatabase(desk.service.database.url, 'SELECT 1 FROM buyer_mails WHERE due_at IS NOT NULL');
    },
    ({ length }) => length === 0 && found().length >= count,
  );
  return found();
}

test('D-362 the receipt of a top-up goes to its person, once, in their language, and opens only for them', async () => {
  const others = await Promise.all([desk.service.another('worker'), desk.service.another('worker')]);
  const order = await buyer.started();
  await buyer.pay(order, { webhook: 'duplicate' });
  await desk.shop.until(order, 'paid');
  const [receipt, ...more] = await mailsAbout(order.order_no, 1);
  expect(more).toEqual([]);
  expect(receipt?.to).toBe(buyer.email);
  const opens = `/checkout/${order.order_no}/receipt?token=`;
  for (const part of ['Ihr Beleg von Shop', '10,60', opens]) expect(receipt?.text).toContain(part);
  // What was bought, in the order's line and in words.
  expect(receipt?.text).toMatch(/: 100 PTK\r?\n/);
  expect(receipt?.text).toMatch(/100,00\W+PTK wurden Ihrem Guthaben gutgeschrieben/);
  // Each process of the test has an address of its own, and any of them may have sent the mail.
  const path = /\/checkout\/\S+\/receipt\?token=\S+/.exec(receipt?.text ?? '')?.[0] ?? '';
  const link = `${desk.service.url}${path}`;
  expect((await visitorOf(desk.service).get(link)).location).toContain('/sign-in?');
  expect((await buyer.browser.get(link)).status).toBe(200);
  await Promise.all(others.map((other) => other.stop()));
});

test('D-362 a refund and a chargeback of a top-up are told once each', async () => {
  const { order } = await buyer.paid();
  await desk.shop.refund(order);
  await desk.shop.until(order, 'refunded');
  const refund = await mailsAbout(order.order_no, 2);
  const [told_back, ...others] = refund.filter(({ text }) => text.includes('Ihre Erstattung von Shop'));
  expect(others).toEqual([]);
  expect(told_back?.text).toMatch(/100,00\W+PTK wurden von Ihrem Guthaben abgezogen/);
  const lost = await buyer.paid();
  const bought = await goods.order({ amount: '60', currency: 'PTK' });
  await payWithPtk(desk.service, bought, buyer.cookie);
  await desk.sim('POST', `/sessions/${lost.session}/dispute`, { outcome: 'lost' });
  await desk.shop.until(lost.order, 'chargeback');
  const told = await mailsAbout(lost.order.order_no, 2);
  expect([refund.length, told.length]).toEqual([2, 2]);
  // The wallet has 1 PTK of old and what was not spent, of which PTK 0.60 was the fee.
  expect(told.map(({ text }) => /40,40\W+PTK wurden von Ihrem Guthaben abgezogen/.test(text)).sort()).toEqual(
    [false, true],
  );
  expect([...refund, ...told].filter(({ to }) => to !== buyer.email)).toEqual([]);
});

test('D-362 an accepted receipt is told as any other, and a suspended person is not written to', async () => {
  const order = await buyer.started();
  await buyer.pay(order, { amount_total: '1100' });
  const { items } = await eventually(
    () => desk.service.admin<{ items: { case_id: string; order_no: string }[] }>('GET', '/cases?limit=100'),
    (found) => found.items.some(({ order_no }) => order_no === order.order_no),
  );
  const case_id = items.find(({ order_no }) => order_no === order.order_no)?.case_id ?? '';
  expect(await mailsAbout(order.order_no, 0)).toEqual([]);
  await desk.send(`/cases/${case_id}/resolution`, { action: 'accept', reason: 'agreed' });
  await desk.shop.until(order, 'paid');
  expect(await mailsAbout(order.order_no, 1)).toHaveLength(1);
  await desk.service.admin('PATCH', `/users/${buyer.user_id}`, { disabled: true, reason: 'for the test' });
  await desk.shop.refund(order);
  await desk.shop.until(order, 'refunded');
  expect(await mailsAbout(order.order_no, 1)).toHaveLength(1);
});
