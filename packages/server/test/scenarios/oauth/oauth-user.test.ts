import { createHash } from 'node:crypto';
import { UserInfo } from '@paydesk/contract';
import { createClient } from '@paydesk/sdk';
import * as openid from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { faultsOf } from '../../support/rules/contract.ts';
import { askDatabase } from '../../support/servers/database.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import {
  addClient,
  addMerchant,
  addUser,
  type Client,
  fromAnywhere,
  type Person,
  tokenFor,
} from '../../support/desks/platform.ts';
import {
  type Answer,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';
import { beside } from '../../support/desks/wallets.ts';
import { trueNow_ms, withWrongClock } from '../../support/desks/wrong-clock.ts';
import { hidden, type Page, type Visitor, visitorOf, wordsOf } from '../../support/people/visitor.ts';

const redirect_uri = 'https://shop.example/back?from=paydesk';
/** The tests speak plain HTTP on loopback. */
// oxlint-disable-next-line typescript/no-deprecated -- marked so that it is not used in production
const plainHttp = { execute: [openid.allowInsecureRequests] };
const userScopes = ['openid', 'email', 'orders.create', 'orders.read', 'payments.create', 'payments.read'];
const approved = [...userScopes, 'products.read', 'merchant_payments.read'];

let service: TestService;
let owner: Person;
let person: Person;
let merchant_no: string;
let client: Client;
let browser: Visitor;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  owner = await addUser(service, 'Olga Owner');
  ({ merchant_no } = await addMerchant(service, owner, { name: 'Books & <b>More' }));
  client = await addClient(service, merchant_no, {
    name: 'Reader App',
    scopes: approved,
    redirect_uris: [redirect_uri, 'https://other.example/cb'],
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  person = await addUser(service, 'Bo Buyer');
  browser = visitorOf(service);
});

/** Asks the database itself. */
const query = <T extends Record<string, unknown> = Record<string, unknown>>(
  statement: string,
  values?: unknown[],
): Promise<T[]> => askDatabase<T>(service.database.url, statement, values);

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** The address of an authorization request, without undefined parameters. */
function authorizeUrl(changes: Record<string, string | undefined> = {}): string {
  const parameters: Record<string, string | undefined> = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri,
    scope: 'openid orders.read',
    state: 'st-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${service.url}/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

const ask = async (changes: Record<string, string | undefined> = {}): Promise<Page> =>
  browser.follow(await browser.get(authorizeUrl(changes)));

/** Presses a button of the consent page and goes on until the browser leaves the service. */
async function decide(page: Page, decision = 'allow'): Promise<Page> {
  const action = /<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const sent = await browser.post(new URL(action, service.url).href, {
    decision,
    person: hidden(page.html, 'person'),
  });
  return browser.follow(sent);
}

const backWith = (page: Page): Partial<Record<string, string>> => {
  expect(page.location.split('?')[0]).toBe('https://shop.example/back');
  return Object.fromEntries(new URL(page.location).searchParams);
};

/** Signs in, allows and gives the code. */
async function codeFor(changes: Record<string, string | undefined> = {}): Promise<string> {
  await browser.signIn(person);
  const page = await ask(changes);
  return backWith(page.location === '' ? await decide(page) : page).code ?? '';
}

interface Tokens {
  access_token: string;
  scope: string;
  expires_in: number;
  id_token?: string;
  refresh_token?: string;
  error?: string;
}

function redeem(code: string, changes: Record<string, string> = {}): Promise<Answer<Tokens>> {
  const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
  return request<Tokens>(`${service.url}/oauth/token`, 'POST', {
    raw: new URLSearchParams({ ...form, ...client, ...changes }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromAnywhere() },
  });
}

const tokenOf = async (changes: Record<string, string | undefined> = {}): Promise<string> =>
  (await redeem(await codeFor(changes))).body.access_token;

const userinfo = (token: string, method = 'GET'): Promise<Answer> =>
  service.send(method, '/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } });

describe.each([90, -90])('D-024 D-171 where the local clock is %i s off', (off_s) => {
  test('a person signs in, a code works, and the ID token has the database’s time', async () => {
    const token = await withWrongClock(off_s, async () => {
      await browser.signIn(person);
      const answer = await redeem(await codeFor({ max_age: '60' }));
      expect([answer.status, answer.body.expires_in]).toEqual([200, 3_600]);
      expect((await userinfo(answer.body.access_token)).status).toBe(200);
      return answer.body.id_token ?? '';
    });
    const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const claims = JSON.parse(text) as Record<'iat' | 'exp' | 'auth_time', number>;
    const now = trueNow_ms() / 1_000;
    expect(Math.abs(claims.iat - now)).toBeLessThan(60);
    expect(Math.abs(claims.exp - claims.iat - 3_600)).toBeLessThanOrEqual(2);
    expect(Math.abs(claims.auth_time - now)).toBeLessThan(60);
  });
});

test.each([90, -90])(
  'D-1249 a new sign-in counts as new where the local clock is %i s off',
  async (off_s) => {
    await browser.signIn(person);
    await query(`UPDATE sessions SET created_at = now() - interval '1 minute'`);
    await withWrongClock(off_s, async () => {
      const page = await ask({ prompt: 'login' });
      expect(page.html).toContain('name="password"');
      const { email, password } = person;
      const return_to = hidden(page.html, 'return_to');
      const again = await browser.post(`${service.url}/sign-in`, { email, password, return_to });
      expect(backWith(await decide(await browser.follow(again))).code).toBeTypeOf('string');
    });
  },
);

test.each([90, -90])(
  'D-1249 a new sign-in counts as new where the request came to a machine whose clock is %i s off',
  async (off_s) => {
    await browser.signIn(person);
    await query(`UPDATE sessions SET created_at = now() - interval '1 minute'`);
    // The pages come from another machine, whose clock is right.
    const page = await browser.follow(
      await withWrongClock(off_s, () => browser.get(authorizeUrl({ prompt: 'login' }))),
    );
    expect(page.html).toContain('name="password"');
    const { email, password } = person;
    const return_to = hidden(page.html, 'return_to');
    const again = await browser.post(`${service.url}/sign-in`, { email, password, return_to });
    expect(backWith(await decide(await browser.follow(again))).code).toBeTypeOf('string');
  },
);

describe('an independent OAuth client library', () => {
  test('D-171 D-174 R-323 signs a person in: discovery, consent, code, ID token, user information', async () => {
    const config = await openid.discovery(
      new URL(service.url),
      client.client_id,
      client.client_secret,
      undefined,
      plainHttp,
    );
    const [state, nonce, pkce] = [
      openid.randomState(),
      openid.randomNonce(),
      openid.randomPKCECodeVerifier(),
    ];
    const start = openid.buildAuthorizationUrl(config, {
      redirect_uri: 'https://other.example/cb',
      scope: 'openid email orders.read',
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(pkce),
      code_challenge_method: 'S256',
    });

    const signIn = await browser.follow(await browser.get(start.href));
    expect(signIn.html).toContain('name="password"');
    const consent = await browser.follow(
      await browser.post(`${service.url}/sign-in`, {
        email: person.email,
        password: person.password,
        return_to: hidden(signIn.html, 'return_to'),
      }),
    );
    const back = await decide(consent);
    const tokens = await openid.authorizationCodeGrant(config, new URL(back.location), {
      pkceCodeVerifier: pkce,
      expectedState: state,
      expectedNonce: nonce,
    });
    expect(tokens).toMatchObject({ scope: 'openid email orders.read', expires_in: 3_600 });
    expect(tokens.refresh_token).toBeUndefined();
    const claims = tokens.claims();
    // Only the person's id; user information gives the rest.
    for (const name of ['name', 'email', 'preferred_username']) expect(claims).not.toHaveProperty(name);
    const known = await openid.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
    expect(known).toEqual({
      sub: claims?.sub,
      name: 'Bo Buyer',
      preferred_username: 'Bo Buyer',
      email: person.email,
      email_verified: false,
    });
    expect(known.sub).not.toContain(person.user_id);
  });

  test('D-171 a public client as well, which proves itself only by PKCE', async () => {
    const open = await addClient(service, merchant_no, {
      type: 'public',
      scopes: ['openid'],
      redirect_uris: ['http://127.0.0.1:7777/cb'],
    });
    const config = await openid.discovery(
      new URL(service.url),
      open.client_id,
      undefined,
      openid.None(),
      plainHttp,
    );
    const pkce = openid.randomPKCECodeVerifier();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: 'http://127.0.0.1:7777/cb',
      scope: 'openid',
      code_challenge: await openid.calculatePKCECodeChallenge(pkce),
      code_challenge_method: 'S256',
    });
    await browser.signIn(person);
    const back = await decide(await browser.follow(await browser.get(url.href)));
    const tokens = await openid.authorizationCodeGrant(config, new URL(back.location), {
      pkceCodeVerifier: pkce,
    });
    expect(tokens.scope).toBe('openid');
  });
});

test('D-171 R-349 the SDK gets a person’s token, reads the catalog with it, and is refused what was not allowed', async () => {
  const paydesk = createClient({ base_url: service.url, ...client });
  const asked = paydesk.authorizationUrl({ redirect_uri, scope: ['openid', 'orders.read', 'products.read'] });
  await browser.signIn(person);
  const { code = '', state } = backWith(await decide(await browser.follow(await browser.get(asked.url))));
  expect(state).toBe(asked.state);
  const given = { code, redirect_uri, code_verifier: asked.code_verifier };
  const { access_token: user_token, expires_in } = await paydesk.exchangeCode(given);
  expect(expires_in).toBe(3_600);
  expect((await paydesk.userInfo(user_token)).sub).toMatch(/^[\w-]{32}$/);
  expect(await paydesk.catalog.listProducts({}, { user_token })).toMatchObject({ list: [], total: 0 });
  const order = { gd_no: 'gd_1', quantity: 1, payment_no: 'ch_1' };
  await expect(paydesk.catalog.createOrder(order, { user_token })).rejects.toMatchObject({
    status: 403,
    code: 'insufficient_scope',
  });
  await expect(paydesk.catalog.getOrder('co_1', { user_token })).rejects.toMatchObject({
    code: 'order_not_found',
  });
  await expect(paydesk.exchangeCode(given)).rejects.toMatchObject({ status: 400, code: 'invalid_grant' });
});

describe('the consent page', () => {
  test('D-171 R-381 names client, merchant and each scope in words, and where the way leads', async () => {
    await browser.signIn(person);
    const page = await ask({ scope: userScopes.join(' ') });
    const words = wordsOf(page.html);
    for (const text of [
      'Reader App asks for access to your account',
      'Books & &lt;b>More',
      'know who you are',
      'see your email address',
      'place orders with the merchant for you',
      'see your orders',
      'Reader App can pay from your PTK balance, up to:',
      'see whether these orders are paid',
      'shop.example',
      'You are signed in as Bo Buyer.',
    ]) {
      expect(words.replace('&gt;', '>')).toContain(text);
    }
    expect(page.html).not.toContain('<b>More');
    expect(page.html.match(/name="decision" value="(allow|deny)"/g)).toHaveLength(2);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("form-action 'self' https://shop.example;");
    expect(policy).toContain("default-src 'none'");
  });

  test('D-171 a person who denies returns with access_denied, and no consent is stored', async () => {
    await browser.signIn(person);
    const denied = backWith(await decide(await ask(), 'deny'));
    expect(denied).toMatchObject({
      error: 'access_denied',
      state: 'st-1',
      iss: service.url,
      from: 'paydesk',
    });
    expect((await ask()).html).toContain('name="decision"');
  });

  test('D-171 a stored consent is not asked for again, unless the client wants more or asks for it', async () => {
    await browser.signIn(person);
    backWith(await decide(await ask({ scope: 'openid orders.read' })));
    for (const scope of ['openid orders.read', 'orders.read', 'openid']) {
      expect(backWith(await ask({ scope })).code).toBeTypeOf('string');
    }
    expect((await ask({ scope: 'openid email' })).html).toContain('name="decision"');
    expect((await ask({ prompt: 'consent' })).html).toContain('name="decision"');
    expect(backWith(await ask({ prompt: 'none' })).code).toBeTypeOf('string');
  });

  test('D-171 prompt=none never asks the person', async () => {
    expect(backWith(await ask({ prompt: 'none' }))).toMatchObject({ error: 'login_required' });
    await browser.signIn(person);
    expect(backWith(await ask({ prompt: 'none' }))).toMatchObject({ error: 'consent_required' });
  });

  test.each([[{ prompt: 'login' }], [{ max_age: '0' }]])(
    'D-171 %j wants a sign-in that is newer than the request',
    async (wish) => {
      await browser.signIn(person);
      // The library counts in whole seconds: a sign-in of this very second would count as new.
      await query(`UPDATE sessions SET created_at = now() - interval '1 minute'`);
      const page = await ask(wish);
      expect(page.html).toContain('name="password"');
      const { email, password } = person;
      const again = await browser.post(`${service.url}/sign-in`, {
        email,
        password,
        return_to: hidden(page.html, 'return_to'),
      });
      expect(backWith(await decide(await browser.follow(again))).code).toBeTypeOf('string');
    },
  );

  test('H-19 a decision from another site is 403 and decides nothing', async () => {
    await browser.signIn(person);
    const page = await ask();
    const action = /<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? '';
    const form = { decision: 'allow', person: hidden(page.html, 'person') };
    const crossed = await browser.post(new URL(action, service.url).href, form, {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    });
    expect(crossed.status).toBe(403);
    expect((await ask()).html).toContain('name="decision"');
  });

  test('D-1037 a person who goes back after allowing an app is not told that nothing was shared', async () => {
    await browser.signIn(person);
    const page = await ask({ prompt: 'consent' });
    const action = new URL(/<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? '', service.url).href;
    expect(backWith(await decide(page))).toHaveProperty('code');
    const again = await browser.get(action);
    expect(again.status).toBe(400);
    expect(wordsOf(again.html)).toContain('If it has no access yet, start again there.');
  });

  test('D-171 another browser, another account and another decision get nowhere', async () => {
    await browser.signIn(person);
    const page = await ask();
    const action = new URL(/<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? '', service.url).href;
    const form = { decision: 'allow', person: hidden(page.html, 'person') };
    expect((await visitorOf(service).post(action, form)).status).toBe(400);
    expect((await browser.post(action, { ...form, decision: 'maybe' })).status).toBe(400);
    await browser.signIn(owner);
    // The consent page names the person who is signed in now.
    const asked = await browser.follow(await browser.post(action, form));
    expect(wordsOf(asked.html)).toContain('signed in as Olga Owner');
    expect(hidden(asked.html, 'person')).toBe(owner.user_id);
  });
});

test('D-1248 an answer of the consent page that waits while another tab ends the request is 400', async () => {
  await browser.signIn(person);
  backWith(await decide(await ask()));
  const page = await ask({ prompt: 'consent' });
  const action = new URL(/<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? '', service.url).href;
  const post = (decision: string): Promise<Page> =>
    browser.post(action, { decision, person: person.user_id });
  const waiting = await beside(service, (db) =>
    db.transaction(async (tx) => {
      await tx.query(sql`SELECT 1 FROM oauth_consents WHERE user_id = ${person.user_id} FOR UPDATE`);
      const running = post('allow');
      await untilBlocked(db, tx);
      expect(backWith(await browser.follow(await post('deny')))).toMatchObject({ error: 'access_denied' });
      return { running };
    }),
  );
  expect((await waiting.running).status).toBe(400);
});

describe('a client that changes while its consent page is open', () => {
  /** A client of its own, and its open consent page. */
  async function opened(scopes: string[], scope: string) {
    const own = await addClient(service, merchant_no, { scopes, redirect_uris: [redirect_uri] });
    await browser.signIn(person);
    const page = await ask({ client_id: own.client_id, scope });
    const action = new URL(/<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? '', service.url).href;
    const set = (method: string, path: string, body: Json): Promise<Json> =>
      service.admin(method, `/clients/${own.client_id}${path}`, { ...body, reason: 'changed' });
    return { page, action, set };
  }

  test('D-1246 the person allows no scope that the page has not named: it is shown again', async () => {
    const { page, action, set } = await opened(['orders.read'], 'orders.read payments.create');
    expect(wordsOf(page.html)).not.toContain('can pay from your PTK balance');
    const form = {
      decision: 'allow',
      person: person.user_id,
      scopes: hidden(page.html, 'scopes'),
    };
    await set('PUT', '/scopes', { scopes: ['orders.read', 'payments.create'] });
    const again = await browser.follow(await browser.post(action, form));
    expect(wordsOf(again.html)).toContain('can pay from your PTK balance');
    const scopes = hidden(again.html, 'scopes');
    expect(scopes.split(' ').sort()).toEqual(['orders.read', 'payments.create']);
    const sent = await browser.post(action, { ...form, scopes, max_per_payment: '5', max_per_day: '' });
    expect(backWith(await browser.follow(sent)).code).toBeTypeOf('string');
  });

  test('D-1247 no code goes to a redirect URI that was taken away', async () => {
    const { page, set } = await opened(['openid'], 'openid');
    await set('PATCH', '', { redirect_uris: ['https://other.example/cb'] });
    expect(await decide(page)).toMatchObject({ status: 400, location: '' });
  });

  test('D-1248 without a scope that is left, the page says that the request is faulty', async () => {
    const { action, set } = await opened(['openid'], 'openid');
    await set('PUT', '/scopes', { scopes: ['email'] });
    const form = { decision: 'allow', person: person.user_id };
    for (const page of [await browser.get(action), await browser.post(action, form)]) {
      expect([page.status, page.location]).toEqual([400, '']);
      expect(wordsOf(page.html)).toContain('The app sent a faulty request');
    }
  });
});

describe('someone who is not signed in', () => {
  const stored = async (): Promise<number> =>
    (await query<{ n: number }>(`SELECT count(*)::integer AS n FROM oauth_artifacts`))[0]?.n ?? -1;

  test('D-171 signs in and goes on with the same request; nothing is stored before', async () => {
    const before = await stored();
    const start = await browser.get(authorizeUrl({ state: 'a b&c=é' }));
    expect(start.status).toBe(303);
    expect(start.location.startsWith(`${service.url}/sign-in?return_to=`)).toBe(true);
    expect(start.headers.getSetCookie()).toEqual([]);
    const page = await browser.follow(start);
    expect(page.html).toContain('name="password"');
    expect(await stored()).toBe(before);
    const return_to = hidden(page.html, 'return_to');
    const signedIn = await browser.post(`${service.url}/sign-in`, { ...person, return_to });
    const back = backWith(await decide(await browser.follow(signedIn)));
    expect(back).toMatchObject({ state: 'a b&c=é', iss: service.url });
    expect((await redeem(back.code ?? '')).status).toBe(200);
  });

  test.each([{ prompt: 'login' }, { max_age: '0' }, { prompt: 'login consent', max_age: '5' }])(
    'D-171 signs in once where %j wants a new sign-in',
    async (wish) => {
      const page = await ask(wish);
      const return_to = hidden(page.html, 'return_to');
      const signedIn = await browser.post(`${service.url}/sign-in`, { ...person, return_to });
      expect(backWith(await decide(await browser.follow(signedIn))).code).toBeTypeOf('string');
    },
  );

  test('H-22 a parameter or a query that is too long is refused, and stores nothing', async () => {
    await browser.signIn(person);
    const before = await stored();
    for (const changes of [
      { state: 'x'.repeat(1_025) },
      { state: 'é'.repeat(513) },
      { nonce: 'x'.repeat(1_025) },
      { login_hint: 'x'.repeat(1_025) },
      { redirect_uri: `https://shop.example/${'x'.repeat(2_048)}` },
      Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`more${i}`, 'x'.repeat(1_000)])),
    ]) {
      const page = await browser.get(authorizeUrl(changes));
      expect([page.status, page.location]).toEqual([400, '']);
      expect(wordsOf(page.html)).toContain('The app sent a faulty request');
    }
    expect(await stored()).toBe(before);
    expect(backWith(await decide(await ask({ state: 'x'.repeat(1_024) }))).state).toHaveLength(1_024);
  });

  test('R-332 more than 120 requests of an address in a minute get a page that says when to try again', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.44' };
    const statuses: number[] = [];
    for (let i = 0; i < 120; i++) statuses.push((await browser.get(authorizeUrl(), headers)).status);
    expect(new Set(statuses)).toEqual(new Set([303]));
    const limited = await browser.get(authorizeUrl(), headers);
    expect([limited.status, limited.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(wordsOf(limited.html)).toMatch(/Too many requests|try again/i);
    expect((await browser.get(authorizeUrl())).status).toBe(303);
  });
});

describe('a request that cannot succeed', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['an unknown client', { client_id: 'cl_nobody' }],
    ['no client', { client_id: undefined }],
    ['another redirect address', { redirect_uri: 'https://shop.example/back' }],
    ['a redirect address with more to it', { redirect_uri: `${redirect_uri}&x=1` }],
    ['a redirect address of another site', { redirect_uri: 'https://evil.example/' }],
    ['another response mode', { response_mode: 'form_post' }],
  ])('D-171 %s: shown here, without a redirect', async (_what, changes) => {
    await browser.signIn(person);
    const page = await browser.get(authorizeUrl(changes));
    expect([page.status, page.location]).toEqual([400, '']);
    expect(wordsOf(page.html)).toContain('The app sent a faulty request');
    expect(page.html).not.toContain('evil.example');
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['PKCE without a digest', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a scope for servers', { scope: 'openid merchant_payments.read' }, 'invalid_scope'],
    ['a scope for servers that is not approved', { scope: 'merchant_payments.create' }, 'invalid_scope'],
    ['scopes that are not approved', { scope: 'merchant.profile.read' }, 'invalid_scope'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['a scope that is none', { scope: 'world.domination' }, 'invalid_scope'],
  ])('D-171 R-316 R-324 %s: the client gets the error', async (_what, changes, error) => {
    // Before sign-in: an invalid request must not bother a person.
    expect(backWith(await browser.get(authorizeUrl(changes)))).toMatchObject({ error, state: 'st-1' });
  });

  test('D-171 the implicit flow: the client gets the error in that flow’s way', async () => {
    const { location } = await browser.get(authorizeUrl({ response_type: 'token' }));
    expect(location).toMatch(
      /^https:\/\/shop\.example\/back\?from=paydesk#.*error=unsupported_response_type/,
    );
  });

  test('R-324 D-167 scopes that are not approved are left out', async () => {
    expect((await redeem(await codeFor({ scope: 'openid merchant.profile.read' }))).body.scope).toBe(
      'openid',
    );
  });

  test('R-313 D-166 the client of an inactive merchant gets no code and no token', async () => {
    const shop = await addMerchant(service, owner, { name: 'Closing' });
    const closing = await addClient(service, shop.merchant_no, {
      scopes: ['openid'],
      redirect_uris: [redirect_uri],
    });
    const mine = { client_id: closing.client_id, scope: 'openid' };
    const code = await codeFor(mine);
    const token = (await redeem(await codeFor(mine), { ...closing })).body.access_token;
    await service.admin('PATCH', `/merchants/${shop.merchant_no}`, { status: 'inactive', reason: 'closed' });
    expect(backWith(await ask(mine))).toMatchObject({ error: 'unauthorized_client' });
    expect(await redeem(code, { ...closing })).toMatchObject({
      status: 403,
      body: { error: 'merchant_inactive' },
    });
    expect(await userinfo(token)).toMatchObject({ status: 403, body: { error: 'merchant_inactive' } });
  });
});

describe('the code', () => {
  test.each<[string, Record<string, string>, number, string]>([
    ['another verifier', { code_verifier: 'w'.repeat(43) }, 400, 'invalid_grant'],
    ['another redirect address', { redirect_uri: 'https://other.example/cb' }, 400, 'invalid_grant'],
    ['a wrong secret', { client_secret: 'x' }, 401, 'invalid_client'],
    ['another code', { code: 'A'.repeat(43) }, 400, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 400, 'invalid_grant'],
  ])('D-171 with %s is worth nothing', async (_what, changes, status, error) => {
    expect(await redeem(await codeFor(), changes)).toMatchObject({ status, body: { error } });
  });

  test('D-171 belongs to its client', async () => {
    const other = await addClient(service, merchant_no, {
      scopes: ['openid'],
      redirect_uris: [redirect_uri],
    });
    expect(await redeem(await codeFor(), { ...other })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('D-171 lives for sixty seconds at most', async () => {
    const code = await codeFor();
    const rows = await query<{ life: string }>(
      `SELECT extract(epoch FROM expires_at - now())::int AS life FROM oauth_artifacts
        WHERE model = 'AuthorizationCode' ORDER BY expires_at DESC LIMIT 1`,
    );
    expect(Number(rows[0]?.life)).toBeLessThanOrEqual(60);
    await query(`UPDATE oauth_artifacts SET expires_at = now() WHERE model = 'AuthorizationCode'`);
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('D-171 a code works once, and its second use revokes only the tokens of that code', async () => {
    const before = await tokenOf();
    const code = await codeFor();
    const { access_token } = (await redeem(code)).body;
    expect((await userinfo(access_token)).status).toBe(200);
    expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await userinfo(access_token)).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    expect((await userinfo(before)).status).toBe(200);
  });

  test('D-171 many concurrent uses of a code leave no token', async () => {
    const code = await codeFor();
    const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(code)));
    const issued = answers.filter(({ status }) => status === 200);
    expect(issued.length).toBeLessThanOrEqual(1);
    for (const { body } of issued) expect((await userinfo(body.access_token)).status).toBe(401);
  });
});

describe('the token', () => {
  test('D-174 D-1045 R-323 R-367 userinfo tells who it is, by GET only, and the address with its scope only', async () => {
    const token = await tokenOf({ scope: 'openid' });
    const { status, body } = await userinfo(token);
    expect([status, Object.keys(body).sort()]).toEqual([200, ['name', 'preferred_username', 'sub']]);
    const known = await userinfo(await tokenOf({ scope: 'openid email' }));
    expect(known.body).toHaveProperty('email');
    expect([faultsOf(UserInfo, body), faultsOf(UserInfo, known.body)]).toEqual([[], []]);
    const posted = await userinfo(token, 'POST');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await userinfo(await tokenOf({ scope: 'orders.read' }))).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope' },
    });
  });

  test('D-174 sub stays for one client, and differs for another', async () => {
    const other = await addClient(service, null, { scopes: ['openid'], redirect_uris: [redirect_uri] });
    const subOf = async (token: string): Promise<unknown> => (await userinfo(token)).body.sub;
    const mine = [await subOf(await tokenOf()), await subOf(await tokenOf())];
    const code = await codeFor({ client_id: other.client_id, scope: 'openid' });
    const theirs = await subOf((await redeem(code, { ...other })).body.access_token);
    expect(mine[0]).toBe(mine[1]);
    expect(theirs).not.toBe(mine[0]);
    expect(theirs).toMatch(/^[\w-]{32}$/);
  });

  test('D-011 D-172 R-308 a user’s token does not replace a client’s, and vice versa', async () => {
    const token = await tokenOf({ scope: userScopes.join(' ') });
    const order = await service.send('GET', '/openapi/v1/merchant-payments/mp_1', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(order).toMatchObject({ status: 403, body: { error: 'client_credentials_required' } });
    const machine = await tokenFor(service, client, 'openid');
    expect(await userinfo(machine)).toMatchObject({
      status: 403,
      body: { error: 'user_authorization_required' },
    });
  });

  test('R-324 D-169 the token loses scopes that its client loses, here immediately and elsewhere within a second', async () => {
    const losing = await addClient(service, merchant_no, {
      scopes: ['openid', 'email'],
      redirect_uris: [redirect_uri],
    });
    const code = await codeFor({ client_id: losing.client_id, scope: 'openid email' });
    const token = (await redeem(code, { ...losing })).body.access_token;
    const other = await service.another();
    const there = async (): Promise<unknown> => {
      const { body } = await request(`${other.url}/oauth/userinfo`, 'GET', {
        headers: { authorization: `Bearer ${token}` },
      });
      return body.email ?? body.error ?? 'none';
    };
    expect(await there()).toBe(person.email);
    await service.admin('PUT', `/clients/${losing.client_id}/scopes`, { scopes: ['openid'], reason: 'less' });
    expect((await userinfo(token)).body.email).toBeUndefined();
    await expect.poll(there).toBe('none');
    await other.stop();
  });

  test('D-1336 R-318 a code gives no scope that its client has lost meanwhile, also not if it gets the scope back', async () => {
    const losing = await addClient(service, merchant_no, {
      scopes: ['openid', 'email'],
      redirect_uris: [redirect_uri],
    });
    const setScopes = (scopes: string[]): Promise<Json> =>
      service.admin('PUT', `/clients/${losing.client_id}/scopes`, { scopes, reason: 'changed' });
    const code = await codeFor({ client_id: losing.client_id, scope: 'openid email' });
    await setScopes(['openid']);
    const { access_token, scope } = (await redeem(code, { ...losing })).body;
    expect(scope).toBe('openid');
    await setScopes(['openid', 'email']);
    expect((await userinfo(access_token)).body).not.toHaveProperty('email');
  });

  test('R-326 H-15 R-319 the token and the code are not stored, and there is no refresh token', async () => {
    const code = await codeFor();
    const { body, headers } = await redeem(code);
    expect(body.refresh_token).toBeUndefined();
    expect(headers.get('cache-control')).toBe('no-store');
    const rows = await query<{ text: string }>(
      `SELECT t::text AS text FROM oauth_tokens t UNION ALL SELECT a::text FROM oauth_artifacts a`,
    );
    const dump = rows.map(({ text }) => text).join('\n');
    expect(dump).not.toContain(code);
    expect(dump).not.toContain(body.access_token);
  });
});

test('D-936 a client without an approved scope sends no browser to its redirect URI, not even with an error', async () => {
  const redirect_uri = 'https://evil.example/cb';
  const wanted = { scopes: ['merchant_payments.read'], redirect_uris: [redirect_uri] };
  const { client_id } = await addClient(service, merchant_no, wanted);
  const page = await browser.get(authorizeUrl({ client_id, redirect_uri }));
  expect([page.status, page.location]).toEqual([400, '']);
  await service.admin('PUT', `/clients/${client_id}/scopes`, { scopes: ['openid'], reason: 'approved' });
  const refused = await browser.get(authorizeUrl({ client_id, redirect_uri, scope: 'orders.read' }));
  expect(refused.location).toContain(`${redirect_uri}?error=invalid_scope`);
});

test('H-23 addresses come from the configuration, with any Host header', async () => {
  await browser.signIn(person);
  const page = await browser.get(authorizeUrl(), { 'x-forwarded-host': 'evil.example' });
  expect(page.location.startsWith(`${service.url}/oauth/interaction/`)).toBe(true);
});

test('D-930 behind a proxy that ends TLS, a person is asked and the code comes back; the cookies are Secure', async () => {
  const public_url = 'https://pay.example';
  const live = await service.another('web', { PAYDESK_PUBLIC_URL: public_url, PAYDESK_TEST_CLOCK: '0' });
  const cookies: string[] = [];
  // As a proxy does: the address of the browser has another origin than the process.
  const through = async (address: string, form?: Record<string, string>): Promise<Page> => {
    const answer = await fetch(address.replace(public_url, live.url), {
      redirect: 'manual',
      headers: { ...fromAnywhere(), cookie: cookies.join('; '), origin: public_url },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    const set = answer.headers.getSetCookie();
    for (const line of set.filter((cookie) => !cookie.includes(' 1970 '))) {
      expect(line).toMatch(/; *secure(;|$)/i);
      cookies.push(line.split(';', 1)[0] ?? '');
    }
    const location = new URL(answer.headers.get('location') ?? '', public_url).href;
    return { status: answer.status, location, html: await answer.text(), headers: answer.headers };
  };
  const asked = authorizeUrl().replace(service.url, public_url);
  expect((await through(asked)).location).toContain(`${public_url}/sign-in?return_to=`);
  await through(`${public_url}/sign-in`, { email: person.email, password: person.password });
  const consent = await through((await through(asked)).location);
  const action = /<form[^>]*action="([^"]*)"/.exec(consent.html)?.[1] ?? '';
  const allowed = await through(public_url + action, {
    decision: 'allow',
    person: hidden(consent.html, 'person'),
  });
  const back = await through(allowed.location);
  const { code = '' } = backWith(back);
  expect((await redeem(code)).status).toBe(200);
  await live.stop();
});

test('D-171 the metadata list the features', async () => {
  const { body } = await service.send('GET', '/.well-known/openid-configuration');
  expect(body).toMatchObject({
    issuer: service.url,
    authorization_endpoint: `${service.url}/oauth/authorize`,
    userinfo_endpoint: `${service.url}/oauth/userinfo`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    subject_types_supported: ['pairwise'],
  });
  const keys = await service.send<{ keys: Record<string, unknown>[] }>('GET', '/oauth/jwks');
  expect(keys.body.keys).toHaveLength(1);
  expect(Object.keys(keys.body.keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
});
