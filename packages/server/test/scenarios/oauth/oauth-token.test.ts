import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days, hours } from '../../../src/base/time/clock.ts';
import { sql } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { editClient, rotateClientSecret } from '../../../src/oauth/clients/save-client.ts';
import { isClientSecret } from '../../../src/oauth/clients/read-clients.ts';
import { type Credentials, type OauthApp, startOauthApp } from '../../support/people/people-app.ts';

const granted = ['merchant_payments.create', 'merchant_payments.read'];
const keys = (): { box: OauthApp['box']; ids: ReturnType<typeof systemIds> } => ({
  box: oauth.box,
  ids: systemIds(),
});

let oauth: OauthApp;
let merchant_id: string;
let client: Credentials;
let address = 0;

beforeAll(async () => {
  oauth = await startOauthApp();
  merchant_id = await oauth.merchant();
  client = await oauth.client({ merchant_id, scopes: [...granted, 'orders.create'] });
});
afterAll(() => oauth.stop());

interface Ask {
  body?: string | Record<string, string>;
  headers?: Record<string, string>;
  path?: string;
  basic?: [id: string, secret: string];
}

/** Asks for a token, from an address of its own each time unless one is given. */
function ask({ body = {}, headers = {}, path = '/oauth/token', basic }: Ask): Promise<Response> {
  const from = { 'x-forwarded-for': `198.51.100.${++address % 250}` };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const authorization =
    basic === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(basic.map(encodeURIComponent).join(':')).toString('base64')}` };
  return fetch(oauth.url + path, {
    method: 'POST',
    headers: { ...from, ...form, ...authorization, ...headers },
    body: typeof body === 'string' ? body : new URLSearchParams(body).toString(),
  });
}

const grant_type = 'client_credentials';
const full = (more: Record<string, string> = {}): Record<string, string> => ({
  grant_type,
  ...client,
  ...more,
});

interface TokenBody {
  access_token: string;
  scope: string;
  expires_in: number;
  token_type: string;
}
const tokenOf = async (response: Response): Promise<TokenBody> => (await response.json()) as TokenBody;

describe('a token', () => {
  test('R-314 R-319 D-163 D-168 carries scope, type and life, and no refresh token', async () => {
    const response = await ask({ body: full({ scope: granted.join(' ') }) });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const body = await tokenOf(response);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/) as string,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: granted.join(' '),
    });
  });

  test('H-04 H-15 is never stored, and not shared with other origins', async () => {
    for (const body of [full(), full({ client_secret: 'wrong' })]) {
      const { headers } = await ask({
        body,
        headers: { origin: 'https://evil.example', accept: 'text/html' },
      });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('pragma')).toBe('no-cache');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect((await fetch(`${oauth.url}/oauth/token`, { method: 'OPTIONS' })).status).toBe(405);
  });

  test.each([
    [undefined, 'merchant_payments.create merchant_payments.read'],
    ['merchant_payments.read', 'merchant_payments.read'],
    ['merchant_payments.read products.read', 'merchant_payments.read'],
    ['orders.create', 'orders.create'],
    ['products.read', null],
    ['nonsense', null],
    ['a"b', null],
  ])('D-167 asking for %j grants %j', async (scope, effective) => {
    const response = await ask({ body: full(scope === undefined ? {} : { scope }) });
    if (effective === null) {
      expect([response.status, response.statusText, await response.json()]).toEqual([
        400,
        'Bad Request',
        expect.objectContaining({ error: 'invalid_scope' }),
      ]);
    } else {
      expect((await tokenOf(response)).scope).toBe(effective);
    }
  });

  test('D-164 the credentials come by form or by HTTP Basic', async () => {
    const { client_id, client_secret } = client;
    expect((await ask({ body: { grant_type }, basic: [client_id, client_secret] })).status).toBe(200);
    expect((await ask({ body: { grant_type, client_id }, basic: [client_id, client_secret] })).status).toBe(
      200,
    );
  });

  test('of a crowd of clients each gets its own, with its own scopes, though they are stored together', async () => {
    const sets = [['merchant_payments.read'], ['merchant_payments.create'], ['products.read']];
    const clients = await Promise.all(sets.map((scopes) => oauth.client({ merchant_id, scopes })));
    const rows = Array.from({ length: 30 }, (_, i) => i % sets.length);
    const tokens = await Promise.all(
      rows.map(async (i) => tokenOf(await ask({ body: { grant_type, ...(clients[i] ?? {}) } }))),
    );
    expect(new Set(tokens.map(({ access_token }) => access_token)).size).toBe(rows.length);
    const callers = await Promise.all(
      tokens.map(async ({ access_token, scope }) => {
        const response = await fetch(`${oauth.url}/needs?scope=${scope}&kind=client`, {
          headers: { authorization: `Bearer ${access_token}` },
        });
        return (await response.json()) as { client_id: string; scopes: string[] };
      }),
    );
    const expected = rows.map((i) => ({ client_id: clients[i]?.client_id, scopes: sets[i] }));
    expect(callers).toMatchObject(expected);
  });

  test('R-326 D-168 token and secret are not stored in the database', async () => {
    const { access_token } = await tokenOf(await ask({ body: full() }));
    const rows = await oauth.db.query<{ text: string }>(
      sql`SELECT t::text AS text FROM oauth_tokens t UNION ALL SELECT c::text FROM oauth_clients c`,
    );
    const dump = rows.map(({ text }) => text).join('\n');
    expect(dump).toContain(createHash('sha256').update(access_token).digest('hex'));
    expect(dump).not.toContain(access_token);
    expect(dump).not.toContain(client.client_secret);
  });
});

describe('refusals', () => {
  const json = { 'content-type': 'application/json' };

  test.each<[string, () => Ask, number, string]>([
    ['a wrong secret', () => ({ body: full({ client_secret: 'x' }) }), 401, 'invalid_client'],
    [
      'a wrong secret by Basic',
      () => ({ body: { grant_type }, basic: [client.client_id, 'x'] }),
      401,
      'invalid_client',
    ],
    ['an unknown client', () => ({ body: full({ client_id: 'cl_nobody' }) }), 401, 'invalid_client'],
    ['a client id with NUL', () => ({ body: full({ client_id: 'a\0' }) }), 401, 'invalid_client'],
    [
      'both at once',
      () => ({ body: full(), basic: [client.client_id, client.client_secret] }),
      400,
      'invalid_request',
    ],
    [
      'two clients',
      () => ({ body: { grant_type, client_id: 'other' }, basic: [client.client_id, client.client_secret] }),
      400,
      'invalid_request',
    ],
    [
      'another scheme',
      () => ({ body: full(), headers: { authorization: 'Bearer x' } }),
      400,
      'invalid_request',
    ],
    [
      'credentials in the query',
      () => ({ path: `/oauth/token?client_id=${client.client_id}`, body: full() }),
      400,
      'invalid_request',
    ],
    [
      'a secret in the query',
      () => ({ path: '/oauth/token?client_secret=x', body: full() }),
      400,
      'invalid_request',
    ],
    ['a JSON body', () => ({ body: JSON.stringify(full()), headers: json }), 400, 'invalid_request'],
    [
      'a type that is none',
      () => ({ body: 'x', headers: { 'content-type': 'nonsense' } }),
      400,
      'invalid_request',
    ],
    ['no body', () => ({ body: '' }), 400, 'invalid_request'],
    ['no grant type', () => ({ body: { ...client } }), 400, 'invalid_request'],
    ['no secret', () => ({ body: { grant_type, client_id: client.client_id } }), 400, 'invalid_request'],
    ['no client', () => ({ body: { grant_type, client_secret: 'x' } }), 400, 'invalid_request'],
    ['another grant', () => ({ body: full({ grant_type: 'password' }) }), 400, 'unsupported_grant_type'],
    [
      'a refresh token',
      () => ({ body: full({ grant_type: 'refresh_token' }) }),
      400,
      'unsupported_grant_type',
    ],
    ...['grant_type', 'client_id', 'client_secret', 'scope'].map(
      (name): [string, () => Ask, number, string] => [
        `${name} twice`,
        () => {
          const body = new URLSearchParams(full({ scope: 'merchant_payments.read' }));
          body.append(name, body.get(name) ?? '');
          return { body: body.toString() };
        },
        400,
        'invalid_request',
      ],
    ),
    ['a huge body', () => ({ body: full({ scope: 'x'.repeat(70_000) }) }), 413, 'request_too_large'],
  ])('D-164 D-165 %s', async (_what, request, status, error) => {
    const response = await ask(request());
    const body = (await response.json()) as Record<string, unknown>;
    expect([response.status, body.error]).toEqual([status, error]);
    expect(body.error_description).toBeTypeOf('string');
    if (status === 401) expect(response.headers.get('www-authenticate')).toBe('Basic realm="oauth"');
  });

  test('D-1440 the largest body that a proxy passes is read to its end before it is refused', async () => {
    const { hostname, port } = new URL(oauth.url);
    const socket = connect(Number(port), hostname);
    const body = Buffer.alloc(8 * 1_048_576);
    const answer = once(socket, 'data') as Promise<[Buffer]>;
    const type = 'application/x-www-form-urlencoded';
    socket.write(
      `POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const sent = new Promise((resolve) => socket.write(body, resolve));
    expect(String((await answer)[0])).toMatch(/^HTTP\/1.1 413 /);
    expect(await sent).not.toBeInstanceOf(Error);
    socket.destroy();
  });

  test('D-165 an unknown client and a wrong secret get the same answer', async () => {
    const bodies = await Promise.all(
      [full({ client_secret: 'x' }), full({ client_id: 'cl_nobody' })].map(async (body) =>
        (await ask({ body })).text(),
      ),
    );
    expect(bodies[0]).toBe(bodies[1]);
  });

  test('R-315 D-165 public and unbound clients may not', async () => {
    const open = await oauth.client({ merchant_id, scopes: granted, type: 'public' });
    const unbound = await oauth.client({ merchant_id: null, scopes: granted });
    for (const body of [
      { grant_type, client_id: open.client_id },
      { grant_type, client_id: open.client_id, client_secret: 'x' },
      { grant_type, ...unbound },
    ]) {
      const response = await ask({ body });
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'unauthorized_client' }),
      ]);
    }
  });

  test('D-166 nor the client of an inactive merchant', async () => {
    const closed = await oauth.merchant();
    const body = { grant_type, ...(await oauth.client({ merchant_id: closed, scopes: granted })) };
    expect((await ask({ body })).status).toBe(200);
    await oauth.deactivate(closed);
    const response = await ask({ body });
    expect([response.status, await response.json()]).toEqual([
      403,
      expect.objectContaining({ error: 'merchant_inactive' }),
    ]);
  });

  test('D-164 two Authorization headers are one too many', async () => {
    const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(oauth.url).port), '127.0.0.1');
      let all = '';
      socket
        .on('data', (chunk) => (all += chunk.toString()))
        .on('end', () => {
          resolve(all);
        });
      socket.write(
        `POST /oauth/token HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Basic ${basic}\r\n` +
          `Authorization: Basic ${basic}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
          `Content-Length: 29\r\n\r\ngrant_type=client_credentials`,
      );
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 [^]*invalid_request/);
  });

  test('D-158 only failures are limited, per address: the 31st within a minute is 429', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.77' };
    const statuses = [];
    for (let i = 0; i < 31; i++) {
      statuses.push((await ask({ body: full({ client_secret: 'x' }), headers })).status);
    }
    expect(statuses).toEqual([...Array<number>(30).fill(401), 429]);
    expect((await ask({ body: full(), headers })).status).toBe(200);
    const limited = await ask({ body: full({ client_secret: 'x' }), headers });
    expect(limited.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect((await ask({ body: full({ client_secret: 'x' }) })).status).toBe(401);
  });
});

describe('secrets', () => {
  test('D-170 after a rotation the old secret is valid for 24 hours', async () => {
    const rotating = await oauth.client({ merchant_id, scopes: granted });
    const now = oauth.clock.real();
    const { client_secret, previous_valid_until } = await oauth.change((tx) =>
      rotateClientSecret(tx, keys(), rotating.client_id, now),
    );
    expect(previous_valid_until).toEqual(new Date(now.getTime() + days(1)));
    const withOld = { body: { grant_type, ...rotating } };
    const withNew = { body: { grant_type, ...rotating, client_secret } };
    expect([(await ask(withOld)).status, (await ask(withNew)).status]).toEqual([200, 200]);
    oauth.clock.ahead_ms = hours(25);
    expect([(await ask(withOld)).status, (await ask(withNew)).status]).toEqual([401, 200]);
    oauth.clock.ahead_ms = 0;
  });

  const statusOf = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${oauth.url}/needs?scope=merchant_payments.read&kind=client`, { headers })).status;
  };

  test('D-170 a rotation that keeps the old secret keeps the tokens; one that revokes it ends them', async () => {
    const rotating = await oauth.client({ merchant_id, scopes: granted });
    const rotate = (revoke_old: boolean) =>
      oauth.change((tx) =>
        rotateClientSecret(tx, keys(), rotating.client_id, oauth.clock.real(), { revoke_old }),
      );
    const { access_token } = await tokenOf(await ask({ body: { grant_type, ...rotating } }));
    await rotate(false);
    expect(await statusOf(access_token)).toBe(200);
    const { client_secret } = await rotate(true);
    expect((await ask({ body: { grant_type, ...rotating } })).status).toBe(401);
    expect(await statusOf(access_token)).toBe(401);
    const next = await tokenOf(await ask({ body: { grant_type, ...rotating, client_secret } }));
    expect(await statusOf(next.access_token)).toBe(200);
  });

  test('D-170 a token that a process issues for a revoked secret, which is still in its cache, is refused', async () => {
    /** Nothing is announced, so this process still knows the old secret, unless it has just dropped its cache. */
    async function askLate(): Promise<Response> {
      const rotating = await oauth.client({ merchant_id, scopes: granted });
      await ask({ body: { grant_type, ...rotating } });
      const now = oauth.clock.real();
      await oauth.db.transaction((tx) =>
        rotateClientSecret(tx, keys(), rotating.client_id, now, { revoke_old: true }),
      );
      return ask({ body: { grant_type, ...rotating } });
    }
    let late = await askLate();
    for (let i = 0; i < 20 && late.status !== 200; i++) late = await askLate();
    expect(late.status).toBe(200);
    const { access_token } = await tokenOf(late);
    await oauth.change(() => Promise.resolve());
    expect(await statusOf(access_token)).toBe(401);
  });

  test('D-170 disabling a client ends its tokens: enabling it again does not bring them back', async () => {
    const closed = await oauth.client({ merchant_id, scopes: granted });
    const { access_token } = await tokenOf(await ask({ body: { grant_type, ...closed } }));
    for (const disabled of [true, false]) {
      await oauth.change((tx) => editClient(tx, keys(), closed.client_id, { disabled }));
      expect(await statusOf(access_token)).toBe(401);
    }
    const next = await tokenOf(await ask({ body: { grant_type, ...closed } }));
    expect(await statusOf(next.access_token)).toBe(200);
  });

  test('D-170 a disabled client gets none', async () => {
    const disabled = await oauth.client({ merchant_id, scopes: granted });
    await oauth.change((tx) => editClient(tx, keys(), disabled.client_id, { disabled: true }));
    expect((await ask({ body: { grant_type, ...disabled } })).status).toBe(401);
  });

  test('D-139 R-253 a merchant knows its clients’ secrets, old ones while they are valid', async () => {
    const shop = await oauth.merchant();
    const [one, two] = [
      await oauth.client({ merchant_id: shop, scopes: granted }),
      await oauth.client({ merchant_id: shop, scopes: granted }),
    ];
    const now = oauth.clock.real();
    const { client_secret } = await oauth.change((tx) => rotateClientSecret(tx, keys(), two.client_id, now));
    const known = (text: string, at = now): Promise<boolean> =>
      isClientSecret(oauth.db, oauth.box, shop, text, at);
    expect(
      await Promise.all([one.client_secret, two.client_secret, client_secret].map((s) => known(s))),
    ).toEqual([true, true, true]);
    expect(await known(two.client_secret, new Date(now.getTime() + days(1)))).toBe(false);
    expect(await known(client.client_secret)).toBe(false);
  });
});

test('the metadata list the features and addresses of the configuration', async () => {
  const response = await fetch(`${oauth.url}/.well-known/openid-configuration`, {
    headers: { origin: 'https://evil.example' },
  });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(await response.json()).toMatchObject({
    issuer: 'http://127.0.0.1:8080',
    token_endpoint: 'http://127.0.0.1:8080/oauth/token',
    grant_types_supported: ['authorization_code', 'client_credentials'],
  });
});
