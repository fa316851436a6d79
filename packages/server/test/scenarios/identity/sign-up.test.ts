/** A buyer opens an account on the way to the payment. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../../../src/base/ids.ts';
import { type Question, softwareAuthenticator } from '../../support/people/authenticator.ts';
import { askDatabase } from '../../support/servers/database.ts';
import { busyMerchant, type Merchant, type Platform, setUpPlatform } from '../../support/desks/platform.ts';
import { freePort } from '../../support/servers/ports.ts';
import { eventually, startTestService, type TestService } from '../../support/desks/service.ts';
import { type MailServer, plainText, startMailServer } from '../../support/servers/smtp.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';
import { type Visitor, visitorOf, wordsOf } from '../../support/people/visitor.ts';

let mail: MailServer;
let mailing: Record<string, string>;
let service: TestService;
let platform: Platform;
let merchant: Merchant;
let temporary: TemporaryDirectory;

beforeAll(async () => {
  temporary = await temporaryDirectory('sign-up');
  mail = await startMailServer('pay', 'desk');
  const ca = join(temporary.path, 'ca.pem');
  await writeFile(ca, mail.ca);
  const port = await freePort();
  mailing = {
    PAYDESK_SMTP_URL: `smtp://pay:desk@127.0.0.1:${mail.port}`,
    PAYDESK_SMTP_CA_FILE: ca,
    PAYDESK_MAIL_FROM: 'Paydesk <pay@desk.test>',
  };
  service = await startTestService({
    env: {
      PORT: String(port),
      PAYDESK_PUBLIC_URL: `http://localhost:${port}`,
      ...mailing,
      PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8',
    },
  });
  platform = await setUpPlatform(service);
  merchant = await busyMerchant(service, platform.merchant_no, 1);
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
  await temporary.remove();
});
beforeEach(() => {
  mail.mails.length = 0;
});

const publicUrl = (): string => `http://localhost:${new URL(service.url).port}`;
/** A browser that knows the service by its name. */
const browserOf = (): Visitor => visitorOf({ url: publicUrl() });
const fresh = (): string => `new.${systemIds().uuid()}@people.test`;

const ask = (email: string, return_to = '/account', browser = browserOf()) =>
  browser.post(`${publicUrl()}/sign-up`, { email, return_to });

async function mailTo(email: string): Promise<string> {
  const found = await eventually(
    () => Promise.resolve(mail.mails.find(({ to, text }) => to === email && text.includes('Create your'))),
    (one) => one !== undefined,
  );
  return plainText(found?.text ?? '');
}
const linkTo = async (email: string): Promise<string> =>
  /http\S+\/sign-up\/confirm\?token=[\w-]+/.exec(await mailTo(email))?.[0] ?? '';
const confirm = (link: string, form: Record<string, string> = {}, browser = browserOf()) =>
  browser.post(`${publicUrl()}/sign-up/confirm`, {
    token: new URL(link).searchParams.get('token') ?? '',
    name: 'Nina New',
    password: 'a long enough one',
    ...form,
  });

test('D-233 a buyer opens an account at the checkout and comes back to the payment, with the purchase in view', async () => {
  const order = await merchant.order({ amount: '12.50', currency: 'USD', description: 'Two books' });
  const { pathname, search } = new URL(order.checkout_url);
  const return_to = pathname + search;
  const start = await browserOf().get(`${publicUrl()}/sign-in?${new URLSearchParams({ return_to })}`);
  for (const words of ['Bookshop', 'Two books', '12.50', 'Create an account']) {
    expect(wordsOf(start.html)).toContain(words);
  }
  const email = fresh();
  const sent = await ask(email, return_to);
  expect(wordsOf(sent.html)).toContain('Bookshop');
  // On another device: the link alone leads on.
  const link = await linkTo(email);
  const phone = browserOf();
  const page = await phone.get(link);
  for (const words of ['Bookshop', '12.50', email]) expect(wordsOf(page.html)).toContain(words);
  const bad = await confirm(link, { password: 'short' }, phone);
  expect([bad.status, bad.html.includes('value="Nina New"')]).toEqual([400, true]);
  const done = await confirm(link, {}, phone);
  expect([done.status, done.location]).toEqual([303, publicUrl() + return_to]);
  expect(wordsOf((await phone.follow(done)).html)).toContain('Nina New');
  expect((await phone.get(`${publicUrl()}/session`)).html).toContain(email);
  // The link made one account. Its password signs in, and its first device is no news.
  expect([(await confirm(link)).status, (await browserOf().get(link)).status]).toEqual([410, 410]);
  await browserOf().signIn({ email, password: 'a long enough one', user_id: '' });
  expect(mail.mails.filter(({ text }) => text.includes('new device'))).toHaveLength(0);
});

test('D-233 an account with a passkey needs no password', async () => {
  const email = fresh();
  await ask(email);
  const token = new URL(await linkTo(email)).searchParams.get('token');
  const device = softwareAuthenticator(publicUrl());
  const browser = browserOf();
  const post = async (path: string, body: unknown) => {
    const cookie = [...browser.cookies]
      .map(([key, value]) => `${key.split('|')[0] ?? ''}=${value}`)
      .join('; ');
    const answer = await service.send<Question & Record<string, unknown>>('POST', path, {
      body: body as never,
      headers: { origin: publicUrl(), ...(cookie === '' ? {} : { cookie }) },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      browser.cookies.set(`${name}|/`, value);
    }
    return answer;
  };
  expect((await post('/sign-up/passkey/options', { token: 'x'.repeat(43), name: 'Pia' })).status).toBe(401);
  expect((await post('/sign-up/passkey/options', { token, name: '' })).status).toBe(400);
  const asked = await post('/sign-up/passkey/options', { token, name: 'Pia Passkey' });
  expect(
    (await post('/sign-up/passkey', device.create(asked.body, { origin: 'https://evil.example' }))).status,
  ).toBe(401);
  const again = await post('/sign-up/passkey/options', { token, name: 'Pia Passkey' });
  const answer = device.create(again.body);
  const made = await post('/sign-up/passkey', answer);
  expect([made.status, made.body]).toEqual([200, {}]);
  expect((await browser.get(`${publicUrl()}/session`)).html).toContain('Pia Passkey');
  expect((await post('/sign-up/passkey', answer)).status).toBe(401);
});

test('D-233 no answer tells whether an address has an account, and its owner is told by mail', async () => {
  const { email } = platform.buyer;
  const nobody = fresh();
  const [known, unknown] = [await ask(email), await ask(nobody)];
  const same = (html: string): string => html.replaceAll(/nonce="[^"]*"/g, '');
  expect([unknown.status, same(unknown.html)]).toEqual([known.status, same(known.html)]);
  const told = await mailTo(email);
  expect(told).toContain('already has one');
  expect(told).not.toContain('/sign-up/confirm');
  // An account that is made between the mail and its link closes the link.
  const link = await linkTo(nobody);
  await service.admin('POST', '/users', { email: nobody, name: 'By hand', password: 'a long enough one' });
  expect((await confirm(link)).status).toBe(410);
});

test('D-233 D-183 requests for accounts are limited by mail address and by address, and refuse what is none', async () => {
  const email = fresh();
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await ask(email)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const one = browserOf();
  const asked = [];
  for (let i = 0; i < 11; i++) asked.push((await ask(fresh(), '/account', one)).status);
  expect(asked).toEqual([...Array<number>(10).fill(200), 429]);
  expect((await ask('no address')).status).toBe(400);
  // Another site can neither ask nor confirm, and the flow never leads to one.
  const foreign = await browserOf().post(
    `${publicUrl()}/sign-up`,
    { email: fresh() },
    { origin: 'https://evil.example' },
  );
  expect(foreign.status).toBe(403);
  const away = fresh();
  await ask(away, 'https://evil.example/');
  expect((await confirm(await linkTo(away))).location).toBe(`${publicUrl()}/account`);
});

test('D-233 R-326 R-383 of two uses of a link at once one makes the account, and no link is stored', async () => {
  const email = fresh();
  const order = await merchant.order();
  await ask(email, new URL(order.checkout_url).pathname + new URL(order.checkout_url).search);
  const link = await linkTo(email);
  const rows = await askDatabase<{ text: string }>(
    service.database.url,
    `SELECT r::text AS text FROM sign_up_requests r WHERE email = '${email}'`,
  );
  const dump = rows.map(({ text }) => text).join();
  expect(dump).toContain(email);
  for (const secret of [link, order.checkout_url]) {
    expect(dump).not.toContain(new URL(secret).searchParams.get('token'));
  }
  const uses = await Promise.all([1, 2, 3].map(() => confirm(link)));
  expect(uses.map(({ status }) => status).sort()).toEqual([303, 410, 410]);
  const late = fresh();
  await ask(late);
  const over = await linkTo(late);
  await askDatabase(service.database.url, `UPDATE sign_up_requests SET expires_at = now()`);
  expect((await confirm(over)).status).toBe(410);
});

test('D-233 the platform can switch it off, for links under way too', async () => {
  const email = fresh();
  await ask(email);
  const link = await linkTo(email);
  await service.admin('PUT', '/settings', { sign_up: false });
  expect((await service.admin<{ sign_up: boolean }>('GET', '/settings')).sign_up).toBe(false);
  expect([(await ask(fresh())).status, (await confirm(link)).status]).toEqual([403, 410]);
  expect((await browserOf().get(`${publicUrl()}/sign-in`)).html).not.toContain('/sign-up');
  await service.admin('PUT', '/settings', { sign_up: true });
  expect((await confirm(link)).status).toBe(303);
});

test('D-1215 the language that a person chooses on a page holds for the answer to its form, the mail and the next pages', async () => {
  const browser = browserOf();
  const languageOf = ({ html }: { html: string }) => /<html lang="([^"]+)"/.exec(html)?.[1];
  expect(languageOf(await browser.get(`${publicUrl()}/sign-in?lang=ja`))).toBe('ja');
  expect(languageOf(await browser.get(`${publicUrl()}/sign-up?lang=de`))).toBe('de');
  const email = fresh();
  expect(languageOf(await ask(email, '/account', browser))).toBe('de');
  const found = await eventually(
    () => Promise.resolve(mail.mails.find(({ to }) => to === email)),
    (one) => one !== undefined,
  );
  expect(plainText(found?.text ?? '')).toContain('Konto');
  const wrong = { email, password: 'not this one', return_to: '/account' };
  expect(languageOf(await browser.post(`${publicUrl()}/sign-in`, wrong))).toBe('de');
  await browser.get(`${publicUrl()}/sign-up?lang=xx`);
  expect(languageOf(await browser.get(`${publicUrl()}/forgot-password`))).toBe('de');
});

test('D-235 every page of buyers names the support address and the terms', async () => {
  const put = (body: Record<string, unknown>) => service.admin('PUT', '/settings', body);
  await expect(put({ terms_url: 'http://pay.test/terms' })).rejects.toThrow('terms_url');
  await put({ terms_url: 'https://pay.test/terms', branding: { support_address: 'help@pay.test' } });
  const order = await merchant.order();
  for (const path of ['/sign-in', '/sign-up', order.checkout_url.replace(publicUrl(), '')]) {
    const html = await eventually(
      async () => (await browserOf().get(publicUrl() + path)).html,
      (text) => text.includes('href="https://pay.test/terms"'),
    );
    expect(html).toContain('href="mailto:help@pay.test"');
    expect(wordsOf(html)).toContain('help@pay.test');
  }
  await put({ terms_url: null, branding: { support_address: null } });
});

test('D-1182 a process that only answers requests leaves the mail to a worker', async () => {
  const email = fresh();
  const web = await startTestService({ role: 'web', env: mailing });
  try {
    await visitorOf({ url: web.url }).post(`${web.url}/sign-up`, { email, return_to: '/account' });
    // A process that sends it has begun when it answers, and is done after these.
    for (let i = 0; i < 30; i++) await web.send('GET', '/readyz');
    expect(await askDatabase(web.database.url, 'SELECT tries FROM sign_up_requests')).toEqual([{ tries: 0 }]);
    expect(mail.mails.filter(({ to }) => to === email)).toEqual([]);
  } finally {
    await web.stop();
  }
});
