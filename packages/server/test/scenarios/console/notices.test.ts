/** Who is told by mail of what concerns their account or their merchant. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { addClient, addUser, type Platform, setUpPlatform, signIn } from '../../support/desks/platform.ts';
import { eventually, startTestService, type TestService } from '../../support/desks/service.ts';
import { type MailServer, plainText, startMailServer } from '../../support/servers/smtp.ts';
import { visitorOf } from '../../support/people/visitor.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';

let mail: MailServer;
let service: TestService;
let platform: Platform;
let desk: Console;
let temporary: TemporaryDirectory;

beforeAll(async () => {
  temporary = await temporaryDirectory('notices');
  mail = await startMailServer('pay', 'desk');
  const ca = join(temporary.path, 'ca.pem');
  await writeFile(ca, mail.ca);
  service = await startTestService({
    env: {
      PAYDESK_SMTP_URL: `smtp://pay:desk@127.0.0.1:${mail.port}`,
      PAYDESK_SMTP_CA_FILE: ca,
      PAYDESK_MAIL_FROM: 'Paydesk <pay@desk.test>',
    },
  });
  platform = await setUpPlatform(service);
  desk = await consoleOf(service, platform.owner, platform.merchant_no);
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
  await temporary.remove();
});

/**
 * Waits for a mail to this address whose text has these words. New entries of the audit log are sealed, and then told of,
 * five seconds after the pass before: the test clock moves past them.
 */
async function mailTo(email: string, words: string): Promise<void> {
  await service.advance(6);
  await eventually(
    () =>
      Promise.resolve(mail.mails.filter(({ to }) => to.includes(email)).map(({ text }) => plainText(text))),
    (texts) => texts.some((text) => text.replace(/\s+/g, ' ').includes(words)),
  );
}

/** The link of the invitation that comes to this address. */
async function invitationTo(email: string): Promise<string> {
  const texts = await eventually(
    () =>
      Promise.resolve(mail.mails.filter(({ to }) => to.includes(email)).map(({ text }) => plainText(text))),
    (all) => all.some((text) => text.includes('/invitation?token=')),
  );
  return /http\S+\/invitation\?token=[\w-]+/.exec(texts.join('\n'))?.[0] ?? '';
}

describe('a person is told', () => {
  test('of a new device, and of a role on the platform', async () => {
    const person = await addUser(service, 'Nia New');
    await signIn(service, person);
    await mailTo(person.email, 'A device that has not been used before');
    await service.admin('PATCH', `/users/${person.user_id}`, { role: 'support', reason: 'new colleague' });
    await mailTo(person.email, 'now has the role "Support" at the platform');
  });
});

test('a person is told of factors that were added and removed, also by an administrator', async () => {
  const person = await addUser(service, 'Fay Factor');
  const browser = visitorOf(service);
  await browser.signIn(person);
  const account = `${service.url}/account`;
  const enrol = async (): Promise<void> => {
    await browser.post(`${account}/totp`, { password: person.password });
    const { html } = await browser.get(`${account}/totp`);
    const secret = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1]?.replaceAll(' ', '') ?? '';
    const { now } = await service.admin<{ now: string }>('GET', '/test-clock');
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(now) });
    expect((await browser.post(`${account}/totp/confirm`, { code })).status).toBe(200);
  };
  await enrol();
  await browser.post(`${account}/totp/remove`, { password: person.password });
  await enrol();
  await service.admin('DELETE', `/users/${person.user_id}/factors`);
  await mailTo(person.email, 'An authenticator app was added to your account');
  await mailTo(person.email, 'An authenticator app was removed from your account');
  await mailTo(person.email, 'Every second factor was removed from your account');
});

test('D-390 mails about the account are in the language that the person keeps', async () => {
  const person = await addUser(service, 'Dora Deutsch');
  const db = openDatabase({ url: service.database.url, max: 1 });
  try {
    await db.query(sql`UPDATE users SET locale = 'de' WHERE user_id = ${person.user_id}`);
  } finally {
    await db.close();
  }
  await signIn(service, person);
  await mailTo(person.email, 'Netzwerkadresse: ');
  await service.admin('PATCH', `/users/${person.user_id}`, { role: 'support', reason: 'new colleague' });
  await mailTo(person.email, `Dora Deutsch (${person.email}) hat jetzt die Rolle`);
  await desk.send('POST', '/people', { email: person.email, role: 'developer' });
  await mailTo(person.email, 'Sie sind eingeladen');
});

describe('the owners of a merchant are told', () => {
  test('of a new key of notifications, of a role and of a new owner, and so is the person', async () => {
    const { email } = platform.owner;
    const url = 'https://shop.example/hook';
    await desk.send('PUT', '/notification-settings', { url, enabled: true });
    expect((await desk.send('POST', '/notification-settings/rotation')).status).toBe(200);
    const member = await addUser(service, 'Mel Member');
    await desk.send('POST', '/people', { email: member.email, role: 'developer' });
    const link = await invitationTo(member.email);
    const browser = visitorOf(service);
    await browser.signIn(member);
    await browser.post(`${service.url}/invitation`, { token: new URL(link).searchParams.get('token') ?? '' });
    await desk.send('PATCH', `/people/${member.user_id}`, { role: 'owner' });
    await mailTo(email, 'The signing secret of the webhooks of');
    for (const to of [email, member.email]) await mailTo(to, 'now has the role "Developer" at');
    for (const to of [email, member.email])
      await mailTo(to, `Mel Member (${member.email}) is now an owner of`);
  });

  test('D-1340 of a client with other public keys, by which a program can call as with a secret', async () => {
    const { client_id } = await addClient(service, platform.merchant_no);
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [publicKey.export({ format: 'jwk' })] };
    expect((await desk.send('PUT', `/clients/${client_id}/keys`, { jwks })).status).toBe(200);
    await mailTo(platform.owner.email, `The API key ${client_id} of Bookshop has other public keys`);
  });

  test('D-1342 of statements that go to another address', async () => {
    const terms = { frequency: 'daily', time_zone: 'UTC', with_pdf: false, user_ids: [], paused: false };
    const url = 'https://books.example/in?key=1';
    expect((await desk.send('POST', '/statement-exports', { ...terms, url })).status).toBe(201);
    await mailTo(platform.owner.email, 'now go to another address, books.example, signed');
  });

  test('of a client with a new secret, and of another holder', async () => {
    const { client_id } = platform.client;
    const rotated = await desk.send('POST', `/clients/${client_id}/secret-rotation`);
    expect(rotated.status).toBe(200);
    await mailTo(platform.owner.email, `The API key ${client_id} of`);
    const heir = await addUser(service, 'Hal Heir');
    await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { owner_user_id: heir.user_id });
    await mailTo(heir.email, `Hal Heir (${heir.email}) is now an owner of`);
  });
});
