/** What each role of platform staff may do: every registered administration call, for every role. */
import { type PlatformRole, platformRoles, UserAnswer } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdminDeps } from '../../../src/admin/request/deps.ts';
import { permissions } from '../../../src/admin/request/permissions.ts';
import { adminRoutes } from '../../../src/admin/routes.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { addUser, signIn } from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

interface Call {
  method: string;
  /** Below `/admin/v1`, as it was registered. */
  route: string;
}

/** The calls of the administration API, from the registered routes. */
async function registeredCalls(): Promise<Call[]> {
  const app: FastifyInstance = Fastify();
  const calls: Call[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) calls.push({ method: one, route: url.slice('/admin/v1'.length) });
  });
  adminRoutes(app, { config: {}, jobs: {}, testClock: {} } as unknown as AdminDeps);
  await app.ready();
  await app.close();
  return calls;
}

const calls = await registeredCalls();
const isExport = ({ route }: Call): boolean => route.endsWith('.csv');
const isRead = (call: Call): boolean => ['GET', 'HEAD'].includes(call.method) && !isExport(call);

/** What the roles may do beside reading, in words that do not come from the table. */
const money =
  /(ptk-top-ups|guarantee-(deposits|returns)|(credit|recovery)-repayments|recovery-write-offs|payouts|withdrawals|refunds|complaints)$|^\/(withdrawals|complaints)\/:\w+\/decision$|^\/approvals\/:\w+\/(approve|reject)$/;
const replay = /^\/(merchants\/.*notifications|channels\/.*webhooks)\/.*(retry|retry-failed)$/;
const cases = /^\/(cases|disputes)\/|^\/approvals\/:\w+\/reject$/;

function expected(role: PlatformRole, call: Call): boolean {
  if (role === 'admin' || isRead(call)) return true;
  if (isExport(call)) return role !== 'support';
  if (role === 'finance') return money.test(call.route) || cases.test(call.route);
  return role === 'support' && (replay.test(call.route) || cases.test(call.route));
}

let service: TestService;
const cookies = new Map<PlatformRole, string>();

beforeAll(async () => {
  service = await startTestService();
  for (const role of platformRoles) {
    const wanted = { email: `${role}@people.test`, password: 'correct horse battery', name: role, role };
    const headers = { authorization: 'Bearer test-administration-key' };
    const created = await service.send('POST', '/admin/v1/users', { headers, body: wanted });
    expectAnswer(created, 201, UserAnswer);
    expect(created.body.role).toBe(role);
    cookies.set(role, await signIn(service, { ...wanted, user_id: '' }));
  }
});
afterAll(() => service.stop());

const send = (role: PlatformRole, { method, route }: Call): Promise<Answer> =>
  service.send(method, `/admin/v1${route.replace(/:\w+/g, 'x')}`, {
    headers: { cookie: cookies.get(role) ?? '', origin: service.url },
    ...(isRead({ method, route }) || isExport({ method, route }) ? {} : { body: {} }),
  });

describe('the roles of platform staff', () => {
  test('the table names exactly the writes and exports that exist', () => {
    const limited = calls.filter((call) => !isRead(call)).map(({ method, route }) => `${method} ${route}`);
    expect(Object.keys(permissions).sort()).toEqual(limited.sort());
  });

  test.each(calls.flatMap((call) => platformRoles.map((role) => ({ role, ...call }))))(
    '$role: $method $route',
    async ({ role, ...call }) => {
      const { status, body } = await send(role, call);
      if (!expected(role, call)) expect([status, body.error]).toEqual([403, 'role_required']);
      else expect([status < 500, status]).toEqual([true, expect.not.toBeOneOf([401, 403])]);
    },
  );

  test('D-1411 only who may change a channel learns the secret address of its webhooks', async () => {
    const of_channel = { owner: 'platform', provider: 'cardprov', name: 'Card', currency: 'USD' };
    const made = await service.admin<{ payment_no: string; webhook_url: string }>('POST', '/channels', {
      ...{ ...of_channel, test_mode: false, enabled: true, fees: [] },
      config: { api_base: 'https://card.example', secret_key: 'sk_test', webhook_secret: 'whsec_test' },
    });
    for (const role of platformRoles) {
      const one = await send(role, { method: 'GET', route: `/channels/${made.payment_no}` });
      const { body } = await send(role, { method: 'GET', route: '/channels' });
      const seen = [one.body, ...(body.items as Json[])].map(({ webhook_url }) => webhook_url);
      const shown = role === 'admin' ? made.webhook_url : undefined;
      expect([role, ...seen]).toEqual([role, shown, shown]);
    }
  });

  test('R-168 a person without a role is refused every call', async () => {
    const cookie = await signIn(service, await addUser(service, 'Una User'));
    for (const { method, route } of calls.filter(({ method }) => method !== 'HEAD')) {
      const answer = await service.send(method, `/admin/v1${route.replace(/:\w+/g, 'x')}`, {
        headers: { cookie, origin: service.url },
      });
      expect([answer.status, answer.body.error]).toEqual([403, 'administrator_required']);
    }
  });
});
