import { ClientAnswer } from '@paydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleOf } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import {
  addClient,
  allScopes,
  type Client,
  type Platform,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { authorizerOf } from '../../support/people/user-token.ts';
import { auditOn } from '../../support/desks/wallets.ts';

let service: TestService;
let platform: Platform;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  platform = await setUpPlatform(service);
});
afterAll(() => service.stop());

const home = '203.0.113.3';
const elsewhere = '192.0.2.77';
const allowed_cidrs = ['203.0.113.0/28', '2001:db8::7/128'];
const key = { authorization: 'Bearer test-administration-key' };

const send = (path: string, form: Json, from: string): Promise<Answer> =>
  service.send('POST', path, {
    raw: new URLSearchParams(form as Record<string, string>).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
  });
const tokenFrom = ({ client_id, client_secret }: Client, from: string): Promise<Answer> =>
  send(
    '/oauth/token',
    { grant_type: 'client_credentials', client_id, client_secret, scope: allScopes.join(' ') },
    from,
  );
const list = (token: unknown, from: string): Promise<Answer> =>
  service.send('GET', '/openapi/v1/merchant-payment-channels', {
    headers: { authorization: `Bearer ${String(token)}`, 'x-forwarded-for': from },
  });
const patch = (client_id: string, body: Json): Promise<Answer> =>
  service.send('PATCH', `/admin/v1/clients/${client_id}`, {
    headers: key,
    body: { reason: 'as agreed', ...body },
  });

describe('the addresses of a client', () => {
  test('are set, changed, shown and logged', async () => {
    const body = { name: 'Shop', type: 'confidential', merchant_no: platform.merchant_no, scopes: [] };
    const created = await service.send('POST', '/admin/v1/clients', {
      headers: key,
      body: { ...body, redirect_uris: [], allowed_cidrs },
    });
    expectAnswer(created, 201, ClientAnswer);
    expect(created.body.allowed_cidrs).toEqual(allowed_cidrs);
    const client_id = String(created.body.client_id);
    const changed = await patch(client_id, { allowed_cidrs: [] });
    expect([changed.status, changed.body.allowed_cidrs]).toEqual([200, []]);
    expect(await auditOn(service, `client:${client_id}`, 'client.update')).toMatchObject([
      { before: { allowed_cidrs }, after: { allowed_cidrs: [] } },
    ]);
    for (const wrong of [['203.0.113.3'], ['203.0.113.0/24', 'home'], ['2001:db8::/129']]) {
      const refused = await patch(client_id, { allowed_cidrs: wrong });
      expect([refused.status, refused.body.field]).toEqual([400, 'allowed_cidrs']);
    }
  });

  test('hold at the token endpoint, where a right secret from elsewhere looks like a wrong one', async () => {
    const client = await addClient(service, platform.merchant_no, { allowed_cidrs });
    for (const from of [home, '::ffff:203.0.113.3', '2001:db8::7', `${elsewhere}, ${home}`]) {
      expect((await tokenFrom(client, from)).status).toBe(200);
    }
    const wrong = await tokenFrom({ ...client, client_secret: 'x'.repeat(43) }, home);
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    for (const from of [elsewhere, '203.0.113.16', '2001:db8::8', `${home}, ${elsewhere}`]) {
      const { status, body } = await tokenFrom(client, from);
      expect([status, body]).toEqual([401, wrong.body]);
    }
  });

  test('hold at every call, also for tokens that were issued before', async () => {
    const client = await addClient(service, platform.merchant_no);
    const token = (await tokenFrom(client, elsewhere)).body.access_token;
    expect((await list(token, elsewhere)).status).toBe(200);
    expect((await patch(client.client_id, { allowed_cidrs })).status).toBe(200);
    const refused = await list(token, elsewhere);
    expect([refused.status, refused.body]).toEqual([401, (await list('x'.repeat(43), elsewhere)).body]);
    expect((await list(token, home)).status).toBe(200);
  });

  test('hold for the tokens of people and for revocation, but not for the person’s own browser', async () => {
    const redirect_uri = 'https://shop.example/back';
    const program = await addClient(service, platform.merchant_no, {
      redirect_uris: [redirect_uri],
      scopes: ['openid', 'orders.read'],
    });
    const authorizer = await authorizerOf(service, platform.buyer, program, redirect_uri);
    const token = await authorizer.token('openid orders.read');
    await patch(program.client_id, { allowed_cidrs });
    const ask = (from: string): Promise<Answer> =>
      service.send('GET', '/oauth/userinfo', {
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
      });
    expect([(await ask(home)).status, (await ask(elsewhere)).status]).toEqual([200, 401]);
    const { client_id, client_secret } = program;
    const form = { client_id, client_secret, token };
    expect((await send('/oauth/revoke', form, elsewhere)).status).toBe(401);
    expect((await ask(home)).status).toBe(200);
    const asked = new URLSearchParams({
      ...{ client_id, redirect_uri, scope: 'openid', response_type: 'code' },
      ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
    });
    const page = await service.send('GET', `/oauth/authorize?${asked.toString()}`, {
      headers: { 'x-forwarded-for': elsewhere },
    });
    expect(page.status).toBe(303);
    expect((await send('/oauth/revoke', form, home)).status).toBe(200);
    expect((await ask(home)).status).toBe(401);
  });

  test('are set in the console only by the owner of its merchant', async () => {
    const client = await addClient(service, platform.merchant_no);
    const desk = await consoleOf(service, platform.owner, platform.merchant_no);
    const change = (body: Json): Promise<Answer> => desk.send('PATCH', `/clients/${client.client_id}`, body);
    const { body } = await tokenFrom(client, elsewhere);
    const changed = await change({ allowed_cidrs });
    expect([changed.status, changed.body.allowed_cidrs, changed.body.disabled]).toEqual([
      200,
      allowed_cidrs,
      false,
    ]);
    expect((await list(body.access_token, elsewhere)).status).toBe(401);
    expect((await list(body.access_token, home)).status).toBe(200);
    expect(await auditOn(service, `client:${client.client_id}`, 'client.update')).toMatchObject([
      { before: { allowed_cidrs: [] }, after: { allowed_cidrs } },
    ]);
    const both = await change({ disabled: true, allowed_cidrs: [] });
    expect(both.body).toMatchObject({ disabled: true, allowed_cidrs: [] });
    for (const [wrong, field] of [
      [{}, 'disabled'],
      [{ allowed_cidrs: ['home'] }, 'allowed_cidrs'],
      [{ allowed_cidrs: null }, 'allowed_cidrs'],
    ] as const) {
      const refused = await change(wrong);
      expect([refused.status, refused.body.field]).toEqual([400, field]);
    }
    const stranger = await consoleOf(service, platform.buyer, platform.merchant_no);
    expect((await stranger.send('PATCH', `/clients/${client.client_id}`, { allowed_cidrs })).status).toBe(
      404,
    );
  });
});
