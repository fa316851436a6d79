/** Writes of a merchant's people that wait while the role or session of their sender ends (D-1085, D-1086). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { type Sql, sql } from '../../../src/base/pg/index.ts';
import { addProduct } from '../../support/desks/catalog.ts';
import { addUser, type Person, type Platform, setUpPlatform } from '../../support/desks/platform.ts';
import { type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { addStaff } from '../../support/people/staff.ts';
import { overtaken } from '../../support/servers/lock-waits.ts';

let service: TestService;
let platform: Platform;
let member: Person;
let desk: Console;
/** What stands for an id in a path. */
let ids: Record<string, string>;

const daily: Json = { frequency: 'daily', time_zone: 'UTC', with_pdf: false, paused: false, user_ids: [] };

beforeAll(async () => {
  service = await startTestService({ role: 'web' });
  platform = await setUpPlatform(service);
  member = await addUser(service, 'Mel Member');
  await addMember(member, 'owner');
  const other = await addUser(service, 'Olly Other');
  await addMember(other, 'read-only');
  desk = await consoleOf(service, member, platform.merchant_no);
  const made = async (path: string, body: Json): Promise<Json> => {
    const answer = await desk.send('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  };
  const url = 'https://receiver.example/in';
  await desk.send('PUT', '/notification-settings', { url, enabled: true });
  ids = {
    client: platform.client.client_id,
    member: other.user_id,
    product: await addProduct(service, platform.merchant_no),
    export: String((await made('/statement-exports', { ...daily, url })).export_id),
    link: String((await made('/payment-links', link)).link),
    invitation: String((await made('/people', { email: 'new@people.test', role: 'finance' })).invitation_id),
  };
});
afterAll(() => service.stop());

const link: Json = { currency: 'USD', amount: '25.00', description: 'Workshop', max_uses: 20 };
const program: Json = {
  name: 'C',
  type: 'confidential',
  redirect_uris: [],
  scopes: ['merchant_payments.read'],
};
const product: Json = {
  ...{
    gd_name: 'Late',
    currency: 'USD',
    actual_price: '1000000000',
    in_stock: 5,
    payment_policy: 'automatic',
  },
};
const [removed, disabled, signedOut] = [
  (): Sql => sql`DELETE FROM merchant_members WHERE user_id = ${member.user_id}::uuid`,
  (): Sql => sql`UPDATE users SET disabled_at = now() WHERE user_id = ${member.user_id}::uuid`,
  (): Sql => sql`DELETE FROM sessions WHERE user_id = ${member.user_id}::uuid`,
];

test.each<[call: string, end: () => Sql, body: Json, status?: number]>([
  ['POST /clients', removed, program],
  ['POST /clients', disabled, program, 401],
  ['POST /clients', signedOut, program, 401],
  ['PATCH /people/:member', signedOut, { role: 'developer' }, 401],
  ['DELETE /people/invitations/:invitation', removed, {}],
  ['PATCH /clients/:client', removed, { disabled: true }],
  ['POST /clients/:client/secret-rotation', removed, {}],
  ['POST /clients/:client/scope-applications', removed, { scopes: ['merchant_payments.read'] }],
  ['PUT /notification-settings', removed, { url: 'https://thief.example/in', enabled: true }],
  ['POST /notification-settings/rotation', removed, {}],
  ['PATCH /settings', removed, { name: 'Late' }],
  ['POST /statement-exports', removed, { ...daily, url: 'https://thief.example/in' }],
  ['PUT /statement-exports/:export', removed, { ...daily, url: 'https://thief.example/in' }],
  ['DELETE /statement-exports/:export', removed, {}],
  ['POST /payment-links', removed, link],
  ['DELETE /payment-links/:link', removed, {}],
  ['POST /products', removed, product],
  ['PATCH /products/:product', removed, { actual_price: '100000000' }],
  ['POST /products/:product/codes', removed, { codes: ['A-1'] }],
])('D-1085 D-1086 %s writes nothing', async (call, end, body, status = 403) => {
  const [method = '', path = ''] = call.replace(/:(\w+)/, (_, name: string) => ids[name] ?? '').split(' ');
  const before = await acts();
  const answer = await overtaken(
    service.db,
    service.db,
    async (tx) => {
      await tx.query(sql`LOCK TABLE merchants, oauth_clients, scope_applications, statement_exports, payment_links,
        products, catalog_codes, merchant_invitations IN EXCLUSIVE MODE`);
      await tx.query(end());
    },
    () => desk.send(method, path, body),
  );
  const after = await acts();
  await service.db.query(sql`UPDATE users SET disabled_at = NULL WHERE user_id = ${member.user_id}::uuid`);
  await addMember(member, 'owner');
  desk = await consoleOf(service, member, platform.merchant_no);
  expect(answer.status, answer.text).toBe(status);
  expect(after).toEqual(before);
});

test('D-1085 nor does an administrator who is disabled change a product', async () => {
  const insider = await addStaff(service, 'Ida Insider');
  const path = `/merchants/${platform.merchant_no}/products/${ids.product ?? ''}`;
  const before = await acts();
  const answer = await overtaken(
    service.db,
    service.db,
    async (tx) => {
      await tx.query(sql`LOCK TABLE products IN EXCLUSIVE MODE`);
      await tx.query(sql`UPDATE users SET disabled_at = now() WHERE user_id = ${insider.user_id}::uuid`);
    },
    () => insider.call('PATCH', path, { actual_price: '100000000' }),
  );
  expect([answer.status, answer.body.error]).toEqual([403, 'role_required']);
  expect(await acts()).toEqual(before);
});

const addMember = ({ user_id }: Person, role: string): Promise<unknown> =>
  service.db.query(sql`INSERT INTO merchant_members (merchant_id, user_id, role, added_by, added_at)
    VALUES (${merchantIdOf(platform.merchant_no)}, ${user_id}, ${role}, 'test', now()) ON CONFLICT DO NOTHING`);

const acts = (): Promise<Json[]> =>
  service.db.query<Json>(sql`SELECT action, target FROM audit_log ORDER BY audit_id`);
