import { ClientAnswer, MerchantAnswer, PageOf, UserAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleOf } from '../../support/people/console.ts';
import {
  addClient,
  addMerchant,
  addUser,
  merchantOf,
  type Person,
  tokenFor,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let owner: Person;

beforeAll(async () => {
  service = await startTestService();
  owner = await addUser(service, 'Olga Owner');
});
afterAll(() => service.stop());

const send = <T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>> =>
  service.send<T>(method, `/admin/v1${path}`, {
    headers: { authorization: 'Bearer test-administration-key' },
    ...(body === undefined ? {} : { body }),
  });
const auditLog = async (): Promise<Json[]> =>
  (await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=100')).items;
const unknownUser = '6f0e6d2e-0d5f-4f6b-9d3b-0d7ad9f5b3a1';

describe('users', () => {
  test('are created once for each address, and their password appears nowhere', async () => {
    const person = { email: 'Mia@People.test', password: 'a password of some length', name: 'Mia' };
    const created = await send('POST', '/users', person);
    expect(created.status).toBe(201);
    expect(Check(UserAnswer, created.body)).toBe(true);
    expect(created.body).toMatchObject({ name: 'Mia', role: 'user' });
    expect(created.text).not.toContain('password');

    const again = await send('POST', '/users', { ...person, email: 'mia@people.test' });
    expect([again.status, again.body.error]).toEqual([409, 'already_exists']);

    const logged = JSON.stringify(await auditLog());
    expect(logged).toContain(`user:${String(created.body.user_id)}`);
    expect(logged).not.toContain(person.password);
    expect(logged).not.toContain('argon2');
    expect((await send('GET', '/users')).text).not.toContain('argon2');
  });

  test.each([
    [{}, 'email'],
    [{ email: 'x', password: 'long enough password', name: 'N' }, 'email'],
    [{ email: 'no-at-sign.test', password: 'long enough password', name: 'N' }, 'email'],
    [{ email: 'n@people.test', name: 'N' }, 'password'],
    [{ email: 'n@people.test', password: '', name: 'N' }, 'password'],
    [{ email: 'n@people.test', password: 'long enough password' }, 'name'],
    [{ email: 'n@people.test', password: 'long enough password', name: '' }, 'name'],
    [{ email: 'n@people.test', password: 'long enough password', name: 'N', role: 'root' }, 'role'],
  ])('%j is refused, naming %s', async (body, field) => {
    const refused = await send('POST', '/users', body);
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
  });
});

describe('merchants', () => {
  test('D-126 start active, open to guests, without hold and credit', async () => {
    const created = await send('POST', '/merchants', {
      name: 'Bookshop',
      owner_user_id: owner.user_id,
      // Not for this call: ignored.
      status: 'inactive',
      credit_limit_ptk: '5',
      notify_url: 'https://hook.example/',
    });
    expect(created.status).toBe(201);
    expect(Check(MerchantAnswer, created.body)).toBe(true);
    expect(created.body).toMatchObject({
      name: 'Bookshop',
      status: 'active',
      hold_days: 0,
      guest_purchase_allowed: true,
      credit_limit_ptk: '0',
      logo_url: '',
    });
    expect(created.body.merchant_no).toMatch(/^mr_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test('change only in the given members; the audit log keeps both sides and the reason', async () => {
    const { merchant_no } = await addMerchant(service, owner, { contact: 'help@shop.test', hold_days: 7 });
    const change = {
      description: 'Rare books',
      status: 'inactive',
      credit_limit_ptk: '500',
      reason: 'asked to',
    };
    const changed = await send('PATCH', `/merchants/${merchant_no}`, change);
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      contact: 'help@shop.test',
      hold_days: 7,
      description: 'Rare books',
      status: 'inactive',
      credit_limit_ptk: '500',
    });
    expect((await auditLog())[0]).toMatchObject({
      actor: 'environment key (bootstrap)',
      action: 'merchant.change',
      target: `merchant:${merchant_no}`,
      reason: 'asked to',
      before: { status: 'active', credit_limit_ptk: '0', description: '' },
      after: { status: 'inactive', credit_limit_ptk: '500', description: 'Rare books' },
    });
    expect((await send('GET', `/merchants/${merchant_no}/wallet`)).body.credit_limit_ptk).toBe('500');
  });

  test('D-265 the origins that may embed the checkout are none at first, and stored normalised', async () => {
    const { merchant_no } = await addMerchant(service, owner);
    const desk = await consoleOf(service, owner, merchant_no);
    const before = await desk.get('/settings');
    expect(before.body).toMatchObject({ embed_origins: [] });
    const given = [
      'https://Shop.Example:443',
      'https://shop.example',
      'https://bücher.example:8443',
      'https://a.example',
    ];
    // In the order given.
    const stored = ['https://shop.example', 'https://xn--bcher-kva.example:8443', 'https://a.example'];
    const changed = await desk.send('PATCH', '/settings', { embed_origins: given });
    expect([changed.status, changed.body.embed_origins]).toEqual([200, stored]);
    expect((await send('GET', `/merchants/${merchant_no}`)).body).toMatchObject({ embed_origins: stored });
    expect((await auditLog())[0]).toMatchObject({
      actor: `user:${owner.user_id}`,
      action: 'settings.change',
      before: { embed_origins: [] },
      after: { embed_origins: stored },
    });
    for (const wrong of ['https://shop.example/pay', 'http://localhost:3000', 'http://127.0.0.1:8092']) {
      const refused = await desk.send('PATCH', '/settings', { embed_origins: [wrong] });
      const { error, field } = refused.body;
      expect([refused.status, error, field], wrong).toEqual([400, 'invalid_request', 'embed_origins']);
    }
    await send('PATCH', `/merchants/${merchant_no}`, { embed_origins: [] });
    expect((await desk.get('/settings')).body).toMatchObject({ embed_origins: [] });
  });

  test('R-377 a new status or credit limit demands a reason, other changes do not', async () => {
    const { merchant_no } = await addMerchant(service, owner);
    for (const change of [{ status: 'inactive' }, { credit_limit_ptk: '1' }]) {
      for (const reason of [undefined, '', '  ']) {
        const refused = await send('PATCH', `/merchants/${merchant_no}`, { ...change, reason });
        expect([refused.status, refused.body.field]).toEqual([400, 'reason']);
      }
    }
    expect((await send('PATCH', `/merchants/${merchant_no}`, { name: 'Other' })).status).toBe(200);
  });

  test.each([
    [{ owner_user_id: 'nobody' }, 'owner_user_id'],
    [{ owner_user_id: unknownUser }, 'owner_user_id'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ hold_days: 31 }, 'hold_days'],
    [{ hold_days: -1 }, 'hold_days'],
    [{ hold_days: 1.5 }, 'hold_days'],
    [{ guest_purchase_allowed: 1 }, 'guest_purchase_allowed'],
    [{ logo_url: 'javascript:alert(1)' }, 'logo_url'],
    [{ website_url: 'shop' }, 'website_url'],
    [{ contact: null }, 'contact'],
    [{ embed_origins: 'https://shop.example' }, 'embed_origins'],
    [{ embed_origins: [7] }, 'embed_origins.0'],
    [{ embed_origins: ['http://shop.example'] }, 'embed_origins'],
    [{ embed_origins: ['http://localhost:3000'] }, 'embed_origins'],
    [{ embed_origins: ['https://shop.example', 'https://shop.example/'] }, 'embed_origins'],
    [{ embed_origins: ['https://*.example'] }, 'embed_origins'],
    [{ embed_origins: Array.from({ length: 21 }, (_, i) => `https://shop${i}.example`) }, 'embed_origins'],
  ])('%j is refused for old and new alike, naming %s', async (wrong, field) => {
    const { merchant_no } = await addMerchant(service, owner);
    const created = await send('POST', '/merchants', {
      name: 'Shop',
      owner_user_id: owner.user_id,
      ...wrong,
    });
    const changed = await send('PATCH', `/merchants/${merchant_no}`, wrong);
    for (const refused of [created, changed]) {
      expect([refused.status, refused.body.error, refused.body.field]).toEqual([
        400,
        'invalid_request',
        field,
      ]);
    }
  });

  test.each(['nobody', 'mr_00000000000000000000000000', 'mr_00000000000000000000000001'])(
    'PATCH of %s is 404',
    async (merchant_no) => {
      expect((await send('PATCH', `/merchants/${merchant_no}`, { name: 'X' })).status).toBe(404);
    },
  );

  test('R-313 D-169 a merchant that is made inactive is refused from the answer on', async () => {
    const { merchant_no } = await addMerchant(service, owner);
    const merchant = await merchantOf(service, await addClient(service, merchant_no));
    expect((await merchant.get('/merchant-payment-channels')).status).toBe(200);
    await send('PATCH', `/merchants/${merchant_no}`, { status: 'inactive', reason: 'fraud' });
    const refused = await merchant.get('/merchant-payment-channels');
    expect([refused.status, refused.body.error]).toEqual([403, 'merchant_inactive']);
    await send('PATCH', `/merchants/${merchant_no}`, { status: 'active', reason: 'cleared' });
    expect((await merchant.get('/merchant-payment-channels')).status).toBe(200);
  });
});

describe('clients', () => {
  test('R-326 are shown their secret once', async () => {
    const { merchant_no } = await addMerchant(service, owner);
    const created = await send('POST', '/clients', {
      merchant_no,
      type: 'confidential',
      name: 'Server',
      scopes: ['merchant_payments.read', 'merchant_payments.read'],
      redirect_uris: ['https://shop.example/back'],
    });
    expect(created.status).toBe(201);
    expect(Check(ClientAnswer, created.body)).toBe(true);
    expect(created.body).toMatchObject({
      merchant_no,
      type: 'confidential',
      scopes: ['merchant_payments.read'],
    });
    const secret = String(created.body.client_secret);
    expect(secret.length).toBeGreaterThanOrEqual(43);
    const elsewhere = [(await send('GET', '/clients?limit=100')).text, JSON.stringify(await auditLog())];
    for (const text of elsewhere) {
      expect(text).toContain(String(created.body.client_id));
      expect(text).not.toContain(secret);
      expect(text).not.toContain('digest');
    }
  });

  test('without a secret where they are public, without a merchant where they are bound to none', async () => {
    const created = await send('POST', '/clients', {
      merchant_no: null,
      type: 'public',
      name: 'App',
      scopes: ['openid'],
      redirect_uris: ['http://127.0.0.1/back'],
    });
    expect(created.status).toBe(201);
    expect(created.body).not.toHaveProperty('client_secret');
    expect(created.body.merchant_no).toBeNull();
  });

  test.each([
    [{ merchant_no: 'mr_00000000000000000000000001' }, 'merchant_no'],
    [{ merchant_no: 5 }, 'merchant_no'],
    [{ type: 'secret' }, 'type'],
    [{ name: ' ' }, 'name'],
    [{ scopes: 'openid' }, 'scopes'],
    [{ scopes: [5] }, 'scopes.0'],
    [{ scopes: ['everything'] }, 'scopes'],
    [{ redirect_uris: ['http://shop.example/'] }, 'redirect_uris'],
    [{ redirect_uris: undefined }, 'redirect_uris'],
  ])('%j is refused, naming %s', async (wrong, field) => {
    const right = { merchant_no: null, type: 'public', name: 'App', scopes: [], redirect_uris: [] };
    const refused = await send('POST', '/clients', { ...right, ...wrong });
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
  });

  test('R-317 scopes of an issued client change with a reason, which the audit log keeps', async () => {
    const { merchant_no } = await addMerchant(service, owner);
    const { client_id } = await addClient(service, merchant_no, { scopes: ['products.read'] });
    for (const reason of [undefined, '', ' \t']) {
      const refused = await send('PUT', `/clients/${client_id}/scopes`, { scopes: ['openid'], reason });
      expect([refused.status, refused.body.field]).toEqual([400, 'reason']);
    }
    const changed = await send('PUT', `/clients/${client_id}/scopes`, {
      scopes: ['products.read', 'merchant_payments.read'],
      reason: 'reviewed the contract',
    });
    expect([changed.status, changed.body.scopes]).toEqual([200, ['products.read', 'merchant_payments.read']]);
    expect((await auditLog())[0]).toMatchObject({
      action: 'client.set-scopes',
      target: `client:${client_id}`,
      reason: 'reviewed the contract',
      before: { scopes: ['products.read'] },
      after: { scopes: ['products.read', 'merchant_payments.read'] },
    });
    const wrong = await send('PUT', `/clients/${client_id}/scopes`, { scopes: ['everything'], reason: 'r' });
    expect([wrong.status, wrong.body.field]).toEqual([400, 'scopes']);
    expect((await send('PUT', '/clients/cl_nobody/scopes', { scopes: [], reason: 'r' })).status).toBe(404);
  });

  test('R-318 D-169 a scope taken away bites from the answer on; one given needs a new token', async () => {
    const { merchant_no } = await addMerchant(service, owner);
    const client = await addClient(service, merchant_no, { scopes: ['merchant_payments.read'] });
    const merchant = await merchantOf(service, client);
    const set = (scopes: string[]): Promise<Answer> =>
      send('PUT', `/clients/${client.client_id}/scopes`, { scopes, reason: 'test' });
    expect((await merchant.get('/merchant-payment-channels')).status).toBe(200);
    await set([]);
    expect((await merchant.get('/merchant-payment-channels')).body.error).toBe('insufficient_scope');
    await set(['merchant_payments.read', 'merchant_payments.create']);
    expect((await merchant.get('/merchant-payment-channels')).status).toBe(200);
    expect((await merchant.create({})).body.error).toBe('insufficient_scope');
    expect(await tokenFor(service, client)).not.toBe(merchant.token);
  });
});

test('users, merchants and clients are listed page by page, each once', async () => {
  await Promise.all(['Ann', 'Bob', 'Cem', 'Dee'].map((name) => addUser(service, name)));
  for (const [list, key, schema] of [
    ['users', 'user_id', UserAnswer],
    ['merchants', 'merchant_no', MerchantAnswer],
    ['clients', 'client_id', ClientAnswer],
  ] as const) {
    const all = (await send<{ items: Json[] }>('GET', `/${list}?limit=100`)).body.items.map(
      (item) => item[key],
    );
    const paged: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await send<{ items: Json[]; next_cursor?: string }>(
        'GET',
        `/${list}?limit=3${cursor}`,
      );
      expect(Check(PageOf(schema), body)).toBe(true);
      paged.push(...body.items.map((item) => item[key]));
      cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(all.length).toBeGreaterThan(3);
    expect(paged).toEqual(all);
    expect(new Set(paged).size).toBe(paged.length);
  }
});
