import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addUser, type Person, signIn } from '../../support/desks/platform.ts';
import { type Answer, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let user: Person;
let administrator: Person;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  user = await addUser(service, 'Una User');
  const wanted = { email: 'ada@people.test', password: 'correct horse battery', name: 'Ada', role: 'admin' };
  const { user_id } = await service.admin<{ user_id: string }>('POST', '/users', wanted);
  administrator = { ...wanted, user_id };
});
afterAll(() => service.stop());

/** Each request comes from an address of its own, unless one is given: wrong keys are counted by address. */
let addresses = 0;
const from = (headers: Record<string, string>): Record<string, string> => ({
  'x-forwarded-for': `198.51.100.${++addresses}`,
  ...headers,
});
const list = (headers: Record<string, string>): Promise<Answer> =>
  service.send('GET', '/admin/v1/currencies', { headers: from(headers) });
const write = (headers: Record<string, string>): Promise<Answer> =>
  service.send('PUT', '/admin/v1/currencies/USD', {
    headers: from(headers),
    body: { decimals: 2, enabled: true },
  });

describe('the administration key', () => {
  test.each([
    ['no credentials', {}, 401, 'authentication_required'],
    ['another key', { authorization: 'Bearer some-other-key-0000' }, 401, 'invalid_token'],
    ['the beginning of the key', { authorization: 'Bearer test-administration' }, 401, 'invalid_token'],
    ['the key and more', { authorization: 'Bearer test-administration-key2' }, 401, 'invalid_token'],
    ['the key without its scheme', { authorization: 'test-administration-key' }, 401, 'invalid_token'],
    ['an empty key', { authorization: 'Bearer ' }, 401, 'invalid_token'],
    ['a cookie of nobody', { cookie: 'paydesk_session=nobody' }, 401, 'authentication_required'],
  ])('%s is refused on reading and writing alike', async (_what, headers, status, error) => {
    for (const answer of [await list(headers), await write(headers)]) {
      expect([answer.status, answer.body.error]).toEqual([status, error]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  test('it is refused before the body is looked at', async () => {
    const answer = await service.send('POST', '/admin/v1/users', {
      raw: 'nonsense',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(401);
  });

  test('the scheme is read in any case', async () => {
    expect((await list({ authorization: 'bearer test-administration-key' })).status).toBe(200);
  });

  test('H-14 of two Authorization headers none counts, though one has the right key', async () => {
    const key = 'Bearer test-administration-key';
    for (const pair of [
      [key, 'Bearer another'],
      [key, key],
    ]) {
      const headers = pair.flatMap((value) => ['Authorization', value]);
      const sent = request(`${service.url}/admin/v1/currencies`, {
        headers: ['Host', 'localhost', ...headers],
      });
      sent.end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(401);
    }
  });

  test('the eleventh wrong key of one address in a minute is 429; the right key and other addresses are not', async () => {
    const tryKey = (address: string, key: string): Promise<Answer> =>
      list({ authorization: `Bearer ${key}`, 'x-forwarded-for': address });
    for (let i = 0; i < 10; i++)
      expect((await tryKey('203.0.113.40', `wrong-key-number-${i}`)).status).toBe(401);
    const refused = await tryKey('203.0.113.40', 'wrong-key-number-10');
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect((await tryKey('203.0.113.40', 'test-administration-key')).status).toBe(200);
    expect((await tryKey('203.0.113.41', 'wrong-key-number-11')).status).toBe(401);
  });

  test('without a configured key, every key is refused', async () => {
    const keyless = await startTestService({ env: { PAYDESK_ADMIN_KEY: '' } });
    for (const key of ['', 'null', 'undefined', 'test-administration-key']) {
      const answer = await keyless.send('GET', '/admin/v1/users', {
        headers: { authorization: `Bearer ${key}` },
      });
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token']);
    }
    await keyless.stop();
  });
});

describe("an administrator's session", () => {
  test('R-168 a person who is no administrator is refused', async () => {
    const cookie = await signIn(service, user);
    for (const answer of [await list({ cookie }), await write({ cookie, origin: service.url })]) {
      expect([answer.status, answer.body.error]).toEqual([403, 'administrator_required']);
    }
  });

  test('D-121 reads need only the session, writes need proof of their origin as well', async () => {
    const cookie = await signIn(service, administrator);
    expect((await list({ cookie })).status).toBe(200);
    for (const headers of [
      { cookie },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: 'null' },
      { cookie, 'sec-fetch-site': 'cross-site', origin: service.url },
      { cookie, 'sec-fetch-site': 'same-site' },
    ]) {
      const refused = await write(headers);
      expect([refused.status, refused.body.error]).toEqual([403, 'cross_site_request']);
    }
    expect((await write({ cookie, origin: service.url })).status).toBe(201);
    expect((await write({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test('D-194 the audit log names the administrator', async () => {
    const { items } = await service.admin<{ items: { actor: string }[] }>('GET', '/audit-log?limit=1');
    expect(items[0]?.actor).toBe(`user:${administrator.user_id}`);
  });

  test('no session makes up for a wrong key', async () => {
    const cookie = await signIn(service, administrator);
    const answer = await list({ cookie, authorization: 'Bearer wrong-key-wrong-key' });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token']);
  });
});

test('an unknown address is 404, and a known one under another method 405, for every caller', async () => {
  expect((await service.send('GET', '/admin/v1/nothing')).status).toBe(404);
  expect((await service.send('DELETE', '/admin/v1/currencies')).status).toBe(405);
});
