import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addClient,
  addMerchant,
  addUser,
  type Client,
  fromAnywhere,
  type Person,
  tokenFor,
} from '../../support/desks/platform.ts';
import { type Answer, request, startTestService, type TestService } from '../../support/desks/service.ts';
import { authorizerIn } from '../../support/people/user-token.ts';
import { visitorOf } from '../../support/people/visitor.ts';

const redirect_uri = 'http://127.0.0.1/back';
const scopes = ['openid', 'orders.read', 'merchant_payments.read'];

let service: TestService;
let other: { url: string };
let person: Person;
let merchant_no: string;
let client: Client;
let app: Client;

beforeAll(async () => {
  service = await startTestService({ role: 'web', env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  other = await service.another();
  const owner = await addUser(service, 'Olga Owner');
  ({ merchant_no } = await addMerchant(service, owner));
  client = await addClient(service, merchant_no, { scopes });
  app = {
    ...(await addClient(service, merchant_no, { type: 'public', scopes, redirect_uris: [redirect_uri] })),
  };
  app.client_secret = '';
  person = await addUser(service, 'Bo Buyer');
});
afterAll(() => service.stop());

const revoke = (form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> =>
  service.send('POST', '/oauth/revoke', {
    raw: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromAnywhere(), ...headers },
  });

const directory = async (token: string, url = service.url): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await request(`${url}/openapi/v1/merchant-payment-channels`, 'GET', { headers })).status;
};
const userinfo = async (token: string, url = service.url): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await request(`${url}/oauth/userinfo`, 'GET', { headers })).status;
};

/** Calls until the answer is 401. */
const expectEnd = (call: () => Promise<number>): Promise<void> => expect.poll(call).toBe(401);

describe('POST /oauth/revoke (RFC 7009)', () => {
  test('R-319 ends a token at once, soon in other processes, and answers 200 with no body', async () => {
    const [token, kept] = [await tokenFor(service, client), await tokenFor(service, client)];
    expect([await directory(token), await directory(token, other.url)]).toEqual([200, 200]);
    const { status, text, headers } = await revoke({ ...client, token, token_type_hint: 'access_token' });
    expect([status, text, headers.get('cache-control')]).toEqual([200, '', 'no-store']);
    expect(await directory(token)).toBe(401);
    await expectEnd(() => directory(token, other.url));
    expect(await directory(kept)).toBe(200);
  });

  test('by HTTP Basic, and again: what is revoked, unknown or no token at all is a success', async () => {
    const token = await tokenFor(service, client);
    const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
    // The last one has the form of a JWT, which no token of ours has.
    const foreign = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.e30.c2ln`;
    for (const sent of [token, token, 'x'.repeat(43), 'nonsense', foreign]) {
      expect((await revoke({ token: sent }, { authorization: `Basic ${basic}` })).status).toBe(200);
    }
    expect(await directory(token)).toBe(401);
  });

  test('a public client ends the token of a person; their consent stays', async () => {
    const browser = visitorOf(service);
    await browser.signIn(person);
    const authorizer = authorizerIn(browser, service, app, redirect_uri);
    const token = await authorizer.token('openid orders.read');
    expect([await userinfo(token), await userinfo(token, other.url)]).toEqual([200, 200]);
    expect((await revoke({ client_id: app.client_id, token })).status).toBe(200);
    expect(await userinfo(token)).toBe(401);
    await expectEnd(() => userinfo(token, other.url));
    expect(await userinfo(await authorizer.token('openid'))).toBe(200);
  });

  test('a client ends its own tokens only', async () => {
    const stranger = await addClient(service, merchant_no, { scopes });
    const token = await tokenFor(service, client);
    const refused = await revoke({ ...stranger, token });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request']);
    expect(await directory(token)).toBe(200);
  });

  test.each([
    ['no token', () => ({ ...client }), 400, 'invalid_request'],
    ['a wrong secret', () => ({ ...client, client_secret: 'x', token: 'x' }), 401, 'invalid_client'],
    ['no client', () => ({ token: 'x' }), 400, 'invalid_request'],
    [
      'a client without its secret',
      () => ({ client_id: client.client_id, token: 'x' }),
      400,
      'invalid_request',
    ],
  ])('D-165 refuses %s', async (_what, form, status, error) => {
    const refused = await revoke(form());
    expect([refused.status, refused.body.error]).toEqual([status, error]);
  });

  test('D-158 counts failures like the token endpoint', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.99' };
    const wrong = { ...client, client_secret: 'x', token: 'x' };
    for (let i = 0; i < 30; i++) await revoke(wrong, headers);
    const limited = await revoke(wrong, headers);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
  });

  test('R-331 a client ends at most 60 tokens a minute; unknown ones do not count', async () => {
    const busy = await addClient(service, merchant_no, { scopes });
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) {
      statuses.push((await revoke({ ...busy, token: await tokenFor(service, busy) })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    const token = await tokenFor(service, busy);
    const limited = await revoke({ ...busy, token });
    expect([limited.status, limited.body.error]).toEqual([429, 'rate_limited']);
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await directory(token)).toBe(200);
    expect((await revoke({ ...busy, token: 'x'.repeat(43) })).status).toBe(200);
  });

  test('the metadata name it', async () => {
    const { body } = await service.send('GET', '/.well-known/openid-configuration');
    expect(body).toMatchObject({ revocation_endpoint: `${service.url}/oauth/revoke` });
  });
});

describe('tokens end with what they came from', () => {
  test('D-170 with a client that is disabled, and with a secret that is revoked, in every process', async () => {
    const closing = await addClient(service, merchant_no, { scopes });
    const token = await tokenFor(service, closing);
    expect(await directory(token, other.url)).toBe(200);
    const change = (disabled: boolean) =>
      service.admin('PATCH', `/clients/${closing.client_id}`, { disabled, reason: 'leaked' });
    await change(true);
    expect(await directory(token)).toBe(401);
    await expectEnd(() => directory(token, other.url));
    await change(false);
    expect([await directory(token), await directory(token, other.url)]).toEqual([401, 401]);
  });

  test('R-383 with the password: changing it ends the tokens of a person’s apps', async () => {
    const browser = visitorOf(service);
    const changing = await addUser(service, 'Cara Changer');
    await browser.signIn(changing);
    const token = await authorizerIn(browser, service, app, redirect_uri).token('openid');
    expect([await userinfo(token), await userinfo(token, other.url)]).toEqual([200, 200]);
    const form = { password: changing.password, new_password: 'a much better phrase' };
    const changed = await browser.post(`${service.url}/account/password`, form);
    expect(changed.location).toContain('done=password');
    expect(await userinfo(token)).toBe(401);
    await expectEnd(() => userinfo(token, other.url));
  });
});

test('D-976 the audit log tells which app a person let act for them, and when they took that back', async () => {
  const user = await addUser(service, 'Ada Allowing');
  const browser = visitorOf(service);
  await browser.signIn(user);
  const { client_id } = await addClient(service, merchant_no, {
    ...{ type: 'public', redirect_uris: [redirect_uri], scopes: ['openid', 'payments.create'] },
  });
  const paying = { client_id, client_secret: '' };
  const limits = { max_per_payment: '1.5', max_per_day: '' };
  await authorizerIn(browser, service, paying, redirect_uri, limits).token('openid payments.create');
  await browser.post(`${service.url}/account/apps/remove`, { client_id });
  await browser.post(`${service.url}/account/apps/remove`, { client_id });
  const target = `user:${user.user_id}`;
  const path = `/audit-log?target=${target}&limit=100`;
  const { items } = await service.admin<{ items: Record<string, unknown>[] }>('GET', path);
  const ofApps = items.filter(({ action }) => String(action).startsWith('app.')).reverse();
  const from = { actor: target, address: expect.any(String) as string };
  expect(ofApps).toMatchObject([
    { ...from, action: 'app.allow', after: { client_id, scopes: ['openid', 'payments.create'], ...limits } },
    { ...from, action: 'app.remove', after: { client_id } },
  ]);
  for (const { session_id } of ofApps) expect(session_id).toMatch(/^[\w-]{22}$/);
});
