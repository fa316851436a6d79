import { setTimeout as pause } from 'node:timers/promises';
import { ApiRequestPage, Found } from '@paydesk/contract';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { days, later, OffsetClock } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf, systemIds, ulidBefore } from '../../../src/base/ids.ts';
import { purgeOldRequests } from '../../../src/requests/purge-requests.ts';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { authorizerOf } from '../../support/people/user-token.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { freshDatabase } from '../../support/servers/database.ts';
import {
  addClient,
  addMerchant,
  addUser,
  type Client,
  type Merchant,
  merchantOf,
  type Person,
  setUpPlatform,
  validOrder,
} from '../../support/desks/platform.ts';
import { merchant_id, other_merchant_id, owner_id } from '../../support/desks/samples.ts';
import { eventually, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let desk: Console;
let merchant_no: string;
let client: Client;
let buyer: Person;
let merchant: Merchant;
let stranger: Console;

beforeAll(async () => {
  service = await startTestService();
  const platform = await setUpPlatform(service);
  ({ merchant_no, client, buyer } = platform);
  desk = await consoleOf(service, platform.owner, merchant_no);
  merchant = await merchantOf(service, client);
  const other = await addUser(service, 'Other Owner');
  stranger = await consoleOf(service, other, (await addMerchant(service, other)).merchant_no);
});
afterAll(() => service.stop());

type Page = ApiRequestPage;

/** The list, once it has the given number of entries. */
const listed = async (query: string, count = 1, at: Console = desk): Promise<Page['items']> => {
  const { body } = await eventually(
    () => at.get<Page>(`/api-requests?limit=100&${query}`),
    ({ body: { items } }) => items.length >= count,
  );
  return body.items;
};

const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-request-id') ?? '';

test('a request is found by the id of its answer, with the call, the outcome and whose it was', async () => {
  const created = await merchant.create({ ...validOrder(), external_reference: 'secret-in-the-body' });
  const [found] = await listed(`request_id=${idOf(created)}`);
  expect(found).toMatchObject({
    client_id: client.client_id,
    method: 'POST',
    route: '/openapi/v1/merchant-payments',
    path: '/openapi/v1/merchant-payments',
    status: 201,
    error: null,
  });
  expectAnswer(await desk.get('/api-requests'), 200, ApiRequestPage);
});

test('refusals are among them as soon as it is known whose they are, with their code', async () => {
  const missing = await merchant.get('/merchant-payments/mp_none');
  const narrow = await addClient(service, merchant_no, { scopes: ['merchant_payments.read'] });
  const refused = await (await merchantOf(service, narrow)).create(validOrder());
  const wrong = await merchant.create({ ...validOrder(), amount: 'ten' });
  const codes = [
    [missing, 'payment_not_found', 404, null],
    [wrong, 'invalid_amount', 400, 'amount'],
    [refused, 'insufficient_scope', 403, null],
  ] as const;
  for (const [answer, error, status, field] of codes) {
    expect((await listed(`request_id=${idOf(answer)}`))[0]).toMatchObject({ error, status, field });
  }
  // A token is asked for like anything else.
  expect((await listed(`client_id=${narrow.client_id}&status=2xx`))[0]).toMatchObject({
    route: '/oauth/token',
  });
});

test('D-1320 what anyone sends who only names a public client is not among them', async () => {
  const redirect_uri = 'http://127.0.0.1/back';
  const scopes = ['openid'];
  const app = await addClient(service, merchant_no, {
    ...{ type: 'public', scopes, redirect_uris: [redirect_uri] },
  });
  const { client_id } = app;
  const revoke = (token: string): Promise<unknown> =>
    service.send('POST', '/oauth/revoke', {
      raw: new URLSearchParams({ client_id, token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const authorizer = await authorizerOf(service, buyer, { ...app, client_secret: '' }, redirect_uri);
  await revoke('x'.repeat(43));
  await revoke(await authorizer.token('openid'));
  const found = await listed(`client_id=${client_id}`, 2);
  expect(found.map(({ route }) => route)).toEqual(['/oauth/revoke', '/oauth/token']);
});

test('R-034 queries, tokens and bodies are not stored', async () => {
  await merchant.get('/merchant-payments?external_reference=secret-in-the-query');
  await listed('', 4);
  const { text } = await desk.get('/api-requests?limit=100');
  expect(text).not.toMatch(/secret-in-the|Bearer/);
  expect(text).not.toContain(merchant.token);
  expect(text).not.toContain(client.client_secret);
});

test('the list is narrowed by status and client, and goes on by its cursor, newest first', async () => {
  await merchant.get('/merchant-payments');
  const failed = await listed('status=4xx');
  expect(failed.every(({ status }) => status >= 400 && status < 500)).toBe(true);
  expect(await listed(`client_id=${client.client_id}`, 3)).not.toEqual([]);
  expect((await desk.get<Page>('/api-requests?client_id=cl_none')).body.items).toEqual([]);
  const all = await listed('', 5);
  const first = await desk.get<Page>('/api-requests?limit=2');
  const second = await desk.get<Page>(`/api-requests?limit=2&cursor=${first.body.next_cursor ?? ''}`);
  const pages = [...first.body.items, ...second.body.items].map(({ seen_id }) => seen_id);
  expect(pages).toEqual([...pages].sort().reverse());
  expect(new Set(pages).size).toBe(4);
  expect(all.length).toBeGreaterThan(4);
});

test.each(['status=3xx', 'status=400', 'cursor=eA', 'limit=0', 'client_id=a&client_id=b'])(
  'a list narrowed by %s is refused',
  async (query) => {
    const { status, body } = await desk.get(`/api-requests?${query}`);
    expect({ status, ...body }).toMatchObject({ status: 400, error: 'invalid_request' });
  },
);

test('R-282 requests of other merchants are never shown, with any filter', async () => {
  const created = await merchant.create(validOrder());
  await listed(`request_id=${idOf(created)}`);
  const theirs = await stranger.get<Page>(`/api-requests?request_id=${idOf(created)}`);
  expect(theirs.body).toEqual({ items: [] });
});

describe('D-334 both searches find an API request by its whole id', () => {
  const searches = async (q: string): Promise<unknown[]> => {
    const [own, theirs, platform] = await Promise.all([
      desk.get<Found>(`/search?q=${q}`),
      stranger.get<Found>(`/search?q=${q}`),
      service.admin<Found>('GET', `/search?q=${q}`),
    ]);
    for (const answer of [own, theirs]) expectAnswer(answer, 200, Found);
    return [own.body.items, theirs.body.items, platform.items];
  };
  const found = (id: string, title: string, outcome: string) => ({
    kind: 'request',
    id,
    title,
    about: `${outcome} · ${client.client_id}`,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    merchant_no,
  });

  test('with its call and outcome; another merchant finds nothing', async () => {
    const wrong = await merchant.create({ ...validOrder(), amount: 'ten' });
    const id = idOf(wrong);
    await listed(`request_id=${id}`);
    const request = found(id, 'POST /openapi/v1/merchant-payments', '400 invalid_amount amount');
    expect(await searches(id)).toEqual([[request], [], [request]]);
  });

  test('the newest of an id that a client has used again', async () => {
    const headers = { authorization: `Bearer ${merchant.token}`, 'x-request-id': 'again-and-again' };
    await service.send('GET', '/openapi/v1/merchant-payments/mp_none', { headers });
    await listed('request_id=again-and-again');
    await service.send('GET', '/openapi/v1/merchant-payments', { headers });
    await listed('request_id=again-and-again', 2);
    const request = found('again-and-again', 'GET /openapi/v1/merchant-payments', '400 invalid_request');
    expect(await searches('again-and-again')).toEqual([[request], [], [request]]);
  });

  test.each(['again-and', 'Again-And-Again', '00000000-0000-4000-8000-000000000000'])(
    'no part of one, and no other: %s',
    async (q) => {
      expect(await searches(q)).toEqual([[], [], []]);
    },
  );
});

/** A cluster shows no plan of its shards. */
const isCluster = inject('citusUrl') !== null;

/** How many merchants a statement has looked at, by its plan. Partitions have names of their own. */
const merchantsIn = (plan: { Alias?: string; 'Actual Rows': number; Plans?: never[] }): number =>
  /^m(_\d+)?$/.test(plan.Alias ?? '')
    ? plan['Actual Rows']
    : (plan.Plans ?? []).reduce((sum, part) => sum + merchantsIn(part), 0);

test.skipIf(isCluster)(
  'D-1227 a statement of the purge looks at the requests of some merchants only, however many there are',
  async () => {
    const database = await freshDatabase();
    const db = openDatabase({ url: database.url, max: 1 });
    const clock = new OffsetClock();
    const at = later(clock.now(), -days(8));
    await db.query(sql`
    INSERT INTO merchants (merchant_id, name, owner_user_id, status, hold_days, guest_purchase_allowed, credit_limit_ptk,
      logo_url, short_description, description, business_scope, website_url, contact, notify_url, notify_enabled, created_at)
    SELECT gen_random_uuid(), 'Shop', ${owner_id}::uuid, 'active', 0, true, 0, '', '', '', '', '', '', '', false, ${at}
    FROM generate_series(1, 45)`);
    await db.query(sql`
    INSERT INTO api_requests (merchant_id, seen_id, request_id, at, client_id, method, route, path, status, duration_ms)
    SELECT merchant_id, ${`${ulidBefore(at)}0000000000000000`}, 'r', ${at}, 'cl', 'GET', '/', '/', 200, 1 FROM merchants`);
    await db.query(sql`ANALYZE`);
    const looked: number[] = [];
    const watched: Database = {
      ...db,
      async query(asked) {
        if (asked.text.includes('FROM merchants m')) {
          const [row] = await db.query<{ 'QUERY PLAN': { Plan: never }[] }>(
            sql`EXPLAIN (ANALYZE, FORMAT JSON) ${asked}`,
          );
          looked.push(...(row?.['QUERY PLAN'] ?? []).map(({ Plan }) => merchantsIn(Plan)));
        }
        return db.query(asked);
      },
    };
    expect(await purgeOldRequests({ db: watched, clock })).toBe(45);
    expect(looked.reduce((sum, merchants) => sum + merchants, 0)).toBe(45);
    expect(Math.max(...looked)).toBeLessThanOrEqual(20);
    await db.close();
    await database.drop();
  },
);

test.skipIf(isCluster)('D-1234 the purge of requests pauses while more of them grow old', async () => {
  const passes = async (): Promise<number> => {
    const { text } = await service.send('GET', '/metrics');
    const counts = text.matchAll(/^paydesk_passes_total\{pass="purge[^"]*",outcome="ok"\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  // Many merchants make a pass long.
  await service.db.query(
    sql`CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.1); RETURN NULL; END'`,
  );
  await service.db.query(
    sql`CREATE TRIGGER take_long AFTER DELETE ON api_requests EXECUTE FUNCTION take_long()`,
  );
  const { now } = await service.admin<{ now: string }>('GET', '/test-clock');
  // Ten a second grow old, for a minute.
  const times = Array.from({ length: 600 }, (_, i) => Date.parse(now) + 600_000 - days(7) + i * 100);
  await service.db.query(sql`
    INSERT INTO api_requests (merchant_id, seen_id, request_id, at, client_id, method, route, path, status, duration_ms)
    SELECT ${merchantIdOf(merchant_no)}::uuid, seen_id, 'r', ${now}::timestamptz, 'cl', 'GET', '/', '/', 200, 1
    FROM unnest(${times.map((at) => `${ulidBefore(new Date(at))}0000000000000000`)}::text[]) AS r (seen_id)`);
  const before = await passes();
  await service.advance(601);
  await eventually(passes, (count) => count > before);
  await pause(3_000);
  expect((await passes()) - before).toBeLessThanOrEqual(4);
});

test('D-396 requests are kept for seven days, and of each merchant no more than the newest', async () => {
  const database = await freshDatabase();
  const db = openDatabase({ url: database.url, max: 1 });
  const worker = openDatabase({ url: database.url, max: 1, application_name: 'paydesk worker' });
  const clock = new OffsetClock();
  const ids = systemIds();
  const add = async (id: string, age_days: number): Promise<void> => {
    const at = later(clock.now(), -days(age_days));
    const seen_id = `${ulidBefore(at)}${ids.ulid(at).slice(10)}`;
    await db.query(sql`
      INSERT INTO api_requests (merchant_id, seen_id, request_id, at, client_id, method, route, path, status, duration_ms)
      VALUES (${id}::uuid, ${seen_id}, 'r', ${at}, 'cl', 'GET', '/', '/', 200, 1)`);
  };
  for (const id of [merchant_id, other_merchant_id]) {
    await db.query(
      sql`INSERT INTO merchants (merchant_id, name, owner_user_id, status, hold_days, guest_purchase_allowed,
          credit_limit_ptk, logo_url, short_description, description, business_scope, website_url, contact,
          notify_url, notify_enabled, created_at)
        VALUES (${id}::uuid, 'Shop', ${owner_id}::uuid, 'active', 0, true, 0, '', '', '', '', '', '', '', false,
          ${clock.now()})`,
    );
  }
  for (const age of [1, 2, 3, 4, 8, 9]) await add(merchant_id, age);
  await add(other_merchant_id, 1);

  const purge = () => purgeOldRequests({ db: worker, clock }, { most: 3, limit: 2 });
  const left = () =>
    db.query<{ merchant_id: string; left: number }>(
      sql`SELECT merchant_id, count(*)::int AS left FROM api_requests GROUP BY 1 ORDER BY 2`,
    );
  expect(await purge()).toBe(4);
  const others = { merchant_id: other_merchant_id, left: 1 };
  expect(await left()).toEqual([others, { merchant_id, left: 2 }]);
  // Up to the maximum nothing is trimmed: a merchant whose requests never end is not trimmed at every call.
  await add(merchant_id, 0);
  expect(await purge()).toBe(0);
  await add(merchant_id, 0);
  // Two processes at once.
  const gone = await Promise.all([purge(), purge()]);
  expect(gone[0] + gone[1]).toBe(2);
  expect(await left()).toEqual([others, { merchant_id, left: 2 }]);
  await Promise.all([db.close(), worker.close()]);
  await database.drop();
});
