import { appendFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { merchantIdOf, systemIds } from '../../../src/base/ids.ts';
import {
  expectBalancedBooks,
  pay,
  sessionOf,
  startedCard,
  strangeSession,
  type Session,
} from '../../support/desks/cases.ts';
import { type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import { openOwnShop } from '../../support/desks/own-channel.ts';
import { askDatabase } from '../../support/servers/database.ts';
import { addCardChannel, validOrder } from '../../support/desks/platform.ts';
import { commandOn } from '../../support/run/run-command.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { temporaryDirectory } from '../../support/run/temporary.ts';

let desk: LossDesk;
let shop: Shop;
let home: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeAll(async () => {
  home = await temporaryDirectory('restore');
  desk = await openLossDesk({}, { PAYDESK_NOTIFICATION_ARCHIVE: pathToFileURL(archive()).href });
  shop = await openShop(desk);
});
afterAll(async () => {
  await desk.stop();
  await home.remove();
});

const archive = (): string => join(home.path, 'notifications.jsonl');
const ids = systemIds();

const run = (...args: string[]) => commandOn(desk.service, ...args);

/** Where it succeeds, this process has learned that traffic flows. */
const restored = async (...args: string[]) => {
  const done = await run('after-restore', '--since', '1h', '--letters', join(home.path, 'letters'), ...args);
  if (done.code === 0) await untilReady();
  return done;
};

const answerOf = async (path: string) => {
  const { status, headers, body } = await desk.service.send(path === '/jobs' ? 'POST' : 'GET', path);
  return { status, retry_after: headers.get('retry-after'), body };
};

/** Until this process has learned that traffic flows. */
const untilReady = () =>
  eventually(
    () => answerOf('/readyz'),
    ({ status }) => status === 200,
  );

describe('H-24 paydesk after-restore --hold', () => {
  test('answers 503 with Retry-After to all but health, is not ready, and delivers nothing until it is released', async () => {
    expect(await run('after-restore', '--hold')).toEqual({ code: 0, out: 'Traffic is held.' });
    const held = { status: 503, retry_after: '30', body: { error: 'service_unavailable' } };
    expect(await answerOf('/admin/v1/overview')).toMatchObject(held);
    expect(await answerOf('/healthz')).toMatchObject({ status: 200 });
    expect(await answerOf('/readyz')).toMatchObject({
      status: 503,
      body: { error_description: expect.stringContaining('traffic') as string },
    });
    expect((await run('after-restore', '--release')).out).toBe('Traffic flows again.');
    await untilReady();
    const { items } = await desk.service.admin<{ items: { action: string; actor: string }[] }>(
      'GET',
      '/audit-log?limit=2',
    );
    expect(items.map(({ action, actor }) => [action, actor])).toEqual([
      ['traffic.release', 'command'],
      ['traffic.hold', 'command'],
    ]);
  });
});

const archivedLines = async (): Promise<Json[]> =>
  (await readFile(archive(), 'utf8').catch(() => ''))
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);

/** A session of an order that this service has made and then lost, or of which it has lost the attempt. */
const lostSession = (order_no: string, key: string, amount_minor = '1000'): Promise<Session> =>
  strangeSession(desk, {
    client_reference_id: `pa_${ids.ulid(new Date())}`,
    'metadata[order_no]': order_no,
    'metadata[merchant_id]': merchantIdOf(shop.merchant_no) ?? '',
    'metadata[idempotency_key]': key,
    'metadata[external_reference]': 'order-of-the-gap',
    'metadata[amount_minor]': amount_minor,
    'metadata[currency]': 'USD',
  });

test('D-107 puts the books in order: adopts, settles, marks keys, closes sessions, writes letters; a second run finds nothing', async () => {
  const told = await shop.byCard();
  const adopted = await shop.unpaid();
  const settled = await shop.unpaid();
  const started = await startedCard(desk, settled);
  await pay(desk, started, { webhook: 'none' });
  expect((await sessionOf(desk, settled)).metadata).toMatchObject({
    idempotency_key: expect.any(String) as string,
  });
  const [gone, again] = [`mp_${ids.ulid(new Date())}`, `mp_${ids.ulid(new Date())}`];
  const payments = [
    await lostSession(adopted.order_no, 'kept-key'),
    await lostSession(gone, 'lost-key', '9900'),
    await lostSession(again, 'again-key'),
  ];
  for (const session of payments) await pay(desk, session, { webhook: 'none' });
  const unpaid = await lostSession(`mp_${ids.ulid(new Date())}`, 'free-key');

  // Deliveries run side by side, so the two lines may be written in either order.
  const lineOf = (all: Json[], asked: string): Json | undefined =>
    all.find(({ order_no, status }) => order_no === told.order.order_no && status === asked);
  const lines = await eventually(
    archivedLines,
    (all) => lineOf(all, 'pending') !== undefined && lineOf(all, 'paid') !== undefined,
  );
  expect(lineOf(lines, 'pending')).toMatchObject({
    merchant_no: shop.merchant_no,
    idempotency_key: expect.any(String) as string,
    provider_trade_no: null,
  });
  expect(lineOf(lines, 'paid')?.provider_trade_no).toMatch(/^pi_/);
  const event = (event_id: string, order_no: string) => ({
    ...{ sent_at: new Date().toISOString(), event_id, merchant_no: shop.merchant_no, order_no },
    ...{ idempotency_key: null, status: 'paid', status_version: 2, attempt: 1 },
    provider_trade_no: `PTK:${order_no}`,
  });
  const sent = [...lines, event('ne_adopted', adopted.order_no), event('ne_void', gone)];
  const kept = join(home.path, 'kept.jsonl');
  await writeFile(kept, `${sent.map((line) => JSON.stringify(line)).join('\n')}\n{"torn`);

  const { code, out } = await restored('--archive', kept);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('Payments: 1 settled, 2 adopted, 1 left for a person.'),
  ]);
  expect(out).toContain('Events: 1 true again, 1 void.');
  expect(out).toContain(`Left: payment pi_`);
  expect(out).toContain('Payments in PTK that are lost: 1.');
  for (const order_no of [adopted.order_no, settled.order_no, again]) {
    expect((await shop.merchant.read(order_no)).body.status).toBe('paid');
  }
  expect((await shop.merchant.read(again)).body).toMatchObject({
    ...{ external_reference: 'order-of-the-gap', amount: '10.00', fee_status: 'quoted' },
  });
  const { items } = await desk.sim<{ items: Session[] }>('GET', '/sessions');
  expect(items.find(({ id }) => id === unpaid.id)).toMatchObject({ status: 'expired' });

  await expectLetter(gone, adopted.order_no);
  const second = await restored();
  expect([second.code, second.out]).toEqual([
    0,
    // It says again what still waits for a person.
    expect.stringContaining('Payments: 0 settled, 0 adopted, 1 left'),
  ]);
  // The letters of the first run are still there.
  const names = await readdir(join(home.path, 'letters'));
  const of = names.filter((name) => name.startsWith(shop.merchant_no) && name.endsWith('.txt'));
  const texts = await Promise.all(of.map((name) => readFile(join(home.path, 'letters', name), 'utf8')));
  expect(texts.filter((text) => text.includes('These orders stand'))).toHaveLength(1);
});

async function expectLetter(gone: string, adopted: string): Promise<void> {
  const file = join(home.path, 'letters', shop.merchant_no);
  const text = await readFile(`${file}.txt`, 'utf8');
  expect(text).toContain(`lost-key: order ${gone}, paid, gone`);
  expect(text).toContain('The order and its payment in PTK are gone, and the buyer has the PTK again.');
  expect(JSON.parse(await readFile(`${file}.json`, 'utf8'))).toMatchObject({
    events: [
      { event_id: 'ne_adopted', order_no: adopted, verdict: 'adopted', status_now: 'paid' },
      { event_id: 'ne_void', order_no: gone, verdict: 'void', status_now: null },
    ],
    idempotency_keys: [
      { idempotency_key: 'again-key', made_again: true },
      { idempotency_key: 'kept-key', order_no: adopted },
      { idempotency_key: 'lost-key', order_no: gone },
    ],
  });
}

test('R-100 a creation with the key of a lost, paid order is 409 with what is known; other keys are free', async () => {
  const refused = await shop.merchant.create<Json>({ ...validOrder(), idempotency_key: 'lost-key' });
  expect(refused).toMatchObject({
    status: 409,
    body: { error: 'payment_conflict', field: 'idempotency_key' },
  });
  expect(String(refused.body.error_description)).toMatch(
    /^This key created order mp_\w+, which was paid by payment pi_\w+ of 1060/,
  );
  const again = await shop.merchant.create<Json>({ ...validOrder(), idempotency_key: 'again-key' });
  expect(again.status).toBe(409);
  expect(String(again.body.error_description)).toMatch(/the order was made again: read it\.$/);
  expect((await shop.merchant.create({ ...validOrder(), idempotency_key: 'free-key' })).status).toBe(201);
});

test('traffic stays held if a provider cannot be read', async () => {
  await desk.sim('POST', '/faults', { endpoint: 'sessions.list', mode: 'status', status: 500, times: 1 });
  const { code, out } = await restored();
  expect([code, out]).toEqual([1, expect.stringContaining('Traffic stays held.')]);
  expect((await answerOf('/admin/v1/overview')).status).toBe(503);
  expect((await restored()).code).toBe(0);
});

test('D-1088 of two runs at once the second is refused; after a killed run another one may follow', async () => {
  const [one, two] = await Promise.all([restored(), restored()]);
  expect([one.code, two.code].sort()).toEqual([0, 1]);
  // A run that was killed: it holds the traffic, and its turn has not ended.
  const turnEnds = (at: string) =>
    askDatabase(
      desk.service.database.url,
      `INSERT INTO traffic_holds VALUES (true, now(), 'killed', 'killed', ${at})
        ON CONFLICT (singleton) DO UPDATE SET run_until = excluded.run_until`,
    );
  await turnEnds(`now() + interval '1 hour'`);
  for (const args of [
    ['--release'],
    ['--hold'],
    ['--since', '1h', '--letters', join(home.path, 'letters')],
  ]) {
    const { code, out } = await run('after-restore', ...args);
    expect([code, out]).toEqual([1, expect.stringMatching(/^Another run .* try again after .*\.$/)]);
  }
  await turnEnds('now()');
  expect(await restored()).toMatchObject({
    code: 0,
    out: expect.stringContaining('Traffic flows') as string,
  });
});

/** The journal of a run that has not ended. */
const journal = (): string => join(home.path, 'letters', '.unfinished.jsonl');

/** A run makes a lost order again and settles it, and dies when it marks the order's key. Returns the order's number. */
async function killedRun(key: string): Promise<string> {
  const order_no = `mp_${ids.ulid(new Date())}`;
  await paidQuietly(await lostSession(order_no, key));
  const { url } = desk.service.database;
  const constraint = `ADD CONSTRAINT killed CHECK (idempotency_key <> '${key}')`;
  await askDatabase(url, `ALTER TABLE lost_order_keys ${constraint}`);
  expect(await restored()).toMatchObject({ code: 1, out: expect.stringContaining('killed') as string });
  await askDatabase(url, 'ALTER TABLE lost_order_keys DROP CONSTRAINT killed');
  return order_no;
}

test('D-1393 the run after a killed one writes letters of what that one has settled, and marks its keys', async () => {
  const order_no = await killedRun('killed-key');
  // Half a line, as a process leaves that is killed while it writes.
  await appendFile(journal(), '\n{"kind":');
  expect(await restored()).toMatchObject({ code: 0, out: expect.stringContaining('1 adopted') as string });
  const letter = JSON.parse(
    await readFile(join(home.path, 'letters', `${shop.merchant_no}.json`), 'utf8'),
  ) as Json;
  expect(letter).toMatchObject({
    orders: expect.arrayContaining([
      expect.objectContaining({ order_no, verdict: 'adopted', made_again: true }),
    ]) as unknown,
    idempotency_keys: expect.arrayContaining([
      expect.objectContaining({ idempotency_key: 'killed-key', made_again: true }),
    ]) as unknown,
  });
  expect((await restored()).out).toContain('0 adopted');
});

test('D-1460 what a killed run had only begun stays for the run that can read its provider again', async () => {
  const order_no = await killedRun('begun-key');
  const lines = (await readFile(journal(), 'utf8')).split('\n');
  await writeFile(journal(), lines.filter((line) => !line.includes('"verdict"')).join('\n'));
  await desk.sim('POST', '/faults', { endpoint: 'sessions.list', mode: 'status', status: 500, times: 1 });
  const unread = await restored();
  expect([unread.out, unread.code]).toEqual([expect.stringContaining('0 settled, 0 adopted'), 1]);
  const read = await restored();
  expect([read.out, read.code]).toEqual([expect.stringContaining('1 settled, 0 adopted'), 0]);
  expect(await readFile(join(home.path, 'letters', `${shop.merchant_no}.txt`), 'utf8')).toContain(order_no);
});

test('D-1373 a run that could not read a provider writes no letters; the next one tells what it has settled', async () => {
  const order_no = await killedRun('unread-key');
  const files = await readdir(join(home.path, 'letters'));
  await desk.sim('POST', '/faults', { endpoint: 'sessions.list', mode: 'status', status: 500, times: 1 });
  const unread = await restored();
  expect([unread.code, unread.out]).toEqual([1, expect.stringContaining('No letter was written')]);
  expect(await readdir(join(home.path, 'letters'))).toEqual(files);
  expect((await restored()).code).toBe(0);
  const letter = JSON.parse(
    await readFile(join(home.path, 'letters', `${shop.merchant_no}.json`), 'utf8'),
  ) as Json;
  const orders = expect.arrayContaining([
    expect.objectContaining({ order_no, verdict: 'adopted' }),
  ]) as unknown;
  expect(letter).toMatchObject({ orders });
});

test('D-1386 what a killed run did in a database that was restored once more, or long ago, is in no letter', async () => {
  await killedRun('other-key');
  const left = await readFile(journal(), 'utf8');
  const told = 'What a run after another restore did is in no letter.';
  // A second restore, to a time before the hold of the first run: the audit log has lost it.
  await writeFile(journal(), left.replaceAll(/"hold_id":"[^"]+"/g, '"hold_id":"au_lost"'));
  const again = await restored();
  expect([again.out, again.code]).toEqual([expect.stringContaining('0 adopted'), 0]);
  expect(again.out).toContain(told);
  // A restore to a time long after the first run.
  await writeFile(journal(), left);
  const later = await restored('--since', new Date(Date.now() - 1).toISOString());
  expect([later.out, later.code]).toEqual([expect.stringContaining('0 adopted'), 0]);
  expect(later.out).toContain(told);
});

test('D-1089 an order that could not be made again is tried again; one of the catalog is listed with what to do', async () => {
  const [mended, sold] = [`mp_${ids.ulid(new Date())}`, `co_${ids.ulid(new Date())}`];
  const payment = await paidQuietly(await lostSession(mended, 'mended-key'));
  await paidQuietly(await lostSession(sold, 'sold-key'));
  await desk.service.admin('PUT', '/currencies/USD', { decimals: 2, enabled: false });
  const first = await restored();
  expect(first.out).toMatch(new RegExp(`Left: payment ${payment}, order ${mended}, case `));
  expect(first.out).toContain('The order cannot be made again as its buyer has paid it.');
  expect(first.out).toContain('This catalog order cannot be made again');
  await desk.service.admin('PUT', '/currencies/USD', { decimals: 2, enabled: true });
  const second = await restored();
  expect(second.out).toContain('1 adopted');
  expect((await shop.merchant.read(mended)).body.status).toBe('paid');
  const letter = await readFile(join(home.path, 'letters', `${shop.merchant_no}.txt`), 'utf8');
  expect(letter).toContain('This order of your catalog is gone.');
});

test('an archive that is not there is an error, and holds nothing', async () => {
  const { code, out } = await restored('--archive', join(home.path, 'misspelt.jsonl'));
  expect([code, out]).toEqual([1, expect.stringMatching(/^The archive .* cannot be read\.$/)]);
  expect((await answerOf('/readyz')).status).toBe(200);
});

test('D-1317 letters that cannot be written are an error before anything is held or settled', async () => {
  const { code, out } = await run('after-restore', '--since', '1h', '--letters', '/proc');
  expect([code, out]).toEqual([1, expect.stringMatching(/^The letters cannot be written to \/proc /)]);
  expect((await answerOf('/readyz')).status).toBe(200);
});

test('D-1394 a full disk is an error before anything is held or settled', async () => {
  const letters = join(home.path, 'full');
  await mkdir(letters);
  await symlink('/dev/full', join(letters, '.probe'));
  const { code, out } = await run('after-restore', '--since', '1h', '--letters', letters);
  expect([code, out]).toEqual([1, expect.stringMatching(/^The letters cannot be written to .* \(ENOSPC\)/)]);
  expect((await answerOf('/readyz')).status).toBe(200);
  expect(await readdir(letters)).toEqual([]);
});

/** Pays a session without a webhook. */
const paidQuietly = async (session: Session): Promise<string> =>
  (await pay(desk, session, { webhook: 'none' })).payment_intent ?? '';

test('D-077 what a lost case has refunded settles no order; a second payment is listed', async () => {
  const [refunded, twice, both] = [await shop.unpaid(), await shop.unpaid(), await shop.unpaid()];
  const metadata = { 'metadata[case_id]': 'pc_lost' };
  const returned = await paidQuietly(await lostSession(refunded.order_no, 'refunded-key'));
  await desk.provider('/refunds', { payment_intent: returned, ...metadata });
  const kept = await paidQuietly(await lostSession(twice.order_no, 'twice-key'));
  const duplicate = await paidQuietly(await lostSession(twice.order_no, 'twice-key'));
  await desk.provider('/refunds', { payment_intent: duplicate, ...metadata });
  await paidQuietly(await startedCard(desk, both));
  await paidQuietly(await lostSession(both.order_no, 'both-key'));
  // The merchant has repeated its creation before the command ran.
  expect((await shop.merchant.create({ ...validOrder(), idempotency_key: 'taken-key' })).status).toBe(201);
  await paidQuietly(await lostSession(`mp_${ids.ulid(new Date())}`, 'taken-key'));

  const { code, out } = await restored();
  expect(code).toBe(0);
  expect((await shop.merchant.read(refunded.order_no)).body.status).toBe('refunded');
  const detail = await desk.service.admin('GET', `/collection-orders/${twice.order_no}`);
  expect(detail.order).toMatchObject({ status: 'paid', provider_trade_no: kept });
  expect(out).toMatch(new RegExp(`Left: payment ${duplicate}.*paid already`));
  expect(out).toMatch(new RegExp(`Left: .*order ${both.order_no}, case .*a case holds it`));
});

test('R-100 a merchant’s own account says nothing about another merchant, and cannot end the command', async () => {
  const { payment_no } = await addCardChannel(desk.service, desk.cardsim.url, { enabled: false });
  const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: 10n ** 9n });
  const forged = (merchant_no: string, order_no: string, key: string) =>
    strangeSession(
      desk,
      {
        client_reference_id: `pa_${ids.ulid(new Date())}`,
        'metadata[order_no]': order_no,
        'metadata[merchant_id]': merchantIdOf(merchant_no) ?? '',
        'metadata[idempotency_key]': key,
        'metadata[external_reference]': 'forged',
        'metadata[amount_minor]': '1060',
        'metadata[currency]': 'USD',
      },
      own.secret_key,
    );
  await paidQuietly(await forged(shop.merchant_no, 'mp_FORGED', 'next-key'));
  await paidQuietly(await forged(own.merchant_no, 'mp_\0FORGED', 'zero-key'));
  await paidQuietly(await forged(own.merchant_no, `mp_${ids.ulid(new Date())}`, 'zero\0key'));
  const { code, out } = await restored();
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(`Not compared: channel ${payment_no} is disabled.`),
  ]);
  const letter = join(home.path, 'letters', `${shop.merchant_no}.txt`);
  expect(await readFile(letter, 'utf8')).not.toContain('FORGED');
  const created = await eventually(
    () => shop.merchant.create({ ...validOrder(), idempotency_key: 'next-key' }),
    ({ status }) => status !== 503,
  );
  expect(created.status).toBe(201);
});

test.each([
  [[], '--since is needed'],
  [['--hold', '--release'], 'exclude each other'],
])('wrong usage %j is exit code 2, and holds nothing', async (args, why) => {
  const { code, out } = await run('after-restore', ...args);
  expect([code, out]).toEqual([2, expect.stringContaining(why)]);
  expect((await answerOf('/readyz')).status).toBe(200);
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));
