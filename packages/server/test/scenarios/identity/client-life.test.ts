import {
  ClientAnswer,
  CreatedOwnClient,
  OwnClient,
  OwnClientPage,
  PageOf,
  RotatedClientSecret,
  ScopeApplicationAnswer,
  ScopeRequested,
} from '@paydesk/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askDatabase } from '../../support/servers/database.ts';
import { type Console, consoleOf, consoleWith } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { isAuthentic, type LocalReceiver, localReceiver } from '../../support/notifications/notify.ts';
import {
  addClient,
  addMerchant,
  addUser,
  type Client,
  fromAnywhere,
  merchantOf,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
  tokenFor,
  validOrder,
} from '../../support/desks/platform.ts';
import { type Answer, startTestService, type TestService } from '../../support/desks/service.ts';

const create = 'merchant_payments.create';
const read = 'merchant_payments.read';
const newClient = { name: 'Shop server', type: 'confidential', redirect_uris: [], scopes: [create, read] };

interface Created {
  client_id: string;
  client_secret?: string;
  application_id: string;
}
interface Item {
  client_id: string;
  scopes: string[];
  application: { application_id: string; status: string; scopes: string[]; reason: string | null } | null;
}

let receiver: LocalReceiver;
let service: TestService;
let platform: Platform;

/** A merchant of its own for each test. */
let owner: Person;
let merchant_no: string;
let desk: Console;

beforeAll(async () => {
  receiver = await localReceiver();
  service = await startTestService({ role: 'web', env: receiver.env });
  platform = await setUpPlatform(service);
});
beforeEach(async () => {
  owner = await addUser(service, 'Mia Merchant');
  ({ merchant_no } = await addMerchant(service, owner));
  desk = await consoleOf(service, owner, merchant_no);
});
afterAll(async () => {
  await service.stop();
  await receiver.remove();
});

const adminKey = { authorization: 'Bearer test-administration-key' };
const asAdmin = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.send(method, `/admin/v1${path}`, { headers: adminKey, ...(body === undefined ? {} : { body }) });
const decide = (application_id: string, body: unknown): Promise<Answer> =>
  asAdmin('POST', `/scope-applications/${application_id}/decision`, body);
const approve = (application_id: string, scopes?: string[]): Promise<Answer> =>
  decide(application_id, { decision: 'approve', reason: 'looked at it', ...(scopes ? { scopes } : {}) });

/** A client that its owner has created, by default approved immediately. */
async function ownClient(settings: object = {}, approved = true): Promise<Created & Client> {
  const { status, body, text } = await desk.send<Created>('POST', '/clients', { ...newClient, ...settings });
  if (status !== 201) throw new Error(text);
  if (approved) await approve(body.application_id);
  return { ...body, client_secret: body.client_secret ?? '' };
}

const applyFor = (client_id: string, scopes: unknown): Promise<Answer<{ application_id: string }>> =>
  desk.send('POST', `/clients/${client_id}/scope-applications`, { scopes });
const rotate = (client_id: string, body?: unknown) =>
  desk.send<{ client_secret: string; previous_valid_until: string | null }>(
    'POST',
    `/clients/${client_id}/secret-rotation`,
    body,
  );

/** A client in the owner's list. */
async function shown(client_id: string): Promise<Item | undefined> {
  const { body } = await desk.get<{ items: Item[] }>('/clients');
  return body.items.find((item) => item.client_id === client_id);
}

/** Asks for a token; without `scope` for all that the client may have. */
const ask = ({ client_id, client_secret }: Client, scope?: string): Promise<Answer> =>
  service.send('POST', '/oauth/token', {
    raw: new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id, client_secret },
      ...(scope === undefined ? {} : { scope }),
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromAnywhere() },
  });
const directory = async (token: string): Promise<unknown> => {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await service.send('GET', '/openapi/v1/merchant-payment-channels', { headers });
  return status === 200 ? 200 : body.error;
};

describe('a client that its merchant creates', () => {
  test('R-316 a new client exists immediately, shows its secret once, and has no scopes before approval', async () => {
    const made = await desk.send<Created & Client>('POST', '/clients', newClient);
    expectAnswer(made, 201, CreatedOwnClient);
    const { client_id, client_secret, application_id } = made.body;
    const list = await desk.get('/clients');
    expectAnswer(list, 200, OwnClientPage);
    expect(await shown(client_id)).toMatchObject({
      scopes: [],
      application: { application_id, status: 'pending', scopes: [create, read], reason: null },
    });
    const early = await ask(made.body);
    expect([early.status, early.body.error]).toEqual([400, 'invalid_scope']);

    const waiting = await asAdmin('GET', '/scope-applications?status=pending');
    expectAnswer(waiting, 200, PageOf(ScopeApplicationAnswer));
    expect(JSON.stringify(waiting.body)).toContain(application_id);
    const approved = await approve(application_id);
    expectAnswer(approved, 200, ScopeApplicationAnswer);
    expect((await ask(made.body)).body.scope).toBe(`${create} ${read}`);
    expect(await directory(await tokenFor(service, made.body))).toBe(200);

    const everywhere = await Promise.all([
      desk.get('/clients'),
      asAdmin('GET', '/clients?limit=100'),
      asAdmin('GET', '/scope-applications'),
      asAdmin('GET', '/audit-log?limit=100'),
    ]);
    for (const { text } of everywhere) {
      expect(text).toContain(client_id);
      expect(text).not.toContain(client_secret);
    }
  });

  test('a public one has no secret, and none to rotate', async () => {
    const made = await desk.send<Created>('POST', '/clients', {
      ...newClient,
      type: 'public',
      scopes: ['openid'],
      redirect_uris: ['http://127.0.0.1/back'],
    });
    expectAnswer(made, 201, CreatedOwnClient);
    expect(made.body).not.toHaveProperty('client_secret');
    const refused = await rotate(made.body.client_id);
    expect([refused.status, (refused.body as unknown as { error: string }).error]).toEqual([
      400,
      'invalid_request',
    ]);
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ type: 'secret' }, 'type'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['everything'] }, 'scopes'],
    [{ scopes: undefined }, 'scopes'],
    [{ redirect_uris: ['http://shop.example/'] }, 'redirect_uris'],
    [{ redirect_uris: ['https://shop.example/#part'] }, 'redirect_uris'],
    [{ redirect_uris: Array<string>(21).fill('https://shop.example/') }, 'redirect_uris'],
  ])('%j is refused, naming %s, and leaves nothing behind', async (wrong, field) => {
    const refused = await desk.send('POST', '/clients', { ...newClient, ...wrong });
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
    expect((await desk.get('/clients')).body).toEqual({ items: [] });
  });

  test('is listed page by page, each once', async () => {
    const made = [];
    for (let i = 0; i < 5; i++) made.push((await ownClient({ name: `Server ${i}` }, false)).client_id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await desk.get<{ items: Item[]; next_cursor?: string }>(`/clients?limit=2${cursor}`);
      seen.push(...body.items.map(({ client_id }) => client_id));
      cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(made.sort());
  });

  test('belongs only to its merchant: others can neither see nor change it, nor learn whether it exists (R-380)', async () => {
    const mine = await ownClient({}, false);
    const stranger = await consoleOf(service, platform.owner, platform.merchant_no);
    expect((await stranger.get('/clients')).text).not.toContain(mine.client_id);
    const calls: [string, unknown][] = [
      ['scope-applications', { scopes: ['openid'] }],
      ['secret-rotation', {}],
    ];
    for (const [path, body] of calls) {
      const answers = [];
      for (const client_id of [mine.client_id, 'cl_01JNXW5R3M8Q4T0ZB6Y2C7D9EF', 'nonsense']) {
        answers.push((await stranger.send('POST', `/clients/${client_id}/${path}`, body)).text);
      }
      expect(new Set(answers).size).toBe(1);
      expect(JSON.parse(answers[0] ?? '')).toMatchObject({ error: 'not_found' });
    }
    expect((await shown(mine.client_id))?.application?.scopes).toEqual([create, read]);
    await approve(mine.application_id);
    expect((await ask(mine)).status).toBe(200);
  });

  test('H-19 needs proof of the origin of every write', async () => {
    const { client_id } = await ownClient({}, false);
    const headers = { cookie: await signIn(service, owner), origin: 'https://evil.example' };
    const crossed = consoleWith(service, merchant_no, headers);
    const calls: [string, unknown][] = [
      ['/clients', newClient],
      [`/clients/${client_id}/scope-applications`, { scopes: ['openid'] }],
      [`/clients/${client_id}/secret-rotation`, {}],
    ];
    for (const [path, body] of calls) expect((await crossed.send('POST', path, body)).status).toBe(403);
    const { body } = await desk.get<{ items: Item[] }>('/clients');
    expect(body.items).toHaveLength(1);
  });
});

describe('an application for other scopes', () => {
  test('R-316 R-318 while it is pending the original configuration stays, and tokens gain nothing', async () => {
    const client = await ownClient({ scopes: [read] });
    const before = await tokenFor(service, client, read);
    const applied = await applyFor(client.client_id, [create, read]);
    expectAnswer(applied, 201, ScopeRequested);
    expect((await ask(client, `${create} ${read}`)).body.scope).toBe(read);
    expect((await ask(client, create)).body.error).toBe('invalid_scope');
    expect(await directory(before)).toBe(200);

    await approve(applied.body.application_id);
    const merchant = await merchantOf(service, client);
    expect((await merchant.create({})).body.error).toBe('invalid_request');
    const old = await service.send('POST', '/openapi/v1/merchant-payments', {
      headers: { authorization: `Bearer ${before}` },
      body: {},
    });
    expect([old.status, old.body.error]).toEqual([403, 'insufficient_scope']);
  });

  test('D-169 scopes that an approval removes are lost immediately', async () => {
    const client = await ownClient();
    const token = await tokenFor(service, client);
    expect(await directory(token)).toBe(200);
    const { body } = await applyFor(client.client_id, [create]);
    expect(await directory(token)).toBe(200);
    await approve(body.application_id);
    expect(await directory(token)).toBe('insufficient_scope');
  });

  test('R-317 is decided with a reason, which the owner reads and the audit log keeps', async () => {
    const { client_id, application_id } = await ownClient({}, false);
    for (const reason of [undefined, '', ' \t', 5]) {
      const refused = await decide(application_id, { decision: 'approve', reason });
      expect([refused.status, refused.body.field]).toEqual([400, 'reason']);
    }
    expect((await shown(client_id))?.application?.status).toBe('pending');
    const rejected = await decide(application_id, { decision: 'reject', reason: ' no shop there ' });
    expectAnswer(rejected, 200, ScopeApplicationAnswer);
    expect(await shown(client_id)).toMatchObject({
      scopes: [],
      application: { status: 'rejected', reason: 'no shop there' },
    });
    const log = await service.admin<{ items: unknown[] }>('GET', '/audit-log?limit=1');
    expect(log.items[0]).toMatchObject({
      action: 'scope-application.reject',
      target: `client:${client_id}`,
      reason: 'no shop there',
      before: { status: 'pending' },
      after: { status: 'rejected' },
    });
  });

  test('R-317 may be approved with other scopes than were asked for', async () => {
    const client = await ownClient({}, false);
    const approved = await approve(client.application_id, [read]);
    expect(approved.body).toMatchObject({
      scopes: [create, read],
      approved_scopes: [read],
      client: { scopes: [read] },
    });
    expect((await ask(client)).body.scope).toBe(read);
  });

  test.each([
    [{ decision: 'approve', reason: 'r', scopes: ['everything'] }, 'scopes'],
    [{ decision: 'reject', reason: 'r', scopes: ['openid'] }, 'scopes'],
    [{ decision: 'maybe', reason: 'r' }, 'decision'],
    [{ reason: 'r' }, 'decision'],
  ])('a decision like %j is refused, naming %s', async (body, field) => {
    const { client_id, application_id } = await ownClient({}, false);
    const refused = await decide(application_id, body);
    expect([refused.status, refused.body.field]).toEqual([400, field]);
    expect(await shown(client_id)).toMatchObject({ scopes: [], application: { status: 'pending' } });
  });

  test('an application is decided once: other decisions are 409, also concurrent ones', async () => {
    const { client_id, application_id } = await ownClient({}, false);
    const decisions = await Promise.all([
      approve(application_id),
      decide(application_id, { decision: 'reject', reason: 'no' }),
      approve(application_id, [read]),
      approve(application_id),
    ]);
    expect(decisions.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const refused = await decide(application_id, { decision: 'reject', reason: 'no' });
    expect([refused.status, refused.body.error]).toEqual([409, 'already_decided']);
    const won = decisions.find(({ status }) => status === 200)?.body;
    expect((await shown(client_id))?.scopes).toEqual(won?.approved_scopes ?? []);
    expect((await decide('sa_01JNXW5R3M8Q4T0ZB6Y2C7D9EF', { decision: 'reject', reason: 'r' })).status).toBe(
      404,
    );
  });

  test('a newer application replaces an older one, and of many concurrent ones, one remains', async () => {
    const { client_id, application_id } = await ownClient({}, false);
    const sets = [[create], [read], ['openid'], ['products.read']];
    const applied = await Promise.all(sets.map((scopes) => applyFor(client_id, scopes)));
    expect(applied.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const all = [application_id, ...applied.map(({ body }) => body.application_id)];
    const { items } = await service.admin<{ items: { application_id: string; status: string }[] }>(
      'GET',
      '/scope-applications?limit=100',
    );
    const ours = items.filter((item) => all.includes(item.application_id));
    expect(ours.map(({ status }) => status).sort()).toEqual([
      'pending',
      ...Array<string>(4).fill('superseded'),
    ]);
    expect((await approve(application_id)).body.error).toBe('already_decided');
    expect((await shown(client_id))?.scopes).toEqual([]);
  });

  test('an application for scopes that the client has, or that are unknown, is refused', async () => {
    const { client_id } = await ownClient();
    for (const scopes of [[read, create], [read, create, read], [], ['everything'], 'openid', undefined]) {
      const refused = await applyFor(client_id, scopes);
      expect([refused.status, (refused.body as unknown as { field: string }).field]).toEqual([400, 'scopes']);
    }
  });

  test('the list of all goes by status and page, newest first', async () => {
    const made = [];
    for (let i = 0; i < 3; i++) made.unshift((await ownClient({}, i === 1)).application_id);
    const page = (query: string) =>
      service.admin<{ items: { application_id: string }[]; next_cursor?: string }>(
        'GET',
        `/scope-applications?${query}`,
      );
    const { items } = await page('limit=3');
    expect(items.map(({ application_id }) => application_id)).toEqual(made);
    const { items: pending, next_cursor = '' } = await page('limit=1&status=pending');
    const { items: rest } = await page(`limit=1&status=pending&cursor=${next_cursor}`);
    expect([...pending, ...rest].map(({ application_id }) => application_id)).toEqual([made[0], made[2]]);
    expect((await asAdmin('GET', '/scope-applications?status=odd')).body.field).toBe('status');
  });
});

describe('the secret of a client', () => {
  test('D-170 a secret is rotated with or without an overlap', async () => {
    const client = await ownClient();
    const token = await tokenFor(service, client);
    const rotated = await rotate(client.client_id);
    expectAnswer(rotated, 200, RotatedClientSecret);
    const fresh = { ...client, client_secret: rotated.body.client_secret };
    const ends = Date.parse(rotated.body.previous_valid_until ?? '') - Date.now();
    expect(ends).toBeGreaterThan(86_300_000);
    expect(ends).toBeLessThanOrEqual(86_400_000);
    expect([(await ask(client)).status, (await ask(fresh)).status]).toEqual([200, 200]);
    expect(await directory(token)).toBe(200);
    expect(await shown(client.client_id)).toMatchObject({
      previous_valid_until: rotated.body.previous_valid_until,
    });

    const leaked = await rotate(client.client_id, { revoke_old: true });
    expect(leaked.body.previous_valid_until).toBeNull();
    const last = { ...client, client_secret: leaked.body.client_secret };
    const statuses = await Promise.all([client, fresh, last].map(async (one) => (await ask(one)).status));
    expect(statuses).toEqual([401, 401, 200]);
    expect(await directory(token)).toBe('invalid_token');
    const log = await asAdmin('GET', '/audit-log?limit=5');
    expect(log.text).toContain('client.rotate-secret');
    for (const { client_secret } of [fresh, last]) expect(log.text).not.toContain(client_secret);
  });

  test.each(['[]', '{', '{"revoke_old":"yes"}'])('rotation with the body %s is refused', async (raw) => {
    const client = await ownClient();
    const path = `/console/v1/merchants/${merchant_no}/clients/${client.client_id}/secret-rotation`;
    const headers = { cookie: await signIn(service, owner), origin: new URL(service.url).origin };
    expect((await service.send('POST', path, { raw, headers })).status).toBe(400);
    expect((await ask(client)).status).toBe(200);
  });

  test('R-326 is kept only as a digest', async () => {
    const { client_id, client_secret } = await ownClient({}, false);
    const rows = await askDatabase<{ text: string }>(
      service.database.url,
      `SELECT c::text || (SELECT string_agg(l::text, '') FROM audit_log l) AS text
        FROM oauth_clients c WHERE client_id = $1`,
      [client_id],
    );
    const [{ text } = { text: '' }] = rows;
    expect(text).toContain(client_id);
    for (const form of [client_secret, Buffer.from(client_secret).toString('hex')]) {
      expect(text).not.toContain(form);
    }
  });

  test('R-325 the client secret and the notification secret are independent: neither replaces the other', async () => {
    const client = await ownClient();
    const settings = '/notification-settings';
    const { body } = await desk.send<{ secret: string }>('PUT', settings, {
      url: receiver.url(),
      enabled: true,
    });
    const signing = body.secret;
    expect(signing).not.toBe(client.client_secret);
    expect((await ask({ ...client, client_secret: signing })).body.error).toBe('invalid_client');

    // Each is rotated by itself.
    const { client_secret } = (await rotate(client.client_id, { revoke_old: true })).body;
    const merchant = await merchantOf(service, { ...client, client_secret });
    const order = await merchant.order();
    await service.admin('POST', '/jobs/deliver/run');
    const [delivered] = receiver.of(order);
    const verdicts = [signing, client.client_secret, client_secret].map(
      (secret) => delivered !== undefined && isAuthentic(delivered, secret),
    );
    expect(verdicts).toEqual([true, false, false]);
    const rotated = await desk.send<{ secret: string }>('POST', `${settings}/rotation`);
    expect(rotated.body.secret).not.toBe(signing);
    expect((await ask({ ...client, client_secret })).status).toBe(200);

    // Nor does an order take a client secret as its signing key (D-139).
    const refused = await merchant.create({
      ...validOrder(),
      ...{ notify_url: receiver.url(), notify_secret: client_secret },
    });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_notify_secret']);
  });
});

describe('changes of a client by an administrator', () => {
  const change = (client_id: string, body: object): Promise<Answer> =>
    asAdmin('PATCH', `/clients/${client_id}`, { reason: 'asked for by the owner', ...body });

  test('D-170 one that is disabled gets no token, and those that it has end for good', async () => {
    const client = await ownClient();
    const token = await tokenFor(service, client);
    expect((await change(client.client_id, { disabled: true, reason: '' })).body.field).toBe('reason');
    expectAnswer(await change(client.client_id, { disabled: true }), 200, ClientAnswer);
    expect([await directory(token), (await ask(client)).body.error]).toEqual([
      'invalid_token',
      'invalid_client',
    ]);
    expect(await shown(client.client_id)).toMatchObject({ disabled: true });
    await change(client.client_id, { disabled: false });
    expect([await directory(token), (await ask(client)).status]).toEqual(['invalid_token', 200]);
  });

  test('R-315 a public client becomes confidential, and gets its secret then, once', async () => {
    const { client_id } = await addClient(service, merchant_no, { type: 'public' });
    const before = await ask({ client_id, client_secret: 'none' });
    expect(before.status).toBeGreaterThanOrEqual(400);
    const changed = await change(client_id, { type: 'confidential', name: 'Server now' });
    expectAnswer(changed, 200, ClientAnswer);
    const client = { client_id, client_secret: String(changed.body.client_secret) };
    expect((await ask(client)).status).toBe(200);
    const again = await change(client_id, { type: 'confidential' });
    expect(again.body).not.toHaveProperty('client_secret');
    expect(again.body).toMatchObject({ type: 'confidential', name: 'Server now' });
    expect((await ask(client)).status).toBe(200);
    expect((await asAdmin('GET', '/audit-log?limit=5')).text).not.toContain(client.client_secret);
  });

  test('addresses are checked, and an unknown client is 404', async () => {
    const { client_id } = await ownClient({}, false);
    expect((await change(client_id, { redirect_uris: ['ftp://shop.example/'] })).body.field).toBe(
      'redirect_uris',
    );
    expect((await change(client_id, { type: 'public' })).body.field).toBe('type');
    const changed = await change(client_id, { redirect_uris: ['https://shop.example/back'] });
    expect(changed.body.redirect_uris).toEqual(['https://shop.example/back']);
    expect((await change('cl_nobody', { name: 'X' })).status).toBe(404);
  });
});

describe('a client that its owner disables', () => {
  const set = (client_id: string, disabled: unknown, by: Console = desk): Promise<Answer> =>
    by.send('PATCH', `/clients/${client_id}`, { disabled });

  test('D-170 gets no tokens, loses those that it has, and can be enabled again', async () => {
    const client = await ownClient();
    const token = await tokenFor(service, client);
    expect(await directory(token)).toBe(200);
    const disabled = await set(client.client_id, true);
    expectAnswer(disabled, 200, OwnClient);
    expect(disabled.body.disabled).toBe(true);
    expect(await directory(token)).toBe('invalid_token');
    expect((await ask(client)).body.error).toBe('invalid_client');
    expect((await set(client.client_id, true)).status).toBe(200);
    expect((await set(client.client_id, false)).body.disabled).toBe(false);
    expect(await directory(await tokenFor(service, client))).toBe(200);
    expect((await set(client.client_id, 'yes')).body).toMatchObject({
      error: 'invalid_request',
      field: 'disabled',
    });
  });

  test('stays disabled where an administrator has disabled it, and belongs to no other merchant', async () => {
    const client = await ownClient();
    await set(client.client_id, true);
    const path = `/clients/${client.client_id}`;
    await asAdmin('PATCH', path, { disabled: true, reason: 'abuse' });
    const refused = await set(client.client_id, false);
    expect([refused.status, refused.body.error]).toEqual([403, 'administrator_required']);
    await asAdmin('PATCH', path, { disabled: false, reason: 'was a mistake' });
    const other = await addUser(service, 'Otto Other');
    const { merchant_no: elsewhere } = await addMerchant(service, other);
    const theirs = await consoleOf(service, other, elsewhere);
    expect((await set(client.client_id, true, theirs)).body.error).toBe('not_found');
    expect(await shown(client.client_id)).toMatchObject({ disabled: false });
  });
});
