import {
  FailedNotification,
  FailedReplayed,
  FailedWebhook,
  FirstStepsAnswer,
  OverviewAnswer,
  PageOf,
  ReplayAccepted,
} from '@paydesk/contract';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { sealed } from '../../../src/base/sealed-columns.ts';
import { days, hours, later } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { totalGivenUp } from '../../../src/notifications/backlog/index.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { localReceiver, type LocalReceiver } from '../../support/notifications/notify.ts';
import {
  addClient,
  addMerchant,
  type Merchant,
  merchantOf,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import {
  type Answer,
  eventually,
  type Json,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

let receiver: LocalReceiver;
let service: TestService;
let platform: Platform;
let merchant: Merchant;
let other_no: string;
let other: Merchant;
let db: Database;
/** The lines of the service's log. */
const logged: string[] = [];

// Nothing runs in the background but by `run`.
beforeAll(async () => {
  receiver = await localReceiver();
  receiver.answerWith({ status: 200 });
  const stream = new Writable({
    write(chunk: Buffer, _encoding, wrote) {
      logged.push(chunk.toString());
      wrote();
    },
  });
  service = await startTestService({ role: 'web', env: receiver.env, log: createLog('warn', stream) });
  await service.advanceToNoon();
  platform = await setUpPlatform(service);
  merchant = await merchantOf(service, platform.client);
  ({ merchant_no: other_no } = await addMerchant(service, platform.owner, { name: 'Other Café' }));
  other = await merchantOf(service, await addClient(service, other_no));
  db = openDatabase({ url: service.database.url, max: 1 });
});
afterAll(async () => {
  await db.close();
  await service.stop();
  await receiver.remove();
});

const authorization = 'Bearer test-administration-key';
const ask = <T = Json>(path: string, method = 'GET', body?: unknown): Promise<Answer<T>> =>
  service.send<T>(method, `/admin/v1${path}`, {
    headers: { authorization },
    ...(body === undefined ? {} : { body }),
  });
const run = (job: string) => service.admin('POST', `/jobs/${job}/run`);

async function overview(query = ''): Promise<OverviewAnswer> {
  const answer = await ask<OverviewAnswer>(`/overview${query}`);
  expectAnswer(answer, 200, OverviewAnswer);
  return answer.body;
}
const alarms = async (): Promise<string[]> =>
  (await overview()).alarms.map(({ alarm, about, count }) =>
    [alarm, about, count].filter((one) => one !== null).join(' '),
  );

const webhook = { payment_no: 'ch_card', provider_event_id: 'evt_1' };

/** A webhook that cannot be read, so that following it fails, as it came so long ago. */
async function addWebhook(age_ms: number): Promise<void> {
  const { now } = await service.admin<{ now: string }>('GET', '/test-clock');
  const body = secretBox([service.secret_key]).seal('no JSON', sealed.webhookBody.row(webhook));
  await db.query(sql`
    INSERT INTO card_webhooks (payment_no, provider_event_id, type, body_box, received_at, due_at, tries)
    VALUES (${webhook.payment_no}, ${webhook.provider_event_id}, 'checkout.session.completed', ${body},
      ${later(new Date(now), -age_ms)}, ${new Date(now)}, 29)`);
}

/** Gives up the notifications of a merchant, as ten failures do. */
const giveUp = (merchant_no: string) =>
  db.query(sql`
    UPDATE notifications SET delivery_status = 'failed', next_attempt_at = NULL, attempts = 10,
      last_http_status = 503, last_error = 'http_error'
    WHERE merchant_id = ${merchantIdOf(merchant_no)} AND delivery_status = 'pending'`);

test('a platform where all is well says so', async () => {
  const { alarms, verification, series, work } = await overview();
  expect(alarms).toEqual([]);
  expect(verification).toBeNull();
  expect(series).toHaveLength(30);
  expect(new Set(Object.values(work.undecided))).toEqual(new Set([0]));
  expect((await ask('/overview?time_zone=Nowhere/There')).status).toBe(400);
});

test('the first steps say what is missing, until the first payment', async () => {
  const read = async () => {
    const answer = await ask<FirstStepsAnswer>('/first-steps');
    expectAnswer(answer, 200, FirstStepsAnswer);
    return answer.body.steps.filter(({ done }) => !done).map(({ step, refusal }) => refusal ?? step);
  };
  expect(await read()).toEqual(['order', 'payment']);
  await service.admin('PUT', '/rates/USD', { ptk_price: '0.1', valid_until: '2020-01-01T00:00:00Z' });
  expect(await read()).toEqual(['currency_rate_unavailable', 'order', 'payment']);
  await service.admin('PUT', '/rates/USD', { ptk_price: '0.1' });
  expect(await read()).toEqual(['order', 'payment']);
});

test('volume, orders and payments count all merchants, and are at most a minute old', async () => {
  const paid = await merchant.order({ amount: '10.00' });
  await other.order({ amount: '5.00' });
  const also = await other.order({ amount: '2.50' });
  const buyer = await signIn(service, platform.buyer);
  for (const order of [paid, also]) {
    await payWithPtk(service, order, buyer);
  }
  expect((await overview()).orders.today).toEqual({ created: 0, paid: 0 });
  await service.advance(60);
  const { volume, orders, series } = await overview();
  expect(orders.today).toEqual({ created: 3, paid: 2 });
  const { body } = await ask<FirstStepsAnswer>('/first-steps');
  expect(body.steps.filter(({ done }) => !done)).toEqual([]);
  expect(volume.today).toEqual([{ currency: 'USD', amount: '12.50', orders: 2 }]);
  expect(series.at(-1)).toMatchObject({ created: 3, paid: 2, volume: volume.today });
});

test('work that waits too long is an alarm until it is done', async () => {
  await service.advance(2 * 3_600 + 300);
  expect(await alarms()).toEqual(['queue_late overdue_orders 1']);
  await run('sweep');
  expect(await alarms()).toEqual([]);

  await service.admin('PUT', '/rates/USD', { ptk_price: '0.1', valid_until: '2020-01-01T00:00:00Z' });
  expect((await overview()).alarms).toMatchObject([
    { alarm: 'rate_missing', about: 'USD', since: '2020-01-01T00:00:00.000Z', severity: 'alarm' },
  ]);
  await service.admin('PUT', '/rates/USD', { ptk_price: '0.1' });
  expect(await alarms()).toEqual([]);
});

test('the last check of the books is kept, and books that differ are an alarm until they do not', async () => {
  // The clock has passed the time of the next seals, and sealing waits for older transactions of the whole server.
  await eventually(
    async () => {
      await run('seal');
      return service.admin('GET', '/ledger/verification');
    },
    ({ ok }) => ok === true,
  );
  expect((await overview()).verification).toMatchObject({
    ok: true,
    verified_by: 'environment key (bootstrap)',
    findings: 0,
  });
  await db.query(sql`INSERT INTO ledger_verifications (verified_at, verified_by, kind, ok, entries, findings)
    VALUES ('2030-01-03', 'command', 'incremental', false, 7, 3)`);
  for (const no of [1, 2]) {
    await db.query(sql`INSERT INTO ledger_findings (finding_no, kind, book, subject, words, found_at)
      VALUES (${no}, 'held_amount', 'platform', 'mp_1', 'differs', ${`2030-01-0${no + 1}`}::timestamptz)`);
  }
  const found = await overview();
  expect(found.verification).toMatchObject({
    ...{ ok: false, kind: 'incremental', verified_by: 'command', entries: 7, findings: 3 },
  });
  expect(found.alarms).toMatchObject([
    { alarm: 'books_differ', count: 2, since: '2030-01-02T00:00:00.000Z' },
  ]);
  await db.query(sql`DELETE FROM ledger_verifications`);
  await db.query(sql`DELETE FROM ledger_findings`);
  expect(await alarms()).toEqual([]);
});

describe('dead letters', () => {
  const failed = async (query = ''): Promise<FailedNotification[]> => {
    const answer = await ask<{ items: FailedNotification[] }>(`/failed-notifications${query}`);
    expectAnswer(answer, 200, PageOf(FailedNotification));
    return answer.body.items;
  };
  const notify = { notify_url: '', notify_secret: 'a-secret-of-thirty-two-bytes-or-so' };

  beforeAll(async () => {
    notify.notify_url = receiver.url('/hook?key=theirs');
    for (const one of [merchant, other]) await one.order({ ...notify, expires_in: 60 });
    await other.order({ ...notify, expires_in: 60 });
    // The creation is announced; the expiry is not.
    await run('deliver');
    await service.advance(60);
    await run('sweep');
    await giveUp(platform.merchant_no);
    await giveUp(other_no);
  });

  test('D-1374 notifications of all merchants that were given up are listed, newest first, with their last error', async () => {
    const all = await failed();
    expect(all.map(({ merchant_name }) => merchant_name).sort()).toEqual([
      'Bookshop',
      'Other Café',
      'Other Café',
    ]);
    const events = all.map(({ event_id }) => event_id);
    expect(events).toEqual([...events].sort().reverse());
    expect(all[0]).toMatchObject({ attempts: 10, last_error: 'http_error', last_http_status: 503 });
    // The rest of the address may contain the merchant's key.
    expect(JSON.stringify(all)).not.toContain('theirs');
    expect(await failed(`?merchant_no=${other_no}`)).toHaveLength(2);
    const first = await ask<{ next_cursor: string }>('/failed-notifications?limit=1');
    expect(await failed(`?limit=2&cursor=${first.body.next_cursor}`)).toEqual(all.slice(1));
    for (const query of ['merchant_no=x', 'cursor=eA', 'limit=0']) {
      expect((await ask(`/failed-notifications?${query}`)).status).toBe(400);
    }
    expect(await alarms()).toEqual(['notifications_failed 3']);
    // D-1374: a receiver that is gone for good is no alarm for ever.
    const later_days = (n: number) => totalGivenUp(db, later(new Date(), days(n)));
    expect([(await later_days(89)).due, (await later_days(91)).due]).toEqual([3, 0]);
  });

  test('one is replayed, or all of a merchant since a time, and the log says who did', async () => {
    const [one] = await failed(`?merchant_no=${platform.merchant_no}`);
    const path = `/merchants/${platform.merchant_no}/notifications/${one?.event_id ?? ''}/retry`;
    expectAnswer(await ask(path, 'POST'), 202, ReplayAccepted);
    expectAnswer(await ask(path, 'POST'), 202, ReplayAccepted);
    expect((await ask(path.replace(platform.merchant_no, other_no), 'POST')).status).toBe(404);
    const since = { since: '2020-01-01T00:00:00Z' };
    const bulk = `/merchants/${other_no}/notifications/retry-failed`;
    const answer = await ask<FailedReplayed>(bulk, 'POST', since);
    expectAnswer(answer, 202, FailedReplayed);
    expect(answer.body.requeued).toBe(2);
    await run('deliver');
    expect(await failed()).toEqual([]);
    expect(await alarms()).toEqual([]);
    const log = await service.admin<{ items: { action: string; actor: string }[] }>('GET', '/audit-log');
    const made = log.items.filter(({ action }) => action.startsWith('notification.'));
    expect(made.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
      'notification.retry-failed environment key (bootstrap)',
      'notification.retry environment key (bootstrap)',
    ]);
  });

  const webhooks = async (): Promise<FailedWebhook[]> => {
    const answer = await ask<{ items: FailedWebhook[] }>('/failed-webhooks');
    expectAnswer(answer, 200, PageOf(FailedWebhook));
    return answer.body.items;
  };
  const retry = () =>
    ask(`/channels/${webhook.payment_no}/webhooks/${webhook.provider_event_id}/retry`, 'POST');

  test('D-1375 a webhook that cannot be followed is tried for a day and thirty times, then given up; a replay tries it once', async () => {
    await addWebhook(hours(23));
    await run('reconcile');
    expect(await webhooks()).toEqual([]);
    expect((await retry()).status).toBe(202);
    await service.advance(3_601);
    await run('reconcile');
    expect(await webhooks()).toMatchObject([{ ...webhook, tries: 31, outcome: 'failed' }]);
    expect(await alarms()).toEqual(['webhooks_failed 1']);
    expect(logged.filter((line) => line.includes('a webhook is given up'))).toEqual([
      expect.stringContaining(`"provider_event_id":"${webhook.provider_event_id}"`),
    ]);
    expectAnswer(await retry(), 202, ReplayAccepted);
    expect(await webhooks()).toEqual([]);
    await run('reconcile');
    expect(await webhooks()).toMatchObject([{ ...webhook, tries: 32 }]);
    const page = await ask<{ next_cursor?: string }>('/failed-webhooks?limit=1');
    expect(page.body.next_cursor).toBeUndefined();
    expect((await ask('/failed-webhooks?cursor=eA')).status).toBe(400);
    expect((await ask('/channels/ch_none/webhooks/evt_1/retry', 'POST')).status).toBe(404);
    await db.query(sql`DELETE FROM card_webhooks`);
  });
});
