import {
  FailedReplayed,
  NotificationRecordPage,
  NotificationSettings,
  ReplayAccepted,
  RotatedNotificationSecret,
  SavedNotificationSettings,
} from '@paydesk/contract';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf, systemIds } from '../../../src/base/ids.ts';
import { createLog } from '../../../src/base/log.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { saveDefaults } from '../../../src/notifications/settings/defaults.ts';
import { type Console, consoleOf, consoleWith } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import {
  envelopeOf,
  isAuthentic,
  type LocalReceiver,
  localReceiver,
} from '../../support/notifications/notify.ts';
import {
  addClient,
  addMerchant,
  addUser,
  type Merchant,
  merchantOf,
  type Order,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
  validOrder,
} from '../../support/desks/platform.ts';
import { eventually, request, startTestService, type TestService } from '../../support/desks/service.ts';

interface Saved {
  url: string;
  enabled: boolean;
  secret?: string;
}
interface RecordPage {
  items: { event_id: string; order_no: string; delivery_status: string; attempts: number }[];
  next_cursor?: string;
}

let receiver: LocalReceiver;
let service: TestService;
let platform: Platform;
let db: Database;
const logged: string[] = [];

/** A merchant of its own for each test. */
let owner: Person;
let merchant_no: string;
let merchant: Merchant;
let desk: Console;

// Nothing is delivered but by `deliver`.
beforeAll(async () => {
  receiver = await localReceiver();
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(chunk.toString());
      done();
    },
  });
  service = await startTestService({ role: 'web', env: receiver.env, log: createLog('debug', stream) });
  platform = await setUpPlatform(service);
  db = openDatabase({ url: service.database.url, max: 2 });
});

beforeEach(async () => {
  receiver.answerWith({ status: 200 });
  owner = await addUser(service, 'Mia Merchant');
  ({ merchant_no } = await addMerchant(service, owner));
  merchant = await merchantOf(service, await addClient(service, merchant_no));
  desk = await consoleOf(service, owner, merchant_no);
});

afterAll(async () => {
  await db.close();
  // Failed notifications were inserted by SQL.
  await service.stop(['notification_differs', 'order_differs']);
  await receiver.remove();
});

const settings = '/notification-settings';
const save = (url: string, enabled = true) => desk.send<Saved>('PUT', settings, { url, enabled });
const secretOf = ({ body }: { body: Saved }): string => body.secret ?? '';
const deliver = () => service.admin<{ processed: number }>('POST', '/jobs/deliver/run');
const records = (query = '') => desk.get<RecordPage>(`/notifications${query}`);

/** Gives the events of an order up, as ten failures do. */
async function giveUp({ order_no }: Pick<Order, 'order_no'>): Promise<void> {
  await db.query(sql`
    UPDATE notifications SET delivery_status = 'failed', next_attempt_at = NULL, attempts = 10
    WHERE merchant_id = ${merchantIdOf(merchant_no)} AND order_no = ${order_no}`);
}

interface AuditEntry {
  action: string;
  actor: string;
  target: string;
  before: unknown;
  after: unknown;
}
const audit = async (action: string): Promise<AuditEntry[]> => {
  const { items } = await service.admin<{ items: AuditEntry[] }>('GET', '/audit-log?limit=100');
  return items.filter((entry) => entry.action === action && entry.actor === `user:${owner.user_id}`);
};

const calls: [string, string, unknown?][] = [
  ['GET', settings],
  ['PUT', settings, { url: 'https://shop.example/', enabled: true }],
  ['POST', `${settings}/rotation`],
  ['GET', '/notifications'],
  ['POST', '/notifications/ne_01JNXW900E4S8D2G6J1KC5P7VA/retry'],
  ['POST', '/notifications/retry-failed', { since: '2026-01-01T00:00:00Z' }],
];

describe('who gets in', () => {
  test.each(calls)('R-282 %s %s is only for the owner, and strangers learn nothing', async (...call) => {
    const guest = await consoleWith(service, merchant_no, { origin: new URL(service.url).origin }).send(
      ...call,
    );
    expect([guest.status, guest.body.error]).toEqual([401, 'authentication_required']);

    const others = ['mr_01JNXW5R3M8Q4T0ZB6Y2C7D9EF', 'mr_', 'nonsense', platform.merchant_no];
    for (const other of others) {
      const answer = await (await consoleOf(service, owner, other)).send(...call);
      expect([other, answer.status, answer.body]).toEqual([
        other,
        404,
        { error: 'not_found', error_description: expect.any(String) as string },
      ]);
    }
  });

  test.each(calls.filter(([method]) => method !== 'GET'))(
    'D-121 %s %s needs proof of its origin',
    async (...call) => {
      const cookie = await signIn(service, owner);
      for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
        const answer = await consoleWith(service, merchant_no, { cookie, ...headers }).send(...call);
        expect([answer.status, answer.body.error]).toEqual([403, 'cross_site_request']);
      }
      expect((await desk.get(settings)).body).toEqual({ url: '', enabled: false });
    },
  );

  test('a person who is no longer a member has no access, from the next call on', async () => {
    expect((await desk.get(settings)).status).toBe(200);
    await service.admin('PATCH', `/merchants/${merchant_no}`, { owner_user_id: platform.owner.user_id });
    expect((await desk.get(settings)).status).toBe(404);
  });
});

describe('the default endpoint', () => {
  test('R-255 R-375 saving an address gives a secret, shown once', async () => {
    const saved = await save(receiver.url());
    expectAnswer(saved, 200, SavedNotificationSettings);
    expect(Buffer.byteLength(secretOf(saved))).toBeGreaterThanOrEqual(32);
    const read = await desk.get(settings);
    expectAnswer(read, 200, NotificationSettings);
    expect(read.body).toEqual({ url: receiver.url(), enabled: true });
  });

  test('R-255 a new secret comes with a new address, and with nothing else', async () => {
    const first = secretOf(await save(receiver.url()));
    expect((await save(receiver.url(), false)).body).toEqual({ url: receiver.url(), enabled: false });
    expect((await save(receiver.url())).body).toEqual({ url: receiver.url(), enabled: true });
    const second = secretOf(await save(receiver.url('/elsewhere')));
    const third = secretOf(await save(receiver.url()));
    expect(new Set([first, second, third, '']).size).toBe(4);
  });

  test('R-255 R-254 rotation gives a new secret, for orders from then on', async () => {
    const first = secretOf(await save(receiver.url()));
    const older = await merchant.order();
    const rotated = await desk.send<{ secret: string }>('POST', `${settings}/rotation`);
    expectAnswer(rotated, 200, RotatedNotificationSecret);
    const newer = await merchant.order();
    await giveUp(older);
    const [failed] = (await records('?status=failed')).body.items;
    await desk.send('POST', `/notifications/${failed?.event_id ?? ''}/retry`);
    await deliver();
    const verdicts = [older, newer].map((order) =>
      receiver
        .of(order)
        .map((item) => [first, rotated.body.secret].map((secret) => isAuthentic(item, secret))),
    );
    expect(verdicts).toEqual([[[true, false]], [[false, true]]]);
  });

  test('R-237 R-240 R-254 orders follow the settings of their time, in every process', async () => {
    const other = await service.another();
    const create = () =>
      request<Order>(`${other.url}/openapi/v1/merchant-payments`, 'POST', {
        headers: { authorization: `Bearer ${merchant.token}` },
        body: validOrder(),
      });
    const silent = await create();
    expect(silent.status).toBe(201);
    await save(receiver.url('/default'));
    await eventually(
      async () => {
        const { body } = await create();
        return (await records(`?order_no=${body.order_no}`)).body.items.length;
      },
      (count) => count === 1,
    );
    await save('', false);
    await eventually(
      async () => {
        const { body } = await create();
        return (await records(`?order_no=${body.order_no}`)).body.items.length;
      },
      (count) => count === 0,
    );
    expect((await records(`?order_no=${silent.body.order_no}`)).body).toEqual({ items: [] });
    expect((await desk.get(settings)).body).toEqual({ url: '', enabled: false });
    await other.stop();
  });

  test('R-107 a retry of a creation does not read the defaults again', async () => {
    const before = validOrder();
    await merchant.order(before);
    await save(receiver.url());
    const { order_no } = await merchant.order(before);
    expect((await records(`?order_no=${order_no}`)).body.items).toEqual([]);
  });

  test('D-154 nothing is sent to try an address', async () => {
    await save(receiver.url('/untried'));
    await deliver();
    expect(receiver.received.filter(({ path }) => path === '/untried')).toEqual([]);
  });

  test.each<[string, string?]>([
    ['http://shop.example/'],
    ['shop.example'],
    ['https://shop.example/#part'],
    ['https://u:p@shop.example/'],
    ['https://shop.example/a b'],
    [' https://shop.example/'],
    ['https://localhost/'],
    ['https://db.internal/'],
    ['https://10.0.0.1/'],
    ['https://2130706434/'],
    ['https://[::ffff:10.0.0.1]/'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://shop.example:0/'],
    ['2049 bytes', `https://shop.example/${'x'.repeat(2_028)}`],
  ])('R-256 %s is refused as notify_url would be', async (said, url = said) => {
    await save(receiver.url());
    const answer = await save(url);
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_notify_url', field: 'url' }]);
    expect((await desk.get(settings)).body).toEqual({ url: receiver.url(), enabled: true });
  });

  test('R-256 exactly 2048 bytes are accepted', async () => {
    expect((await save(`https://shop.example/${'x'.repeat(2_027)}`)).status).toBe(200);
  });

  test.each([
    ['enabled', { url: 'https://shop.example/' }],
    ['url', { enabled: true }],
    ['url', { url: null, enabled: true }],
    ['enabled', { url: 'https://shop.example/', enabled: 'yes' }],
    ['url', { url: '', enabled: true }],
  ])('a wrong %s is refused', async (field, body) => {
    const answer = await desk.send('PUT', settings, body);
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_request', field }]);
  });

  test('R-255 without an address there is no secret to rotate', async () => {
    const answer = await desk.send('POST', `${settings}/rotation`);
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  test('R-257 D-140 where the secret cannot be sealed nothing is stored', async () => {
    const merchant_id = merchantIdOf(merchant_no) ?? '';
    const box = {
      ...secretBox([service.secret_key]),
      seal: () => {
        throw new Error('no key');
      },
    };
    const deps = { box, ids: systemIds(), log: createLog('silent') };
    const wanted = { url: receiver.url(), enabled: true };
    const saving = db.transaction((tx) => saveDefaults(tx, deps, merchant_id, wanted));
    await expect(saving).rejects.toMatchObject({ code: 'notification_unavailable' });
    expect((await desk.get(settings)).body).toEqual({ url: '', enabled: false });
  });

  test('D-194 R-258 every change is in the audit log under the person, and no secret is', async () => {
    const secrets = [secretOf(await save(receiver.url()))];
    const rotated = await desk.send<{ secret: string }>('POST', `${settings}/rotation`);
    secrets.push(rotated.body.secret);
    await save(receiver.url(), false);
    const on = { url: receiver.url(), enabled: true };
    const secrets_set = ['notification_secret'];
    const target = `merchant:${merchant_no}`;
    expect(await audit('notification-settings.save')).toMatchObject([
      { target, before: on, after: { ...on, enabled: false } },
      { target, before: { url: '', enabled: false }, after: { ...on, secrets_set } },
    ]);
    expect(await audit('notification-settings.rotate-secret')).toMatchObject([
      { target, before: on, after: { ...on, secrets_set } },
    ]);
    const seen = [
      JSON.stringify(await service.admin('GET', '/audit-log?limit=100')),
      (await desk.get(settings)).text,
      (await records()).text,
      logged.join(''),
    ].join('\n');
    for (const secret of secrets) expect(seen).not.toContain(secret);
  });
});

describe('the records', () => {
  test('R-282 R-375 list only this merchant’s, newest first, page by page', async () => {
    await save(receiver.url());
    const orders: string[] = [];
    for (let i = 0; i < 5; i++) orders.unshift((await merchant.order()).order_no);
    const stranger = await consoleOf(service, platform.owner, platform.merchant_no);
    await stranger.send('PUT', settings, { url: receiver.url(), enabled: true });
    await (await merchantOf(service, platform.client)).order();

    const all = await records();
    expectAnswer(all, 200, NotificationRecordPage);
    expect(all.body.items.map(({ order_no }) => order_no)).toEqual(orders);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await records(`?limit=2${cursor}`);
      seen.push(...body.items.map(({ order_no }) => order_no));
      if (body.next_cursor === undefined) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toEqual(orders);
    expect((await stranger.get<RecordPage>('/notifications')).body.items).toHaveLength(1);
  });

  test('R-282 are filtered by status and by order', async () => {
    await save(receiver.url());
    const delivered = await merchant.order();
    await deliver();
    const pending = await merchant.order();
    const failed = await merchant.order();
    await giveUp(failed);
    const found = async (query: string) => (await records(query)).body.items.map(({ order_no }) => order_no);
    expect(await found('?status=delivered')).toEqual([delivered.order_no]);
    expect(await found('?status=pending')).toEqual([pending.order_no]);
    expect(await found('?status=failed')).toEqual([failed.order_no]);
    expect(await found(`?order_no=${pending.order_no}`)).toEqual([pending.order_no]);
    expect(await found(`?status=failed&order_no=${pending.order_no}`)).toEqual([]);
    expect(await found('?order_no=unknown')).toEqual([]);
    expect(await found('?status=&order_no=')).toHaveLength(3);
  });

  test('D-325 both searches lead from an event to its order, and another merchant’s to nothing', async () => {
    await save(receiver.url());
    const order = await merchant.order();
    const { event_id = '' } = (await records()).body.items[0] ?? {};
    const event = [{ kind: 'event', id: order.order_no, title: event_id }];
    expect((await desk.get(`/search?q=${event_id}`)).body).toMatchObject({ items: event });
    expect(await service.admin('GET', `/search?q=${event_id}`)).toMatchObject({ items: event });
    const other = await consoleOf(service, platform.owner, platform.merchant_no);
    expect((await other.get(`/search?q=${event_id}`)).body).toEqual({ items: [] });
  });

  test.each([
    'status=lost',
    'status=failed&status=pending',
    'limit=0',
    'limit=101',
    'cursor=x',
    'order_no=%00',
  ])('%s is refused', async (query) => {
    expect((await records(`?${query}`)).body).toMatchObject({ error: 'invalid_request' });
  });
});

describe('replay', () => {
  test('R-282 R-283 D-144 grants a failed event one attempt; D-194 once in the audit log', async () => {
    await save(receiver.url());
    const order = await merchant.order();
    await giveUp(order);
    receiver.answerWith({ status: 500 });
    const [event] = (await records()).body.items;
    const retry = () => desk.send('POST', `/notifications/${event?.event_id ?? ''}/retry`);
    for (let i = 0; i < 2; i++) expectAnswer(await retry(), 202, ReplayAccepted);
    await deliver();
    expect((await records()).body.items).toMatchObject([{ delivery_status: 'failed', attempts: 11 }]);
    receiver.answerWith({ status: 200 });
    await retry();
    await deliver();
    expect((await records()).body.items).toMatchObject([{ delivery_status: 'delivered', attempts: 12 }]);
    expect((await retry()).status).toBe(202);
    expect(receiver.of(order).map((item) => envelopeOf(item).id)).toEqual([event?.event_id, event?.event_id]);
    expect(await audit('notification.retry')).toMatchObject([
      { target: `notification:${event?.event_id ?? ''}` },
      { before: { delivery_status: 'failed' }, after: { delivery_status: 'pending' } },
    ]);
  });

  test('R-287 D-195 unknown events and those of another merchant are 404 alike', async () => {
    await save(receiver.url());
    const order = await merchant.order();
    await giveUp(order);
    const [event] = (await records()).body.items;
    const stranger = await consoleOf(service, platform.owner, platform.merchant_no);
    const answers = [
      await stranger.send('POST', `/notifications/${event?.event_id ?? ''}/retry`),
      await desk.send('POST', '/notifications/ne_01JNXW900E4S8D2G6J1KC5P7VA/retry'),
      await desk.send('POST', '/notifications/%00/retry'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await records()).body.items).toMatchObject([{ delivery_status: 'failed' }]);
  });

  test('R-282 all that failed since a time are replayed, nothing older and nothing else', async () => {
    await save(receiver.url());
    const old = await merchant.order();
    await service.advance(60);
    const { now: since } = await service.admin<{ now: string }>('GET', '/test-clock');
    const failed = [await merchant.order(), await merchant.order()];
    for (const order of [old, ...failed]) await giveUp(order);
    const pending = await merchant.order();
    const answer = await desk.send('POST', '/notifications/retry-failed', { since });
    expectAnswer(answer, 202, FailedReplayed);
    expect(answer.body).toEqual({ requeued: 2 });
    await deliver();
    for (const order of [...failed, pending]) expect(receiver.of(order)).toHaveLength(1);
    expect(receiver.of(old)).toEqual([]);
    expect(await audit('notification.retry-failed')).toMatchObject([{ after: { since, requeued: 2 } }]);
  });

  test('a replay of very many is bounded, and goes on where it ended', async () => {
    await save(receiver.url());
    const { order_no } = await merchant.order();
    await giveUp({ order_no });
    await db.query(sql`
      INSERT INTO notifications SELECT n.merchant_id, 'ne_01JNXW900E4S8D2G6J1K' || lpad(i::text, 6, '0'), n.order_no, i + 1,
        n.body, n.url, n.destination, n.secret_box, 'failed', 10, false, NULL, NULL, NULL, NULL, n.created_at
      FROM notifications n, generate_series(1, 1200) i WHERE n.order_no = ${order_no}`);
    const since = '2020-01-01T00:00:00+01:00';
    const first = await desk.send('POST', '/notifications/retry-failed', { since });
    expectAnswer(first, 202, FailedReplayed);
    expect(first.body.requeued).toBe(1_000);
    // Notifications that failed again meanwhile are not replayed twice.
    await giveUp({ order_no });
    const second = await desk.send('POST', '/notifications/retry-failed', {
      since,
      cursor: first.body.next_cursor,
    });
    expect(second.body).toEqual({ requeued: 201 });
    await giveUp({ order_no });
  });

  test.each([
    ['since', {}],
    ['since', { since: 'yesterday' }],
    ['since', { since: 5 }],
    ['cursor', { since: '2026-01-01T00:00:00Z', cursor: 'x' }],
  ])('a wrong %s is refused', async (field, body) => {
    const answer = await desk.send('POST', '/notifications/retry-failed', body);
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'invalid_request', field }]);
  });
});

describe('records that operators see', () => {
  const figure = async (name: string): Promise<number> => {
    const { text } = await service.send('GET', '/metrics');
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.slice(name.length + 1));
  };

  test('H-24 attempts by outcome, and the backlog with its age, in the metrics and by merchant', async () => {
    await deliver();
    const count = (outcome: string) => figure(`paydesk_notification_attempts_total{outcome="${outcome}"}`);
    await save(receiver.url());
    await merchant.order();
    await merchant.order();
    await service.advance(90);
    const backlog = await service.admin<{ items: { merchant_no: string }[] }>('GET', '/notification-backlog');
    expect(backlog.items).toEqual([
      { merchant_no, name: 'Shop', due: 2, oldest_due_at: expect.any(String) as string },
    ]);
    // The first look after a while asks the database.
    expect(await figure('paydesk_notifications_due')).toBe(2);
    expect(await figure('paydesk_notifications_due_merchants')).toBe(1);
    expect(await figure('paydesk_notifications_oldest_due_seconds')).toBeGreaterThanOrEqual(90);

    const before = await count('delivered');
    await deliver();
    expect(await count('delivered')).toBe(before + 2);
    receiver.answerWith({ status: 500 });
    await merchant.order();
    await deliver();
    expect(await count('http_error')).toBeGreaterThanOrEqual(1);
    expect(await figure('paydesk_notification_attempt_duration_seconds_count')).toBeGreaterThanOrEqual(3);
  });
});
