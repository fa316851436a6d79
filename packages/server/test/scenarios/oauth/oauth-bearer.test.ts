import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hours, minutes } from '../../../src/base/time/clock.ts';
import { sql } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { tokenHash } from '../../../src/base/secret-box.ts';
import { createAdapter } from '../../../src/oauth/provider/adapter.ts';
import { editClient, setClientScopes } from '../../../src/oauth/clients/save-client.ts';
import { purgeExpiredTokens } from '../../../src/oauth/tokens/purge-tokens.ts';
import { type Credentials, type OauthApp, startOauthApp } from '../../support/people/people-app.ts';

let oauth: OauthApp;
let merchant_id: string;

beforeAll(async () => {
  oauth = await startOauthApp();
  merchant_id = await oauth.merchant();
});
afterAll(() => oauth.stop());

async function tokenFor(client: Credentials, scope?: string): Promise<string> {
  const response = await fetch(`${oauth.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...client,
      ...(scope === undefined ? {} : { scope }),
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Stores a token as the authorization-code grant will: with the user who authorized it. */
async function userToken(client_id: string, scopes: string[]): Promise<string> {
  const token = systemIds().secret(32);
  await oauth.db.query(sql`INSERT INTO oauth_tokens
    (token_hash, client_id, user_id, grant_hash, scopes, payload, created_at, expires_at)
    VALUES (${tokenHash(token)}, ${client_id}, ${'00000000-0000-4000-8000-000000000001'}, ${null}, ${scopes}, '{}',
      ${new Date(0)}, ${new Date(4e12)})`);
  return token;
}

type Kind = 'client' | 'user' | 'any';

interface Outcome {
  status: number;
  error: unknown;
  challenge: string | null;
  body: Record<string, unknown>;
}

async function call(authorization: string | null, scope: string, kind: Kind = 'any'): Promise<Outcome> {
  const response = await fetch(`${oauth.url}/needs?scope=${scope}&kind=${kind}`, {
    headers: authorization === null ? {} : { authorization },
  });
  const body = (await response.json()) as Record<string, unknown>;
  const challenge = response.headers.get('www-authenticate');
  return { status: response.status, error: body.error, challenge, body };
}

const read = 'merchant_payments.read';
const create = 'merchant_payments.create';

describe('the token', () => {
  let token: string;
  let client: Credentials;
  beforeAll(async () => {
    client = await oauth.client({ merchant_id, scopes: [read] });
    token = await tokenFor(client);
  });

  test('names client, merchant and scopes', async () => {
    const { status, body } = await call(`Bearer ${token}`, read, 'client');
    expect([status, body]).toEqual([
      200,
      { client_id: client.client_id, merchant_id, user_id: null, scopes: [read] },
    ]);
  });

  test.each([
    ['nothing', () => null, 'Bearer realm="api"'],
    ['another scheme', () => `Basic ${token}`, 'Bearer realm="api"'],
    ['no token', () => 'Bearer ', 'Bearer realm="api"'],
    ['a token cut short', () => `Bearer ${token.slice(1)}`, 'Bearer realm="api", error="invalid_token"'],
    ['a token prolonged', () => `Bearer ${token}x`, 'Bearer realm="api", error="invalid_token"'],
    ['an unknown token', () => `Bearer ${'A'.repeat(43)}`, 'Bearer realm="api", error="invalid_token"'],
    ['two tokens', () => `Bearer ${token} ${token}`, 'Bearer realm="api", error="invalid_token"'],
    ['a comma', () => `Bearer ${token}, Bearer ${token}`, 'Bearer realm="api", error="invalid_token"'],
    ['the bare token', () => token, 'Bearer realm="api"'],
  ])('R-306 H-13 %s is 401', async (_what, authorization, challenge) => {
    expect(await call(authorization(), read)).toMatchObject({
      status: 401,
      error: 'invalid_token',
      challenge,
    });
  });

  test.each(['bearer', 'BEARER', 'Bearer'])('H-14 the scheme %s works', async (scheme) => {
    expect((await call(`${scheme} ${token}`, read)).status).toBe(200);
  });

  test('H-14 of two Authorization headers none counts', async () => {
    const twice = ['Authorization', `Bearer ${token}`, 'authorization', `Bearer ${token}`];
    const request = {
      raw: { rawHeaders: twice },
      client_address: '127.0.0.1',
      client_id: null,
      log: { warn: () => undefined },
    };
    await expect(oauth.bearer(request, { scope: read, kind: 'any' })).rejects.toMatchObject({
      code: 'invalid_token',
    });
  });

  test('R-307 a token in the query is not accepted', async () => {
    const response = await fetch(`${oauth.url}/needs?scope=${read}&kind=any&access_token=${token}`);
    expect(response.status).toBe(401);
  });

  test('R-320 is refused as soon as its time is over, though it was cached', async () => {
    const short = await tokenFor(client);
    expect((await call(`Bearer ${short}`, read)).status).toBe(200);
    oauth.clock.ahead_ms = hours(1) - minutes(1);
    expect((await call(`Bearer ${short}`, read)).status).toBe(200);
    oauth.clock.ahead_ms = hours(1);
    expect(await call(`Bearer ${short}`, read)).toMatchObject({ status: 401, error: 'invalid_token' });
    oauth.clock.ahead_ms = 0;
  });

  test('D-114 the test clock does not age it', async () => {
    oauth.clock.setOffset(hours(48));
    expect((await call(`Bearer ${token}`, read)).status).toBe(200);
    oauth.clock.setOffset(0);
  });

  test('D-170 dies with its client', async () => {
    const doomed = await oauth.client({ merchant_id, scopes: [read] });
    const doomedToken = await tokenFor(doomed);
    expect((await call(`Bearer ${doomedToken}`, read)).status).toBe(200);
    await oauth.change((tx) =>
      editClient(tx, { box: oauth.box, ids: systemIds() }, doomed.client_id, { disabled: true }),
    );
    expect(await call(`Bearer ${doomedToken}`, read)).toMatchObject({ status: 401, error: 'invalid_token' });
  });

  test('a cached token and client cost no query', async () => {
    await call(`Bearer ${token}`, read);
    const query = vi.spyOn(oauth.db, 'query');
    await call(`Bearer ${token}`, read);
    const queries = query.mock.calls.filter(([{ text }]) => !text.includes('config_version'));
    expect(queries).toEqual([]);
  });
});

describe('grant, scope and merchant, in this order (D-011)', () => {
  let shop: string;
  let client: Credentials;
  beforeAll(async () => {
    shop = await oauth.merchant();
    client = await oauth.client({
      merchant_id: shop,
      scopes: [read, create, 'orders.read', 'payments.create'],
    });
  });

  test('R-308 a user’s token is refused on a client’s call, with any scopes', async () => {
    for (const scopes of [[read], ['orders.read']]) {
      const token = await userToken(client.client_id, scopes);
      expect(await call(`Bearer ${token}`, read, 'client')).toMatchObject({
        status: 403,
        error: 'client_credentials_required',
      });
    }
  });

  test('D-172 a client’s token on a user’s call', async () => {
    const token = await tokenFor(client);
    expect(await call(`Bearer ${token}`, 'orders.read', 'user')).toMatchObject({
      status: 403,
      error: 'user_authorization_required',
    });
  });

  test('R-322 either on a call that takes both', async () => {
    const tokens = [
      await tokenFor(client, 'orders.read'),
      await userToken(client.client_id, ['orders.read']),
    ];
    for (const token of tokens)
      expect((await call(`Bearer ${token}`, 'orders.read', 'any')).status).toBe(200);
  });

  test.each([
    ['orders.read', create],
    [read, create],
    [create, read],
    ['payments.create', create],
  ])('R-309 R-311 R-312 H-13 with %s alone, %s is out of reach', async (has, needed) => {
    const token = await tokenFor(client, has);
    expect(await call(`Bearer ${token}`, needed, 'client')).toMatchObject({
      status: 403,
      error: 'insufficient_scope',
      challenge: `Bearer error="insufficient_scope", scope="${needed}"`,
    });
  });

  test('R-318 D-169 a token loses removed scopes immediately, and gains none', async () => {
    const changing = await oauth.client({ merchant_id: shop, scopes: [read] });
    const token = await tokenFor(changing);
    await oauth.change((tx) => setClientScopes(tx, changing.client_id, [create]));
    expect(await call(`Bearer ${token}`, read)).toMatchObject({ status: 403, error: 'insufficient_scope' });
    expect(await call(`Bearer ${token}`, create)).toMatchObject({ status: 403, error: 'insufficient_scope' });
    await oauth.change((tx) => setClientScopes(tx, changing.client_id, [read, create]));
    expect((await call(`Bearer ${token}`, read)).status).toBe(200);
  });

  test('D-169 another process hears of it', async () => {
    const remote = await oauth.client({ merchant_id: shop, scopes: [read] });
    const token = await tokenFor(remote);
    expect((await call(`Bearer ${token}`, read)).status).toBe(200);
    await oauth.elsewhere((tx) =>
      editClient(tx, { box: oauth.box, ids: systemIds() }, remote.client_id, { disabled: true }),
    );
    await expect.poll(async () => (await call(`Bearer ${token}`, read)).status).toBe(401);
  });

  test('D-173 an unbound client’s user token', async () => {
    const unbound = await oauth.client({ merchant_id: null, scopes: [read] });
    const token = await userToken(unbound.client_id, [read]);
    expect(await call(`Bearer ${token}`, read)).toMatchObject({ status: 403, error: 'merchant_not_bound' });
    expect(await call(`Bearer ${token}`, create)).toMatchObject({ status: 403, error: 'insufficient_scope' });
  });

  test('R-313 a token issued before its merchant was deactivated', async () => {
    const token = await tokenFor(client);
    await oauth.deactivate(shop);
    expect(await call(`Bearer ${token}`, read)).toMatchObject({ status: 403, error: 'merchant_inactive' });
    expect(await call(`Bearer ${token}`, 'openid')).toMatchObject({
      status: 403,
      error: 'insufficient_scope',
    });
  });
});

describe('the stored tokens', () => {
  const adapterOf = (model: string): ReturnType<ReturnType<typeof createAdapter>> =>
    createAdapter(oauth.adapterDeps)(model);
  const grantId = 'grant-1';

  test('R-326 ids are hashed, and found again', async () => {
    const sessions = adapterOf('Session');
    await sessions.upsert('cookie-value', { jti: 'cookie-value', uid: 'uid-1', kind: 'Session' }, 60);
    expect(await sessions.find('cookie-value')).toEqual({
      jti: 'cookie-value',
      uid: 'uid-1',
      kind: 'Session',
      exp: expect.any(Number) as number,
    });
    expect(await sessions.findByUid('uid-1')).toMatchObject({ uid: 'uid-1' });
    expect(await adapterOf('Interaction').find('cookie-value')).toBeUndefined();
    const [dump] = await oauth.db.query<{ text: string }>(
      sql`SELECT string_agg(a::text, '') AS text FROM oauth_artifacts a`,
    );
    expect(dump?.text).not.toContain('cookie-value');
    await sessions.destroy('cookie-value');
    expect(await sessions.find('cookie-value')).toBeUndefined();
  });

  test('D-171 a code is used once, and revoking its grant takes everything that came of it', async () => {
    const [codes, tokens, grants] = [
      adapterOf('AuthorizationCode'),
      adapterOf('AccessToken'),
      adapterOf('Grant'),
    ];
    await grants.upsert(grantId, { jti: grantId, kind: 'Grant' }, 60);
    await codes.upsert('code-1', { jti: 'code-1', kind: 'AuthorizationCode', grantId }, 60);
    await tokens.upsert(
      'token-1',
      { jti: 'token-1', kind: 'AccessToken', grantId, clientId: 'c', scope: 'openid' },
      60,
    );
    expect((await codes.find('code-1'))?.consumed).toBeUndefined();
    await codes.consume('code-1');
    expect((await codes.find('code-1'))?.consumed).toBeTypeOf('number');
    expect(await tokens.find('token-1')).toMatchObject({ jti: 'token-1', scope: 'openid' });
    expect(await adapterOf('ClientCredentials').find('token-1')).toBeUndefined();
    await tokens.revokeByGrantId(grantId);
    expect([await codes.find('code-1'), await tokens.find('token-1'), await grants.find(grantId)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('expired records are removed in batches, and nothing else', async () => {
    const [tokens, sessions] = [adapterOf('AccessToken'), adapterOf('Session')];
    const token = (jti: string): { jti: string; kind: string; clientId: string } => ({
      jti,
      kind: 'AccessToken',
      clientId: 'c',
    });
    await tokens.upsert('old-1', token('old-1'), 60);
    await sessions.upsert('old-2', { jti: 'old-2', kind: 'Session' }, 60);
    await tokens.upsert('young', token('young'), 600);
    oauth.clock.ahead_ms = minutes(5);
    expect(await purgeExpiredTokens(oauth, 100)).toBeGreaterThanOrEqual(2);
    expect(await purgeExpiredTokens(oauth, 100)).toBe(0);
    oauth.clock.ahead_ms = 0;
    expect(await tokens.find('old-1')).toBeUndefined();
    expect(await sessions.find('old-2')).toBeUndefined();
    expect(await tokens.find('young')).toBeDefined();
  });
});
