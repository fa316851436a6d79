/** People are invited by mail to work for a merchant, and accept. */
import { MemberInvitation, MerchantMemberList } from '@paydesk/contract';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import {
  addMerchant,
  addUser,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import {
  type Answer,
  eventually,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';
import { type MailServer, plainText, startMailServer } from '../../support/servers/smtp.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';

let mail: MailServer;
let service: TestService;
let platform: Platform;
let desk: Console;
let temporary: TemporaryDirectory;

beforeAll(async () => {
  temporary = await temporaryDirectory('invitations');
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
beforeEach(() => {
  mail.mails.length = 0;
});

const invite = (email: string, role = 'finance'): Promise<Answer> =>
  desk.send('POST', '/people', { email, role });

/** The text of the invitation that comes to this address. */
async function invitationTo(email: string): Promise<{ text: string; link: string }> {
  const isIt = ({ to, text }: { to: string; text: string }): boolean =>
    to.includes(email) && text.includes('Invitation');
  const found = await eventually(
    () => Promise.resolve(mail.mails.find(isIt)),
    (one) => one !== undefined,
  );
  const text = plainText(found?.text ?? '');
  return { text, link: /http\S+\/invitation\?token=[\w-]+/.exec(text)?.[0] ?? '' };
}

async function accept(link: string, person: Person): Promise<Answer> {
  const cookie = await signIn(service, person);
  const token = new URL(link).searchParams.get('token') ?? '';
  return request(`${service.url}/invitation`, 'POST', {
    headers: { cookie, origin: service.url, 'content-type': 'application/x-www-form-urlencoded' },
    raw: new URLSearchParams({ token }).toString(),
  });
}
const open = async (link: string, person: Person): Promise<number> =>
  (await request(link, 'GET', { headers: { cookie: await signIn(service, person) } })).status;
const listed = async (): Promise<Json> => {
  const answer = await desk.get('/people');
  expectAnswer(answer, 200, MerchantMemberList);
  return answer.body;
};
const emailsIn = (items: unknown): unknown[] => (items as Json[]).map(({ email }) => email);

test('the answer is the same for known and unknown addresses, and gives no access yet', async () => {
  const person = await addUser(service, 'Kim Known');
  const [known, unknown] = [await invite(person.email), await invite('nobody@people.test')];
  for (const answer of [known, unknown]) expectAnswer(answer, 201, MemberInvitation);
  expect(Object.keys(unknown.body)).toEqual(Object.keys(known.body));
  const { items, invitations } = await listed();
  expect(emailsIn(items)).not.toContain(person.email);
  expect(emailsIn(invitations)).toEqual([person.email.toLowerCase(), 'nobody@people.test']);
  expect((await invitationTo(person.email)).text).not.toContain('no account');
  const { text } = await invitationTo('nobody@people.test');
  expect(text).toContain('There is no account with this address yet');
  expect(text).toContain(platform.owner.email);
});

test('the person who is signed in with the address accepts, once', async () => {
  const [person, other] = [await addUser(service, 'Ira Invited'), await addUser(service, 'Otto Other')];
  await invite(person.email.toUpperCase(), 'developer');
  const { link } = await invitationTo(person.email.toLowerCase());
  expect((await request(link, 'GET', {})).status).toBe(303);
  expect(await open(link, other)).toBe(403);
  expect((await accept(link, other)).status).toBe(403);
  expect(await open(link, person)).toBe(200);
  const both = await Promise.all([accept(link, person), accept(link, person)]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 410]);
  const { items } = await listed();
  expect((items as Json[]).find(({ email }) => email === person.email)).toMatchObject({ role: 'developer' });
  expect(await open(link, person)).toBe(410);
});

test('D-1452 an invitation that is opened again after it was accepted leads to the console, and tells nobody whose it was', async () => {
  const [person, other] = [await addUser(service, 'Ida Invited'), await addUser(service, 'Omar Other')];
  await invite(person.email);
  const { link } = await invitationTo(person.email);
  await accept(link, person);
  for (const reader of [person, other]) {
    const { text } = await request(link, 'GET', { headers: { cookie: await signIn(service, reader) } });
    expect(text).toContain('This invitation has already been accepted, or it is no longer valid.');
    expect(text).toContain('href="/console"');
    expect(text.includes('Bookshop') || text.includes(person.email)).toBe(false);
  }
});

test('D-1137 a person who is signed in with another address can change the account there', async () => {
  const [person, other] = [await addUser(service, 'Ina Invited'), await addUser(service, 'Olga Other')];
  await invite(person.email);
  const { link } = await invitationTo(person.email);
  const { text } = await request(link, 'GET', { headers: { cookie: await signIn(service, other) } });
  const query = /href="\/sign-in\?([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  const { pathname, search } = new URL(link);
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
    return_to: pathname + search,
    again: '1',
  });
});

test('an owner withdraws an invitation; another one replaces it; a week ends it', async () => {
  const person = await addUser(service, 'Wim Withdrawn');
  const { body } = await invite(person.email);
  const { link } = await invitationTo(person.email);
  const path = `/people/invitations/${String(body.invitation_id)}`;
  expect((await desk.send('DELETE', path)).body).toEqual({ withdrawn: true });
  expect((await desk.send('DELETE', path)).status).toBe(404);
  expect((await accept(link, person)).status).toBe(410);

  mail.mails.length = 0;
  await invite(person.email);
  const { link: second } = await invitationTo(person.email);
  mail.mails.length = 0;
  await invite(person.email, 'read-only');
  const { link: third } = await invitationTo(person.email);
  expect([await open(second, person), await open(third, person)]).toEqual([410, 200]);
  const db = openDatabase({ url: service.database.url, max: 1 });
  const [row] = await db.query<{ days: number }>(
    sql`SELECT extract(day FROM expires_at - invited_at)::int AS days FROM merchant_invitations
      WHERE email = ${person.email.toLowerCase()}`,
  );
  await db.query(
    sql`UPDATE merchant_invitations SET expires_at = invited_at WHERE email = ${person.email.toLowerCase()}`,
  );
  await db.close();
  expect(row?.days).toBe(7);
  expect((await accept(third, person)).status).toBe(410);
});

test('it ends with the role of the inviter: removed, made something else, disabled, or no longer the holder', async () => {
  const person = await addUser(service, 'Ivy Invited');
  const ends: [string, (owner: Person) => Promise<unknown>][] = [
    ['removed', ({ user_id }) => desk.send('DELETE', `/people/${user_id}`)],
    ['changed', ({ user_id }) => desk.send('PATCH', `/people/${user_id}`, { role: 'finance' })],
    [
      'disabled',
      ({ user_id }) => service.admin('PATCH', `/users/${user_id}`, { disabled: true, reason: 'has left' }),
    ],
  ];
  for (const [what, end] of ends) {
    const owner = await addUser(service, 'Olaf Owner');
    const db = openDatabase({ url: service.database.url, max: 1 });
    await db.query(
      sql`INSERT INTO merchant_members (merchant_id, user_id, role, added_by, added_at)
        SELECT merchant_id, ${owner.user_id}::uuid, 'owner', 'test', now() FROM merchants`,
    );
    mail.mails.length = 0;
    const own = await consoleOf(service, owner, platform.merchant_no);
    const { status } = await own.send('POST', '/people', { email: person.email, role: 'owner' });
    expect(status).toBe(201);
    const { link } = await invitationTo(person.email);
    expect([what, await open(link, person)]).toEqual([what, 200]);
    await end(owner);
    expect([what, (await accept(link, person)).status]).toEqual([what, 410]);
    expect(emailsIn((await listed()).invitations)).not.toContain(person.email.toLowerCase());
    await db.close();
  }
});

test('an invitation that is stored after the inviter was disabled gives no access', async () => {
  const [person, owner] = [await addUser(service, 'Lea Late'), await addUser(service, 'Lou Leaver')];
  mail.mails.length = 0;
  await invite(person.email);
  const { link } = await invitationTo(person.email);
  const db = openDatabase({ url: service.database.url, max: 1 });
  await db.query(
    sql`UPDATE merchant_invitations SET invited_by = ${`user:${owner.user_id}`}
      WHERE email = ${person.email.toLowerCase()}`,
  );
  await db.close();
  expect([await open(link, person), (await accept(link, person)).status]).toEqual([410, 410]);
});

test('D-1337 two people who accept at once do not both take the last place of a team', async () => {
  const people = [await addUser(service, 'Pia First'), await addUser(service, 'Pit Second')];
  const links: string[] = [];
  for (const { email } of people) {
    await invite(email);
    links.push((await invitationTo(email)).link);
  }
  const db = openDatabase({ url: service.database.url, max: 2 });
  const countMembers = async (): Promise<number> =>
    (await db.query<{ n: number }>(sql`SELECT count(*)::int AS n FROM merchant_members`))[0]?.n ?? 0;
  await db.query(
    sql`INSERT INTO merchant_members (merchant_id, user_id, role, added_by, added_at)
      SELECT merchant_id, gen_random_uuid(), 'read-only', 'test', now()
      FROM merchants, generate_series(1, ${99 - (await countMembers())})`,
  );
  const { running } = await db.transaction(async (tx) => {
    // Both have counted before one of them is stored.
    await tx.query(sql`LOCK TABLE merchant_members IN SHARE MODE`);
    const accepting = people.map((person, i) => accept(links[i] ?? '', person));
    await untilBlocked(db, tx, 2);
    return { running: Promise.all(accepting) };
  });
  expect((await running).map(({ status }) => status).sort()).toEqual([303, 400]);
  expect(await countMembers()).toBe(100);
  await db.close();
});

test('D-1382 one mail address gets three invitations in 15 minutes, from all merchants together and in any spelling', async () => {
  const other = await addMerchant(service, platform.owner);
  const second = await consoleOf(service, platform.owner, other.merchant_no);
  expect((await invite('often@people.test')).status).toBe(201);
  const { body } = await invite('Often@People.test ');
  await desk.send('DELETE', `/people/invitations/${String(body.invitation_id)}`);
  const third = await second.send('POST', '/people', { email: 'often@people.test', role: 'finance' });
  expect(third.status).toBe(201);
  for (const from of [desk, second]) {
    const refused = await from.send('POST', '/people', { email: 'OFTEN@people.test', role: 'finance' });
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
  }
  expect((await invite('seldom@people.test')).status).toBe(201);
});
