import {
  ConsoleHome,
  consoleRoles,
  type ConsoleRole,
  MemberInvitation,
  MemberRemoved,
  MerchantMember,
  MerchantMemberList,
  operations,
  Releases,
} from '@paydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayWrite, writes } from '../../../src/console/request/permissions.ts';
import { type Console, consoleOf, consoleWith } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import {
  addMerchant,
  addUser,
  type Merchant,
  merchantOf,
  payWithPtk,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { type Answer, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { auditOn } from '../../support/desks/wallets.ts';

interface List extends Json {
  items: Json[];
}

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let desk: Console;
const people = new Map<ConsoleRole, Person>();
const desks = new Map<ConsoleRole, Console>();

beforeAll(async () => {
  service = await startTestService();
  await service.advanceToNoon();
  platform = await setUpPlatform(service);
  merchant = await merchantOf(service, platform.client);
  desk = await consoleOf(service, platform.owner, platform.merchant_no);
  for (const role of consoleRoles) {
    const person = await addUser(service, `Person ${role}`);
    people.set(role, person);
    const added = await desk.send('POST', '/people', { email: person.email.toUpperCase(), role });
    expectAnswer(added, 201, MemberInvitation);
    desks.set(role, await consoleOf(service, person, platform.merchant_no));
  }
});

afterAll(() => service.stop());

const as = (role: ConsoleRole): Console => {
  const found = desks.get(role);
  if (found === undefined) throw new Error(`nobody is ${role}`);
  return found;
};
const codeOf = ({ status, body }: Answer): unknown[] => [status, body.error];

describe('the people of a merchant', () => {
  test('all members see the list, with the owner first', async () => {
    const answer = await as('read-only').get<List>('/people');
    expectAnswer(answer, 200, MerchantMemberList);
    expect(answer.body.items.map(({ role, holder }) => [role, holder])).toEqual([
      ['owner', true],
      ['owner', false],
      ['finance', false],
      ['developer', false],
      ['read-only', false],
    ]);
  });

  test('people see the merchant in their list, with their role', async () => {
    const person = people.get('finance') ?? platform.owner;
    const headers = { cookie: await signIn(service, person) };
    const { body } = await service.send<List>('GET', '/console/v1/merchants', { headers });
    expect(body.items).toMatchObject([{ merchant_no: platform.merchant_no, role: 'finance' }]);
  });

  test('D-194 roles are changed and removed immediately, with an entry in the audit log each', async () => {
    const person = await addUser(service, 'Tim Temporary');
    await desk.send('POST', '/people', { email: person.email, role: 'read-only' });
    const theirs = await consoleOf(service, person, platform.merchant_no);
    expect((await theirs.send('POST', '/people', {})).status).toBe(403);
    const changed = await desk.send('PATCH', `/people/${person.user_id}`, { role: 'owner' });
    expectAnswer(changed, 200, MerchantMember);
    expect((await theirs.send('POST', '/people', {})).status).toBe(400);
    const removed = await desk.send('DELETE', `/people/${person.user_id}`);
    expectAnswer(removed, 200, MemberRemoved);
    expect(codeOf(await theirs.get('/people'))).toEqual([404, 'not_found']);
    expect(codeOf(await desk.send('DELETE', `/people/${person.user_id}`))).toEqual([404, 'not_found']);
    const target = `merchant:${platform.merchant_no}`;
    const { user_id } = person;
    expect(await auditOn(service, target, 'member.change')).toMatchObject([
      {
        actor: `user:${platform.owner.user_id}`,
        before: { role: 'read-only' },
        after: { user_id, role: 'owner' },
      },
    ]);
    expect(await auditOn(service, target, 'member.remove')).toMatchObject([
      { before: { user_id, role: 'owner' }, after: null },
    ]);
  });

  test('a merchant is never without the owner that holds it', async () => {
    const { user_id } = platform.owner;
    const other = as('owner');
    const answers = [
      await other.send('DELETE', `/people/${user_id}`),
      await other.send('PATCH', `/people/${user_id}`, { role: 'read-only' }),
    ];
    expect(answers.map(codeOf)).toEqual([
      [409, 'owner_required'],
      [409, 'owner_required'],
    ]);
    expect((await desk.get('/people')).status).toBe(200);
  });

  test('a person is added only once', async () => {
    const add = (email: string) => desk.send('POST', '/people', { email, role: 'finance' });
    const { email } = people.get('developer') ?? platform.owner;
    expect(codeOf(await add(email))).toEqual([409, 'already_exists']);
    expect(codeOf(await add(platform.owner.email))).toEqual([409, 'already_exists']);
    expect((await add('no address')).body).toMatchObject({ error: 'invalid_request', field: 'email' });
    const wrong = await desk.send('POST', '/people', { email: platform.buyer.email, role: 'boss' });
    expect(wrong.body).toMatchObject({ error: 'invalid_request', field: 'role' });
  });

  test('a person can add at most twenty people in a quarter of an hour, so addresses cannot be tested', async () => {
    const other = as('owner');
    let last = 201;
    for (let i = 0; i < 20 && last === 201; i++) {
      const body = { email: `guess${i}@people.test`, role: 'finance' };
      ({ status: last } = await other.send('POST', '/people', body));
    }
    const over = await other.send('POST', '/people', { email: platform.buyer.email, role: 'finance' });
    expect(codeOf(over)).toEqual([429, 'rate_limited']);
    expect(
      (await desk.send('POST', '/people', { email: 'nobody@people.test', role: 'finance' })).status,
    ).toBe(201);
  });

  test('D-195 of one merchant have no say at another', async () => {
    const { merchant_no } = await addMerchant(service, platform.buyer, { name: 'Other shop' });
    const elsewhere = await consoleOf(service, people.get('owner') ?? platform.owner, merchant_no);
    expect(codeOf(await elsewhere.get('/people'))).toEqual([404, 'not_found']);
    const theirs = await consoleOf(service, platform.buyer, merchant_no);
    const foreign = `/people/${people.get('finance')?.user_id ?? ''}`;
    expect(codeOf(await theirs.send('DELETE', foreign))).toEqual([404, 'not_found']);
    expect(codeOf(await theirs.send('DELETE', '/people/nobody'))).toEqual([404, 'not_found']);
  });
});

/** The documented writes of the console, as they are registered. */
const base = '/console/v1/merchants/{merchant_no}';
const documented = operations.flatMap(({ method, place }) =>
  'path' in place && place.path.startsWith(`${base}/`) && method !== 'get'
    ? [{ method: method.toUpperCase(), path: place.path.slice(base.length) }]
    : [],
);
const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

describe('D-121 the permissions of each role', () => {
  test('the table names exactly the writes that exist', () => {
    const calls = documented.map(({ method, path }) => `${method} ${routeOf(path)}`);
    expect(calls.filter((call) => !Object.hasOwn(writes, call))).toEqual([]);
  });

  test('a write that is not in the table is for owners', () => {
    expect(consoleRoles.filter((role) => mayWrite(role, 'POST', '/constructor'))).toEqual(['owner']);
  });

  const matrix = documented.flatMap((call) => consoleRoles.map((role) => ({ ...call, role })));

  test.each(matrix)('$role: $method $path', async ({ role, method, path }) => {
    const asked = path.replace(/\{\w+\}/g, 'x');
    const answer = await as(role).send(method, asked, method === 'DELETE' ? undefined : {});
    const allowed = mayWrite(role, method, routeOf(path));
    if (allowed) expect(answer.status).not.toBe(403);
    else expect(codeOf(answer)).toEqual([403, 'role_required']);
  });

  test.each(documented)(
    'R-282 a write without proof of its origin is refused: $method $path',
    async ({ method, path }) => {
      const cookie = await signInOnce();
      const asked = path.replace(/\{\w+\}/g, 'x');
      const foreign = consoleWith(service, platform.merchant_no, { cookie, origin: 'https://evil.example' });
      expect(codeOf(await foreign.send(method, asked, {}))).toEqual([403, 'cross_site_request']);
    },
  );
});

let cookieOfOwner: Promise<string> | undefined;
const signInOnce = (): Promise<string> => (cookieOfOwner ??= signIn(service, platform.owner));

describe('home', () => {
  interface Home extends Json {
    volume: { today: Json[]; month: Json[] };
    orders: { today: Json; month: Json };
    steps: { step: string; done: boolean }[];
  }

  test('the home page shows a new merchant the set-up steps', async () => {
    const { merchant_no } = await addMerchant(service, platform.buyer, { name: 'New shop' });
    const fresh = await consoleOf(service, platform.buyer, merchant_no);
    const answer = await fresh.get<Home>('/home');
    expectAnswer(answer, 200, ConsoleHome);
    expect(answer.body.steps.map(({ done }) => done)).toEqual(Array.from({ length: 6 }, () => false));
    expect(answer.body.volume).toEqual({ today: [], month: [] });
  });

  test('the home page adds up created and paid orders, by day and currency, and waiting work', async () => {
    await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { hold_days: 3 });
    for (const amount of ['10.00', '0.05']) {
      const order = await merchant.order({ amount });
      await payWithPtk(service, order, await signIn(service, platform.buyer));
    }
    await merchant.order({ amount: '7', currency: 'JPY' });
    const answer = await desk.get<Home>('/home?time_zone=Asia/Tokyo');
    expectAnswer(answer, 200, ConsoleHome);
    const { volume, orders } = answer.body;
    const { series } = (await desk.get<{ series: Json[] }>('/sales?time_zone=Asia/Tokyo')).body;
    expect(series).toHaveLength(30);
    expect(volume.today).toEqual([{ currency: 'USD', amount: '10.05', orders: 2 }]);
    expect(volume.month).toEqual(volume.today);
    expect(orders).toEqual({ today: { created: 3, paid: 2 }, month: { created: 3, paid: 2 } });
    expect(series.at(-1)).toMatchObject({ created: 3, paid: 2, volume: volume.today });
    expect(series.at(-2)).toMatchObject({ created: 0, paid: 0, volume: [] });
    expect(answer.body).toMatchObject({
      pending: 1,
      review: 0,
      failing_notifications: 0,
      wallet: { available_ptk: '0', held_ptk: '10050000000' },
    });
    await service.advance(2 * 86_400);
    const later = (await desk.get<Home>('/home')).body;
    expect(later.volume.today).toEqual([]);
    const sales = (await desk.get<{ series: Json[] }>('/sales')).body;
    expect(sales.series.at(-3)).toMatchObject({ created: 3, paid: 2 });
  });

  test('the calendar says when holds end', async () => {
    const answer = await desk.get<List>('/wallet/releases?time_zone=UTC');
    expectAnswer(answer, 200, Releases);
    expect(answer.body.items).toMatchObject([{ orders: 2, amount_ptk: '10050000000' }]);
  });

  test.each(['/home', '/wallet/releases'])('%s refuses a zone that is none', async (path) => {
    const answer = await desk.get(`${path}?time_zone=Mars`);
    expect(answer.body).toMatchObject({ error: 'invalid_request', field: 'time_zone' });
  });
});
