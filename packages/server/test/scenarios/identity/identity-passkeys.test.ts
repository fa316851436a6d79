import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, type Sql, sql } from '../../../src/base/pg/index.ts';
import {
  type Authenticator,
  type Lies,
  type Question,
  softwareAuthenticator,
} from '../../support/people/authenticator.ts';
import { addUser, fromAnywhere, type Person } from '../../support/desks/platform.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import { freePort } from '../../support/servers/ports.ts';
import { type Answer, startTestService, type TestService } from '../../support/desks/service.ts';

/** `test/browser/account.test.ts` tests these pages with a real browser; here devices give false answers. */

let service: TestService;
let db: Database;
let watch: Database;
let origin: string;
let person: Person;
let device: Authenticator;
let browser: Browser;

beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const env = { PORT: String(port), PAYDESK_PUBLIC_URL: origin, PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' };
  service = await startTestService({ env });
  db = openDatabase({ url: service.database.url, max: 1 });
  watch = openDatabase({ url: service.database.url, max: 1 });
});
afterAll(async () => {
  await Promise.all([db.close(), watch.close()]);
  await service.stop();
});
beforeEach(async () => {
  person = await addUser(service, 'Bo Buyer');
  device = softwareAuthenticator(origin);
  browser = browserOf();
  await browser.signIn();
});

/** The calls of a page's script, with its cookies. */
interface Browser {
  cookies: Map<string, string>;
  post<T = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<T>>;
  /** Answers the status: 401 where a second factor has to follow. */
  signIn(who?: Person): Promise<number>;
  isSignedIn(): Promise<boolean>;
}

function browserOf(more: Record<string, string> = {}): Browser {
  const cookies = new Map<string, string>();
  const from = { ...fromAnywhere(), ...more };
  const headers = () => ({
    ...from,
    origin,
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  });
  const post: Browser['post'] = async (path, body) => {
    const answer = await service.send('POST', path, { body, headers: headers() });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer as never;
  };
  return {
    cookies,
    post,
    async signIn({ email, password } = person) {
      return (await post('/session', { email, password })).status;
    },
    async isSignedIn() {
      return (await service.send('GET', '/session', { headers: headers() })).status === 200;
    },
  };
}

const toAdd = async (who = browser, { password } = person): Promise<Question> =>
  (await who.post<Question & Record<string, unknown>>('/account/passkeys/options', { password })).body;
const toUse = async (who: Browser): Promise<Question> =>
  (await who.post<Question & Record<string, unknown>>('/session/passkey/options', {})).body;

async function add(): Promise<void> {
  const added = await browser.post('/account/passkeys', device.create(await toAdd()));
  expect([added.status, added.body]).toEqual([200, {}]);
}

/** Signs in by passkey in a fresh browser, and returns the result. */
async function use(lies: Lies = {}, who = browserOf()): Promise<[number, unknown, boolean]> {
  const { status, body } = await who.post('/session/passkey', device.use(await toUse(who), lies));
  return [status, body.error, await who.isSignedIn()];
}

/** Holds the person's lock, and makes a change while the call waits for it. */
const whileWaiting = async (call: () => Promise<Answer>, change: Sql): Promise<[number, unknown]> => {
  const { running } = await db.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 AS held FROM users WHERE user_id = ${person.user_id}::uuid FOR UPDATE`);
    const running = call();
    await untilBlocked(watch, tx);
    await tx.query(change);
    return { running };
  });
  const { status, body } = await running;
  return [status, body.error];
};

test('the device of the tests gives valid answers by default', async () => {
  await add();
  expect(await use()).toEqual([200, undefined, true]);
});

describe('adding a passkey', () => {
  test('D-1005 ends the recovery codes that were made while the person had no second factor', async () => {
    const made = await service.send('POST', '/account/recovery-codes', {
      headers: {
        origin,
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
      raw: new URLSearchParams({ password: person.password }).toString(),
    });
    const code = /\b(?:[a-z2-9]{4}-){2}[a-z2-9]{4}\b/.exec(made.text)?.[0] ?? '';
    expect([made.status, code === '']).toEqual([200, false]);
    await add();
    const thief = browserOf();
    expect(await thief.signIn()).toBe(401);
    const tried = await thief.post('/session/second-factor', { code });
    expect([tried.status, tried.body.error]).toEqual([401, 'invalid_code']);
  });

  test.each<[string, Lies]>([
    ['to another question', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['from another place', { origin: 'https://evil.example' }],
    ['for another name', { rp_id: 'evil.example' }],
    ['of the other kind', { type: 'webauthn.get' }],
    ['of a device that did not ask its owner', { verified: false }],
  ])('an answer %s is refused', async (_what, lies) => {
    const refused = await browser.post('/account/passkeys', device.create(await toAdd(), lies));
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_code']);
    expect(await browserOf().signIn()).toBe(200);
  });

  test('D-1100 adds none by a session that has ended meanwhile', async () => {
    const made = device.create(await toAdd());
    const ended = sql`DELETE FROM sessions WHERE user_id = ${person.user_id}::uuid`;
    const refused = await whileWaiting(() => browser.post('/account/passkeys', made), ended);
    expect(refused).toEqual([401, 'authentication_required']);
    expect(await use()).toEqual([401, 'invalid_code', false]);
  });

  test('a challenge is good for one answer, by the person who asked, and only for passkeys', async () => {
    const question = await toAdd();
    const stranger = browserOf();
    await stranger.signIn(await addUser(service, 'Una Other'));
    for (const [name, value] of browser.cookies) {
      if (name.includes('passkey')) stranger.cookies.set(name, value);
    }
    const stolen = await stranger.post('/account/passkeys', device.create(question));
    expect([stolen.status, stolen.body.error]).toEqual([401, 'invalid_code']);
    // The attempt has used it up.
    expect((await browser.post('/account/passkeys', device.create(question))).status).toBe(401);
    const other = await toUse(browser);
    expect((await browser.post('/account/passkeys', device.create(other))).status).toBe(401);
    await add();
  });

  test('needs a session, the password, and proof of the origin', async () => {
    expect((await browserOf().post('/account/passkeys/options', person)).body.error).toBe(
      'authentication_required',
    );
    const wrong = await browser.post('/account/passkeys/options', { password: 'wrong password' });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_credentials']);
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    for (const path of ['/account/passkeys/options', '/account/passkeys', '/session/passkey']) {
      const headers = { cookie, origin: 'https://evil.example' };
      expect((await service.send('POST', path, { body: {}, headers })).status).toBe(403);
    }
  });

  test('the same passkey is not added twice', async () => {
    await add();
    const again = await browser.post('/account/passkeys', device.create(await toAdd()));
    expect([again.status, again.body.error]).toEqual([409, 'already_exists']);
  });

  test.each([null, {}, { id: 5 }, { id: 'x', response: {} }, { id: 'x', rawId: 'x', type: 'public-key' }])(
    'a malformed answer is refused: %j',
    async (odd) => {
      await toAdd();
      expect((await browser.post('/account/passkeys', odd)).status).toBe(odd === null ? 400 : 401);
      await toUse(browser);
      expect((await browser.post('/session/passkey', odd)).status).toBe(odd === null ? 400 : 401);
    },
  );

  test('H-18 the session goes on under a new token', async () => {
    const before = [...browser.cookies];
    await add();
    expect([...browser.cookies]).not.toEqual(before);
    expect(await browser.isSignedIn()).toBe(true);
  });
});

describe('using a passkey', () => {
  beforeEach(add);

  test.each<[string, Lies]>([
    ['to another question', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['from another place', { origin: 'https://evil.example' }],
    ['for another name', { rp_id: 'evil.example' }],
    ['of the other kind', { type: 'webauthn.create' }],
    ['of a device that did not ask its owner', { verified: false }],
  ])('an answer %s opens nothing', async (_what, lies) => {
    expect(await use(lies)).toEqual([401, 'invalid_code', false]);
    expect(await use()).toEqual([200, undefined, true]);
  });

  test('a copy of a passkey is seen by its count', async () => {
    expect(await use({ counter: 9 })).toEqual([200, undefined, true]);
    expect(await use({ counter: 9 })).toEqual([401, 'invalid_code', false]);
    expect(await use({ counter: 0 })).toEqual([401, 'invalid_code', false]);
    expect(await use({ counter: 10 })).toEqual([200, undefined, true]);
  });

  test('an answer counts once, also in concurrent sign-ins', async () => {
    const who = browserOf();
    const answer = device.use(await toUse(who));
    const doors = await Promise.all(
      Array.from({ length: 4 }, () => {
        const door = browserOf();
        for (const pair of who.cookies) door.cookies.set(...pair);
        return door.post('/session/passkey', answer);
      }),
    );
    expect(doors.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('D-1101 a passkey that is removed while it signs in begins no session', async () => {
    const who = browserOf();
    const answer = device.use(await toUse(who));
    const removed = sql`DELETE FROM passkeys WHERE user_id = ${person.user_id}::uuid`;
    const refused = await whileWaiting(() => who.post('/session/passkey', answer), removed);
    expect([refused, await who.isSignedIn()]).toEqual([[401, 'authentication_required'], false]);
  });

  test('an unknown passkey, or another person’s passkey after a password, does not sign in', async () => {
    const who = browserOf();
    const unknown = softwareAuthenticator(origin).use(await toUse(who));
    expect((await who.post('/session/passkey', unknown)).body.error).toBe('invalid_code');

    const other = await addUser(service, 'Una Other');
    const hers = softwareAuthenticator(origin);
    const herBrowser = browserOf();
    await herBrowser.signIn(other);
    await herBrowser.post('/account/passkeys', hers.create(await toAdd(herBrowser, other)));
    expect(await who.signIn(other)).toBe(401);
    const mine = await who.post('/session/passkey', device.use(await toUse(who)));
    expect([mine.status, await who.isSignedIn()]).toEqual([401, false]);
    const right = await who.post('/session/passkey', hers.use(await toUse(who)));
    expect([right.status, right.body.user_id]).toEqual([200, other.user_id]);
  });

  test('a password alone does not sign in until the passkey is removed', async () => {
    const who = browserOf();
    expect([await who.signIn(), await who.isSignedIn()]).toEqual([401, false]);
    const removed = await service.send('POST', '/account/passkeys/remove', {
      raw: new URLSearchParams({
        password: person.password,
        credential_id: device.credential_id,
      }).toString(),
      headers: {
        origin,
        cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    expect(removed.status).toBe(303);
    expect(await browserOf().signIn()).toBe(200);
    expect(await use()).toEqual([401, 'invalid_code', false]);
  });

  test('D-340 leaves the language of the browser, until the person chooses one in any console', async () => {
    const [german, french] = [browserOf({ 'accept-language': 'de' }), browserOf({ 'accept-language': 'fr' })];
    for (const who of [german, french]) expect(await use({}, who)).toEqual([200, undefined, true]);
    const consoleOf = async (who: Browser, query = ''): Promise<string | undefined> => {
      const cookie = [...who.cookies].map((pair) => pair.join('=')).join('; ');
      const headers = { cookie, 'accept-language': 'fr' };
      return /<html lang="([^"]+)"/.exec(
        (await service.send('GET', `/console${query}`, { headers })).text,
      )?.[1];
    };
    expect([await consoleOf(german), await consoleOf(french), await consoleOf(browserOf())]).toEqual([
      ...['de', 'de', 'fr'],
    ]);
    await consoleOf(german, '?lang=ja');
    expect(await consoleOf(french)).toBe('ja');
  });

  test('thirty wrong answers from one address are enough', async () => {
    const who = browserOf();
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await who.post('/session/passkey', { id: 'x' })).status);
    expect(statuses).toEqual([...Array<number>(30).fill(401), 429]);
  });

  test('thirty questions to one address in a minute are enough: each is stored', async () => {
    const who = browserOf();
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await who.post('/session/passkey/options', {})).status);
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
  });
});

test('at a bare address, which passkeys cannot belong to, their calls do not exist', async () => {
  const bare = await startTestService();
  const headers = { origin: bare.url };
  for (const path of ['/account/passkeys/options', '/account/passkeys', '/session/passkey']) {
    expect((await bare.send('POST', path, { body: {}, headers })).status).toBe(404);
  }
  await bare.stop();
});
