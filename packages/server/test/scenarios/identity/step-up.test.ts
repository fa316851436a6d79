/** Dangerous writes of a session need a proof of presence in the last ten minutes. */
import { Reauthenticated } from '@paydesk/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minutes, seconds } from '../../../src/base/time/clock.ts';
import { sql } from '../../../src/base/pg/index.ts';
import type { AdminDeps } from '../../../src/admin/request/deps.ts';
import { adminRoutes } from '../../../src/admin/routes.ts';
import { consoleRoutes } from '../../../src/console/routes.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { softwareAuthenticator, type Question } from '../../support/people/authenticator.ts';
import {
  addUser,
  fromAnywhere,
  type Person,
  type Platform,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import { freePort } from '../../support/servers/ports.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { wrongCodeOf } from '../../support/people/wrong-code.ts';

let service: TestService;
let platform: Platform;
let origin: string;

beforeAll(async () => {
  const port = await freePort();
  // A name instead of an address: only it can have passkeys.
  origin = `http://localhost:${port}`;
  const env = { PORT: String(port), PAYDESK_PUBLIC_URL: origin, PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' };
  service = await startTestService({ env });
  platform = await setUpPlatform(service);
});
afterAll(async () => {
  await service.stop();
});

interface Call {
  method: string;
  path: string;
}

/** The registered calls below a prefix. */
async function registered(register: (app: FastifyInstance) => void): Promise<Call[]> {
  const app: FastifyInstance = Fastify();
  app.decorate('site', { base_path: '' } as never);
  const calls: Call[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) calls.push({ method: one, path: url });
  });
  register(app);
  await app.ready();
  await app.close();
  return calls;
}

/** One person in a browser: signed in, with the cookies that the service sets. */
class Browser {
  cookies = new Map<string, string>();
  readonly person: Person;
  readonly address = fromAnywhere();

  constructor(person: Person) {
    this.person = person;
  }

  async send<T = Json>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...this.address, origin, cookie };
    const asForm = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await service.send<T>(
      method,
      path,
      body instanceof URLSearchParams
        ? { headers: asForm, raw: body.toString() }
        : { headers, ...(body === undefined ? {} : { body }) },
    );
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Sends a form; takes the new session of the answer. */
  async form(path: string, fields: Record<string, string>): Promise<Answer> {
    return this.send('POST', path, new URLSearchParams(fields));
  }

  signIn(): Promise<Answer> {
    const { email, password } = this.person;
    return this.send('POST', '/session', { email, password });
  }

  reauthenticate(proof: unknown): Promise<Answer> {
    return this.send('POST', '/session/reauthenticate', proof);
  }

  /** Lets time pass since the last proof. */
  async wait(ms: number): Promise<void> {
    const proved_at = new Date(Date.now() - ms);
    await service.db.query(
      sql`UPDATE sessions SET proved_at = ${proved_at} WHERE user_id = ${this.person.user_id}::uuid`,
    );
  }
}

async function browserOf(person: Person): Promise<Browser> {
  const browser = new Browser(person);
  expect((await browser.signIn()).status).toBe(200);
  return browser;
}

async function administrator(): Promise<Person> {
  const person = await addUser(service, 'Ada Admin');
  const change = { role: 'admin', reason: 'new colleague' };
  await service.admin('PATCH', `/users/${person.user_id}`, change);
  return person;
}

const isWrite = ({ method }: Call): boolean => !['GET', 'HEAD'].includes(method);
const needsProof = async (browser: Browser, { method, path }: Call): Promise<boolean> => {
  const asked = path.replace(':merchant_no', platform.merchant_no).replace(/:\w+/g, 'x');
  const { body } = await browser.send(
    method,
    asked,
    ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined,
  );
  return body.error === 'reauthentication_required';
};

describe('D-202 which writes need a proof', () => {
  /** In words that do not come from the tables. */
  const ofAdministrators =
    /(rates\/:code|channels|channels\/:payment_no|webhook-secret-rotation|users|users\/:user_id|sessions|factors|merchants\/:merchant_no|clients|clients\/:client_id|scopes|debug-grants|settings|keys|keys\/:\w+|ptk-top-ups|guarantee-deposits|guarantee-returns|credit-repayments|recovery-repayments|recovery-write-offs|payouts|withdrawals|refunds|complaints|resolution|files|evidence|(withdrawals|complaints|scope-applications)\/:\w+\/decision|approve|reject)$/;
  const ofMerchants =
    /(people|people\/:user_id|statement-exports|statement-exports\/:\w+|invitations\/:\w+|notification-settings|rotation|clients|clients\/:client_id|keys|secret-rotation)$/;

  test('of administrators: money, secrets, roles, members, keys, fees and rates, and no read', async () => {
    const browser = await browserOf(await administrator());
    await browser.wait(minutes(10));
    const calls = await registered((app) => {
      adminRoutes(app, { config: {}, jobs: {}, testClock: {} } as unknown as AdminDeps);
    });
    for (const call of calls) {
      const wanted = isWrite(call) && ofAdministrators.test(call.path);
      expect([call, await needsProof(browser, call)]).toEqual([call, wanted]);
    }
  });

  test('of merchants: members, secrets and keys, and no read', async () => {
    const browser = await browserOf(platform.owner);
    await browser.wait(minutes(10));
    const calls = await registered((app) => {
      consoleRoutes(app, { pages: {} } as unknown as Parameters<typeof consoleRoutes>[1]);
    });
    for (const call of calls.filter(({ path }) => path.startsWith('/console/v1/merchants/:merchant_no/'))) {
      const wanted = isWrite(call) && ofMerchants.test(call.path);
      expect([call, await needsProof(browser, call)]).toEqual([call, wanted]);
    }
  });

  test('a fresh sign-in is a proof for ten minutes; a key needs none', async () => {
    const browser = await browserOf(await administrator());
    const setRate = () => browser.send('PUT', '/admin/v1/rates/USD', { ptk_price: '0.10' });
    expect((await setRate()).status).toBe(200);
    await browser.wait(minutes(10) - seconds(30));
    expect((await setRate()).status).toBe(200);
    await browser.wait(minutes(10));
    const refused = await setRate();
    expect([refused.status, refused.body.error]).toEqual([403, 'reauthentication_required']);
    await service.admin('PUT', '/rates/USD', { ptk_price: '0.10' });
    expect((await browser.signIn()).status).toBe(200);
    expect((await setRate()).status).toBe(200);
  });
});

describe('D-202 POST /session/reauthenticate', () => {
  let browser: Browser;
  beforeEach(async () => {
    browser = await browserOf(await administrator());
    await browser.wait(minutes(11));
  });
  const mayWrite = async (): Promise<boolean> =>
    (await browser.send('PUT', '/admin/v1/rates/USD', { ptk_price: '0.10' })).status === 200;

  /** The app that the page shows for the set-up. */
  async function shownApp(to = browser): Promise<TOTP> {
    const page = await to.send('GET', '/account/totp');
    const key = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1] ?? '';
    return new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  }

  test('the password counts, of this session only', async () => {
    const other = await browserOf(browser.person);
    await browser.wait(minutes(11));
    const proved = await browser.reauthenticate({ password: browser.person.password });
    expectAnswer(proved, 200, Reauthenticated);
    expect(await mayWrite()).toBe(true);
    const elsewhere = await other.send('PUT', '/admin/v1/rates/USD', { ptk_price: '0.10' });
    expect(elsewhere.body.error).toBe('reauthentication_required');
  });

  test('a wrong password proves nothing, and ten are enough', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      statuses.push((await browser.reauthenticate({ password: 'wrong password' })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await browser.reauthenticate({ password: browser.person.password })).status).toBe(429);
    expect(await mayWrite()).toBe(false);
  });

  test.each([[{}], [{ password: 'a', code: '123456' }], [{ password: 1 }], [{ passkey: 'x' }], [[]]])(
    '%j is 400',
    async (proof) => {
      const answer = await browser.reauthenticate(proof);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    },
  );

  test('D-121 it needs a session, and our own origin', async () => {
    const body = { password: browser.person.password };
    const send = (headers: Record<string, string>): Promise<Answer> =>
      service.send('POST', '/session/reauthenticate', { headers, body });
    expect((await send({ origin })).body.error).toBe('authentication_required');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await send({ cookie })).body.error).toBe('cross_site_request');
    expect((await send({ cookie, origin: 'https://evil.example' })).body.error).toBe('cross_site_request');
    expect(await mayWrite()).toBe(false);
  });

  test('a code of the authenticator app counts once', async () => {
    const { user_id, password } = browser.person;
    await browser.form('/account/totp', { password });
    const totp = await shownApp();
    await browser.form('/account/totp/confirm', { code: totp.generate() });
    await browser.wait(minutes(11));
    await service.db.query(sql`UPDATE totp_factors SET last_step = 0 WHERE user_id = ${user_id}::uuid`);
    expect((await browser.reauthenticate({ code: wrongCodeOf(totp) })).body.error).toBe('invalid_code');
    const code = totp.generate();
    expect((await browser.reauthenticate({ code })).status).toBe(200);
    expect(await mayWrite()).toBe(true);
    expect((await browser.reauthenticate({ code })).body.error).toBe('invalid_code');
  });

  test('a stolen session cannot finish the set-up of an app that its person has left unfinished', async () => {
    const { user_id, password } = browser.person;
    await browser.form('/account/totp', { password });
    const totp = await shownApp();
    await browser.wait(minutes(11));
    const [shown, confirmed] = [
      await browser.send('GET', '/account/totp'),
      await browser.form('/account/totp/confirm', { code: totp.generate() }),
    ];
    expect([shown.status, shown.text, confirmed.status]).toEqual([303, '', 303]);
    expect(await mayWrite()).toBe(false);
    const apps = await service.db.query(
      sql`SELECT confirmed_at FROM totp_factors WHERE user_id = ${user_id}::uuid`,
    );
    expect(apps).toEqual([{ confirmed_at: null }]);
    await browser.form('/account/totp', { password });
    const again = await shownApp();
    expect((await browser.form('/account/totp/confirm', { code: again.generate() })).status).toBe(200);
  });

  test('D-1002 who knows the password sees no app that another session is setting up', async () => {
    const { password } = browser.person;
    await browser.form('/account/totp', { password });
    const totp = await shownApp();
    const thief = await browserOf(browser.person);
    const [shown, confirmed] = [
      await thief.send('GET', '/account/totp'),
      await thief.form('/account/totp/confirm', { code: totp.generate() }),
    ];
    expect([shown.status, shown.text, confirmed.status]).toEqual([303, '', 401]);
    expect((await shownApp()).secret.base32).toBe(totp.secret.base32);
    expect((await browser.form('/account/totp/confirm', { code: totp.generate() })).status).toBe(200);
  });

  test('D-1006 D-1061 nothing about the account by a session from before the second factor', async () => {
    const { password } = browser.person;
    const stolen = await browserOf(browser.person);
    await browser.form('/account/totp', { password });
    const totp = await shownApp();
    expect((await browser.form('/account/totp/confirm', { code: totp.generate() })).status).toBe(200);
    const proved = await stolen.reauthenticate({ password });
    expect([proved.status, proved.body.error]).toEqual([401, 'authentication_required']);
    for (const path of ['/recovery-codes', '/totp/remove', '/password']) {
      const answer = await stolen.form(`/account${path}`, { password, new_password: 'of a thief 1' });
      expect([path, answer.status, answer.headers.get('location')]).toEqual([
        path,
        303,
        expect.stringMatching(/\/sign-in\?.*again=1$/),
      ]);
    }
    expect((await browser.form('/account/recovery-codes', { password })).status).toBe(200);
  });

  test('D-1060 a session from before the second factor finishes no set-up that it has begun', async () => {
    const { password } = browser.person;
    const stolen = await browserOf(browser.person);
    await stolen.form('/account/totp', { password });
    const totp = await shownApp(stolen);
    const toAdd = async (by: Browser): Promise<Question> =>
      (await by.send('POST', '/account/passkeys/options', { password })).body as unknown as Question;
    const question = await toAdd(stolen);
    const own = softwareAuthenticator(origin).create(await toAdd(browser));
    expect((await browser.send('POST', '/account/passkeys', own)).status).toBe(200);
    const confirmed = await stolen.form('/account/totp/confirm', { code: totp.generate() });
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/sign-in?'),
    ]);
    const added = await stolen.send(
      'POST',
      '/account/passkeys',
      softwareAuthenticator(origin).create(question),
    );
    expect([added.status, added.body.error]).toEqual([401, 'authentication_required']);
  });

  test('a passkey of the person counts, and no passkey of another', async () => {
    const [own, foreign] = [softwareAuthenticator(origin), softwareAuthenticator(origin)];
    const other = await browserOf(await administrator());
    for (const [who, device] of [
      [browser, own],
      [other, foreign],
    ] as const) {
      const { password } = who.person;
      const asked = await who.send('POST', '/account/passkeys/options', { password });
      const made = await who.send(
        'POST',
        '/account/passkeys',
        device.create(asked.body as unknown as Question),
      );
      expect(made.status).toBe(200);
    }
    await browser.wait(minutes(11));
    const use = async (device: typeof own): Promise<Answer> => {
      const asked = await browser.send('POST', '/session/passkey/options', {});
      return browser.reauthenticate({ passkey: device.use(asked.body as unknown as Question) });
    };
    expect((await use(foreign)).body.error).toBe('invalid_code');
    expect(await mayWrite()).toBe(false);
    expect((await use(own)).status).toBe(200);
    expect(await mayWrite()).toBe(true);
  });

  test('D-1339 a wrong code and a wrong passkey have entries in the audit log, as a wrong password', async () => {
    await browser.reauthenticate({ password: 'wrong password' });
    await browser.reauthenticate({ code: '000000' });
    await browser.reauthenticate({ passkey: { id: 'unknown' } });
    const user = `user:${browser.person.user_id}`;
    const { items } = await service.admin<{ items: Json[] }>('GET', `/audit-log?target=${user}&limit=3`);
    expect(items.map(({ actor, action, after }) => [actor, action, after])).toEqual([
      [user, 'factor.check-failed', { factor: 'passkey' }],
      [user, 'factor.check-failed', { factor: 'code' }],
      [user, 'password.check-failed', null],
    ]);
  });
});
