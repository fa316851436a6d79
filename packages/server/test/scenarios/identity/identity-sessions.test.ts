import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { days, hours } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { createLog } from '../../../src/base/log.ts';
import { memoryLimiter } from '../../../src/http/rate-limit.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { createPages } from '../../../src/http/page-context.ts';
import { createHttp } from '../../../src/http/server.ts';
import { createAdmin, createUser, preparePerson } from '../../../src/identity/people/create-user.ts';
import { selectPersonByEmail, selectPerson } from '../../../src/identity/people/person.sql.ts';
import { recordOwnAct } from '../../../src/identity/people/index.ts';
import { knownDevice, rememberDevice } from '../../../src/identity/sign-in/known-devices.ts';
import { accountKey } from '../../../src/identity/sign-in/index.ts';
import { type FindSessionUser, identityRoutes } from '../../../src/identity/routes.ts';
import { purgeExpiredSessions } from '../../../src/identity/sessions/sessions.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { MovableClock } from '../../support/people/people-app.ts';

const origin = 'http://127.0.0.1:8080';
const password = 'correct horse battery';
const ids = systemIds();
const clock = new MovableClock();
let database: TestDatabase;
let db: Database;
let app: FastifyInstance;
let url: string;
let sessionUser: FindSessionUser;
let email: string;
let user_id: string;
let addresses = 0;

async function serve(public_url = origin, base_path = ''): Promise<[FastifyInstance, FindSessionUser]> {
  const config = { public_url, base_path, trusted_proxies: ['127.0.0.0/8'] };
  const server = createHttp({ config, log: createLog('silent'), ids });
  const { sessionUser: find } = identityRoutes(server, {
    ...{ db, clock, ids, limiter: memoryLimiter(), pages: createPages(server), mail: false },
    box: secretBox([Buffer.alloc(32, 7)]),
    staff_factor_required: false,
    apps: {
      listOf: () => Promise.resolve([]),
      revoke: () => Promise.resolve(false),
      limit: () => Promise.resolve(),
      endTokens: () => Promise.resolve(),
      forget: () => undefined,
    },
    onMail: () => undefined,
    purchaseAt: () => Promise.resolve(null),
    activityOf: () => Promise.reject(new Error('no page of an account is opened here')),
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  return [server, find];
}
const addressOf = (server: FastifyInstance): string =>
  `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

async function addUser(address: string, more: object = {}): Promise<{ user_id: string }> {
  const person = await preparePerson({ ids }, { email: address, name: 'Bo', password, ...more }, clock.now());
  await db.transaction((tx) => createUser(tx, person));
  return person;
}

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 5 });
  [app, sessionUser] = await serve();
  url = addressOf(app);
});
afterAll(async () => {
  await app.close();
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  email = `bo.${ids.uuid()}@people.test`;
  ({ user_id } = await addUser(email));
});

interface Ask {
  method?: string;
  json?: unknown;
  form?: Record<string, string>;
  cookie?: string;
  headers?: Record<string, string>;
  base?: string;
}

/** A request from an address of its own each time unless one is given. */
function call(
  path: string,
  { method = 'GET', json, form, cookie, headers = {}, base = url }: Ask = {},
): Promise<Response> {
  const from = { 'x-forwarded-for': `198.51.100.${++addresses % 250}` };
  const init: RequestInit = { method, redirect: 'manual', headers: { ...from } };
  const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  return fetch(base + path, {
    ...init,
    headers: {
      ...from,
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

const signIn = (more: Ask = {}): Promise<Response> =>
  call('/session', { method: 'POST', json: { email, password }, ...more });
const cookieOf = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const errorOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  ((await response.json()) as { error: unknown }).error,
];

describe('/session', () => {
  test('H-18 signing in gives a session cookie that scripts cannot read', async () => {
    const response = await signIn();
    expect([response.status, await response.json()]).toEqual([200, { user_id, name: 'Bo' }]);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^paydesk_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/),
      expect.stringMatching(/^paydesk_device=[\w.-]{66}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/),
    ]);
    const cookie = cookieOf(response);
    const user = { user_id, name: 'Bo', email, role: 'user' };
    expect(await (await call('/session', { cookie })).json()).toEqual(user);
    expect(await sessionUser(`other=1; ${cookie}; x=y`)).toMatchObject(user);
  });

  test('H-18 on HTTPS the cookie is Secure and bound to the host, with any path prefix', async () => {
    const [https] = await serve('https://h.example/pay', '/pay');
    const response = await call('/pay/session', {
      method: 'POST',
      json: { email, password },
      base: addressOf(https),
    });
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^__Host-paydesk_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/,
    );
    await https.close();
  });

  test.each([
    ['no cookie', undefined],
    ['another cookie', 'paydesk=1'],
    ['a made-up session', `paydesk_session=${'A'.repeat(43)}`],
    ['no token at all', 'paydesk_session='],
    ['a token with NUL', 'paydesk_session=%00'],
  ])('with %s no one is signed in', async (_what, cookie) => {
    const response = await call('/session', cookie === undefined ? {} : { cookie });
    expect(await errorOf(response)).toEqual([401, 'authentication_required']);
    expect(await sessionUser(cookie)).toBeNull();
  });

  test('H-18 signing in again begins a new session and ends the old one', async () => {
    const first = cookieOf(await signIn());
    const second = cookieOf(await signIn({ cookie: first }));
    expect(second).not.toBe(first);
    expect([await sessionUser(first), (await sessionUser(second))?.user_id]).toEqual([null, user_id]);
  });

  test('H-18 D-121 a cookie that was there before signing in is worth nothing after it', async () => {
    const planted = `paydesk_session=${'p'.repeat(43)}`;
    const cookie = cookieOf(await signIn({ cookie: planted }));
    expect(cookie).not.toBe(planted);
    expect(await sessionUser(planted)).toBeNull();
  });

  test('H-18 signing out ends the session on the server', async () => {
    const cookie = cookieOf(await signIn());
    const response = await call('/session', { method: 'DELETE', cookie, headers: { origin } });
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()[0]).toBe(
      'paydesk_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    );
    expect(await sessionUser(cookie)).toBeNull();
  });

  test.each([
    ['from another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['from nowhere', {}],
    ['from a sandbox', { origin: 'null' }],
  ])('H-19 signing out %s is 403 and ends nothing', async (_what, headers) => {
    const cookie = cookieOf(await signIn());
    const response = await call('/session', { method: 'DELETE', cookie, headers });
    expect(await errorOf(response)).toEqual([403, 'cross_site_request']);
    expect(await sessionUser(cookie)).not.toBeNull();
  });

  test.each([
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin }, 200],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{}, 200],
  ])('H-19 signing in with %j is %i', async (headers, status) => {
    const response = await signIn({ headers });
    expect(response.status).toBe(status);
    expect(response.headers.getSetCookie().length).toBe(status === 200 ? 2 : 0);
  });

  test.each([
    [{ password }, 'email'],
    [{ email: 1, password }, 'email'],
    [{ email: 'a@b' }, 'password'],
    [{ email: 'a@b', password: ['x'] }, 'password'],
    [[], undefined],
  ])('%j is 400', async (json, field) => {
    const response = await call('/session', { method: 'POST', json });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request', ...(field === undefined ? {} : { field }) }),
    ]);
  });

  test('D-201 a session lives fourteen real days after its last use, and the test clock does not age it', async () => {
    const cookie = cookieOf(await signIn());
    clock.setOffset(days(30));
    expect(await sessionUser(cookie)).not.toBeNull();
    clock.setOffset(0);
    clock.ahead_ms = days(13);
    expect(await sessionUser(cookie)).not.toBeNull();
    clock.ahead_ms = days(26);
    expect(await sessionUser(cookie)).not.toBeNull();
    clock.ahead_ms = days(40) + hours(1);
    expect(await sessionUser(cookie)).toBeNull();
    clock.ahead_ms = 0;
  });

  test('sessions that are over are removed, others stay', async () => {
    const old = cookieOf(await signIn());
    clock.ahead_ms = days(15);
    const young = cookieOf(await signIn());
    expect(await purgeExpiredSessions({ db, clock })).toBeGreaterThanOrEqual(1);
    expect(await purgeExpiredSessions({ db, clock })).toBe(0);
    expect(await sessionUser(young)).not.toBeNull();
    clock.ahead_ms = 0;
    expect(await sessionUser(old)).toBeNull();
  });

  test('R-383 password and session token are not stored', async () => {
    const cookie = cookieOf(await signIn());
    const rows = await db.query<{ text: string }>(
      sql`SELECT u::text AS text FROM users u UNION ALL SELECT s::text FROM sessions s`,
    );
    const dump = rows.map(({ text }) => text).join('\n');
    expect(dump).toContain('$argon2id$v=19$');
    expect(dump).not.toContain(password);
    expect(dump).not.toContain(cookie.split('=')[1]);
  });
});

describe('wrong credentials', () => {
  test.each<[string, () => object]>([
    ['a wrong password', () => ({ email, password: 'wrong' })],
    ['an empty password', () => ({ email, password: '' })],
    ['an endless password', () => ({ email, password: 'x'.repeat(5_000) })],
    ['an unknown address', () => ({ email: 'nobody@people.test', password })],
    ['an address with control characters', () => ({ email: `${email}\u0001`, password })],
  ])('%s gets the same answer', async (_what, json) => {
    const response = await call('/session', { method: 'POST', json: json() });
    expect(await response.json()).toEqual({
      error: 'invalid_credentials',
      error_description: 'The email address or the password is wrong.',
    });
    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('upper and lower case count in the password, not in the address', async () => {
    const shouted = { email: `  ${email.toUpperCase()} `, password };
    expect((await signIn({ json: shouted })).status).toBe(200);
    expect((await signIn({ json: { email, password: password.toUpperCase() } })).status).toBe(401);
  });

  test('after ten failures of one account at one address even the right password is 429 there', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    for (let i = 0; i < 10; i++) {
      expect((await signIn({ json: { email, password: `wrong ${i}` }, headers })).status).toBe(401);
    }
    const response = await signIn({ headers });
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d{0,2}$/);
    expect(await errorOf(response)).toEqual([429, 'rate_limited']);
    const shouted = await signIn({ json: { email: email.toUpperCase(), password }, headers });
    expect(shouted.status).toBe(429);
    expect((await signIn()).status).toBe(200);
  });

  test('concurrent guesses are counted as well', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.8' };
    const guesses = await Promise.all(
      Array.from({ length: 25 }, (_, i) => signIn({ json: { email, password: `guess ${i}` }, headers })),
    );
    const statuses = guesses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(15).fill(429)]);
  });

  test('of 300 concurrent guesses from one address, the right one included, at most thirty are checked', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const guesses = Array.from({ length: 299 }, (_, i) =>
      signIn({ json: { email: `guessed${i}@people.test`, password }, headers }),
    );
    const statuses = (await Promise.all([...guesses, signIn({ headers })])).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(30);
    expect(statuses.at(-1)).toBe(429);
  });

  test('a hundred failures of one account from anywhere stop strangers, not a device that has signed in', async () => {
    const first = await signIn();
    const [device] = first.headers.getSetCookie().filter((line) => line.startsWith('paydesk_device='));
    const cookie = device?.split(';')[0] ?? '';
    for (let i = 0; i < 100; i++) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` };
      expect((await signIn({ json: { email, password: 'wrong' }, headers })).status).toBe(401);
    }
    expect((await signIn()).status).toBe(429);
    expect((await signIn({ headers: { cookie } })).status).toBe(200);
    const other = `other-${email}`;
    await addUser(other);
    const ofOther = { email: other, password };
    expect((await signIn({ json: ofOther, headers: { cookie } })).status).toBe(200);
    for (let i = 0; i < 10; i++) {
      expect((await signIn({ json: { email, password: 'wrong' }, headers: { cookie } })).status).toBe(401);
    }
    expect((await signIn({ headers: { cookie } })).status).toBe(429);
  });

  test('D-1341 many known devices of one account give no more than a hundred guesses apart', async () => {
    const devices: string[] = [];
    for (let i = 0; i < 13; i++) {
      const cookies = (await signIn()).headers.getSetCookie();
      devices.push(cookies.find((line) => line.startsWith('paydesk_device='))?.split(';')[0] ?? '');
    }
    const statuses: number[] = [];
    for (const cookie of devices) {
      for (let i = 0; i < 10; i++) {
        const headers = { 'x-forwarded-for': '203.0.113.77', cookie };
        statuses.push((await signIn({ json: { email, password: 'wrong' }, headers })).status);
      }
    }
    // Then they count as guesses of strangers at one address.
    expect(statuses).toEqual([...Array<number>(110).fill(401), ...Array<number>(20).fill(429)]);
    expect((await signIn()).status).toBe(200);
  });

  /** The cookie of a known device that an answer gives; undefined where the device was known already. */
  const deviceIn = (response: Response): string | undefined =>
    response.headers
      .getSetCookie()
      .find((line) => line.startsWith('paydesk_device='))
      ?.split(';')[0];

  test('D-1384 a change of the password ends what is known of other devices, not of the one that changed it', async () => {
    const own = await signIn();
    const elsewhere = deviceIn(await signIn());
    expect(deviceIn(await signIn({ headers: { cookie: elsewhere ?? '' } }))).toBeUndefined();
    const new_password = `${password}-changed`;
    const changed = await call('/account/password', {
      ...{ method: 'POST', form: { password, new_password } },
      headers: { cookie: `${cookieOf(own)}; ${deviceIn(own) ?? ''}`, origin },
    });
    expect([changed.status, changed.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/done=password/),
    ]);
    const json = { email, password: new_password };
    const signInWith = async (cookie = ''): Promise<string | undefined> => {
      const answer = await signIn({ json, headers: { cookie } });
      expect(answer.status).toBe(200);
      return deviceIn(answer);
    };
    expect(await signInWith(deviceIn(changed))).toBeUndefined();
    expect(await signInWith(deviceIn(own))).toBeDefined();
    const again = await signInWith(elsewhere);
    expect(await signInWith(again)).toBeUndefined();
  });

  test('D-1384 a sign-in that a change of the password overtakes proves the former one only', async () => {
    const box = secretBox([Buffer.alloc(32, 7)]);
    const person = await selectPerson(db, user_id);
    if (person === null) throw new Error('nobody');
    const setHash = (hash: string) =>
      db.query(sql`UPDATE users SET password_hash = ${hash} WHERE user_id = ${user_id}`);
    await setHash('another one');
    const cookie = await rememberDevice({ db, box, ids }, null, person);
    expect(await knownDevice({ db, box }, cookie, email)).toBeNull();
    await setHash(person.password_hash);
    expect(await knownDevice({ db, box }, cookie, email)).not.toBeNull();
  });

  test('D-1384 a cookie of an earlier release, which knows no password, counts until the password is changed', async () => {
    const id = 'A'.repeat(22);
    const proof = secretBox([Buffer.alloc(32, 7)]).digest('known-device', `${id}/${accountKey(email)}`);
    const cookie = `paydesk_device=${id}.${proof.toString('base64url')}`;
    expect(deviceIn(await signIn({ headers: { cookie } }))).toBeUndefined();
    await db.transaction((tx) => recordOwnAct(tx, { clock, ids }, user_id, 'password.reset'));
    expect(deviceIn(await signIn({ headers: { cookie } }))).toBeDefined();
  });

  test('a success forgets the failures before it', async () => {
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 9; i++) await signIn({ json: { email, password: 'wrong' } });
      expect((await signIn()).status).toBe(200);
    }
  });

  test('after thirty failures of one address it is 429 there for every account, and not elsewhere', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.5' };
    for (let i = 0; i < 30; i++) {
      const json = { email: `nobody${i}@people.test`, password };
      expect((await signIn({ json, headers })).status).toBe(401);
    }
    expect(await errorOf(await signIn({ headers }))).toEqual([429, 'rate_limited']);
    expect((await signIn()).status).toBe(200);
  });

  test('many right sign-ins from one address are no failures', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.6' };
    const answers = [];
    for (let i = 0; i < 31; i++) answers.push(await signIn({ headers }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('the forms', () => {
  test('H-17 the page is one form that works without a script', async () => {
    const response = await call('/sign-in?return_to=/checkout/mp_1%3Ftoken%3Dx');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    const html = await response.text();
    expect(html).toContain('name="email"');
    expect(html).toContain('name="password"');
    expect(html).toContain('value="/checkout/mp_1?token=x"');
    expect(html).toMatch(/<form class="fields" method="post" action="\/sign-in"/);
    // What a script does beside it stands in the page (D-1402).
    expect(html).not.toMatch(/<script[^>]* src=/);
  });

  test('signing in leads back to where the person came from', async () => {
    const form = { email, password, return_to: '/checkout/mp_1?token=x' };
    const response = await call('/sign-in', { method: 'POST', form, headers: { origin } });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `${origin}/checkout/mp_1?token=x`,
    ]);
    expect((await sessionUser(cookieOf(response)))?.user_id).toBe(user_id);
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example', ''])(
    'return_to %j leads to no other site',
    async (return_to) => {
      const page = await (await call(`/sign-in?${new URLSearchParams({ return_to }).toString()}`)).text();
      expect(page).not.toContain('evil');
      const response = await call('/sign-in', { method: 'POST', form: { email, password, return_to } });
      expect([response.status, response.headers.get('location')]).toEqual([303, `${origin}/account`]);
    },
  );

  test('R-001 with a path prefix everything stays below it', async () => {
    const [prefixed] = await serve('http://127.0.0.1:8080/pay', '/pay');
    const base = addressOf(prefixed);
    const goals = await Promise.all(
      ['/pay/checkout/x', '/elsewhere'].map(async (return_to) => {
        const response = await call('/pay/sign-in', {
          method: 'POST',
          form: { email, password, return_to },
          base,
        });
        return response.headers.get('location');
      }),
    );
    expect(goals).toEqual([`${origin}/pay/checkout/x`, `${origin}/pay/account`]);
    expect(await (await call('/pay/sign-in', { base })).text()).toContain('action="/pay/sign-in"');
    await prefixed.close();
  });

  test('a wrong password shows the form again, with the address and escaped', async () => {
    const hostile = `"><script>alert(1)</script>@x`;
    const response = await call('/sign-in', {
      method: 'POST',
      form: { email: hostile, password, return_to: '/x' },
    });
    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie()).toEqual([]);
    const html = await response.text();
    expect(html).not.toContain('<script>');
    expect(html).toContain('value="/x"');
    expect(html).not.toContain(password);
  });

  test('too many failures are shown on the page, with Retry-After', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.10' };
    for (let i = 0; i < 10; i++) await signIn({ json: { email, password: 'wrong' }, headers });
    const response = await call('/sign-in', { method: 'POST', form: { email, password }, headers });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('H-19 forms of other sites are 403 and do nothing', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const signedIn = await call('/sign-in', { method: 'POST', form: { email, password }, headers });
    expect([signedIn.status, signedIn.headers.getSetCookie()]).toEqual([403, []]);
    expect(signedIn.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const cookie = cookieOf(await signIn());
    for (const from of [headers, {}]) {
      expect((await call('/sign-out', { method: 'POST', form: {}, cookie, headers: from })).status).toBe(403);
    }
    expect(await sessionUser(cookie)).not.toBeNull();
  });

  test('H-18 D-121 signing out by form ends the session; a form under no-referrer sends Origin: null', async () => {
    const cookie = cookieOf(await signIn());
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' };
    const response = await call('/sign-out', { method: 'POST', form: { return_to: '/x' }, cookie, headers });
    expect([response.status, response.headers.get('location')]).toEqual([303, `${origin}/x`]);
    expect(await sessionUser(cookie)).toBeNull();
  });

  test('a body that is not a form is 415, on a page', async () => {
    const response = await call('/sign-in', { method: 'POST', json: { email, password } });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      415,
      'text/html; charset=utf-8',
    ]);
  });
});

describe('accounts', () => {
  const create = (more: object): Promise<unknown> => addUser(`new.${email}`, more);

  test.each([
    [{ email: 'no address' }, 'email'],
    [{ email: 'a@' }, 'email'],
    [{ email: `${'x'.repeat(250)}@x.test` }, 'email'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ password: 'short12' }, 'password'],
    [{ password: 'x'.repeat(1_025) }, 'password'],
  ])('%j is refused', async (more, field) => {
    await expect(create(more)).rejects.toMatchObject({ code: 'invalid_request', detail: { field } });
  });

  test('an address has one account, in upper or lower case', async () => {
    await expect(create({ email: email.toUpperCase() })).rejects.toMatchObject({ code: 'already_exists' });
    expect((await selectPersonByEmail(db, ` ${email.toUpperCase()}`))?.user_id).toBe(user_id);
  });

  test('an administrator is a person with a role, and signs in like anyone', async () => {
    const admin = await createAdmin({ db, clock, ids }, { email: `root.${email}`, name: 'Root', password });
    expect(await selectPerson(db, admin.user_id)).toMatchObject({ role: 'admin', name: 'Root' });
    const entries = await db.query(
      sql`SELECT actor, action FROM audit_log WHERE target = ${`user:${admin.user_id}`}`,
    );
    expect(entries).toEqual([{ actor: 'command', action: 'user.create' }]);
    const cookie = cookieOf(await signIn({ json: { email: `root.${email}`, password } }));
    expect(await sessionUser(cookie)).toMatchObject({ role: 'admin' });
  });
});
