/** How long sessions live, and how people see and end them. */
import { SessionList, SignedOut } from '@paydesk/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { days, hours, minutes } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { createUser, preparePerson } from '../../../src/identity/people/create-user.ts';
import type { Person, Role } from '../../../src/identity/people/person.ts';
import { updatePerson } from '../../../src/identity/people/person.sql.ts';
import { useBy } from '../../../src/identity/sessions/session-use.ts';
import { createSessions, type Sessions } from '../../../src/identity/sessions/sessions.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { MovableClock } from '../../support/people/people-app.ts';
import { addMerchant, addUser, signIn } from '../../support/desks/platform.ts';
import { type Answer, eventually, startTestService, type TestService } from '../../support/desks/service.ts';

describe('the life of a session', () => {
  const ids = systemIds();
  let database: TestDatabase;
  let db: Database;
  let clock: MovableClock;
  let sessions: Sessions;

  beforeAll(async () => {
    database = await freshDatabase();
    db = openDatabase({ url: database.url, max: 5 });
  });
  beforeEach(() => {
    clock = new MovableClock();
    sessions = createSessions({ db, clock, ids, staff_factor_required: false });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  const addPerson = async (role: Role): Promise<Person> => {
    const wanted = {
      email: `${ids.uuid()}@people.test`,
      name: 'Pat',
      password: 'correct horse battery',
      role,
    };
    const person = await preparePerson({ ids }, wanted, clock.now());
    await db.transaction((tx) => createUser(tx, person));
    return person;
  };
  const browser = { agent: '', address: '198.51.100.7', previous: null };
  /** Uses the session every `step_ms` until `end_ms` after its beginning; whether it was alive each time. */
  async function useFor(token: string, step_ms: number, end_ms: number): Promise<boolean> {
    for (clock.ahead_ms = 0; clock.ahead_ms < end_ms; clock.ahead_ms += step_ms) {
      if ((await sessions.userOf(token)) === null) return false;
    }
    clock.ahead_ms = end_ms;
    return true;
  }

  test.each([
    ['user', days(14), days(90)],
    ['admin', minutes(30), hours(12)],
    ['finance', minutes(30), hours(12)],
    ['support', minutes(30), hours(12)],
    ['auditor', minutes(30), hours(12)],
  ] as const)('of a person with the role %s', async (role, idle_ms, absolute_ms) => {
    const person = await addPerson(role);
    const idle = await sessions.begin(person, browser);
    clock.ahead_ms = idle_ms - 5_000;
    expect(await sessions.userOf(idle)).not.toBeNull();
    clock.ahead_ms = 2 * idle_ms - 10_000;
    expect(await sessions.userOf(idle)).not.toBeNull();
    clock.ahead_ms += idle_ms + minutes(5);
    expect(await sessions.userOf(idle)).toBeNull();

    clock.ahead_ms = 0;
    const used = await sessions.begin(person, browser);
    expect(await useFor(used, idle_ms / 2, absolute_ms - 5_000)).toBe(true);
    expect(await sessions.userOf(used)).not.toBeNull();
    clock.ahead_ms = absolute_ms + 5_000;
    expect(await sessions.userOf(used)).toBeNull();
  });

  test('D-201 what an open page reads by itself does not keep a session', async () => {
    const token = await sessions.begin(await addPerson('admin'), browser);
    for (clock.ahead_ms = 0; clock.ahead_ms < minutes(30); clock.ahead_ms += minutes(2)) {
      expect(await sessions.userOf(token, useBy({ 'x-paydesk-background': '1' }))).not.toBeNull();
    }
    clock.ahead_ms = minutes(30) + 1;
    expect(await sessions.userOf(token, useBy({}))).toBeNull();
  });

  test('a person who gets a role on the platform has the short life at once', async () => {
    const person = await addPerson('user');
    const token = await sessions.begin(person, browser);
    clock.ahead_ms = minutes(31);
    expect(await sessions.listOf(person, token)).toHaveLength(1);
    await db.transaction((tx) => updatePerson(tx, { ...person, role: 'support' }));
    expect(await sessions.userOf(token)).toBeNull();
    expect(await sessions.listOf({ ...person, role: 'support' }, token)).toEqual([]);
  });

  test('a session of the previous release lives 14 days after its last use', async () => {
    const person = await addPerson('user');
    const token = await sessions.begin(person, browser);
    await db.query(
      sql`UPDATE sessions SET last_used_at = NULL, proved_at = NULL, address = NULL
        WHERE user_id = ${person.user_id}`,
    );
    clock.ahead_ms = days(14) - 5_000;
    expect(await sessions.userOf(token)).toMatchObject({ user_id: person.user_id });
    clock.ahead_ms = days(28) - 10_000;
    expect(await sessions.userOf(token)).not.toBeNull();
  });

  test('reading a session is one statement, and a use is written once in five minutes', async () => {
    const person = await addPerson('user');
    const token = await sessions.begin(person, browser);
    let statements = 0;
    const counting = new Proxy(db, {
      get: (of, name) => {
        statements += 1;
        return Reflect.get(of, name) as unknown;
      },
    });
    const counted = createSessions({ db: counting, clock, ids, staff_factor_required: true });
    expect(await counted.userOf(token)).toMatchObject({ user_id: person.user_id, must_enrol: false });
    expect(statements).toBe(1);
    const lastUse = async (): Promise<number> =>
      (await sessions.listOf(person, token))[0]?.last_used_at.getTime() ?? 0;
    const begun = await lastUse();
    clock.ahead_ms = minutes(4);
    await sessions.userOf(token);
    expect(await lastUse()).toBe(begun);
    clock.ahead_ms = minutes(6);
    await sessions.userOf(token);
    expect(await lastUse()).toBeGreaterThan(begun);
  });
});

describe('a person’s list of sessions', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const list = (cookie: string): Promise<Answer<{ items: Item[] }>> =>
    service.send('GET', '/session/list', { headers: { cookie } });
  const end = (session_id: string, headers: Record<string, string>): Promise<Answer> =>
    service.send('DELETE', `/session/${session_id}`, { headers });
  interface Item {
    session_id: string;
    device: string;
    address: string;
    current: boolean;
  }

  test('it shows device, address and last use, never the secret, and each can be ended', async () => {
    const person = await addUser(service, 'Pat Person');
    const first = await signIn(service, person);
    const { email, password } = person;
    const second = await service.send('POST', '/session', {
      body: { email, password },
      headers: { 'user-agent': firefox },
    });
    const cookie = (second.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    const shown = await list(cookie);
    expectAnswer(shown, 200, SessionList);
    const { items } = shown.body;
    expect(items.map(({ device, current }) => [device, current])).toEqual([
      ['Firefox on Windows', true],
      ['Node.js', false],
    ]);
    expect(items[0]?.address).toBe('127.0.0.1');
    const secret = cookie.split('=')[1] ?? '';
    expect(shown.text).not.toContain(secret);
    for (const { session_id } of items) {
      const guess = { cookie: `paydesk_session=${session_id}${'A'.repeat(21)}`.slice(0, 59) };
      expect((await list(guess.cookie)).status).toBe(401);
    }

    const origin = new URL(service.url).origin;
    const other = items[1]?.session_id ?? '';
    expect((await end(other, { cookie })).body.error).toBe('cross_site_request');
    const done = await end(other, { cookie, origin });
    expectAnswer(done, 200, SignedOut);
    expect((await list(first)).status).toBe(401);
    expect((await end(other, { cookie, origin })).body.error).toBe('not_found');

    const own = await end(items[0]?.session_id ?? '', { cookie, origin });
    expect(own.headers.getSetCookie()[0]).toMatch(/^paydesk_session=;/);
    expect((await list(cookie)).body).toMatchObject({ error: 'authentication_required' });
  });

  test('the account page ends a session by a form that works without a script', async () => {
    const person = await addUser(service, 'Pat Person');
    const [cookie, other] = [await signIn(service, person), await signIn(service, person)];
    const origin = new URL(service.url).origin;
    const { text } = await service.send('GET', '/account', { headers: { cookie } });
    expect(text).toContain('last used');
    const [, session_id = ''] = /name="session_id" value="([^"]+)"/.exec(text) ?? [];
    const done = await service.send('POST', '/account/sessions/end-one', {
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
      raw: new URLSearchParams({ session_id }).toString(),
    });
    expect([done.status, done.headers.get('location')]).toEqual([303, `${service.url}/account?done=session`]);
    expect((await list(other)).status).toBe(401);
    expect((await list(cookie)).body.items).toHaveLength(1);
  });

  test('a person cannot end the session of another person', async () => {
    const [one, two] = [await addUser(service, 'One'), await addUser(service, 'Two')];
    const cookies = [await signIn(service, one), await signIn(service, two)] as const;
    const [theirs] = (await list(cookies[0])).body.items;
    const origin = new URL(service.url).origin;
    const answer = await end(theirs?.session_id ?? '', { cookie: cookies[1], origin });
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    expect((await list(cookies[0])).status).toBe(200);
  });
});

test('D-201 a background read of a console leaves the last use as it was', async () => {
  const service = await startTestService({ role: 'web' });
  const person = await addUser(service, 'Bea Background', 'admin');
  const cookie = await signIn(service, person);
  const db = openDatabase({ url: service.database.url, max: 1 });
  const past = new Date(Date.now() - minutes(10));
  await db.query(sql`UPDATE sessions SET last_used_at = ${past}`);
  const lastUse = async (path: string, headers: Record<string, string>): Promise<Date | undefined> => {
    expect((await service.send('GET', path, { headers: { cookie, ...headers } })).status).toBe(200);
    return (await db.query<{ at: Date }>(sql`SELECT last_used_at AS at FROM sessions`))[0]?.at;
  };
  for (const path of ['/admin/v1/work', '/console/v1/merchants']) {
    expect(await lastUse(path, { 'x-paydesk-background': '1' })).toEqual(past);
  }
  expect((await lastUse('/admin/v1/work', {}))?.getTime()).toBeGreaterThan(past.getTime() + minutes(9));
  await db.close();
  await service.stop();
});

describe('D-973 a write whose body comes when the session has ended meanwhile', () => {
  test.each([
    [
      'of an administrator',
      '/admin/v1/users',
      { email: 'late@people.test', name: 'Late', password: 'x y z 1 2 3 4 5' },
    ],
    ['of a merchant’s owner', '/console/v1/merchants/NO/payment-links', { currency: 'USD' }],
  ])('%s is refused', async (_whose, path, body) => {
    const service = await startTestService({ role: 'web' });
    const person = await addUser(service, 'Bea Before', 'admin');
    const { merchant_no } = await addMerchant(service, person);
    await service.admin('PUT', '/currencies/USD', { decimals: 2, enabled: true });
    const cookie = await signIn(service, person);
    const db = openDatabase({ url: service.database.url, max: 1 });
    const past = new Date(Date.now() - minutes(10));
    await db.query(sql`UPDATE sessions SET last_used_at = ${past}`);
    const [first, rest] = [JSON.stringify(body).slice(0, 1), JSON.stringify(body).slice(1)];
    let send: (text: string) => void = () => undefined;
    const sent = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(first));
        send = (text) => {
          controller.enqueue(Buffer.from(text));
          controller.close();
        };
      },
    });
    const answer = fetch(service.url + path.replace('NO', merchant_no), {
      method: 'POST',
      headers: { cookie, origin: new URL(service.url).origin, 'content-type': 'application/json' },
      body: sent,
      // A body of this kind needs it; the types of fetch do not have it.
      ...{ duplex: 'half' },
    });
    // The service has let the request in.
    const lastUse = async () =>
      (await db.query<{ at: Date }>(sql`SELECT last_used_at AS at FROM sessions`))[0]?.at;
    await eventually(lastUse, (at) => at !== undefined && at > past);
    await service.admin('DELETE', `/users/${person.user_id}/sessions`);
    send(rest);
    expect((await answer).status).toBe(401);
    await db.close();
    await service.stop();
  });
});
