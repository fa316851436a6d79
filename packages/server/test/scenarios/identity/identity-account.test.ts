import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { readConfig } from '../../../src/config.ts';
import { createMailer } from '../../../src/identity/mail/mailer.ts';
import { hashPassword } from '../../../src/identity/people/index.ts';
import { askDatabase } from '../../support/servers/database.ts';
import { addClient, addUser, fromAnywhere, type Person } from '../../support/desks/platform.ts';
import { eventually, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { type MailServer, plainText, startMailServer } from '../../support/servers/smtp.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';
import { authorizerOf } from '../../support/people/user-token.ts';
import { auditOn } from '../../support/desks/wallets.ts';
import { hidden, type Visitor, visitorOf, wordsOf } from '../../support/people/visitor.ts';
import { wrongCodeOf } from '../../support/people/wrong-code.ts';

const [user, secret] = ['pay desk@mail', 'p@ss:word'];
/** What the mails of this file end with. */
const branding = { name: 'Harbour Pay', support_address: 'help@harbour.test' };

let mail: MailServer;
let service: TestService;
let person: Person;
let browser: Visitor;
let dir: string;
let temporary: TemporaryDirectory;

beforeAll(async () => {
  temporary = await temporaryDirectory('mail');
  dir = temporary.path;
  mail = await startMailServer(user, secret);
  await writeFile(join(dir, 'ca.pem'), mail.ca);
  service = await startTestService({
    env: {
      PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8',
      PAYDESK_SMTP_URL: `smtp://${encodeURIComponent(user)}:${encodeURIComponent(secret)}@127.0.0.1:${mail.port}`,
      PAYDESK_SMTP_CA_FILE: join(dir, 'ca.pem'),
      PAYDESK_MAIL_FROM: 'Paydesk <pay@desk.test>',
    },
  });
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
  await temporary.remove();
});
beforeEach(async () => {
  person = await addUser(service, 'Bo Buyer');
  browser = visitorOf(service);
  mail.mails.length = 0;
  mail.refuse(false);
});

/** The mails with a link to the person of this test; people are also told of new devices. */
const resets = (): MailServer['mails'] =>
  mail.mails.filter(({ to, text }) => to === person.email && text.includes('Subject: Reset your password'));

/** Asks the database itself. */
const query = <T extends Record<string, unknown> = Record<string, unknown>>(
  statement: string,
  values?: unknown[],
): Promise<T[]> => askDatabase<T>(service.database.url, statement, values);

const account = (): Promise<{ status: number; html: string; location: string }> =>
  browser.get(`${service.url}/account`);
const send = (path: string, form: Record<string, string> = {}) => browser.post(`${service.url}${path}`, form);
const isSignedIn = async (who: Visitor): Promise<boolean> =>
  (await who.get(`${service.url}/session`)).status === 200;

/** A sign-in that may want a second factor: the answer of `POST /session` and the cookies it set. */
async function scriptSignIn(
  { email, password }: Person,
  cookie?: string,
): Promise<{ status: number; error: unknown; cookie: string }> {
  const answer = await service.send('POST', '/session', {
    body: { email, password },
    headers: { ...fromAnywhere(), ...(cookie === undefined ? {} : { cookie }) },
  });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  return { status: answer.status, error: answer.body.error, cookie: cookies.join('; ') };
}

/** The mail that reports the change of this person's password. */
const changeTold = ({ email }: Person): Promise<string> =>
  eventually(
    () =>
      Promise.resolve(
        mail.mails.find(
          ({ to, text }) => to === email && text.includes('Subject: Your password was changed'),
        ),
      ),
    (found) => found !== undefined,
  ).then((found) => plainText(found?.text ?? ''));

describe('the account page', () => {
  test('the account page leads to sign-in and back if no one is signed in', async () => {
    const { status, location } = await account();
    expect([status, location]).toEqual([303, `${service.url}/sign-in?return_to=%2Faccount`]);
    for (const path of ['/account/name', '/account/password', '/account/totp', '/account/sessions/end']) {
      expect((await send(path)).location).toBe(location);
    }
  });

  test('H-17 H-18 shows who is signed in, saves a name, and signs out', async () => {
    await browser.signIn(person);
    const page = await account();
    expect(wordsOf(page.html)).toContain('You are signed in as Bo Buyer.');
    expect(page.html).toContain(person.email);
    const signIn = await browser.get(`${service.url}/sign-in?return_to=/account`);
    expect(signIn.html).toContain('data-signed-in');
    expect((await send('/account/name', { name: '<b>Bo</b>' })).location).toBe(
      `${service.url}/account?done=saved`,
    );
    const renamed = await browser.get(`${service.url}/account?done=saved`);
    expect(renamed.html).toContain('Saved.');
    expect(renamed.html).not.toContain('<b>Bo</b>');
    const refused = await send('/account/name', { name: ' ' });
    expect([refused.status, wordsOf(refused.html)]).toEqual([400, expect.stringContaining('Enter a name.')]);
    expect((await send('/sign-out')).location).toBe(`${service.url}/sign-in`);
    expect((await account()).status).toBe(303);
  });

  test('H-19 takes no form from another site', async () => {
    await browser.signIn(person);
    for (const path of [
      '/account/name',
      '/account/password',
      '/account/sessions/end',
      '/account/apps/remove',
    ]) {
      const crossed = await browser.post(
        `${service.url}${path}`,
        { name: 'Mallory' },
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      );
      expect([path, crossed.status]).toEqual([path, 403]);
    }
    expect((await account()).html).not.toContain('Mallory');
  });

  test('lists sessions by their browsers, and ends all others', async () => {
    const other = visitorOf(service);
    await other.post(
      `${service.url}/sign-in`,
      { ...person, return_to: '/' },
      { 'user-agent': 'Netscape <4>' },
    );
    await browser.signIn(person);
    const page = await account();
    expect(page.html).toContain('This browser');
    expect(page.html).toContain('Netscape &lt;4>');
    await send('/account/sessions/end');
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
  });
});

describe('a new password', () => {
  test('R-383 one that was stored under older rules still signs in, and can be changed', async () => {
    const old = 'password';
    await query(
      `UPDATE users SET password_hash = '${await hashPassword(old)}' WHERE user_id = '${person.user_id}'`,
    );
    expect((await scriptSignIn({ ...person, password: old })).status).toBe(200);
    await browser.signIn({ ...person, password: old });
    const changed = await send('/account/password', { password: old, new_password: 'another one 1' });
    expect(changed.location).toBe(`${service.url}/account?done=password`);
  });

  test('R-383 an administrator cannot set a short or a common one', async () => {
    for (const password of ['ninechars', 'qwertyuiop']) {
      const refused = await service.send('POST', '/admin/v1/users', {
        headers: { authorization: 'Bearer test-administration-key' },
        body: { email: 'weak@people.test', name: 'Weak', password },
      });
      expect([refused.status, refused.body.error, refused.body.field]).toEqual([
        400,
        'invalid_request',
        'password',
      ]);
    }
  });

  test('needs the present one, ends every other session and goes on under a new token', async () => {
    const other = visitorOf(service);
    await other.signIn(person);
    await browser.signIn(person);
    const before = [...browser.cookies.values()];
    const { password } = person;
    const refusals = [
      [{ password: 'wrong password', new_password: 'another one 1' }, 401, 'The present password is wrong.'],
      [{ password, new_password: 'short' }, 400, 'at least 10 characters'],
      [{ password, new_password: 'nine char' }, 400, 'at least 10 characters'],
      [{ password, new_password: 'QwertyUIOP' }, 400, 'not a common one'],
    ] as const;
    for (const [form, status, words] of refusals) {
      const page = await send('/account/password', form);
      expect([page.status, wordsOf(page.html)]).toEqual([status, expect.stringContaining(words)]);
      expect(page.html).not.toContain(form.new_password);
    }
    expect(await isSignedIn(other)).toBe(true);
    const changed = await send('/account/password', { password, new_password: 'another one 1' });
    expect(changed.location).toBe(`${service.url}/account?done=password`);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expect([...browser.cookies.values()]).not.toEqual(before);
    expect((await scriptSignIn(person)).status).toBe(401);
    expect((await scriptSignIn({ ...person, password: 'another one 1' })).status).toBe(200);
    const told = await changeTold(person);
    expect(told).toContain(`${service.url}/forgot-password`);
    expect(told).not.toContain('another one 1');
    // Once the mail server has said that it has it.
    await expect.poll(() => query(`SELECT 1 FROM account_notices`)).toEqual([]);
  });

  test('guesses of the present password count with those of signing in', async () => {
    await browser.signIn(person);
    const statuses = [];
    for (let i = 0; i < 11; i++) {
      const form = { password: `guess ${i}`, new_password: 'another one 1' };
      statuses.push((await send('/account/password', form)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
  });
});

describe('a forgotten password', () => {
  const ask = (email: string) => visitorOf(service).post(`${service.url}/forgot-password`, { email });
  const linkIn = (text: string): string =>
    /http\S+reset-password\?token=[\w-]{43}/.exec(plainText(text))?.[0] ?? '';

  async function linkFor(email = person.email): Promise<string> {
    await ask(email);
    return linkSent();
  }

  const linkSent = (): Promise<string> =>
    eventually(
      () =>
        Promise.resolve(
          resets()
            .map(({ text }) => linkIn(text))
            .findLast((link) => link !== '') ?? '',
        ),
      (link) => link !== '',
    );

  const use = (link: string, new_password: string) =>
    browser.post(`${service.url}/reset-password`, {
      token: new URL(link).searchParams.get('token') ?? '',
      new_password,
    });

  test('comes by mail, encrypted and authenticated, and ends all sessions', async () => {
    await browser.signIn(person);
    const link = await linkFor(person.email.toUpperCase());
    expect(resets()).toMatchObject([{ to: person.email, from: 'pay@desk.test', encrypted: true }]);
    expect(link.startsWith(service.url)).toBe(true);
    expect((await browser.get(link)).html).toContain('autocomplete="new-password"');
    const short = await use(link, 'short');
    expect([short.status, wordsOf(short.html)]).toEqual([
      400,
      expect.stringContaining('at least 10 characters'),
    ]);
    expect((await use(link, 'another one 2')).location).toBe(`${service.url}/sign-in?done=reset`);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await scriptSignIn({ ...person, password: 'another one 2' })).status).toBe(200);
    await changeTold(person);
  });

  test('D-1384 the device that sets the new password stays known, and no other one does', async () => {
    const other = visitorOf(service);
    for (const one of [browser, other]) await one.signIn(person);
    const known = { ...person, password: 'another one 2' };
    expect((await use(await linkFor(), known.password)).status).toBe(303);
    for (const one of [browser, other, other]) await one.signIn(known);
    const entries = await auditOn(service, `user:${person.user_id}`, 'session.sign-in');
    // The newest first.
    const isNew = entries.map(({ after }) => (after as Json).new_device);
    expect(isNew).toEqual([false, true, false, true, true]);
  });

  test('D-1135 leads on, after the new password, to the page that the person came from', async () => {
    const return_to = '/checkout/mp_1?token=t';
    const query = new URLSearchParams({ return_to }).toString();
    const forgot = await browser.get(`${service.url}/sign-in?${query}`);
    expect(forgot.html).toContain(`href="/forgot-password?${query}"`);
    const form = await browser.get(`${service.url}/forgot-password?${query}`);
    const bad = await browser.post(`${service.url}/forgot-password`, {
      email: 'bo(x)@people.test',
      return_to,
    });
    expect([bad.status, wordsOf(bad.html)]).toEqual([400, expect.stringContaining('valid email address')]);
    expect(bad.html).toContain('value="bo(x)@people.test"');
    const sent = { email: person.email, return_to: hidden(form.html, 'return_to') };
    expect((await browser.post(`${service.url}/forgot-password`, sent)).status).toBe(200);
    const link = await linkSent();
    expect((await use(link, 'another one 6')).location).toBe(
      `${service.url}/sign-in?${new URLSearchParams({ done: 'reset', return_to }).toString()}`,
    );
    await changeTold(person);
    // Only once, and only to our own pages.
    mail.mails.length = 0;
    expect((await use(await linkFor(), 'another one 7')).location).toBe(`${service.url}/sign-in?done=reset`);
    await changeTold(person);
    const foreign = await browser.get(`${service.url}/forgot-password?return_to=https%3A%2F%2Fevil.example`);
    expect(hidden(foreign.html, 'return_to')).toBe('/account');
  });

  test('a password reset ends the consents, until the person signs in for the apps again', async () => {
    const redirect_uri = 'https://app.example/back';
    const client = await addClient(service, null, { scopes: ['openid'], redirect_uris: [redirect_uri] });
    const other = await addUser(service, 'Other Person');
    const [token, others] = [
      await (await authorizerOf(service, person, client, redirect_uri)).token('openid'),
      await (await authorizerOf(service, other, client, redirect_uri)).token('openid'),
    ];
    const userinfo = async (bearer: string): Promise<number> =>
      (await service.send('GET', '/oauth/userinfo', { headers: { authorization: `Bearer ${bearer}` } }))
        .status;
    expect([await userinfo(token), await userinfo(others)]).toEqual([200, 200]);
    expect((await use(await linkFor(), 'another one 5')).status).toBe(303);
    expect([await userinfo(token), await userinfo(others)]).toEqual([401, 200]);
    await changeTold(person);
    const changed = { ...person, password: 'another one 5' };
    const fresh = await (await authorizerOf(service, changed, client, redirect_uri)).token('openid');
    expect(await userinfo(fresh)).toBe(200);
  });

  test('its link works once and for thirty minutes, and only the newest link works', async () => {
    const first = await linkFor();
    mail.mails.length = 0;
    const second = await linkFor();
    expect(second).not.toBe(first);
    expect((await use(first, 'another one 3')).status).toBe(410);
    const [row] = await query<{ life: number }>(
      `SELECT extract(epoch FROM expires_at - now())::int AS life FROM one_time_tokens WHERE user_id = $1`,
      [person.user_id],
    );
    expect(row?.life).toBeGreaterThan(1_740);
    expect(row?.life).toBeLessThanOrEqual(1_800);
    const uses = await Promise.all(Array.from({ length: 4 }, () => use(second, 'another one 3')));
    expect(uses.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410]);
    await changeTold(person);
    expect(wordsOf((await browser.get(second)).html)).toContain('no longer valid');

    mail.mails.length = 0;
    const late = await linkFor();
    await query(`UPDATE one_time_tokens SET expires_at = now() WHERE user_id = $1`, [person.user_id]);
    expect((await use(late, 'another one 4')).status).toBe(410);
  });

  test('says the same of an address that has no account, and mails nothing', async () => {
    const nobody = `nobody.${systemIds().uuid()}@people.test`;
    const [known, unknown] = [await ask(person.email), await ask(nobody)];
    const same = (html: string): string => html.replaceAll(/nonce="[^"]*"/g, '');
    expect([unknown.status, same(unknown.html)]).toEqual([known.status, same(known.html)]);
    await eventually(
      () => query(`SELECT 1 FROM password_reset_requests`),
      (rows) => rows.length === 0,
    );
    expect(resets().map(({ to }) => to)).toEqual([person.email]);
  });

  test('R-326 R-383 the link and its token are not stored', async () => {
    const token = new URL(await linkFor()).searchParams.get('token') ?? '';
    const rows = await query<{ text: string }>(
      `SELECT t::text AS text FROM one_time_tokens t UNION ALL SELECT r::text FROM password_reset_requests r`,
    );
    const dump = rows.map(({ text }) => text).join('\n');
    expect(dump).not.toContain(token);
    expect(dump).not.toBe('');
  });

  test('resets are limited per account, for any caller, and per address, for any account', async () => {
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await ask(person.email)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const one = visitorOf(service);
    const asked = [];
    for (let i = 0; i < 11; i++) {
      const email = `n${i}.${systemIds().uuid()}@people.test`;
      asked.push((await one.post(`${service.url}/forgot-password`, { email })).status);
    }
    expect(asked).toEqual([...Array<number>(10).fill(200), 429]);
  });

  test('waits for a mail server that refuses', async () => {
    mail.refuse(true);
    await ask(person.email);
    await eventually(
      () =>
        query<{ tries: number }>(`SELECT tries FROM password_reset_requests WHERE email = $1`, [
          person.email,
        ]),
      (rows) => (rows[0]?.tries ?? 0) > 0,
    );
    mail.refuse(false);
    await query(`UPDATE password_reset_requests SET due_at = now()`);
    await service.advance(60);
    await eventually(
      () => Promise.resolve(resets().length),
      (count) => count === 1,
    );
    expect(linkIn(resets()[0]?.text ?? '')).not.toBe('');
  });

  test('credentials are never sent in the clear', async () => {
    const mailer = createMailer(
      { kind: 'smtp', url: `smtp://u:p@127.0.0.1:${mail.port}`, from: 'a@b.test', ca: null },
      { clock: new OffsetClock(), ids: systemIds(), branding: () => branding },
    );
    // The certificate is not trusted here, and without it there is no encryption.
    await expect(mailer.send({ to: person.email, subject: 's', text: 't' })).rejects.toThrow(/certificate/);
    mailer.stop();
  });

  test('without a mail server files take its place, and without either the page says so', async () => {
    const outbox = join(dir, 'outbox');
    const mailer = createMailer(
      { kind: 'outbox', dir: outbox },
      { clock: new OffsetClock(), ids: systemIds(), branding: () => branding },
    );
    await mailer.send({ to: 'bo@people.test', subject: 'Ünïcode', text: 'a link\n' });
    const [name = ''] = await readdir(outbox);
    expect(name).toMatch(/^[0-9A-Z]{26}\.eml$/);
    const written = await readFile(join(outbox, name), 'utf8');
    expect(written).toContain('To: bo@people.test');
    expect(written).toMatch(/\n\na link\n\n-- \nHarbour Pay\nhelp@harbour\.test\n$/);

    const without = await startTestService();
    const page = await without.send('GET', '/forgot-password');
    expect(wordsOf(page.text)).toContain('This service cannot send email.');
    const sent = await without.send('POST', '/forgot-password', {
      raw: 'email=a%40b.test',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(sent.status).toBe(503);
    await without.stop();
  });

  test.each([
    [{ PAYDESK_SMTP_URL: 'https://mail.test' }, 'PAYDESK_SMTP_URL'],
    [{ PAYDESK_SMTP_URL: 'smtp://mail.test' }, 'PAYDESK_MAIL_FROM'],
    [{ PAYDESK_SMTP_URL: 'smtp://mail.test', PAYDESK_MAIL_FROM: 'nobody' }, 'PAYDESK_MAIL_FROM'],
  ])('%j is listed by its name', (env, variable) => {
    expect(() => readConfig(env)).toThrow(variable);
  });
});

/** The app that has taken the key from the page. */
function appOn(html: string): TOTP {
  const key = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1] ?? '';
  return new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
}

describe('an authenticator app', () => {
  let totp: TOTP;
  let codes: string[];

  let begun_ms: number;

  /**
   * The code of a step: `steps` away from the one in which the test began. It counts for half a minute at least, wherever in
   * its step the test began, and stays the same code when a step ends meanwhile.
   */
  const codeAt = (steps = 0): string => totp.generate({ timestamp: begun_ms + steps * 30_000 });
  const forgetSteps = () =>
    query(`UPDATE totp_factors SET last_step = 0 WHERE user_id = $1`, [person.user_id]);

  beforeEach(async () => {
    await browser.signIn(person);
    await send('/account/totp', { password: person.password });
    totp = appOn((await browser.get(`${service.url}/account/totp`)).html);
    begun_ms = Date.now();
    const shown = await send('/account/totp/confirm', { code: codeAt() });
    expect(shown.status).toBe(200);
    codes = [...shown.html.matchAll(/>([a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4})</g)].map(
      ([, code]) => code ?? '',
    );
    await forgetSteps();
  });

  const confirm = (cookie: string, code: string) =>
    service.send('POST', '/session/second-factor', {
      body: { code },
      headers: { ...fromAnywhere(), cookie },
    });

  test('is asked for after the password: 401 second_factor_required, then the code', async () => {
    const first = await scriptSignIn(person);
    expect(first).toMatchObject({ status: 401, error: 'second_factor_required' });
    expect((await service.send('GET', '/session', { headers: { cookie: first.cookie } })).status).toBe(401);
    const wrong = await confirm(first.cookie, wrongCodeOf(totp));
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_code']);
    const done = await confirm(first.cookie, codeAt());
    expect([done.status, done.body]).toEqual([200, { user_id: person.user_id, name: 'Bo Buyer' }]);
    const again = await confirm(first.cookie, codeAt(1));
    expect([again.status, again.body.error]).toEqual([401, 'authentication_required']);
  });

  test('a code counts once: a replay is refused, by another browser as well', async () => {
    const [one, two] = [await scriptSignIn(person), await scriptSignIn(person)];
    expect((await confirm(one.cookie, codeAt())).status).toBe(200);
    expect((await confirm(two.cookie, codeAt())).body.error).toBe('invalid_code');
    // An older code is refused too, although it is still in time.
    expect((await confirm(two.cookie, codeAt(-1))).body.error).toBe('invalid_code');
    expect((await confirm(two.cookie, codeAt(1))).status).toBe(200);
  });

  test('a code that is used in ten concurrent sign-ins opens one', async () => {
    const doors = await Promise.all(Array.from({ length: 5 }, () => scriptSignIn(person)));
    const answers = await Promise.all(doors.map(({ cookie }) => confirm(cookie, codeAt())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('ten wrong codes are the limit, also if the person starts again', async () => {
    const errors = [];
    for (let i = 0; i < 11; i++) {
      const { cookie } = await scriptSignIn(person);
      errors.push((await confirm(cookie, wrongCodeOf(totp))).status);
    }
    expect(errors).toEqual([...Array<number>(10).fill(401), 429]);
    const { cookie } = await scriptSignIn(person);
    expect((await confirm(cookie, codeAt())).status).toBe(429);
  });

  test('recovery codes work once each, and only their digests are kept', async () => {
    expect(new Set(codes).size).toBe(10);
    const [code = '', other = ''] = codes;
    const first = await scriptSignIn(person);
    expect((await confirm(first.cookie, ` ${code.toUpperCase()} `)).status).toBe(200);
    const second = await scriptSignIn(person);
    expect((await confirm(second.cookie, code)).body.error).toBe('invalid_code');
    expect((await confirm(second.cookie, other.replaceAll('-', ''))).status).toBe(200);
    const rows = await query<{ text: string }>(
      `SELECT c::text AS text FROM recovery_codes c UNION ALL SELECT t::text FROM totp_factors t`,
    );
    const dump = rows.map(({ text }) => text).join('\n');
    for (const secretText of [...codes, totp.secret.base32]) expect(dump).not.toContain(secretText);
  });

  test('new recovery codes put the old ones out of use', async () => {
    const fresh = await send('/account/recovery-codes', { password: person.password });
    expect(fresh.html).toMatch(/>[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}</);
    const { cookie } = await scriptSignIn(person);
    expect((await confirm(cookie, codes[0] ?? '')).body.error).toBe('invalid_code');
  });

  test('without a script: the form leads to the code and then on to where it was going', async () => {
    const fresh = visitorOf(service);
    const { email, password } = person;
    const asked = await fresh.post(`${service.url}/sign-in`, { email, password, return_to: '/account?x=1' });
    expect(asked.location).toBe(`${service.url}/sign-in/second-factor?return_to=%2Faccount%3Fx%3D1`);
    expect((await fresh.get(asked.location)).html).toContain('autocomplete="one-time-code"');
    const form = { return_to: '/account?x=1' };
    const wrong = await fresh.post(`${service.url}/sign-in/second-factor`, {
      ...form,
      code: wrongCodeOf(totp),
    });
    expect([wrong.status, wordsOf(wrong.html)]).toEqual([401, expect.stringContaining('The code is wrong')]);
    const right = await fresh.post(`${service.url}/sign-in/second-factor`, { ...form, code: codeAt() });
    expect(right.location).toBe(`${service.url}/account?x=1`);
    expect(await isSignedIn(fresh)).toBe(true);
    // Who has no right password behind them is sent back to where it is asked for.
    const nobody = await visitorOf(service).get(`${service.url}/sign-in/second-factor?return_to=/account`);
    expect(nobody.location).toBe(`${service.url}/sign-in?return_to=%2Faccount`);
  });

  test('taking it away needs the password; then the password is enough again', async () => {
    expect((await send('/account/totp/remove', { password: 'wrong password' })).status).toBe(401);
    expect((await scriptSignIn(person)).status).toBe(401);
    const cookies = [...browser.cookies.values()];
    expect((await send('/account/totp/remove', { password: person.password })).status).toBe(303);
    expect([...browser.cookies.values()]).not.toEqual(cookies);
    expect((await scriptSignIn(person)).status).toBe(200);
    expect(await query(`SELECT 1 FROM recovery_codes WHERE user_id = $1`, [person.user_id])).toEqual([]);
  });

  test('one that was never confirmed asks for nothing, and setting one up needs the password', async () => {
    const other = await addUser(service, 'Una Unsure');
    const fresh = visitorOf(service);
    await fresh.signIn(other);
    const refused = await fresh.post(`${service.url}/account/totp`, { password: 'wrong password' });
    expect(refused.status).toBe(401);
    await fresh.post(`${service.url}/account/totp`, { password: other.password });
    const code = wrongCodeOf(appOn((await fresh.get(`${service.url}/account/totp`)).html));
    const wrong = await fresh.post(`${service.url}/account/totp/confirm`, { code });
    expect(wrong.status).toBe(401);
    expect((await scriptSignIn(other)).status).toBe(200);
  });
});
