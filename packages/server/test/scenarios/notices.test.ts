/** Who is told by mail of what concerns their account or their merchant. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Console, consoleOf } from '../support/console.ts';
import { addUser, type Platform, setUpPlatform, signIn } from '../support/platform.ts';
import { eventually, startTestService, type TestService } from '../support/service.ts';
import { type MailServer, plainText, startMailServer } from '../support/smtp.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../support/temporary.ts';

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

/** Waits for a mail to this address whose text has these words. */
const mailTo = (email: string, words: string): Promise<unknown> =>
  eventually(
    () =>
      Promise.resolve(mail.mails.filter(({ to }) => to.includes(email)).map(({ text }) => plainText(text))),
    (texts) => texts.some((text) => text.replace(/\s+/g, ' ').includes(words)),
  );

describe('a person is told', () => {
  test('of a new device, and of a role on the platform', async () => {
    const person = await addUser(service, 'Nia New');
    await signIn(service, person);
    await mailTo(person.email, 'A device that has not been used before');
    await service.admin('PATCH', `/users/${person.user_id}`, { role: 'support', reason: 'new colleague' });
    await mailTo(person.email, 'now has the role "support" at the platform');
  }, 60_000);
});

describe('the owners of a merchant are told', () => {
  test('of a client with a new secret, and of another holder', async () => {
    const { client_id } = platform.client;
    const rotated = await desk.send('POST', `/clients/${client_id}/secret-rotation`);
    expect(rotated.status).toBe(200);
    await mailTo(platform.owner.email, `The client ${client_id} of`);
    const heir = await addUser(service, 'Hal Heir');
    await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { owner_user_id: heir.user_id });
    await mailTo(heir.email, `Hal Heir (${heir.email}) is now an owner of`);
  }, 60_000);
});
