/** What the audit trail tells of people: sign-ins, factors, passwords, exports and secrets, with address and session. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { generateKeyPairSync } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { consoleOf } from '../../support/people/console.ts';
import { addUser, type Person, setUpPlatform, signIn } from '../../support/desks/platform.ts';
import { eventually, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import { visitorOf } from '../../support/people/visitor.ts';

let service: TestService;
let person: Person;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  person = await addUser(service, 'Ann Auditor');
});
afterAll(() => service.stop());

const from = (address: string) => ({ 'x-forwarded-for': address });

async function entries(action: string): Promise<Json[]> {
  const { items } = await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=100');
  return items.filter((item) => item.action === action);
}
const trySignIn = (email: string, password: string, address: string) =>
  service.send('POST', '/session', { headers: from(address), body: { email, password } });

describe('signing in and out', () => {
  test('a sign-in has its address, the id of its session and the device, and no secret', async () => {
    const cookie = await signIn(service, person);
    const list = await service.send('GET', '/session/list', { headers: { cookie } });
    const [{ session_id } = {}] = list.body.items as Json[];
    const [entry] = await entries('session.sign-in');
    const user = `user:${person.user_id}`;
    expect(entry).toMatchObject({ actor: user, target: user, session_id, after: { method: 'password' } });
    expect(entry?.address).toEqual(expect.any(String));
    expect(JSON.stringify(entry)).not.toContain(/paydesk_session=([^;]+)/.exec(cookie)?.[1] ?? 'no cookie');

    const origin = { origin: service.url, cookie };
    await service.send('DELETE', '/session', { headers: origin });
    expect((await entries('session.sign-out'))[0]).toMatchObject({ actor: user, session_id });
  });

  test('a wrong password names the account; an unknown address is a digest, also if something else was typed there', async () => {
    expect((await trySignIn(person.email, 'wrong password!', '198.51.100.7')).status).toBe(401);
    expect((await entries('session.sign-in-failed'))[0]).toMatchObject({
      ...{ actor: 'anonymous', target: `user:${person.user_id}`, address: '198.51.100.7', session_id: null },
      after: { method: 'password' },
    });
    for (const typed of ['my secret pass@phrase', 'MY SECRET pass@phrase '])
      await trySignIn(typed, 'x', '198.51.100.8');
    const [second, first] = await entries('session.sign-in-failed');
    expect(first?.target).toMatch(/^account:[\w-]{22}$/);
    expect(second?.target).toBe(first?.target);
    expect(JSON.stringify([first, second])).not.toContain('phrase');
  });

  test('tries beyond the limits write nothing, so that strangers cannot fill the log', async () => {
    const before = (await entries('session.sign-in-failed')).length;
    for (let i = 0; i < 15; i++) await trySignIn('nobody@people.test', 'x', '198.51.100.9');
    expect((await entries('session.sign-in-failed')).length - before).toBe(10);
  });
});

describe('how an account is protected', () => {
  const keyOn = (html: string): string =>
    /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1]?.replaceAll(' ', '') ?? '';

  test('factors, passwords and sessions: each change has an entry of the person, with address and session', async () => {
    const changing = await addUser(service, 'Cora Changing');
    const browser = visitorOf(service);
    await browser.signIn(changing);
    const post = (path: string, form: Record<string, string>) =>
      browser.post(`${service.url}/account${path}`, form);
    const { password } = changing;
    await post('/totp', { password });
    const secret = keyOn((await browser.get(`${service.url}/account/totp`)).html);
    await post('/totp/confirm', { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
    await post('/recovery-codes', { password });
    await post('/totp/remove', { password: 'wrong password' });
    await post('/totp/remove', { password });
    await post('/sessions/end', {});
    await post('/password', { password, new_password: 'another good phrase' });
    const user = `user:${changing.user_id}`;
    const { items } = await service.admin<{ items: Json[] }>('GET', `/audit-log?target=${user}&limit=100`);
    expect(items.reverse().map(({ action, after }) => [action, after])).toEqual([
      ['user.create', expect.anything()],
      ['session.sign-in', expect.objectContaining({ method: 'password' })],
      ['secret.show', { secret: 'totp_secret' }],
      ['factor.add', { factor: 'totp' }],
      ['secret.show', { secret: 'recovery_codes' }],
      ['secret.show', { secret: 'recovery_codes' }],
      ['password.check-failed', null],
      ['factor.remove', { factor: 'totp' }],
      ['session.end-others', null],
      ['password.change', null],
    ]);
    for (const item of items.slice(2)) {
      expect(item).toMatchObject({ actor: user, address: expect.any(String) as string });
      expect(item.session_id).toMatch(/^[\w-]{22}$/);
    }
    for (const hidden of [password, 'another good phrase', secret]) {
      expect(JSON.stringify(items)).not.toContain(hidden);
    }
  });
});

describe('exports and secrets', () => {
  test('each secret that is shown once: of an administration key, of a notification key, of a rotated client', async () => {
    const world = await setUpPlatform(service);
    const desk = await consoleOf(service, world.owner, world.merchant_no);
    const { client_id } = world.client;
    await desk.send('POST', `/clients/${client_id}/secret-rotation`);
    await desk.send('PUT', '/notification-settings', { url: 'https://shop.example/hook', enabled: true });
    await desk.send('POST', '/notification-settings/rotation');
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { key_id } = await service.admin('POST', '/keys', { name: 'Export', role: 'auditor', expires_at });
    const shown = (await entries('secret.show')).map(({ target, after }) => [target, (after as Json).secret]);
    expect(shown).toEqual(
      expect.arrayContaining([
        [`key:${String(key_id)}`, 'admin_key'],
        [`client:${client_id}`, 'client_secret'],
        [`merchant:${world.merchant_no}`, 'notification_secret'],
      ]),
    );
  });

  test('D-1251 so is the secret that a client gets in place of its keys', async () => {
    const world = await setUpPlatform(service);
    const desk = await consoleOf(service, world.owner, world.merchant_no);
    const { client_id } = world.client;
    const set = (jwks: Json | null) => desk.send('PUT', `/clients/${client_id}/keys`, { jwks });
    const shown = async (): Promise<number> =>
      (await entries('secret.show')).filter(({ target }) => target === `client:${client_id}`).length;
    const before = await shown();
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await set({ keys: [publicKey.export({ format: 'jwk' })] });
    expect(await shown()).toBe(before);
    expect((await set(null)).body.client_secret).toBeTypeOf('string');
    expect(await shown()).toBe(before + 1);
  });

  test('a CSV export is told with its filter', async () => {
    await service.send('GET', '/admin/v1/merchants.csv?status=active', {
      headers: { authorization: 'Bearer test-administration-key' },
    });
    expect((await entries('export.csv'))[0]).toMatchObject({
      target: '/admin/v1/merchants.csv',
      after: { filter: { status: 'active' } },
    });
  });

  test('a secret that is shown once has an entry without the secret', async () => {
    const { client_secret } = await service.admin<{ client_secret: string }>('POST', '/clients', {
      ...{ merchant_no: null, name: 'Tool', type: 'confidential', redirect_uris: [], scopes: [] },
    });
    const [entry] = await entries('secret.show');
    expect(entry).toMatchObject({
      target: expect.stringMatching(/^client:/) as string,
      after: { secret: 'client_secret' },
    });
    expect(JSON.stringify(await entries('client.create'))).not.toContain(client_secret);
  });
});

test('a write of a person has the address and the session of its request', async () => {
  const admin = await addUser(service, 'Ada Admin');
  await service.admin('PATCH', `/users/${admin.user_id}`, { role: 'admin', reason: 'new colleague' });
  const cookie = await signIn(service, admin);
  const world = await setUpPlatform(service);
  expect(world).toBeDefined();
  const changed = await service.send('PATCH', `/admin/v1/users/${person.user_id}`, {
    headers: { cookie, origin: service.url, ...from('203.0.113.9') },
    body: { name: 'Ann', reason: 'married' },
  });
  expect(changed.status).toBe(200);
  const [entry] = await entries('user.change');
  expect(entry).toMatchObject({ actor: `user:${admin.user_id}`, address: '203.0.113.9' });
  expect(entry?.session_id).toMatch(/^[\w-]{22}$/);
});

test('D-991 an act whose caller has gone before it is done has the address too', async () => {
  const { user_id } = await addUser(service, 'Gil Gone');
  const gone = new AbortController();
  const caller = { authorization: 'Bearer test-administration-key', ...from('203.0.113.77') };
  await service.db.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 AS locked FROM users WHERE user_id = ${user_id} FOR UPDATE`);
    const change = fetch(`${service.url}/admin/v1/users/${user_id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...caller },
      body: JSON.stringify({ name: 'Gil', reason: 'married' }),
      signal: gone.signal,
    });
    change.catch(() => undefined);
    await untilBlocked(service.db, tx);
    gone.abort();
    await expect(change).rejects.toThrow();
    // An answered request ends what it held; that of the caller who has gone goes on.
    await service.send('GET', '/admin/v1/users', { headers: caller });
  });
  // Asked past the service, so that no other request keeps origins known.
  const changes = () =>
    service.db.query(
      sql`SELECT address FROM audit_log WHERE action = 'user.change' AND target = ${`user:${user_id}`}`,
    );
  expect(await eventually(changes, ({ length }) => length > 0)).toEqual([{ address: '203.0.113.77' }]);
});

test('once a request is answered, Node.js follows no promise for the audit log', async () => {
  const rest = vi.spyOn(AsyncLocalStorage.prototype, 'disable');
  await service.admin('GET', '/merchants');
  await expect.poll(() => rest.mock.calls.length).toBe(1);
});
