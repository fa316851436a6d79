/** Administrators have a life: roles are taken, people are disabled and signed out, lost factors are removed. */
import { EndedSessions, RemovedFactors, UserAnswer } from '@paydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { addClient, addUser, type Person, setUpPlatform, signIn } from '../../support/desks/platform.ts';
import {
  type Answer,
  eventually,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';
import { authorizerOf } from '../../support/people/user-token.ts';
import { auditOn } from '../../support/desks/wallets.ts';

let service: TestService;
let other: { url: string };

beforeAll(async () => {
  service = await startTestService();
  other = await service.another('web');
});
afterAll(() => service.stop());

const key = { authorization: 'Bearer test-administration-key' };
const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.send(method, `/admin/v1${path}`, { headers: key, ...(body === undefined ? {} : { body }) });
const change = (user_id: string, body: object): Promise<Answer> => call('PATCH', `/users/${user_id}`, body);
const codeOf = ({ status, body }: Answer): unknown[] => [status, body.error];
const reason = 'has left';

async function addStaff(role: string): Promise<Person> {
  const person = await addUser(service, `Person ${role}`);
  expectAnswer(await change(person.user_id, { role, reason: 'new colleague' }), 200, UserAnswer);
  return person;
}
const isSignedIn = async (cookie: string, url = service.url): Promise<number> =>
  (await request(`${url}/session`, 'GET', { headers: { cookie } })).status;

describe('PATCH /admin/v1/users/{user_id}', () => {
  test('D-194 it changes role and name with a reason, and the role counts at once in open sessions', async () => {
    const person = await addStaff('support');
    const cookie = await signIn(service, person);
    const list = (): Promise<Answer> => service.send('GET', '/admin/v1/users', { headers: { cookie } });
    expect((await list()).status).toBe(200);
    const changed = await change(person.user_id, { role: 'user', name: ' Sue ', reason });
    expectAnswer(changed, 200, UserAnswer);
    expect(changed.body).toMatchObject({ role: 'user', name: 'Sue', disabled: false });
    expect(codeOf(await list())).toEqual([403, 'administrator_required']);
    expect((await auditOn(service, `user:${person.user_id}`, 'user.change'))[0]).toMatchObject({
      reason,
      before: { role: 'support' },
      after: { role: 'user', name: 'Sue' },
    });
  });

  test.each([
    [{ role: 'user' }, 'reason'],
    [{ role: 'boss', reason }, 'role'],
    [{ name: ' ', reason }, 'name'],
    [{ disabled: 'yes', reason }, 'disabled'],
  ])('%j is refused', async (body, field) => {
    const { user_id } = await addUser(service, 'Una User');
    const answer = await change(user_id, body);
    expect([...codeOf(answer), answer.body.field]).toEqual([400, 'invalid_request', field]);
  });

  test('an unknown person is 404', async () => {
    const nobody = '00000000-0000-0000-0000-000000000000';
    expect(codeOf(await change(nobody, { disabled: true, reason }))).toEqual([404, 'not_found']);
    for (const path of [`/users/${nobody}/sessions`, '/users/nobody/factors']) {
      expect(codeOf(await call('DELETE', path))).toEqual([404, 'not_found']);
    }
  });
});

describe('a disabled person', () => {
  test('is signed out in every process and cannot sign in, until enabled again', async () => {
    const person = await addStaff('finance');
    const cookie = await signIn(service, person);
    expect([await isSignedIn(cookie), await isSignedIn(cookie, other.url)]).toEqual([200, 200]);
    const changed = await change(person.user_id, { disabled: true, reason });
    expect(changed.body.disabled).toBe(true);
    expect([await isSignedIn(cookie), await isSignedIn(cookie, other.url)]).toEqual([401, 401]);
    await expect(signIn(service, person)).rejects.toThrow('401');
    await change(person.user_id, { disabled: false, reason: 'is back' });
    expect(await isSignedIn(cookie)).toBe(401);
    expect(await isSignedIn(await signIn(service, person))).toBe(200);
  });

  test('a session that a sign-in at the same moment has stored does not count', async () => {
    const person = await addUser(service, 'Pat Person');
    const cookie = await signIn(service, person);
    await service.db.query(sql`UPDATE users SET disabled_at = now() WHERE user_id = ${person.user_id}::uuid`);
    expect(await isSignedIn(cookie)).toBe(401);
  });

  test('D-169 apps lose the tokens of the person, soon in every process', async () => {
    const platform = await setUpPlatform(service);
    const redirect_uri = 'https://app.example/back';
    const client = await addClient(service, platform.merchant_no, {
      scopes: ['openid', 'email'],
      redirect_uris: [redirect_uri],
    });
    const authorizer = await authorizerOf(service, platform.buyer, client, redirect_uri);
    const token = await authorizer.token('openid email');
    const headers = { authorization: `Bearer ${token}` };
    const info = async (url: string): Promise<number> =>
      (await request(`${url}/oauth/userinfo`, 'GET', { headers })).status;
    expect([await info(service.url), await info(other.url)]).toEqual([200, 200]);
    await change(platform.buyer.user_id, { disabled: true, reason });
    expect(await info(service.url)).toBe(401);
    await eventually(
      () => info(other.url),
      (status) => status === 401,
    );
    await expect(authorizer.token('openid email')).rejects.toThrow();
  });
});

describe('the last administrator', () => {
  const admins: Person[] = [];
  beforeAll(async () => {
    admins.push(await addStaff('admin'), await addStaff('admin'));
  });

  test.each([{ disabled: true }, { role: 'auditor' }])(
    'of two that are removed at once, one stays: %j',
    async (removal) => {
      for (let i = 0; i < 10; i++) {
        const answers = await Promise.all(
          admins.map(({ user_id }) => change(user_id, { ...removal, reason })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
        expect(answers.map(({ body }) => body.error)).toContain('last_administrator');
        for (const { user_id } of admins) {
          expect((await change(user_id, { role: 'admin', disabled: false, reason })).status).toBe(200);
        }
      }
    },
  );

  test('a disabled administrator does not count, and can be changed freely', async () => {
    const [first, second] = admins.map(({ user_id }) => user_id);
    expect((await change(first ?? '', { disabled: true, reason })).status).toBe(200);
    expect(codeOf(await change(second ?? '', { role: 'user', reason }))).toEqual([409, 'last_administrator']);
    expect((await change(second ?? '', { name: 'Same role', reason })).status).toBe(200);
    expect((await change(first ?? '', { role: 'user', reason })).status).toBe(200);
  });
});

describe('DELETE …/sessions and …/factors', () => {
  test('every session of the person ends', async () => {
    const person = await addUser(service, 'Pat Person');
    const cookies = [await signIn(service, person), await signIn(service, person)];
    const ended = await call('DELETE', `/users/${person.user_id}/sessions`);
    expectAnswer(ended, 200, EndedSessions);
    expect(ended.body).toEqual({ ended: 2 });
    expect(await Promise.all(cookies.map((cookie) => isSignedIn(cookie, other.url)))).toEqual([401, 401]);
    expect(await auditOn(service, `user:${person.user_id}`, 'user.end-sessions')).toHaveLength(1);
  });

  test('the factors go with the recovery codes, and the password alone signs in again', async () => {
    const person = await addUser(service, 'Pat Person');
    const { user_id } = person;
    await service.db.query(
      sql`INSERT INTO totp_factors (user_id, secret_box, confirmed_at, last_step)
        VALUES (${user_id}, '\\x00', now(), 0)`,
    );
    await service.db.query(
      sql`INSERT INTO recovery_codes (user_id, code_digest) VALUES (${user_id}, '\\x00')`,
    );
    await expect(signIn(service, person)).rejects.toThrow('second_factor_required');
    const removed = await call('DELETE', `/users/${user_id}/factors`);
    expectAnswer(removed, 200, RemovedFactors);
    expect(removed.body).toEqual({ removed: 1 });
    expect(await isSignedIn(await signIn(service, person))).toBe(200);
    expect(
      await service.db.query(sql`SELECT 1 AS one FROM recovery_codes WHERE user_id = ${user_id}`),
    ).toEqual([]);
  });
});
