/** Buyers are told by mail what happens to their orders. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openShop, type Shop } from '../../support/desks/catalog.ts';
import { consoleOf } from '../../support/people/console.ts';
import { askDatabase } from '../../support/servers/database.ts';
import {
  addPayer,
  busyMerchant,
  checkoutOf,
  type Merchant,
  onePtk,
  payWithPtk,
  type Payer,
} from '../../support/desks/platform.ts';
import { eventually } from '../../support/desks/service.ts';
import { type MailServer, plainText, startMailServer } from '../../support/servers/smtp.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';
import { visitorOf } from '../../support/people/visitor.ts';

let mail: MailServer;
let shop: Shop;
let merchant: Merchant;
let buyer: Payer;
let temporary: TemporaryDirectory;

beforeAll(async () => {
  temporary = await temporaryDirectory('buyer-mails');
  mail = await startMailServer('pay', 'desk');
  const ca = join(temporary.path, 'ca.pem');
  await writeFile(ca, mail.ca);
  shop = await openShop({
    PAYDESK_SMTP_URL: `smtp://pay:desk@127.0.0.1:${mail.port}`,
    PAYDESK_SMTP_CA_FILE: ca,
    PAYDESK_MAIL_FROM: 'Paydesk <pay@desk.test>',
  });
  merchant = await busyMerchant(shop.service, shop.platform.merchant_no, 1);
});
afterAll(async () => {
  await shop.stop();
  await mail.stop();
  await temporary.remove();
});
beforeEach(async () => {
  buyer = await addPayer(shop.service, 'Mia Mail', 1_000n * onePtk);
  mail.mails.length = 0;
});

const order = () => merchant.order({ amount: '1.00', currency: 'USD', description: 'A postcard' });
/** The mails to an address about an order, once there are so many and nothing waits. */
async function mailsTo(address: string, count: number, about: string): Promise<string[]> {
  const found = () =>
    mail.mails
      .filter(({ to }) => to === address)
      .map(({ text }) => plainText(text))
      .filter((text) => text.includes(about));
  await eventually(
    async () => {
      await wake();
      return waiting();
    },
    (rows) => rows.length === 0 && found().length >= count,
  );
  return found();
}
const ask = <T extends Record<string, unknown>>(statement: string) =>
  askDatabase<T>(shop.service.database.url, statement);
/** Has mail sent now: the worker looks every ten seconds. */
const wake = () =>
  visitorOf(shop.service).post(`${shop.service.url}/forgot-password`, {
    email: `${randomUUID()}@people.test`,
  });
const waiting = () => ask('SELECT 1 AS one FROM buyer_mails WHERE due_at IS NOT NULL');

test('D-237 a buyer gets receipt, delivery and refund once each, in their language, with several workers', async () => {
  const others = await Promise.all([shop.service.another('worker'), shop.service.another('worker')]);
  const browser = visitorOf(shop.service);
  await browser.post(
    `${shop.service.url}/sign-in`,
    { email: buyer.email, password: buyer.password },
    { 'accept-language': 'de' },
  );
  const paid = await order();
  await payWithPtk(shop.service, paid, buyer.cookie);
  const [receipt = '', ...more] = await mailsTo(buyer.email, 1, paid.order_no);
  expect(more).toEqual([]);
  for (const text of ['Ihr Beleg von Bookshop', 'A postcard', `/checkout/${paid.order_no}/receipt?token=`]) {
    expect(receipt).toContain(text);
  }
  await shop.service.admin('POST', `/collection-orders/${paid.order_no}/refunds`, { reason: 'for the test' });
  const both = await mailsTo(buyer.email, 2, paid.order_no);
  expect(both.filter((text) => text.includes('Ihre Erstattung von Bookshop'))).toHaveLength(1);
  expect(both).toHaveLength(2);

  const gd_no = await shop.product();
  const desk = await consoleOf(shop.service, shop.platform.owner, shop.platform.merchant_no);
  await desk.send('POST', `/products/${gd_no}/codes`, { codes: ['SECRET-CODE-7'] });
  const me = await shop.shopper(buyer);
  const bought = await me.order({ gd_no, quantity: 1, payment_no: shop.platform.ptk_channel });
  await me.pay(bought, shop.platform.ptk_channel);
  const texts = await mailsTo(buyer.email, 2, bought);
  expect(texts.filter((text) => text.includes('SECRET-CODE-7'))).toHaveLength(1);
  expect(texts).toHaveLength(2);
  await Promise.all(others.map((other) => other.stop()));
});

test('D-237 a receipt goes to a typed address, which is not kept; a guest without one gets nothing', async () => {
  const paid = await order();
  await payWithPtk(shop.service, paid, buyer.cookie);
  await mailsTo(buyer.email, 1, paid.order_no);
  const guest = visitorOf(shop.service);
  const token = new URL(paid.checkout_url).searchParams.get('token') ?? '';
  const receipt = `${shop.service.url}/checkout/${paid.order_no}/receipt`;
  const type = (email: string, who = guest) => who.post(`${receipt}/mail`, { token, email });
  expect((await guest.get(`${receipt}?token=${token}`)).html).toContain('name="email"');
  expect((await type('nowhere')).location).toBe(`${receipt}?token=${token}&mail=bad`);
  const sent = await type('friend@people.test');
  expect((await guest.follow(sent)).html).toContain('The receipt is on its way.');
  expect(await mailsTo('friend@people.test', 1, paid.order_no)).toHaveLength(1);
  const [dump] = await ask<{ text: string }>(`SELECT string_agg(m::text, ' ') AS text FROM buyer_mails m`);
  expect(dump?.text).not.toContain('friend');
  expect(await ask(`SELECT 1 AS one FROM buyer_mails WHERE address_box IS NOT NULL`)).toEqual([]);
  const statuses = [];
  for (let i = 0; i < 3; i++)
    statuses.push((await type(`f${i}@people.test`, visitorOf(shop.service))).status);
  expect(statuses).toEqual([303, 303, 429]);
  // Without the token of the order there is nothing to send, and an unpaid order has no receipt.
  expect((await guest.post(`${receipt}/mail`, { token: 'x', email: 'a@b.test' })).status).toBe(404);
  const unpaid = await order();
  const open = new URL(unpaid.checkout_url).searchParams.get('token') ?? '';
  const before = mail.mails.length;
  await guest.post(`${shop.service.url}/checkout/${unpaid.order_no}/receipt/mail`, {
    token: open,
    email: 'a@b.test',
  });
  // For a guest's card payment no mail is queued.
  const byCard = await order();
  const checkout = checkoutOf(shop.service, byCard);
  await checkout.start(await checkout.methodOf('cardprov'));
  await shop.sim('POST', `/sessions/${(await shop.sessionOf(byCard.order_no)).id}/pay`, {});
  const outcomes = await eventually(
    () =>
      ask<{ outcome: string | null }>(
        `SELECT outcome FROM buyer_mails WHERE order_no = '${byCard.order_no}'`,
      ),
    ([row]) => row?.outcome != null,
  );
  expect(outcomes).toEqual([{ outcome: 'nobody' }]);
  expect(mail.mails.slice(before).filter(({ to }) => to === 'a@b.test')).toEqual([]);
});

test('D-1433 one mail address gets ten typed receipts in 15 minutes, from all orders together', async () => {
  const statuses: number[] = [];
  for (const email of ['often@people.test', 'Often@people.test', 'OFTEN@people.test', 'often@People.test']) {
    const paid = await order();
    await payWithPtk(shop.service, paid, buyer.cookie);
    const token = new URL(paid.checkout_url).searchParams.get('token') ?? '';
    const address = `${shop.service.url}/checkout/${paid.order_no}/receipt/mail`;
    for (let i = 0; i < 3 && statuses.length < 11; i++)
      statuses.push((await visitorOf(shop.service).post(address, { token, email })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 303), 429]);
});

test('D-237 a mail that the server refuses is tried again, and a chargeback is told', async () => {
  mail.refuse(true);
  const byCard = await order();
  const checkout = checkoutOf(shop.service, byCard, buyer.cookie);
  await checkout.start(await checkout.methodOf('cardprov'));
  const { id } = await shop.sessionOf(byCard.order_no);
  await shop.sim('POST', `/sessions/${id}/pay`, {});
  await eventually(
    async () => {
      await wake();
      return ask<{ tries: number }>(`SELECT tries FROM buyer_mails WHERE order_no = '${byCard.order_no}'`);
    },
    ([row]) => row?.tries === 1,
  );
  mail.refuse(false);
  await ask(`UPDATE buyer_mails SET due_at = now() WHERE due_at IS NOT NULL`);
  expect(await mailsTo(buyer.email, 1, byCard.order_no)).toHaveLength(1);
  await shop.sim('POST', `/sessions/${id}/dispute`, { outcome: 'lost' });
  await shop.service.admin('POST', '/jobs/reconcile/run');
  const texts = await mailsTo(buyer.email, 2, byCard.order_no);
  expect(texts.filter((text) => text.includes('was charged back'))).toHaveLength(1);
});
