/** Platform staff need a second factor: without one, a session can do nothing but set one up. */
import { platformRoles } from '@paydesk/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdminDeps } from '../../../src/admin/request/deps.ts';
import { adminRoutes } from '../../../src/admin/routes.ts';
import { addUser, type Person, type Platform, setUpPlatform, signIn } from '../../support/desks/platform.ts';
import { type Answer, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_ADMIN_SECOND_FACTOR: 'required' } });
  platform = await setUpPlatform(service);
});
afterAll(() => service.stop());

async function addStaff(role: string): Promise<Person> {
  const person = await addUser(service, `Person ${role}`);
  await service.admin('PATCH', `/users/${person.user_id}`, { role, reason: 'new colleague' });
  return person;
}
const send = (cookie: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  service.send(method, path, {
    headers: { cookie, origin: service.url },
    ...(body === undefined ? {} : { body }),
  });
const sendForm = (cookie: string, path: string, fields: Record<string, string>): Promise<Answer> =>
  service.send('POST', path, {
    headers: { cookie, origin: service.url, 'content-type': 'application/x-www-form-urlencoded' },
    raw: new URLSearchParams(fields).toString(),
  });
const setUpFirst = [403, 'second_factor_setup_required'];
const codeOf = ({ status, body }: Answer): unknown[] => [status, body.error];

/** Sets up an authenticator app as the account page does; answers the cookie that follows. */
async function enrol(cookie: string, { password }: Person): Promise<string> {
  await sendForm(cookie, '/account/totp', { password });
  const page = await send(cookie, 'GET', '/account/totp');
  const key = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '';
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  const done = await sendForm(cookie, '/account/totp/confirm', { code: totp.generate() });
  expect(done.status).toBe(200);
  return (done.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

async function registeredCalls(): Promise<{ method: string; path: string }[]> {
  const app: FastifyInstance = Fastify();
  const calls: { method: string; path: string }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) {
      if (one !== 'HEAD') calls.push({ method: one, path: url.replace(/:\w+/g, 'x') });
    }
  });
  adminRoutes(app, { config: {}, jobs: {}, testClock: {} } as unknown as AdminDeps);
  await app.ready();
  await app.close();
  return calls;
}

describe('staff without a second factor', () => {
  test.each([...platformRoles])('%s: no call of the administration is open', async (role) => {
    const cookie = await signIn(service, await addStaff(role));
    for (const { method, path } of await registeredCalls()) {
      const body = ['GET', 'DELETE'].includes(method) ? undefined : {};
      expect([path, codeOf(await send(cookie, method, path, body))]).toEqual([path, setUpFirst]);
    }
  });

  test('nothing else is open either: consoles, sessions, checkout, the rest of the account', async () => {
    const person = await addStaff('support');
    const cookie = await signIn(service, person);
    const { items } = (await send(cookie, 'GET', '/session/list')).body as { items?: unknown };
    expect(items).toBeUndefined();
    for (const [method, path, body] of [
      ['GET', '/console/v1/merchants'],
      ['GET', `/console/v1/merchants/${platform.merchant_no}/home`],
      ['GET', '/session/list'],
      ['DELETE', '/session/0123456789abcdefghijkl'],
      ['POST', '/session/reauthenticate', { password: person.password }],
    ] as const) {
      expect([path, codeOf(await send(cookie, method, path, body))]).toEqual([path, setUpFirst]);
    }
    const { password } = person;
    for (const [path, fields] of [
      ['/account/name', { name: 'Other' }],
      ['/account/password', { password, new_password: 'another good password' }],
      ['/account/sessions/end', {}],
      ['/account/recovery-codes', { password }],
    ] as const) {
      const refused = await sendForm(cookie, path, fields);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(refused.text).toContain('Your role needs a second factor.');
    }
    expect((await send(cookie, 'GET', '/session')).body).toMatchObject({ name: 'Person support' });
  });

  test('the account page says so; with the factor everything is open; signing out always is', async () => {
    const person = await addStaff('admin');
    const cookie = await signIn(service, person);
    expect((await send(cookie, 'GET', '/account')).text).toContain('Your role needs a second factor.');
    const enrolled = await enrol(cookie, person);
    expect((await send(enrolled, 'GET', '/admin/v1/users')).status).toBe(200);
    expect((await send(enrolled, 'GET', '/account')).text).not.toContain('Your role needs a second factor.');
    await service.admin('DELETE', `/users/${person.user_id}/factors`);
    expect(codeOf(await send(enrolled, 'GET', '/admin/v1/users'))).toEqual(setUpFirst);
    expect((await send(enrolled, 'DELETE', '/session')).status).toBe(200);
  });

  test('D-1001 a session that has shown only the password ends when a factor is set up in another', async () => {
    const person = await addStaff('admin');
    const stolen = await signIn(service, person);
    const enrolled = await enrol(await signIn(service, person), person);
    expect((await send(enrolled, 'GET', '/admin/v1/users')).status).toBe(200);
    const proof = { password: person.password };
    for (const [method, path, body] of [
      ['GET', '/admin/v1/users'],
      ['GET', '/session/list'],
      ['POST', '/session/reauthenticate', proof],
    ] as const) {
      expect(codeOf(await send(stolen, method, path, body))).toEqual([401, 'authentication_required']);
    }
    expect((await send(stolen, 'GET', '/account')).status).toBe(303);
  });

  test.each([
    '/',
    '/platform',
    '/platform/orders?status=paid',
    '/console',
    '/account/wallet',
    '/oauth/authorize',
  ])('D-940 who opens the page %s comes to where a factor is set up', async (path) => {
    const cookie = await signIn(service, await addStaff('admin'));
    const { status, headers } = await service.send('GET', path, {
      headers: { cookie, accept: 'text/html' },
    });
    expect([status, headers.get('location')]).toEqual([303, `${service.url}/account#factor`]);
  });

  test('a person who gets a role needs one at once; people without a role and keys need none', async () => {
    const person = await addUser(service, 'Una User');
    const cookie = await signIn(service, person);
    expect((await send(cookie, 'GET', '/session/list')).status).toBe(200);
    expect((await send(cookie, 'GET', '/console/v1/merchants')).status).toBe(200);
    await service.admin('PATCH', `/users/${person.user_id}`, { role: 'auditor', reason: 'audit' });
    expect(codeOf(await send(cookie, 'GET', '/session/list'))).toEqual(setUpFirst);
    expect(codeOf(await send(cookie, 'GET', '/admin/v1/users'))).toEqual(setUpFirst);
  });
});

test('on a loopback address it is optional unless it is set', async () => {
  const other = await startTestService();
  const wanted = { email: 'ada@people.test', password: 'correct horse battery', name: 'Ada', role: 'admin' };
  const { user_id } = await other.admin<{ user_id: string }>('POST', '/users', wanted);
  const cookie = await signIn(other, { ...wanted, user_id });
  expect((await other.send('GET', '/admin/v1/users', { headers: { cookie } })).status).toBe(200);
  await other.stop();
});
