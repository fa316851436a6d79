import { AdminKeyAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { addMerchant, addUser } from '../../support/desks/platform.ts';
import {
  type Answer,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';
import { addStaff, type Staff } from '../../support/people/staff.ts';
import { auditOn, beside } from '../../support/desks/wallets.ts';

let service: TestService;
let ada: Staff;
let ben: Staff;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  ada = await addStaff(service, 'Ada Admin');
  ben = await addStaff(service, 'Ben Admin');
});
afterAll(() => service.stop());

const hour = (): string => new Date(Date.now() + 3_600_000).toISOString();

interface Key extends Json {
  key_id: string;
  key: string;
}

async function newKey(more: Json = {}, who: Pick<Staff, 'call'> = ada): Promise<Key> {
  const body = { name: 'Nightly export', role: 'auditor', expires_at: hour(), ...more };
  const answer = await who.call<Key>('POST', '/keys', body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

interface Use {
  method?: string;
  path?: string;
  body?: unknown;
  from?: string;
  url?: string;
}

/** Each request comes from an address of its own, unless one is given: wrong keys are counted by address. */
let addresses = 0;
const use = (
  key: string,
  { method = 'GET', path = '/currencies', body, from = '', url = service.url }: Use = {},
): Promise<Answer> =>
  request(`${url}/admin/v1${path}`, method, {
    headers: {
      authorization: `Bearer ${key}`,
      'x-forwarded-for': from === '' ? `198.51.100.${++addresses}` : from,
    },
    ...(body === undefined ? {} : { body }),
  });

const listed = async (key_id: string): Promise<Json | undefined> => {
  const { items } = (await ada.call<{ items: Json[] }>('GET', '/keys?limit=100')).body;
  return items.find((item) => item.key_id === key_id);
};
const revoke = (key_id: string, body: unknown = { reason: 'no longer used' }): Promise<Answer> =>
  ada.call('DELETE', `/keys/${key_id}`, body);

describe('a named administration key', () => {
  test('is shown once, stored as a hash, listed without it, and logged', async () => {
    const created = await newKey({ expires_at: '2099-01-01T00:00:00Z' });
    expect(Check(AdminKeyAnswer, created)).toBe(true);
    const { key, ...rest } = created;
    expect(key).toMatch(/^pdk_[\w-]{43}$/);
    expect(rest).toMatchObject({
      role: 'auditor',
      status: 'active',
      created_by: ada.actor,
      allowed_cidrs: [],
    });
    expect(await listed(created.key_id)).toEqual(rest);
    const stored = await beside(service, (db) => db.query(sql`SELECT k::text AS text FROM admin_keys k`));
    expect(stored.some(({ text }) => String(text).includes(key))).toBe(false);
    const [entry] = await auditOn(service, `key:${created.key_id}`, 'admin-key.create');
    expect(entry).toMatchObject({ actor: ada.actor, after: rest });
    expect(JSON.stringify(entry)).not.toContain(key);
  });

  test('may do what its role may, and the audit log names it', async () => {
    const auditor = await newKey();
    expect((await use(auditor.key)).status).toBe(200);
    const put = { method: 'PUT', path: '/currencies/CHF', body: { decimals: 2, enabled: true } };
    const refused = await use(auditor.key, put);
    expect([refused.status, refused.body.error]).toEqual([403, 'role_required']);
    const admin = await newKey({ role: 'admin' });
    expect((await use(admin.key, put)).status).toBe(201);
    expect(await auditOn(service, 'currency:CHF', 'currency.set')).toMatchObject([
      { actor: `key:${admin.key_id}` },
    ]);
  });

  test('shows its last use, written at most once a minute', async () => {
    const { key, key_id } = await newKey();
    expect(await listed(key_id)).toMatchObject({ last_used_at: null });
    await use(key);
    const used = (await listed(key_id))?.last_used_at;
    expect(Math.abs(Date.parse(String(used)) - Date.now())).toBeLessThan(60_000);
    await use(key);
    expect((await listed(key_id))?.last_used_at).toBe(used);
    await beside(service, (db) =>
      db.query(
        sql`UPDATE admin_keys SET last_used_at = ${new Date(Date.now() - 61_000)} WHERE key_id = ${key_id}`,
      ),
    );
    await use(key);
    expect(Date.parse(String((await listed(key_id))?.last_used_at))).toBeGreaterThanOrEqual(
      Date.parse(String(used)),
    );
  });

  test('is refused in every process at once when it was revoked, which needs a reason', async () => {
    const other = await service.another();
    const { key, key_id } = await newKey();
    expect((await use(key, { url: other.url })).status).toBe(200);
    for (const body of [{}, { reason: ' ' }]) {
      const refused = await revoke(key_id, body);
      expect([refused.status, refused.body.field]).toEqual([400, 'reason']);
    }
    const revoked = await revoke(key_id);
    expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked']);
    for (const url of [service.url, other.url]) {
      const refused = await use(key, { url });
      expect([refused.status, refused.body.error]).toEqual([401, 'invalid_token']);
    }
    expect((await revoke(key_id)).body).toEqual(revoked.body);
    expect(await auditOn(service, `key:${key_id}`, 'admin-key.revoke')).toMatchObject([
      { actor: ada.actor, reason: 'no longer used', before: { status: 'active' }, after: revoked.body },
    ]);
    expect((await revoke('ak_nothing')).status).toBe(404);
    await other.stop();
  });

  test('ends at its end', async () => {
    const { key, key_id } = await newKey();
    const past = new Date(Date.now() - 1_000);
    await beside(service, (db) =>
      db.query(sql`UPDATE admin_keys SET expires_at = ${past} WHERE key_id = ${key_id}`),
    );
    expect((await use(key)).status).toBe(401);
    expect(await listed(key_id)).toMatchObject({ status: 'expired' });
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ role: 'user' }, 'role'],
    [{ role: undefined }, 'role'],
    [{ expires_at: undefined }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ allowed_cidrs: ['203.0.113.0/33'] }, 'allowed_cidrs'],
    [{ allowed_cidrs: ['203.0.113.0/24', 'home'] }, 'allowed_cidrs'],
    [{ allowed_cidrs: '203.0.113.0/24' }, 'allowed_cidrs'],
  ])('%j is refused, naming %s', async (body, field) => {
    const wanted = { name: 'Export', role: 'auditor', expires_at: hour(), ...body };
    const refused = await ada.call('POST', '/keys', wanted);
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
  });
});

describe('the keys that were made with a key', () => {
  const callerOf = (key: string): Pick<Staff, 'call'> => ({
    call: (method, path, body) => use(key, { method, path, body }) as Promise<Answer<never>>,
  });
  /** A key, one that was made with it, and one that was made with that. */
  async function family(): Promise<[Key, Key, Key]> {
    const first = await newKey({ role: 'admin' });
    const second = await newKey({ role: 'admin' }, callerOf(first.key));
    return [first, second, await newKey({ role: 'finance' }, callerOf(second.key))];
  }
  const statuses = (keys: readonly Key[]): Promise<number[]> =>
    Promise.all(keys.map(async ({ key }) => (await use(key)).status));

  test('are revoked with it, all that they asked for is rejected, and each has its entry', async () => {
    const { merchant_no } = await addMerchant(service, await addUser(service, 'Cleo Children'));
    const keys = await family();
    const [first, second, third] = keys;
    await ada.call('PUT', '/settings', { four_eyes_ptk: '100' });
    const body = { amount_ptk: '100', reference: 'by-child', reason: 'as agreed' };
    const asked = await use(third.key, {
      ...{ method: 'POST', path: `/merchants/${merchant_no}/ptk-top-ups`, body },
    });
    expect(asked.status).toBe(202);
    const beside = await newKey({ role: 'admin' });
    const revoked = await revoke(first.key_id, { reason: 'stolen' });
    expect(revoked.body).toMatchObject({ revoked_children: [second.key_id, third.key_id] });
    expect(Check(AdminKeyAnswer, revoked.body)).toBe(true);
    expect(await statuses([...keys, beside])).toEqual([401, 401, 401, 200]);
    expect(await auditOn(service, `key:${third.key_id}`, 'admin-key.revoke')).toMatchObject([
      { actor: ada.actor, after: { revoke_reason: `stolen (made with ${first.key_id})` } },
    ]);
    const path = `/approvals/${String(asked.body.approval_id)}`;
    expect((await ada.call('GET', path)).body).toMatchObject({ status: 'rejected', decided_by: ada.actor });
    expect((await ben.call('POST', `${path}/approve`)).body.error).toBe('already_decided');
  });

  test('stay if the revocation says so, and can be revoked later', async () => {
    const keys = await family();
    const [first, second, third] = keys;
    const { body } = await revoke(first.key_id, { reason: 'replaced', children: false });
    expect(body).not.toHaveProperty('revoked_children');
    expect(await statuses(keys)).toEqual([401, 200, 200]);
    const again = await revoke(first.key_id, { reason: 'stolen' });
    expect(again.body.revoked_children).toEqual([second.key_id, third.key_id]);
    expect(again.body.revoke_reason).toBe('replaced');
    expect(await statuses(keys)).toEqual([401, 401, 401]);
  });
});

describe('the addresses of a key', () => {
  test('from another address it is answered like an unknown key, and counted like one', async () => {
    const { key } = await newKey({ allowed_cidrs: ['203.0.113.0/28', '2001:db8::7/128'] });
    for (const from of ['203.0.113.3', '::ffff:203.0.113.3', '2001:db8::7', '192.0.2.1, 203.0.113.3']) {
      expect((await use(key, { from })).status).toBe(200);
    }
    const unknown = await use(`pdk_${'x'.repeat(43)}`);
    for (const from of ['203.0.113.16', '2001:db8::8', '203.0.113.3, 192.0.2.1']) {
      const { status, body } = await use(key, { from });
      expect([status, body]).toEqual([401, unknown.body]);
    }
    const answers = [];
    for (let i = 0; i < 11; i++) answers.push(await use(key, { from: '192.0.2.99' }));
    expect(answers.at(-1)?.status).toBe(429);
  });
});

describe('keys and four eyes', () => {
  test('a key asks and approves nothing, and the one who made it cannot approve what it asked', async () => {
    const owner = await addUser(service, 'Olga Owner');
    const { merchant_no } = await addMerchant(service, owner);
    const first = await newKey({ role: 'admin' });
    // A key that was made with a key counts as its maker's.
    const second = await newKey(
      { role: 'finance' },
      { call: (method, path, body) => use(first.key, { method, path, body }) as Promise<Answer<never>> },
    );
    await ada.call('PUT', '/settings', { four_eyes_ptk: '100' });
    const body = { amount_ptk: '100', reference: 'by-key', reason: 'as agreed' };
    const path = `/merchants/${merchant_no}/ptk-top-ups`;
    const asked = await use(second.key, { method: 'POST', path, body });
    expect([asked.status, asked.body.error]).toEqual([202, 'approval_pending']);
    const at = `/approvals/${String(asked.body.approval_id)}/approve`;
    const refusals = [await use(second.key, { method: 'POST', path: at }), await ada.call('POST', at)];
    refusals.push(await use((await newKey({ role: 'admin' })).key, { method: 'POST', path: at }));
    for (const { status, body } of refusals) {
      expect([status, body.error]).toEqual([403, 'second_person_required']);
    }
    expect((await ben.call('POST', at)).status).toBe(200);
  });

  test('the environment’s key says in the audit log that it is for bootstrap', async () => {
    await service.admin('PUT', '/currencies/SEK', { decimals: 2, enabled: true });
    const [entry] = await auditOn(service, 'currency:SEK', 'currency.set');
    expect(entry).toMatchObject({ actor: 'environment key (bootstrap)' });
  });
});
