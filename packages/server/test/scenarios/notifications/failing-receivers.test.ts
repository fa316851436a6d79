/** Receivers of notifications that fail: who is told and what is shown; and test events. */
import { NotificationHealth, Quickstart, TestEvent } from '@paydesk/contract';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { merchantIdOf, systemIds } from '../../../src/base/ids.ts';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { openDatabase, sql, type Database } from '../../../src/base/pg/index.ts';
import { queueNotice } from '../../../src/identity/mail/index.ts';
import { noteResults } from '../../../src/notifications/receivers/index.ts';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import {
  envelopeOf,
  isAuthentic,
  type LocalReceiver,
  localReceiver,
  recordWhere,
  setDefaults,
} from '../../support/notifications/notify.ts';
import {
  addUser,
  type Merchant,
  merchantOf,
  type Person,
  type Platform,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import { eventually, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { type MailServer, plainText, startMailServer } from '../../support/servers/smtp.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';

const secret = 'ns_a-secret-of-the-endpoint-0123456789';
let mail: MailServer;
let receiver: LocalReceiver;
let service: TestService;
let platform: Platform;
let merchant: Merchant;
let desk: Console;
let developer: Person;
let reader: Person;
let temporary: TemporaryDirectory;

async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url: service.database.url, max: 8 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** The mails to a person with this subject. */
const mailsTo = ({ email }: Person, subject: string): string[] =>
  mail.mails
    .filter(({ to, text }) => to.includes(email) && text.includes(`Subject: ${subject}`))
    .map(({ text }) => plainText(text).replace(/\s+/g, ' '));
const failing = 'Your webhook endpoint is failing';
const recovered = 'Your webhook endpoint works again';

/** Waits until the owner and the developer have this many mails, and the reader none. */
async function told(subject: string, count: number): Promise<string> {
  for (const person of [platform.owner, developer]) {
    await eventually(
      () => Promise.resolve(mailsTo(person, subject)),
      (mails) => mails.length >= count,
    );
    expect(mailsTo(person, subject)).toHaveLength(count);
  }
  expect(mailsTo(reader, subject)).toEqual([]);
  return mailsTo(developer, subject).at(-1) ?? '';
}

const health = async (): Promise<Json> =>
  (await desk.get<{ receivers: Json[] }>('/notification-health')).body.receivers[0] ?? {};
const alarms = async (): Promise<Json[]> =>
  (await service.admin<{ alarms: Json[] }>('GET', '/overview')).alarms.filter(
    ({ alarm }) => alarm === 'receivers_failing',
  );

beforeAll(async () => {
  temporary = await temporaryDirectory('receivers');
  mail = await startMailServer('pay', 'desk');
  receiver = await localReceiver();
  const ca = join(temporary.path, 'ca.pem');
  await writeFile(ca, mail.ca);
  service = await startTestService({
    env: {
      ...receiver.env,
      PAYDESK_SMTP_URL: `smtp://pay:desk@127.0.0.1:${mail.port}`,
      PAYDESK_SMTP_CA_FILE: ca,
      PAYDESK_MAIL_FROM: 'Paydesk <pay@desk.test>',
    },
  });
  platform = await setUpPlatform(service);
  merchant = await merchantOf(service, platform.client);
  desk = await consoleOf(service, platform.owner, platform.merchant_no);
  developer = await addUser(service, 'Dev Eloper');
  reader = await addUser(service, 'Rea Der');
  await withDatabase(async (db) => {
    for (const [person, role] of [
      [developer, 'developer'],
      [reader, 'read-only'],
    ] as const) {
      await db.query(sql`INSERT INTO merchant_members (merchant_id, user_id, role, added_by, added_at)
        VALUES (${merchantIdOf(platform.merchant_no)}, ${person.user_id}, ${role}, 'test', now())`);
    }
  });
  await setDefaults(service, platform.merchant_no, {
    url: receiver.url('/hook?from=paydesk'),
    enabled: true,
    secret,
  });
});
afterAll(async () => {
  await service.stop();
  await receiver.remove();
  await mail.stop();
  await temporary.remove();
});

describe('D-217 a failing receiver', () => {
  const endpoint = (): string => receiver.url('/hook');

  test('is seen at the second failure, reported once, and reported once more when it works again', async () => {
    receiver.answerWith({ status: 500 });
    const order = await merchant.order();
    const attempts = async (count: number) => {
      await eventually(health, ({ failures }) => failures === count);
      return recordWhere(merchant, order, 'pending', ({ attempts }) => attempts === count);
    };
    await attempts(1);
    expect(await health()).toMatchObject({ endpoint: endpoint(), is_default: true, failures: 1 });
    expect((await desk.get('/home')).body.failing_receivers).toEqual([]);
    expect(await alarms()).toEqual([]);

    await service.advance(61);
    expect(await attempts(2)).toMatchObject({ delivery_status: 'pending', last_http_status: 500 });
    const text = await told(failing, 1);
    expect(text).toContain(`127.0.0.1:${receiver.port}`);
    expect(text).toContain('has failed 2 times in a row');
    expect(text).toContain('Its last answer: HTTP 500.');
    expect(text).not.toContain('/hook');
    expectAnswer(await desk.get('/notification-health'), 200, NotificationHealth);
    expect(await health()).toMatchObject({
      ...{ failures: 2, last_http_status: 500, last_error: 'http_error', last_success_at: null },
      ...{ attempts_24h: 2, failures_24h: 2, p95_ms: expect.any(Number) as number },
    });
    expect((await desk.get('/home')).body.failing_receivers).toMatchObject([
      { endpoint: endpoint(), failures: 2 },
    ]);
    expect(await alarms()).toMatchObject([{ severity: 'warning', count: 1 }]);
    expect(await service.admin('GET', '/failing-receivers')).toMatchObject({
      items: [{ merchant_no: platform.merchant_no, destination: `127.0.0.1:${receiver.port}`, failures: 2 }],
    });

    await service.advance(301);
    await attempts(3);
    receiver.answerWith({ status: 204 });
    await service.advance(901);
    await recordWhere(merchant, order, 'pending', ({ delivery_status }) => delivery_status === 'delivered');
    expect(await told(recovered, 1)).toContain('works again');
    await told(failing, 1);
    expect(await health()).toMatchObject({
      failures: 0,
      failing_since: null,
      attempts_24h: 4,
      failures_24h: 3,
    });
    expect((await health()).last_success_at).not.toBeNull();
    expect(await alarms()).toEqual([]);
    // The schedule is that of the contract: no attempt was left out.
    expect(receiver.of(order)).toHaveLength(4);
  });

  test('is reported exactly once, while many workers store results at the same time', async () => {
    const merchant_id = merchantIdOf(platform.merchant_no) ?? '';
    const deps = {
      clock: new OffsetClock(),
      ids: systemIds(),
      mail: { queue: queueNotice, wake: () => undefined },
    };
    const result = (error: 'timeout' | null) => ({
      ...{ url: 'https://elsewhere.test/hook', destination: 'elsewhere.test' },
      ...{ finished_at: new Date(), http_status: null, error },
    });
    const [before, after] = [mailsTo(developer, failing).length, mailsTo(developer, recovered).length];
    await withDatabase(async (db) => {
      const store = (error: 'timeout' | null) =>
        db.transaction((tx) => noteResults(tx, deps, merchant_id, [result(error)]));
      const failed = await Promise.all(Array.from({ length: 16 }, () => store('timeout')));
      expect(failed.filter(Boolean)).toHaveLength(1);
      const worked = await Promise.all(Array.from({ length: 16 }, () => store(null)));
      expect(worked.filter(Boolean)).toHaveLength(1);
    });
    // Ends the pause of the worker, which nothing has woken.
    await service.advance(60);
    await told(failing, before + 1);
    await told(recovered, after + 1);
  });

  test('of many at one host, mails are sent for five: addresses that name the order send no flood of mails', async () => {
    const merchant_id = merchantIdOf(platform.merchant_no) ?? '';
    const queued: string[] = [];
    const queue: typeof queueNotice = (_, { kind }) => {
      queued.push(kind);
      return Promise.resolve();
    };
    const deps = { clock: new OffsetClock(), ids: systemIds(), mail: { queue, wake: () => undefined } };
    const each = (error: 'timeout' | null) =>
      Array.from({ length: 12 }, (_, i) => ({
        ...{ url: `https://flood.test/orders/${i}`, destination: 'flood.test' },
        ...{ finished_at: new Date(), http_status: null, error },
      }));
    await withDatabase(async (db) => {
      for (const error of ['timeout', 'timeout', null] as const) {
        await db.transaction((tx) => noteResults(tx, deps, merchant_id, each(error)));
      }
    });
    // One for the owner and one for the developer.
    expect(queued.filter((kind) => kind === 'receiver_failing')).toHaveLength(10);
    expect(queued.filter((kind) => kind === 'receiver_recovered')).toHaveLength(10);
  });
});

describe('D-218 a test event', () => {
  test('is signed, of an order that does not exist, and shown byte for byte', async () => {
    receiver.answerWith({ status: 200 });
    const sent = await desk.send<TestEvent>('POST', '/test-event');
    expectAnswer(sent, 200, TestEvent);
    const { request, response, event_id, delivered } = sent.body;
    expect([delivered, response.http_status, response.error]).toEqual([true, 200, null]);
    const came = receiver.received.at(-1);
    if (came === undefined) throw new Error('nothing came');
    expect(came.body.toString('utf8')).toBe(request.body);
    for (const { name, value } of request.headers) expect([name, came.headers[name]]).toEqual([name, value]);
    expect(isAuthentic(came, secret)).toBe(true);
    const envelope = envelopeOf(came);
    expect(envelope).toMatchObject({ id: event_id, type: 'merchant_payment.status_changed', api_version: 1 });
    expect(envelope.data).toMatchObject({ test_mode: true, status: 'paid' });
    expect((await merchant.get(`/merchant-payments/${envelope.data.order_no}`)).status).toBe(404);
    const records = await desk.get<{ items: Json[] }>(`/notifications?order_no=${envelope.data.order_no}`);
    expect(records.body.items).toEqual([]);
    expect(JSON.stringify(sent.body)).not.toContain(secret);
  });

  test('is not retried, and does not change the health; a forged one must be refused', async () => {
    receiver.answerWith((request) => ({ status: isAuthentic(request, secret) ? 200 : 401 }));
    const before = await health();
    const forged = await desk.send<TestEvent>('POST', '/test-event', { forged: true });
    expect(forged.body).toMatchObject({ forged: true, delivered: false, response: { http_status: 401 } });
    expect(await health()).toEqual(before);
    const steps = async (): Promise<Record<string, boolean>> => {
      const answer = await desk.get<Quickstart>('/quickstart');
      expectAnswer(answer, 200, Quickstart);
      return Object.fromEntries(answer.body.steps.map(({ step, done }) => [step, done]));
    };
    expect(await eventually(steps, ({ token }) => token === true)).toEqual({
      ...{ client: true, scopes: true, token: true, endpoint: true, test_event: true },
      ...{ verified: true, order: true, notification: true },
    });
    receiver.answerWith({ status: 200 });
    await desk.send('POST', '/test-event', { forged: true });
    expect((await steps()).verified).toBe(false);
  });

  test('needs an address and a role, and is limited', async () => {
    const asReader = await consoleOf(service, reader, platform.merchant_no);
    expect((await asReader.send('POST', '/test-event')).body.error).toBe('role_required');
    const asDeveloper = await consoleOf(service, developer, platform.merchant_no);
    const answers = await Promise.all(
      Array.from({ length: 11 }, () => asDeveloper.send('POST', '/test-event')),
    );
    expect(answers.some(({ body }) => body.error === 'rate_limited')).toBe(true);
    const other = await addUser(service, 'Own Er');
    const { merchant_no } = await service.admin<{ merchant_no: string }>('POST', '/merchants', {
      ...{ name: 'New', owner_user_id: other.user_id },
    });
    const fresh = await consoleOf(service, other, merchant_no);
    const refused = await fresh.send('POST', '/test-event');
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', 'url']);
    const malformed = await fresh.send('POST', '/test-event', { forged: 'yes' });
    expect([malformed.status, malformed.body.field]).toEqual([400, 'forged']);
  });
});
