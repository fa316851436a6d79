/**
 * Sign-ins that are under way when the password is changed or the account is disabled, and sign-ins while as many
 * passwords as possible are being checked.
 */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { runFrom } from '../../../src/base/audit/index.ts';
import {
  type Database,
  openDatabase,
  type Queryable,
  type Sql,
  sql,
  type Tx,
} from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { tokenHash } from '../../../src/base/secret-box.ts';
import { demandUnchanged, hashPassword, isPassword } from '../../../src/identity/people/index.ts';
import { demandSession, sessionHashOf, sessionIdOf } from '../../../src/identity/sessions/index.ts';
import { addProduct } from '../../support/desks/catalog.ts';
import { overtaken as overtakenBy, untilBlocked } from '../../support/servers/lock-waits.ts';
import {
  addClient,
  addMerchant,
  addUser,
  fromAnywhere,
  type Person,
  signIn,
  topUp,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { addStaff, type Staff } from '../../support/people/staff.ts';
import { authorizerIn } from '../../support/people/user-token.ts';
import { type Page, type Visitor, visitorOf, wordsOf } from '../../support/people/visitor.ts';

interface Key {
  key_id: string;
  key: string;
}
interface Locks {
  first: Staff;
  second: Staff;
  keys: [Key, Key];
  merchant_no: string;
  gd_no: string;
}
const byKey = ({ key }: Key, method: string, path: string, body?: Json): Promise<Answer> =>
  service.send(method, `/admin/v1${path}`, {
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body }),
  });

let service: TestService;
let db: Database;
let watch: Database;
let person: Person;
let origin: string;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  ({ origin } = new URL(service.url));
  db = openDatabase({ url: service.database.url, max: 1 });
  watch = openDatabase({ url: service.database.url, max: 1 });
});
afterAll(async () => {
  await db.close();
  await watch.close();
  await service.stop();
});
beforeEach(async () => {
  person = await addUser(service, 'Pat Person');
});

/** Does a change of the person in a transaction, and lets `call` run into it before it commits. */
async function during<T>(change: (tx: Tx) => Promise<unknown>, call: () => Promise<T>): Promise<T> {
  let running: Promise<T> | undefined;
  await db.transaction(async (tx) => {
    await change(tx);
    await tx.query(sql`DELETE FROM sessions WHERE user_id = ${person.user_id}::uuid`);
    await tx.query(sql`DELETE FROM one_time_tokens WHERE user_id = ${person.user_id}::uuid`);
    running = call();
    await Promise.race([untilBlocked(watch, tx), running]);
  });
  if (running === undefined) throw new Error('the call never began');
  return running;
}

const trySignIn = (): Promise<Answer> =>
  service.send('POST', '/session', {
    headers: fromAnywhere(),
    body: { email: person.email, password: person.password },
  });

async function changePassword(tx: Tx): Promise<void> {
  const password_hash = await hashPassword('another password');
  await tx.query(
    sql`UPDATE users SET password_hash = ${password_hash} WHERE user_id = ${person.user_id}::uuid`,
  );
}

const disable = (tx: Tx): Promise<unknown> =>
  tx.query(sql`UPDATE users SET disabled_at = now() WHERE user_id = ${person.user_id}::uuid`);

const removeApps = (tx: Tx): Promise<unknown> =>
  tx.query(sql`DELETE FROM oauth_consents WHERE user_id = ${person.user_id}::uuid`);

/** Starts to set up an authenticator app; gives its secret. */
async function startApp(device: Visitor): Promise<Secret> {
  await device.post('/account/totp', { password: person.password });
  const { html } = await device.get('/account/totp');
  const key = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1] ?? '';
  return Secret.fromBase32(key.replaceAll(' ', ''));
}

const stored = async (): Promise<number> => {
  const rows = await watch.query(
    sql`SELECT 1 FROM sessions WHERE user_id = ${person.user_id}::uuid
      UNION ALL SELECT 1 FROM one_time_tokens WHERE user_id = ${person.user_id}::uuid`,
  );
  return rows.length;
};

describe('no session from before outlives the end of all sessions', () => {
  test('a sign-in with the old password that is under way when the password changes', async () => {
    const answer = await during(changePassword, trySignIn);
    expect([answer.status, answer.body.error, await stored()]).toEqual([401, 'invalid_credentials', 0]);
  });

  test('D-1001 one by the password alone while a second factor is set up', async () => {
    const device = visitorOf(service);
    await device.signIn(person);
    const secret = await startApp(device);
    let setUp: Promise<Page> | undefined;
    let overtaken: Promise<Answer> | undefined;
    await db.transaction(async (tx) => {
      await tx.query(
        sql`SELECT 1 AS held FROM users WHERE user_id = ${person.user_id}::uuid FOR NO KEY UPDATE`,
      );
      await tx.query(
        sql`UPDATE totp_factors SET confirmed_at = now() WHERE user_id = ${person.user_id}::uuid`,
      );
      overtaken = trySignIn();
      await Promise.race([untilBlocked(watch, tx), overtaken]);
    });
    expect([(await overtaken)?.status, (await overtaken)?.body.error]).toEqual([
      401,
      'authentication_required',
    ]);
    await watch.query(
      sql`UPDATE totp_factors SET confirmed_at = NULL, last_step = 0 WHERE user_id = ${person.user_id}::uuid`,
    );
    const [begun] = await db.transaction(async (tx) => {
      await tx.query(sql`SELECT 1 AS held FROM users WHERE user_id = ${person.user_id}::uuid FOR SHARE`);
      setUp = device.post('/account/totp/confirm', { code: new TOTP({ secret }).generate() });
      await Promise.race([untilBlocked(watch, tx), setUp]);
      return tx.query<{ at: Date }>(sql`SELECT clock_timestamp() AS at`);
    });
    expect((await setUp)?.status).toBe(200);
    const [factor] = await watch.query<{ confirmed_at: Date }>(
      sql`SELECT confirmed_at FROM totp_factors WHERE user_id = ${person.user_id}::uuid`,
    );
    // A session that was stored under the lock is older than the factor.
    expect(Number(factor?.confirmed_at)).toBeGreaterThanOrEqual(Number(begun?.at));
  });

  test('one that would wait for its code', async () => {
    await watch.query(
      sql`INSERT INTO passkeys (credential_id, user_id, public_key, counter, transports, created_at)
        VALUES (${person.user_id}, ${person.user_id}::uuid, '\\x00', 0, '{}', now())`,
    );
    const answer = await during(changePassword, trySignIn);
    expect([answer.status, answer.body.error, await stored()]).toEqual([401, 'invalid_credentials', 0]);
  });

  test('D-935 a sign-in whose code is right while the password changes', async () => {
    const device = visitorOf(service);
    await device.signIn(person);
    const secret = await startApp(device);
    const shown = await device.post('/account/totp/confirm', { code: new TOTP({ secret }).generate() });
    const code = /\b(?:[a-z2-9]{4}-){2}[a-z2-9]{4}\b/.exec(wordsOf(shown.html))?.[0] ?? '';
    const thief = visitorOf(service);
    await thief.post('/sign-in', { email: person.email, password: person.password });
    let running: Promise<Page> | undefined;
    await db.transaction(async (tx) => {
      await changePassword(tx);
      running = thief.post('/sign-in/second-factor', { code });
      await untilBlocked(watch, tx);
      await tx.query(sql`DELETE FROM sessions WHERE user_id = ${person.user_id}::uuid`);
      await tx.query(sql`DELETE FROM one_time_tokens WHERE user_id = ${person.user_id}::uuid`);
    });
    expect([(await running)?.status, await stored()]).toEqual([401, 0]);
  });

  test('D-974 a change of the password, with the password of before, that is under way when it changes', async () => {
    const thief = visitorOf(service);
    await thief.signIn(person);
    const form = { password: person.password, new_password: 'the password of a thief 1' };
    const answer = await during(changePassword, () => thief.post('/account/password', form));
    const [row] = await watch.query<{ password_hash: string }>(
      sql`SELECT password_hash FROM users WHERE user_id = ${person.user_id}::uuid`,
    );
    const isKept = await isPassword(row?.password_hash ?? '', 'another password', 'own');
    expect([answer.status, isKept, await stored()]).toEqual([401, true, 0]);
  });

  test.each<[what: string, path: string, hasApp: boolean]>([
    ['another password', '/password', false],
    ['recovery codes', '/recovery-codes', false],
    ['an app', '/totp/confirm', false],
    ['no app any more', '/totp/remove', true],
  ])('D-1100 nor has the account %s by it', async (_what, path, hasApp) => {
    const thief = visitorOf(service);
    await thief.signIn(person);
    const secret = path.startsWith('/totp') ? await startApp(thief) : new Secret();
    const code = new TOTP({ secret }).generate();
    if (hasApp) await thief.post('/account/totp/confirm', { code });
    const protection = (): Promise<Json[]> =>
      watch.query<Json>(
        sql`SELECT password_hash, confirmed_at, array(SELECT code_digest FROM recovery_codes r WHERE r.user_id = u.user_id)
          FROM users u LEFT JOIN totp_factors USING (user_id) WHERE user_id = ${person.user_id}::uuid`,
      );
    const before = await protection();
    const form = { password: person.password, new_password: 'the password of a thief 1', code };
    const answer = await during(
      (tx) => tx.query(sql`SELECT 1 AS held FROM users WHERE user_id = ${person.user_id}::uuid FOR UPDATE`),
      () => thief.post(`/account${path}`, form),
    );
    expect(answer.location).toContain('/sign-in?');
    expect(await protection()).toEqual(before);
  });

  test('a sign-in that is under way when the account is disabled is gone when it is enabled again', async () => {
    const answer = await during(disable, trySignIn);
    expect([answer.status, await stored()]).toEqual([401, 0]);
  });

  test('a form that gives the browser another session, with the session and the password of before', async () => {
    const cookie = await signIn(service, person);
    const form = new URLSearchParams({ password: person.password }).toString();
    const answer = await during(changePassword, () =>
      service.send('POST', '/account/totp/remove', {
        headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
        raw: form,
      }),
    );
    expect([answer.headers.get('location'), answer.headers.getSetCookie(), await stored()]).toEqual([
      expect.stringContaining('/sign-in?'),
      [],
      0,
    ]);
  });
});

test.each([
  ['that the browser prefers', ''],
  ['that the person chose', '?lang=de'],
])('D-620 a sign-in in the same language, %s, waits for no change of people', async (_what, query) => {
  const browser = visitorOf(service);
  await browser.get(`${service.url}/console${query}`);
  await browser.signIn(person);
  await db.transaction(async (tx) => {
    await tx.query(sql`LOCK TABLE users IN SHARE MODE`);
    await browser.signIn(person);
  });
  const [row] = await watch.query(sql`SELECT locale FROM users WHERE user_id = ${person.user_id}::uuid`);
  expect(row).toEqual({ locale: query === '' ? 'en' : 'de' });
});

/** Keeps so many hashes running while `work` runs. */
async function whileHashing(count: number, account: string, work: () => Promise<void>): Promise<void> {
  const hash = await hashPassword('some other password');
  let over = false;
  const hashes = Array.from({ length: count }, async () => {
    while (!over) await isPassword(hash, 'a wrong password', account);
  });
  try {
    await work();
  } finally {
    over = true;
    await Promise.all(hashes);
  }
}

describe('at most 16 hashes at once', () => {
  test('a try that is refused for that reason does not count', async () => {
    const headers = fromAnywhere();
    const body = { email: person.email, password: person.password };
    const ask = () => service.send('POST', '/session', { headers, body });
    await whileHashing(8, 'one', () =>
      whileHashing(8, 'another', async () => {
        for (let i = 0; i < 11; i++) expect((await ask()).status).toBe(429);
      }),
    );
    expect((await ask()).status).toBe(200);
  });

  test('one account, whose holder knows the password, does not take all of them', async () => {
    const hash = await hashPassword(person.password);
    await whileHashing(10, 'own', async () => {
      await expect(isPassword(hash, person.password, 'own')).rejects.toMatchObject({ code: 'rate_limited' });
      expect((await trySignIn()).status).toBe(200);
    });
  });
});

describe('no code for an app from before outlives the end of all sessions', () => {
  test.each([
    ['the password changes', changePassword],
    ['the account is disabled', disable],
    ['the person removes the app (D-937)', removeApps],
  ])('D-171 an authorization that is completed while %s gives no code', async (_what, change) => {
    const { merchant_no } = await addMerchant(service, await addUser(service, 'Olga Owner'));
    const redirect_uri = 'https://shop.example/back';
    const client = await addClient(service, merchant_no, {
      scopes: ['openid'],
      redirect_uris: [redirect_uri],
    });
    const browser = visitorOf(service);
    await browser.signIn(person);
    // The person has allowed it before, so the next request gives a code at once.
    await authorizerIn(browser, service, client, redirect_uri).token('openid');
    const asked = new URLSearchParams({
      ...{ client_id: client.client_id, redirect_uri, scope: 'openid', response_type: 'code' },
      ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
    });
    const codes = (): Promise<unknown[]> =>
      watch.query(sql`SELECT 1 FROM oauth_artifacts WHERE model = 'AuthorizationCode' AND consumed_at IS NULL
        AND payload ->> 'accountId' = ${person.user_id}`);
    const answer = await during(change, () =>
      browser.get(`${service.url}/oauth/authorize?${asked.toString()}`),
    );
    expect([answer.status, answer.location, await codes()]).toEqual([400, '', []]);
  });
});

describe('an answer to an app that the browser has not yet carried to it', () => {
  /** Allows an app, and stops where the browser would be led on. */
  async function allowed(browser: Visitor): Promise<Page> {
    const { merchant_no } = await addMerchant(service, await addUser(service, 'Olga Owner'));
    const redirect_uri = 'https://shop.example/back';
    const client = await addClient(service, merchant_no, {
      scopes: ['openid'],
      redirect_uris: [redirect_uri],
    });
    const asked = new URLSearchParams({
      ...{ client_id: client.client_id, redirect_uri, scope: 'openid', response_type: 'code' },
      ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
    });
    const page = await browser.follow(
      await browser.get(`${service.url}/oauth/authorize?${asked.toString()}`),
    );
    const action = /<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? '';
    const form = { decision: 'allow', person: person.user_id };
    return browser.post(new URL(action, service.url).href, form);
  }
  const codes = (): Promise<unknown[]> =>
    watch.query(sql`SELECT 1 FROM oauth_artifacts WHERE model = 'AuthorizationCode'
      AND payload ->> 'accountId' = ${person.user_id}`);

  test('D-970 gives no code after the password was changed, with the cookies of a stolen session', async () => {
    const thief = visitorOf(service);
    await thief.signIn(person);
    const held = await allowed(thief);
    const owner = visitorOf(service);
    await owner.signIn(person);
    const form = { password: person.password, new_password: 'another long password 1' };
    expect((await owner.post('/account/password', form)).location).toContain('done=password');
    const answer = await thief.follow(held);
    expect([answer.status, answer.location, await codes()]).toEqual([400, '', []]);
  });

  test('D-970 gives no code to someone else who signs in to the same browser', async () => {
    const browser = visitorOf(service);
    await browser.signIn(person);
    const held = await allowed(browser);
    await browser.post('/sign-out', {});
    await browser.signIn(await addUser(service, 'Eve Else'));
    const answer = await browser.follow(held);
    expect([answer.location, await codes()]).toEqual([expect.not.stringContaining('code='), []]);
  });
});

describe('D-975 who loses a role undoes that by no write that is under way', () => {
  const overtaken = (change: (tx: Tx) => Promise<unknown>, write: () => Promise<Answer>): Promise<Answer> =>
    overtakenBy(db, watch, change, write);

  test.each<[string, Sql, Json]>([
    ['disabled', sql`disabled_at = now()`, { disabled: false }],
    ['demoted', sql`role = 'user'`, { role: 'admin' }],
  ])('an administrator who is %s', async (_how, change, own) => {
    const insider = await addStaff(service, 'Ida Insider');
    await addStaff(service, 'Ada Admin');
    const answer = await overtaken(
      (tx) => tx.query(sql`UPDATE users SET ${change} WHERE user_id = ${insider.user_id}::uuid`),
      () => insider.call('PATCH', `/users/${insider.user_id}`, { ...own, reason: 'mine' }),
    );
    expect([answer.status, answer.body.error]).toEqual([403, 'role_required']);
  });

  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const another = { email: 'second.self@people.test', password: 'correct horse battery', name: 'Ida' };
  const program = { merchant_no: null, type: 'confidential', name: 'C', scopes: [], redirect_uris: [] };
  test.each<[string, string, Json]>([
    ['an account', 'POST /users', { ...another, role: 'admin' }],
    ['a key', 'POST /keys', { name: 'K', role: 'admin', expires_at: soon }],
    ['a client', 'POST /clients', program],
    ['a merchant', 'PATCH /merchants/:own', { owner_user_id: ':other' }],
    ['a new merchant', 'POST /merchants', { name: 'Late', owner_user_id: ':other' }],
    ['the settings', 'PUT /settings', { four_eyes_ptk: '0' }],
    ['a merchant active', 'PATCH /merchants/:own', { status: 'active', reason: 'mine' }],
    ['another person without factors', 'DELETE /users/:other/factors', {}],
    ['another person signed out', 'DELETE /users/:other/sessions', {}],
    ['another key revoked', 'DELETE /keys/ak_0', { reason: 'mine' }],
    [
      'a channel',
      'POST /channels',
      { provider: 'ptk', owner: 'platform', name: 'P', currency: 'PTK', fees: [] },
    ],
    ['a channel in use', 'PATCH /channels/ch_0', { enabled: true }],
    ['a channel in debug mode', 'PUT /channels/ch_0/debug-grants', { users: [] }],
    ['a currency', 'PUT /currencies/XTS', { decimals: 2, enabled: true }],
    ['a rate', 'PUT /rates/XTS', { ptk_price: '1' }],
  ])('D-1000 D-1070 nor has %s by it', async (_what, call, body) => {
    const insider = await addStaff(service, 'Ida Insider');
    const { merchant_no } = await addMerchant(service, insider);
    const named = (text: string): string =>
      text.replace(':own', merchant_no).replace(':other', person.user_id);
    const [method = '', path = ''] = named(call).split(' ');
    const wanted = JSON.parse(named(JSON.stringify(body))) as Json;
    const answer = await overtaken(
      (tx) => tx.query(sql`UPDATE users SET disabled_at = now() WHERE user_id = ${insider.user_id}::uuid`),
      () => insider.call(method, path, wanted),
    );
    expect([answer.status, answer.body.error]).toEqual([403, 'role_required']);
  });

  test.each([
    ['asked for', 'role_required'],
    ['approved', 'second_person_required'],
  ])('D-1003 nor is money moved that they have %s', async (how, error) => {
    const finance = await addStaff(service, 'Fin Finance', 'finance');
    const wallet = `/users/${person.user_id}`;
    const topUp = { amount_ptk: '100', reference: `late-${error}`, reason: 'mine' };
    await service.admin('POST', `${wallet}/ptk-top-ups`, { ...topUp, reference: `first-${error}` });
    let send = (): Promise<Answer> => finance.call('POST', `${wallet}/ptk-top-ups`, topUp);
    if (how === 'approved') {
      await service.admin('PUT', '/settings', { four_eyes_ptk: '50' });
      const { approval_id } = await service.admin('POST', `${wallet}/ptk-top-ups`, topUp);
      send = () => finance.call('POST', `/approvals/${String(approval_id)}/approve`);
    }
    const answer = await overtaken(async (tx) => {
      await tx.query(sql`UPDATE users SET disabled_at = now() WHERE user_id = ${finance.user_id}::uuid`);
      await tx.query(
        sql`SELECT 1 AS held FROM user_wallets WHERE user_id = ${person.user_id}::uuid FOR UPDATE`,
      );
    }, send);
    await service.admin('PUT', '/settings', { four_eyes_ptk: '0' });
    const left = await service.admin('GET', `${wallet}/wallet`);
    expect([answer.status, answer.body.error, left.available_ptk]).toEqual([403, error, '100']);
  });

  test.each<[string, Json]>([
    ['merchants/:own/guarantee-returns', { amount_ptk: '40', reference: 'late' }],
    ['withdrawals', { amount_ptk: '40', reference: 'late', payout_currency: 'USD', payout_amount: '1.00' }],
  ])('D-1076 nor is money moved by %s, which needs no second person', async (path, move) => {
    const finance = await addStaff(service, 'Fin Finance', 'finance');
    const { merchant_no } = await addMerchant(service, person);
    await service.admin('PUT', '/currencies/USD', { decimals: 2, enabled: true });
    const funds = { amount_ptk: '100', reference: `funds-${merchant_no}`, reason: 'funds' };
    await service.admin('POST', `/merchants/${merchant_no}/ptk-top-ups`, funds);
    const deposit = { amount_ptk: '50', reference: `deposit-${merchant_no}`, source: 'available' };
    await service.admin('POST', `/merchants/${merchant_no}/guarantee-deposits`, deposit);
    const before = await service.admin('GET', `/merchants/${merchant_no}/wallet`);
    const body = path === 'withdrawals' ? { ...move, merchant_no } : move;
    const answer = await overtaken(
      async (tx) => {
        await tx.query(sql`UPDATE users SET disabled_at = now() WHERE user_id = ${finance.user_id}::uuid`);
        await tx.query(sql`SELECT 1 AS held FROM ledger_balances
          WHERE merchant_id = ${merchantIdOf(merchant_no)} FOR UPDATE`);
      },
      () => finance.call('POST', `/${path.replace(':own', merchant_no)}`, body),
    );
    expect([answer.status, answer.body.error]).toEqual([403, 'role_required']);
    expect(await service.admin('GET', `/merchants/${merchant_no}/wallet`)).toEqual(before);
  });

  test('D-1082 nor by many writes at once, which lock the person one after another', async () => {
    const lookers = openDatabase({ url: service.database.url, max: 2 });
    const { user_id } = person;
    let isPast = false;
    let next: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await demandUnchanged(tx, { user_id });
      next = lookers
        .transaction((other) => demandUnchanged(other, { user_id }))
        .then(() => void (isPast = true));
      await Promise.race([untilBlocked(watch, tx), next]);
      expect(isPast).toBe(false);
    });
    await next;
    await lookers.close();
  });

  test('an administrator’s key that is revoked', async () => {
    const insider = await addStaff(service, 'Ida Insider');
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const made = await insider.call('POST', '/keys', { name: 'K', role: 'admin', expires_at });
    const { key_id, key } = made.body as { key_id: string; key: string };
    const headers = { authorization: `Bearer ${key}` };
    // A first use is stored, and would wait for the lock in its place.
    await service.send('GET', '/admin/v1/work', { headers });
    const body = { role: 'admin', reason: 'mine' };
    const answer = await overtaken(
      (tx) =>
        tx.query(sql`UPDATE admin_keys SET revoked_at = now(), revoked_by = 'x', revoke_reason = 'x'
          WHERE key_id = ${key_id}`),
      () => service.send('PATCH', `/admin/v1/users/${person.user_id}`, { headers, body }),
    );
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token']);
  });

  test.each<[string, string, Json]>([
    ['a key', 'POST /keys', { name: 'K', role: 'admin', expires_at: soon }],
    ['another role', 'PATCH /users/:other', { role: 'admin', reason: 'mine' }],
    ['money', 'POST /users/:other/ptk-top-ups', { amount_ptk: '5', reference: 'ended', reason: 'mine' }],
  ])('D-1086 nor has an administrator whose sessions end %s by it', async (_what, call, body) => {
    const insider = await addStaff(service, 'Ida Insider');
    const [method = '', path = ''] = call.replace(':other', person.user_id).split(' ');
    await topUp(service, person, 1n);
    const answer = await overtaken(
      async (tx) => {
        await tx.query(sql`SELECT 1 AS held FROM users WHERE user_id = ${insider.user_id}::uuid FOR UPDATE`);
        await tx.query(
          sql`SELECT 1 AS held FROM user_wallets WHERE user_id = ${person.user_id}::uuid FOR UPDATE`,
        );
        await tx.query(sql`DELETE FROM sessions WHERE user_id = ${insider.user_id}::uuid`);
      },
      () => insider.call(method, path, body),
    );
    expect([answer.status, answer.body.error]).toEqual([401, 'authentication_required']);
  });

  test('D-1086 the end of all sessions waits for what is under way, also for a sign-in', async () => {
    const boss = await addStaff(service, 'Bo Boss');
    await signIn(service, person);
    const answer = await overtaken(
      async (tx) => {
        await demandUnchanged(tx, person);
        await tx.query(sql`INSERT INTO sessions (token_hash, user_id, agent, created_at, expires_at)
          VALUES ('under way', ${person.user_id}::uuid, '', now(), now() + interval '1 hour')`);
      },
      () => boss.call('DELETE', `/users/${person.user_id}/sessions`, {}),
    );
    expect([answer.status, answer.body]).toEqual([200, { ended: 2 }]);
  });

  test('D-1093 a write asks for the session that sent it alone, however many its sender has', async () => {
    const token = randomBytes(32).toString('base64url');
    const { user_id } = person;
    for (const hash of [tokenHash(token), tokenHash('another')]) {
      await db.query(sql`INSERT INTO sessions (token_hash, user_id, agent, created_at, expires_at)
        VALUES (${hash}, ${user_id}::uuid, '', now(), now() + interval '1 hour')`);
    }
    let read = 0;
    const counting: Queryable = {
      query: async (statement) => {
        const rows = await db.query(statement);
        read += rows.length;
        return rows as never;
      },
    };
    const none = { address: '', merchant_id: () => null };
    const origin = {
      ...none,
      session_id: () => sessionIdOf(token),
      session_hash: () => sessionHashOf(token),
    };
    await runFrom(origin, () => demandSession(counting, `user:${user_id}`));
    expect(read).toBe(1);
  });

  const tableOf = (rows: Sql): string | undefined => rows.sql.split(' ', 1)[0];
  test.each<[string, (of: Locks) => [waitsFor: Sql, notYet: Sql, call: () => Promise<Answer>]]>([
    [
      'two administrators who end each other’s sessions',
      ({ first, second }) => [
        sql`users WHERE user_id = ${first.user_id}::uuid`,
        sql`users WHERE user_id = ${second.user_id}::uuid`,
        () => second.call('DELETE', `/users/${first.user_id}/sessions`, {}),
      ],
    ],
    [
      'who revokes a key, and the key, which changes them',
      ({ first, keys: [, key] }) => [
        sql`users WHERE user_id = ${first.user_id}::uuid`,
        sql`admin_keys WHERE key_id = ${key.key_id}`,
        () => byKey(key, 'PATCH', `/users/${first.user_id}`, { name: 'Late', reason: 'mine' }),
      ],
    ],
    [
      'two keys that revoke each other',
      ({ keys: [older, key] }) => [
        sql`admin_keys WHERE key_id = ${older.key_id}`,
        sql`admin_keys WHERE key_id = ${key.key_id}`,
        () => byKey(key, 'DELETE', `/keys/${older.key_id}`, { reason: 'mine' }),
      ],
    ],
    [
      'who changes a product, and a refund of what they bought,',
      ({ first, merchant_no, gd_no }) => [
        sql`users WHERE user_id = ${first.user_id}::uuid`,
        sql`products WHERE merchant_id = ${merchantIdOf(merchant_no)}::uuid AND gd_no = ${gd_no}`,
        () => first.call('PATCH', `/merchants/${merchant_no}/products/${gd_no}`, { gd_name: 'Late' }),
      ],
    ],
  ])('D-1087 %s lock in one order, and so never wait for each other', async (_who, of) => {
    const [one, two] = [await addStaff(service, 'Ada Admin'), await addStaff(service, 'Bo Boss')];
    const [first, second] = one.user_id < two.user_id ? [one, two] : [two, one];
    const made: Key[] = [];
    for (let i = 0; i < 2; i++) {
      const { body } = await first.call<Key>('POST', '/keys', { name: 'K', role: 'admin', expires_at: soon });
      await byKey(body, 'GET', '/work');
      made.push(body);
    }
    const [older, newer] = made.sort((a, b) => (a.key_id < b.key_id ? -1 : 1)) as [Key, Key];
    await service.admin('PUT', '/currencies/USD', { decimals: 2, enabled: true });
    const { merchant_no } = await addMerchant(service, person);
    const gd_no = await addProduct(service, merchant_no);
    const [waitsFor, notYet, call] = of({ first, second, keys: [older, newer], merchant_no, gd_no });
    const { running, free } = await db.transaction(async (tx) => {
      await tx.query(sql`SELECT 1 AS held FROM ${waitsFor} FOR UPDATE`);
      const running = call();
      await untilBlocked(watch, tx);
      // What it locks later is free while it waits. On a cluster a lock of one row is one of its whole table.
      const isTold = inject('citusUrl') === null || tableOf(waitsFor) !== tableOf(notYet);
      const free = isTold
        ? await watch.query(sql`SELECT 1 AS free FROM ${notYet} FOR UPDATE SKIP LOCKED`)
        : ['nobody can tell'];
      return { running, free };
    });
    expect([(await running).status, free.length]).toEqual([200, 1]);
  });

  test('D-1004 nor an owner of a merchant whose account is disabled', async () => {
    const owner = await addUser(service, 'Olga Owner');
    const { merchant_no } = await addMerchant(service, owner);
    const members = `/console/v1/merchants/${merchant_no}/people`;
    const headers = { cookie: await signIn(service, owner), origin };
    await service.send('POST', members, { headers, body: { email: person.email, role: 'read-only' } });
    const answer = await overtaken(
      async (tx) => {
        await tx.query(
          sql`SELECT 1 AS held FROM merchants WHERE merchant_id = ${merchantIdOf(merchant_no)} FOR UPDATE`,
        );
        await tx.query(sql`UPDATE users SET disabled_at = now() WHERE user_id = ${owner.user_id}::uuid`);
      },
      () => service.send('PATCH', `${members}/${person.user_id}`, { headers, body: { role: 'owner' } }),
    );
    expect([answer.status, answer.body.error]).toEqual([401, 'authentication_required']);
  });

  test('an owner of a merchant who becomes a reader', async () => {
    const holder = await addUser(service, 'Hal Holder');
    const { merchant_no } = await addMerchant(service, holder);
    const members = `/console/v1/merchants/${merchant_no}/people`;
    const by = async (who: Person) => ({ cookie: await signIn(service, who), origin });
    const body = { email: person.email, role: 'owner' };
    await service.send('POST', members, { headers: await by(holder), body });
    const mine = { headers: await by(person), body: { role: 'owner' } };
    const answer = await overtaken(
      async (tx) => {
        await tx.query(
          sql`SELECT 1 AS held FROM merchants WHERE merchant_id = ${merchantIdOf(merchant_no)} FOR UPDATE`,
        );
        await tx.query(
          sql`UPDATE merchant_members SET role = 'read-only' WHERE user_id = ${person.user_id}::uuid`,
        );
      },
      () => service.send('PATCH', `${members}/${person.user_id}`, mine),
    );
    expect([answer.status, answer.body.error]).toEqual([403, 'role_required']);
  });
});
