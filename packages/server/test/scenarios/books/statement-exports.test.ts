/** Scheduled statements: by mail and over HTTPS, each period once, also after crashes and stops. */
import { StatementExport, StatementExports } from '@paydesk/contract';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, sql, type Database, type Tx } from '../../../src/base/pg/index.ts';
import { merchantIdOf, systemIds } from '../../../src/base/ids.ts';
import { later, minutes, OffsetClock } from '../../../src/base/time/clock.ts';
import { dayBefore } from '../../../src/base/time/zone-days.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { purgeOldExports } from '../../../src/console/exports/queue-exports.ts';
import { type SendExportDeps, sendDueExports } from '../../../src/console/exports/send-export.ts';
import { claimDelivery } from '../../../src/console/exports/statement-export.sql.ts';
import { sendDueNotice } from '../../../src/identity/mail/index.ts';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { isAuthentic, type LocalReceiver, localReceiver } from '../../support/notifications/notify.ts';
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
import {
  type Answer,
  eventually,
  type Json,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';
import { overtaken } from '../../support/servers/lock-waits.ts';
import { type MailServer, plainText, startMailServer } from '../../support/servers/smtp.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/run/temporary.ts';

let mail: MailServer;
let receiver: LocalReceiver;
let temporary: TemporaryDirectory;
let service: TestService;
let db: Database;
let platform: Platform;
let merchant: Merchant;
let desk: Console;
let cookie: string;
let finance: Person;
let developer: Person;

const day_s = 86_400;

beforeAll(async () => {
  temporary = await temporaryDirectory('exports');
  mail = await startMailServer('pay', 'desk');
  receiver = await localReceiver();
  const ca = join(temporary.path, 'ca.pem');
  await writeFile(ca, mail.ca);
  // Without background work: the test says when a worker looks.
  service = await startTestService({
    role: 'web',
    env: {
      ...receiver.env,
      PAYDESK_SMTP_URL: `smtp://pay:desk@127.0.0.1:${mail.port}`,
      PAYDESK_SMTP_CA_FILE: ca,
      PAYDESK_MAIL_FROM: 'Paydesk <pay@desk.test>',
    },
  });
  db = openDatabase({ url: service.database.url, max: 3 });
  await service.advanceToNoon();
  platform = await setUpPlatform(service);
  merchant = await merchantOf(service, platform.client);
  desk = await consoleOf(service, platform.owner, platform.merchant_no);
  [finance, developer] = [await addUser(service, 'Fin Ance'), await addUser(service, 'Dev Eloper')];
  for (const [person, role] of [
    [finance, 'finance'],
    [developer, 'developer'],
  ] as const) {
    await db.query(sql`INSERT INTO merchant_members (merchant_id, user_id, role, added_by, added_at)
      VALUES (${merchantIdOf(platform.merchant_no)}, ${person.user_id}, ${role}, 'test', now())`);
  }
  // Not the owner’s: the downloads of one person are limited together with what that person sends now.
  cookie = await signIn(service, finance);
  await sell();
});
afterAll(async () => {
  await db.close();
  await service.stop();
  await receiver.remove();
  await mail.stop();
  await temporary.remove();
});

async function sell(): Promise<void> {
  const order = await merchant.order({ amount: '3.33' });
  await payWithPtk(service, order, await signIn(service, platform.buyer));
}

interface Shown {
  export_id: string;
  next_period: string;
  next_at: string | null;
  failing_since: string | null;
  paused: boolean;
  secret?: string;
  deliveries: (Json & { period: string; user_id: string | null; status: string })[];
}

const terms = (wanted: Json = {}): Json => ({
  ...{ frequency: 'daily', time_zone: 'UTC', with_pdf: false, user_ids: [], url: null, paused: false },
  ...wanted,
});

async function schedule(wanted: Json): Promise<Shown> {
  const answer = await desk.send<Shown>('POST', '/statement-exports', terms(wanted));
  expectAnswer(answer, 201, StatementExport);
  return answer.body;
}

async function read({ export_id }: Pick<Shown, 'export_id'>): Promise<Shown> {
  const answer = await desk.get<{ items: Shown[] }>('/statement-exports');
  expectAnswer(answer, 200, StatementExports);
  const found = answer.body.items.find((one) => one.export_id === export_id);
  if (found === undefined) throw new Error('the export is gone');
  return found;
}

const drop = ({ export_id }: Pick<Shown, 'export_id'>) =>
  desk.send('DELETE', `/statement-exports/${export_id}`);
const sendNow = ({ export_id }: Pick<Shown, 'export_id'>) =>
  desk.send<Shown>('POST', `/statement-exports/${export_id}/sending`);

/** What a worker does in one pass. */
const work = () => service.admin('POST', '/jobs/send-exports/run');

/** To a minute before the export is due. */
async function untilShortlyBefore({ next_at }: Shown): Promise<void> {
  const { now } = await service.admin<{ now: string }>('GET', '/test-clock');
  await service.advance(Math.floor((Date.parse(next_at ?? '') - Date.parse(now)) / 1_000) - 60);
}

/** The file as the console downloads it, byte for byte. */
async function downloaded(period: string, zone = 'UTC'): Promise<Buffer> {
  const path = `/console/v1/merchants/${platform.merchant_no}/statements/${period}/statement.csv`;
  const answer = await fetch(`${service.url}${path}?time_zone=${encodeURIComponent(zone)}`, {
    headers: { cookie },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** The attachments of a mail by their name. */
function attachmentsOf(text: string): Record<string, Buffer> {
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(text) ?? [];
  const files = text.split(`--${boundary}`).flatMap((part) => {
    const [, name] = /filename="?([^"\r\n;]+)"?/.exec(part) ?? [];
    const body = part.slice(part.indexOf('\r\n\r\n'));
    return name === undefined ? [] : [[name, Buffer.from(body.replace(/\s+/g, ''), 'base64')] as const];
  });
  return Object.fromEntries(files);
}

const mailsTo = ({ email }: Person): string[] =>
  mail.mails.filter(({ to }) => to === email).map(({ text }) => text);

/** What a mail says, with plain spaces. */
const words = (of: string): string =>
  Buffer.from(plainText(of), 'latin1')
    .toString('utf8')
    .replaceAll(/[\u00a0\u202f]/g, ' ');

describe('D-381 a scheduled export', () => {
  test('D-555 is mailed once for each period: byte for byte the file of the console', async () => {
    await db.query(sql`UPDATE users SET locale = 'fr' WHERE user_id = ${platform.owner.user_id}`);
    const made = await schedule({ user_ids: [platform.owner.user_id, finance.user_id], with_pdf: true });
    expect(made).not.toHaveProperty('secret');
    await untilShortlyBefore(made);
    await work();
    expect(mailsTo(finance)).toEqual([]);
    await service.advance(120);
    await work();
    await work();
    const [text = '', ...more] = mailsTo(finance);
    expect([more, mailsTo(platform.owner)]).toEqual([[], [expect.any(String)]]);
    const { next_period: period } = made;
    const files = attachmentsOf(text);
    expect(Object.keys(files)).toEqual([`statement-${period}.csv`, `statement-${period}.pdf`]);
    const csv = files[`statement-${period}.csv`] ?? Buffer.of();
    expect(csv.equals(await downloaded(period))).toBe(true);
    expect(csv.toString('utf8')).toContain('"Net proceeds');
    expect(files[`statement-${period}.pdf`]?.subarray(0, 5).toString()).toBe('%PDF-');
    // D-555: the mail says what the file comes to.
    expect(words(text)).toMatch(
      /Opening balance: PTK 0\.00\r?\nNet: \+PTK 33\.30\r?\nClosing balance: PTK 33\.30/,
    );
    // D-495: in the language of each recipient.
    const [french = ''] = mailsTo(platform.owner);
    expect(attachmentsOf(french)[`statement-${period}.csv`]?.toString('utf8')).toContain('"Revenu net');
    expect(words(french)).toMatch(/Net : \+33,30 PTK\r?\nSolde de clôture : 33,30 PTK/);
    await db.query(sql`UPDATE users SET locale = NULL WHERE user_id = ${platform.owner.user_id}`);
    expect(plainText(text)).toContain(`/console/merchants/${platform.merchant_no}/exports`);
    const now = await read(made);
    expect(now).toMatchObject({ failing_since: null });
    expect(now.next_period > period).toBe(true);
    expect(now.deliveries.map(({ status, period: of }) => [of, status])).toEqual([
      [period, 'sent'],
      [period, 'sent'],
    ]);
    expect((await drop(made)).body).toEqual({ deleted: true });
  });

  test('is posted once, signed, with any number of workers, and no period of a long stop is left out', async () => {
    const other = await service.another('web');
    const made = await schedule({ url: receiver.url('/statements'), time_zone: 'America/New_York' });
    expect(made.secret).toMatch(/^ns_/);
    await untilShortlyBefore(made);
    await service.advance(120 + 2 * day_s);
    const before = receiver.received.length;
    for (let round = 0; round < 4; round++) {
      await Promise.all(
        [service.url, other.url, service.url, other.url].map((url) =>
          fetch(`${url}/admin/v1/jobs/send-exports/run`, {
            method: 'POST',
            headers: { authorization: 'Bearer test-administration-key' },
          }),
        ),
      );
    }
    await other.stop();
    const posted = receiver.received.slice(before);
    const { deliveries } = await read(made);
    expect(deliveries.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
    expect(posted.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(
      deliveries.map(({ period }) => `${made.export_id}-${period}`).toSorted(),
    );
    for (const request of posted) {
      const period = String(request.headers['webhook-id']).slice(made.export_id.length + 1);
      expect(request.body.equals(await downloaded(period, 'America/New_York'))).toBe(true);
      expect(request.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="statement-${period}.csv"`,
        'webhook-signature': expect.stringMatching(/^v1,/) as string,
      });
      expect(isAuthentic(request, made.secret ?? '')).toBe(true);
      expect(isAuthentic(request, `${made.secret ?? ''}x`)).toBe(false);
    }
    await drop(made);
  });

  test('follows the ends of months and the clocks of its zone', async () => {
    const zone = 'Europe/Berlin';
    const made = await schedule({ user_ids: [finance.user_id], frequency: 'monthly', time_zone: zone });
    for (const months of [0, 1]) {
      const due = await read(made);
      await untilShortlyBefore(due);
      await service.advance(120);
      await work();
      const after = await read(made);
      const [year, month] = due.next_period.split('-').map(Number);
      // The first of the next month at 00:15 in Berlin.
      const local = new Date(due.next_at ?? '').toLocaleString('sv', { timeZone: zone });
      const first = new Date(Date.UTC(year ?? 0, month ?? 0, 1)).toISOString().slice(0, 10);
      expect([local, after.next_period]).toEqual([`${first} 00:15:00`, first.slice(0, 7)]);
      expect(after.deliveries).toHaveLength(months + 1);
    }
    await drop(made);
  });

  test('D-1277 is sent in the zone that it has now, also a period that was sent in the one before', async () => {
    await service.advanceToNoon();
    const url = receiver.url('/zones');
    const made = await schedule({ url });
    const move = (time_zone: string) =>
      desk.send<Shown>('PUT', `/statement-exports/${made.export_id}`, terms({ url, time_zone }));
    const before = receiver.received.length;
    const posted = () =>
      receiver.received.slice(before).map(({ headers, body }) => ({
        id: String(headers['webhook-id']).slice(made.export_id.length + 1),
        body: body.toString('utf8'),
      }));
    const fileOf = async (period: string, zone: string, id = `${period}-${zone}`) => ({
      id,
      body: (await downloaded(period, zone)).toString('utf8'),
    });
    // A person sends it in both.
    const yesterday = (await sendNow(made)).body.deliveries[0]?.period ?? '';
    await work();
    await move('Europe/Berlin');
    await sendNow(made);
    await work();
    expect(posted()).toEqual([
      await fileOf(yesterday, 'UTC', yesterday),
      await fileOf(yesterday, 'Europe/Berlin'),
    ]);
    // A day that has ended in one zone ends again in another one, where it is younger.
    const today = await read(made);
    await untilShortlyBefore(today);
    await service.advance(120);
    await work();
    const again = (await move('America/New_York')).body;
    expect(again.next_period).toBe(today.next_period);
    await untilShortlyBefore(again);
    await service.advance(120);
    await work();
    const { next_period } = today;
    expect(posted().slice(2)).toEqual([
      await fileOf(next_period, 'Europe/Berlin', next_period),
      await fileOf(next_period, 'America/New_York'),
    ]);
    await drop(made);
  });

  test('D-1417 a change of its frequency loses no period that has ended', async () => {
    await service.advanceToNoon();
    const url = receiver.url('/frequencies');
    const made = await schedule({ url });
    const before = receiver.received.length;
    const posted = () =>
      receiver.received
        .slice(before)
        .map(({ headers }) => String(headers['webhook-id']).slice(made.export_id.length + 1));
    const change = (frequency: string) =>
      desk.send<Shown>('PUT', `/statement-exports/${made.export_id}`, terms({ url, frequency }));
    // The first day has been over for long, and the second one for 14 minutes.
    await untilShortlyBefore(made);
    await service.advance(day_s);
    const first = made.next_period;
    const days = [first, new Date(Date.parse(first) + day_s * 1_000).toISOString().slice(0, 10)];
    await change('monthly');
    await work();
    expect(posted()).toEqual(days.slice(0, 1));
    await service.advance(61);
    await work();
    await change('daily');
    await work();
    expect(posted()).toEqual(days);
    await drop(made);
  });

  /** An export that is made at noon in UTC, how it moves to another zone, and the periods that were sent. */
  async function scheduleIn(zone: string) {
    await service.advanceToNoon();
    const url = receiver.url('/moved');
    const made = await schedule({ url, time_zone: zone });
    const before = receiver.received.length;
    return {
      made,
      move: (time_zone: string) =>
        desk.send<Shown>('PUT', `/statement-exports/${made.export_id}`, terms({ url, time_zone })),
      sent: () =>
        receiver.received
          .slice(before)
          .map(({ headers }) => String(headers['webhook-id']).slice(made.export_id.length + 1)),
    };
  }

  test('D-1385 is sent in its new zone for a day that runs in the one before and has ended in the new one', async () => {
    const { made, move, sent } = await scheduleIn('Pacific/Pago_Pago');
    // 13:00 in UTC: 02:00 of the same day in Pago Pago, and 03:00 of the next day in Kiritimati.
    await service.advance(3_600);
    const moved = (await move('Pacific/Kiritimati')).body;
    expect(moved.next_period).toBe(made.next_period);
    await work();
    expect(sent()).toEqual([made.next_period]);
    expect((await read(made)).next_period > made.next_period).toBe(true);
    await drop(made);
  });

  test('D-1431 D-1470 sends the last day again in a zone where it ended later: its last hours were in no statement', async () => {
    const { made, move, sent } = await scheduleIn('Asia/Tokyo');
    // Nothing was sent yet.
    expect((await move('UTC')).body.next_period).toBe(made.next_period);
    const back = (await move('Asia/Tokyo')).body;
    expect(back.next_period).toBe(made.next_period);
    await untilShortlyBefore(back);
    await service.advance(120);
    await work();
    // 02:00 in UTC: the same day in both zones. That of UTC has begun nine hours after the last one of Tokyo has ended.
    await service.advance(11 * 3_600);
    // Nothing is sent in a zone on the way.
    expect((await move('Pacific/Kiritimati')).body.next_period > made.next_period).toBe(true);
    const moved = (await move('UTC')).body;
    expect(moved.next_period).toBe(made.next_period);
    await work();
    expect(sent()).toEqual([made.next_period, `${made.next_period}-UTC`]);
    await drop(made);
  });

  test('D-1435 that has sent nothing yet begins in its new zone with the day in which it was made', async () => {
    const { made, move, sent } = await scheduleIn('Pacific/Kiritimati');
    // 01:00 in UTC: the day that runs in both zones began in UTC twelve hours after the export was made.
    await service.advance(13 * 3_600);
    const { next_period } = (await move('UTC')).body;
    expect(next_period).toBe(dayBefore(made.next_period, 1));
    await work();
    expect(sent()).toEqual([next_period]);
    await drop(made);
  });

  test('goes on where a worker died, and not before its lease ends', async () => {
    const made = await schedule({ url: receiver.url('/crash') });
    expect((await sendNow(made)).status).toBe(202);
    // A worker has claimed it and is still at work …
    await db.query(sql`UPDATE statement_deliveries SET attempts = 1, lease_until = now() + interval '5 minutes'
      WHERE export_id = ${made.export_id}`);
    const before = receiver.received.length;
    await work();
    expect(receiver.received).toHaveLength(before);
    // … and has died.
    await db.query(sql`UPDATE statement_deliveries SET lease_until = now() - interval '1 second'
      WHERE export_id = ${made.export_id}`);
    await work();
    expect(receiver.received).toHaveLength(before + 1);
    expect((await read(made)).deliveries).toMatchObject([{ status: 'sent', attempts: 2 }]);
    // One that stops its process every time is given up.
    await sendNow(made);
    await db.query(sql`UPDATE statement_deliveries SET attempts = 10 WHERE export_id = ${made.export_id}`);
    await work();
    expect(receiver.received).toHaveLength(before + 1);
    expect((await read(made)).deliveries).toMatchObject([{ status: 'failed', last_error: 'interrupted' }]);
    await drop(made);
  });
});

describe('D-382 an export that fails', () => {
  const failing = async (): Promise<unknown> => (await desk.get('/home')).body.failing_exports;

  test('is tried again as a notification, shown from the second failure on, and recovers', async () => {
    receiver.answerWith({ status: 503 });
    const made = await schedule({ url: receiver.url('/failing') });
    await sendNow(made);
    await work();
    expect((await read(made)).deliveries).toMatchObject([
      { status: 'retrying', attempts: 1, last_http_status: 503, last_error: 'http_error' },
    ]);
    expect(await failing()).toEqual([]);
    await service.advance(61);
    await work();
    const { failing_since, deliveries } = await read(made);
    expect(failing_since).toBe(deliveries[0]?.failing_since);
    expect(await failing()).toMatchObject([{ export_id: made.export_id, frequency: 'daily', failing_since }]);
    receiver.answerWith({ status: 200 });
    await service.advance(301);
    await work();
    const after = await read(made);
    expect(after).toMatchObject({ failing_since: null, deliveries: [{ status: 'sent', attempts: 3 }] });
    expect(await failing()).toEqual([]);
    await drop(made);
  });

  test('by mail as well; after ten attempts it is given up, until somebody sends it', async () => {
    const made = await schedule({ user_ids: [finance.user_id], frequency: 'weekly' });
    // No week ends during the attempts.
    await untilShortlyBefore(await read(made));
    await service.advance(120);
    await work();
    mail.refuse(true);
    await sendNow(made);
    for (const pause_s of [0, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 28_800]) {
      await service.advance(pause_s + 1);
      await work();
    }
    expect((await read(made)).deliveries).toMatchObject([
      { status: 'failed', attempts: 10, last_error: 'mail_refused', next_attempt_at: null },
    ]);
    mail.refuse(false);
    const before = mailsTo(finance).length;
    await sendNow(made);
    await work();
    expect(mailsTo(finance)).toHaveLength(before + 1);
    expect(await read(made)).toMatchObject({ failing_since: null, deliveries: [{ status: 'sent' }] });
    await drop(made);
  });

  test('to a person who has left the team: nothing is sent', async () => {
    const left = await addUser(service, 'Le Ft');
    const merchant_id = merchantIdOf(platform.merchant_no);
    await db.query(sql`INSERT INTO merchant_members (merchant_id, user_id, role, added_by, added_at)
      VALUES (${merchant_id}, ${left.user_id}, 'finance', 'test', now())`);
    const made = await schedule({ user_ids: [left.user_id] });
    await db.query(sql`DELETE FROM merchant_members WHERE user_id = ${left.user_id}`);
    await sendNow(made);
    await work();
    expect(mailsTo(left)).toEqual([]);
    expect((await read(made)).deliveries).toMatchObject([{ status: 'failed', last_error: 'not_a_member' }]);
    await drop(made);
  });

  test('at an address that became private is refused where it is used', async () => {
    const made = await schedule({ url: receiver.url('/moved') });
    await db.query(sql`UPDATE statement_exports SET url = 'https://10.0.0.1/statements'
      WHERE export_id = ${made.export_id}`);
    await sendNow(made);
    await work();
    expect((await read(made)).deliveries).toMatchObject([
      { status: 'retrying', last_error: 'private_target' },
    ]);
    await drop(made);
  });
});

test('D-1074 a merchant whose receivers do not answer delays the statements of no other one', async () => {
  const other = await addMerchant(service, developer);
  const slow = await consoleOf(service, developer, other.merchant_no);
  let answer: (with_: { status: number }) => void = () => undefined;
  const answered = new Promise<{ status: number }>((resolve) => (answer = resolve));
  receiver.answerWith(({ path }) => (path.startsWith('/slow') ? answered : { status: 200 }));
  const arrived = (path: string): number =>
    receiver.received.filter((request) => request.path.startsWith(path)).length;
  const made: (() => Promise<unknown>)[] = [];
  const due = async (of: Console, path: string): Promise<void> => {
    for (let i = 0; i < 5; i++) {
      const wanted = terms({ url: receiver.url(`${path}/${i}`) });
      const { export_id } = (await of.send<Shown>('POST', '/statement-exports', wanted)).body;
      await of.send('POST', `/statement-exports/${export_id}/sending`);
      made.push(() => of.send('DELETE', `/statement-exports/${export_id}`));
    }
  };
  await due(slow, '/slow');
  await due(desk, '/quick');
  const pass = work();
  await eventually(
    () => Promise.resolve(arrived('/quick')),
    (count) => count === 5,
  );
  expect(arrived('/slow')).toBe(1);
  answer({ status: 200 });
  await pass;
  expect(arrived('/slow')).toBe(5);
  for (const end of made) await end();
  receiver.answerWith({ status: 200 });
});

test('D-1119 a statement that cannot be made is tried again as any other, and the pass goes on', async () => {
  const made = await schedule({ url: receiver.url('/sealed') });
  const key = sql`SELECT secret_box FROM statement_exports WHERE export_id = ${made.export_id}`;
  const [{ secret_box } = { secret_box: null }] = await db.query<{ secret_box: Buffer }>(key);
  await db.query(
    sql`UPDATE statement_exports SET secret_box = decode('00', 'hex') WHERE export_id = ${made.export_id}`,
  );
  await sendNow(made);
  await work();
  expect((await read(made)).deliveries).toMatchObject([
    { status: 'retrying', attempts: 1, last_error: 'interrupted' },
  ]);
  await db.query(
    sql`UPDATE statement_exports SET secret_box = ${secret_box} WHERE export_id = ${made.export_id}`,
  );
  await service.advance(61);
  await work();
  expect((await read(made)).deliveries).toMatchObject([{ status: 'sent', attempts: 2 }]);
  await drop(made);
});

test('D-1356 an export in a zone that this Node.js does not know fails visibly, and delays no other one', async () => {
  const [unknown, known] = [
    await schedule({ url: receiver.url('/unknown') }),
    await schedule({ url: receiver.url('/known') }),
  ];
  const first = new Date(Date.parse(unknown.next_at ?? '') - minutes(1));
  await db.query(
    sql`UPDATE statement_exports SET time_zone = 'America/Newer', next_at = ${first}
      WHERE export_id = ${unknown.export_id}`,
  );
  await untilShortlyBefore(known);
  await service.advance(61);
  await work();
  expect((await read(known)).deliveries).toMatchObject([{ status: 'sent' }]);
  const { deliveries, next_at } = await read(unknown);
  expect(deliveries).toMatchObject([{ status: 'retrying', last_error: 'interrupted' }]);
  // Where the period has ended in every zone.
  expect(next_at).toMatch(/T12:15:00/);
  await drop(unknown);
  await drop(known);
});

test('D-1074 two workers that claim at the same moment send no two statements of a merchant', async () => {
  const made: string[] = [];
  for (let i = 0; i < 2; i++) {
    const { export_id } = (
      await desk.send<Shown>('POST', '/statement-exports', terms({ url: receiver.url(`/both/${i}`) }))
    ).body;
    await desk.send('POST', `/statement-exports/${export_id}/sending`);
    made.push(export_id);
  }
  const real = new Date();
  const [{ now } = { now: real }] = await db.query<{ now: Date }>(
    sql`SELECT max(due_at) AS now FROM statement_deliveries`,
  );
  const claim = (by: Database | Tx) => claimDelivery(by, { now, real, lease_until: later(real, minutes(5)) });
  const claimed: (string | undefined)[] = [];
  // On a cluster the second waits until the first has ended.
  const second = await overtaken(
    db,
    db,
    async (tx) => claimed.push((await claim(tx))?.merchant_id),
    () => claim(db),
  );
  expect([claimed, second]).toEqual([[merchantIdOf(platform.merchant_no)], null]);
  for (const export_id of made) await desk.send('DELETE', `/statement-exports/${export_id}`);
});

describe('D-391 of an export that fails', () => {
  const [failing, recovered] = ['A scheduled export does not arrive', 'A scheduled export arrives again'];
  const notices: { to: string; subject: string; text: string }[] = [];
  const keep = (notice: (typeof notices)[number]): Promise<void> => {
    notices.push(notice);
    return Promise.resolve();
  };
  /** The notices with a subject to a person, after a worker has sent what waits. */
  async function told({ email }: Person, subject: string): Promise<string[]> {
    const mailer = { send: keep, stop: () => undefined };
    const deps = { db, clock: new OffsetClock(), mailer, log: {} as never, public_url: service.url };
    while ((await sendDueNotice(deps)) > 0);
    return notices.filter((one) => one.to === email && one.subject === subject).map(({ text }) => text);
  }
  const alarms = async (): Promise<Json[]> =>
    (await service.admin<{ alarms: Json[] }>('GET', '/overview')).alarms.filter(
      ({ alarm }) => alarm === 'exports_failing',
    );

  test('owners and finance are told once, and once of its recovery; the platform has an alarm meanwhile', async () => {
    // Those of the tests before.
    await told(finance, failing);
    notices.length = 0;
    receiver.answerWith({ status: 503 });
    const made = await schedule({ url: receiver.url('/told'), user_ids: [finance.user_id] });
    await sendNow(made);
    await work();
    expect(await told(finance, failing)).toEqual([]);
    expect(await alarms()).toEqual([]);
    for (const pause_s of [61, 301, 901]) {
      await service.advance(pause_s);
      await Promise.all([work(), work()]);
    }
    const [text = '', ...more] = await told(finance, failing);
    expect(more).toEqual([]);
    expect(text).toContain(`to 127.0.0.1:${receiver.port}. The reason: HTTP 503.`);
    expect(text).toContain(`/console/merchants/${platform.merchant_no}/exports`);
    expect(text).not.toContain('/told');
    expect(await told(platform.owner, failing)).toHaveLength(1);
    expect(await told(developer, failing)).toEqual([]);
    expect(await alarms()).toMatchObject([{ severity: 'warning', count: 1 }]);
    expect(await service.admin('GET', '/failing-exports')).toMatchObject({
      items: [{ merchant_no: platform.merchant_no, export_id: made.export_id, frequency: 'daily' }],
    });
    expect(await told(finance, recovered)).toEqual([]);

    receiver.answerWith({ status: 200 });
    await service.advance(1_801);
    await work();
    await sendNow(made);
    await work();
    for (const person of [finance, platform.owner]) {
      expect(await told(person, failing)).toHaveLength(1);
      expect(await told(person, recovered)).toHaveLength(1);
    }
    expect(await told(developer, recovered)).toEqual([]);
    expect(await alarms()).toEqual([]);
    expect(await service.admin('GET', '/failing-exports')).toEqual({ items: [] });
    await drop(made);
  });

  test('D-664 an export stops when no recipient is left, for example after an erasure, and owners are told why', async () => {
    notices.length = 0;
    const [gone, left] = [await addUser(service, 'Gone Soon'), await addUser(service, 'Le Ft Too')];
    for (const { user_id } of [gone, left]) {
      await db.query(sql`INSERT INTO merchant_members (merchant_id, user_id, role, added_by, added_at)
        VALUES (${merchantIdOf(platform.merchant_no)}, ${user_id}, 'developer', 'test', now())`);
    }
    const [erased, away] = [
      await schedule({ user_ids: [gone.user_id] }),
      await schedule({ user_ids: [left.user_id] }),
    ];
    const env = { DATABASE_URL: service.database.service_url };
    expect(await runCommand(['person', 'erase', '--id', gone.user_id], env)).toBe(0);
    await db.query(sql`DELETE FROM merchant_members WHERE user_id = ${left.user_id}`);
    await untilShortlyBefore(erased);
    for (const pause_s of [120, day_s]) {
      await service.advance(pause_s);
      await work();
      await work();
      for (const one of [erased, away]) {
        expect(await read(one)).toMatchObject({ paused: true, next_at: null, deliveries: [] });
      }
      for (const person of [finance, platform.owner]) {
        const texts = await told(person, failing);
        expect(texts).toHaveLength(2);
        expect(texts[0]).toContain('Nobody who gets it is on the team any more, so the export is paused.');
      }
    }
    expect(await alarms()).toEqual([]);
    await Promise.all([drop(erased), drop(away)]);
  });

  test('a paused export raises no alarm', async () => {
    receiver.answerWith({ status: 503 });
    const wanted = { url: receiver.url('/paused') };
    const made = await schedule(wanted);
    await sendNow(made);
    await work();
    await service.advance(61);
    await work();
    expect(await alarms()).toHaveLength(1);
    await desk.send('PUT', `/statement-exports/${made.export_id}`, terms({ ...wanted, paused: true }));
    expect(await alarms()).toEqual([]);
    receiver.answerWith({ status: 200 });
    await drop(made);
  });
});

describe('D-1278 the alarm of an export that fails', () => {
  const alarms = async (): Promise<number> =>
    (await service.admin<{ alarms: Json[] }>('GET', '/overview')).alarms.filter(
      ({ alarm }) => alarm === 'exports_failing',
    ).length;

  test('ends where its merchant takes the recipient out, or drops what waits by a pause', async () => {
    receiver.answerWith({ status: 503 });
    const wanted = { url: receiver.url('/taken-out'), user_ids: [finance.user_id] };
    const made = await schedule(wanted);
    const put = (changed: Json) =>
      desk.send('PUT', `/statement-exports/${made.export_id}`, terms({ ...wanted, ...changed }));
    await sendNow(made);
    await work();
    await work();
    await service.advance(61);
    await work();
    expect(await alarms()).toBe(1);
    await put({ url: null });
    expect([(await read(made)).failing_since, await alarms()]).toEqual([null, 0]);
    await put({});
    expect(await alarms()).toBe(1);
    await put({ paused: true });
    await put({});
    expect([(await read(made)).failing_since, await alarms()]).toEqual([null, 0]);
    receiver.answerWith({ status: 200 });
    await drop(made);
  });

  test('D-1258 does not stay for a statement that another recipient did not get, and later ones did', async () => {
    await service.advanceToNoon();
    receiver.answerWith({ status: 503 });
    const wanted = { url: receiver.url('/given-up'), user_ids: [developer.user_id] };
    const made = await schedule(wanted);
    await sendNow(made);
    for (const minutes of [0, 1, 5, 15, 30, 60, 120, 240, 360, 480]) {
      await service.advance(minutes * 60 + 1);
      await work();
      await work();
    }
    expect((await read(made)).deliveries.map(({ status }) => status)).toContain('failed');
    receiver.answerWith({ status: 200 });
    await untilShortlyBefore(await read(made));
    await service.advance(120);
    await work();
    await work();
    expect([(await read(made)).failing_since, await alarms()]).toEqual([null, 0]);
    // Another one leaves the team, gets nothing, and is taken out.
    const leaves = sql`DELETE FROM merchant_members WHERE user_id = ${developer.user_id} RETURNING *`;
    const [member] = await db.query(leaves);
    await untilShortlyBefore(await read(made));
    await service.advance(120);
    await work();
    await work();
    expect(await alarms()).toBe(1);
    await desk.send('PUT', `/statement-exports/${made.export_id}`, terms({ url: wanted.url }));
    expect([(await read(made)).failing_since, await alarms()]).toEqual([null, 0]);
    await db.query(sql`INSERT INTO merchant_members (merchant_id, user_id, role, added_by, added_at)
      VALUES (${member?.['merchant_id']}, ${developer.user_id}, 'developer', 'test', now())`);
    await drop(made);
  });
});

describe('D-383 scheduled exports of a merchant', () => {
  test('are for owners and finance, and no other merchant’s', async () => {
    const made = await schedule({ user_ids: [finance.user_id] });
    const path = `/statement-exports/${made.export_id}`;
    const asFinance = await consoleOf(service, finance, platform.merchant_no);
    const asDeveloper = await consoleOf(service, developer, platform.merchant_no);
    expect((await asFinance.send('PUT', path, terms({ user_ids: [finance.user_id] }))).status).toBe(200);
    expect((await asDeveloper.get('/statement-exports')).status).toBe(200);
    for (const [method, at] of [
      ['POST', '/statement-exports'],
      ['PUT', path],
      ['DELETE', path],
      ['POST', `${path}/sending`],
    ] as const) {
      const refused = await asDeveloper.send(method, at, method === 'DELETE' ? undefined : terms());
      expect([refused.status, refused.body.error]).toEqual([403, 'role_required']);
    }
    const { merchant_no } = await addMerchant(service, platform.buyer, { name: 'Another shop' });
    const other = await consoleOf(service, platform.buyer, merchant_no);
    const answers: Answer[] = [
      await other.send('PUT', path, terms({ user_ids: [platform.buyer.user_id] })),
      await other.send('DELETE', path),
      await other.send('POST', `${path}/sending`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await other.get<{ items: [] }>('/statement-exports')).body.items).toEqual([]);
    await drop(made);
  });

  test.each<[string, () => Json, string]>([
    ['no recipients', () => ({}), 'user_ids'],
    ['a person of another team', () => ({ user_ids: [platform.buyer.user_id] }), 'user_ids'],
    ['a person who is none', () => ({ user_ids: ['x'] }), 'user_ids'],
    ['no zone', () => ({ user_ids: [finance.user_id], time_zone: 'Mars/Olympus' }), 'time_zone'],
    ['an address without encryption', () => ({ url: 'http://shop.example/' }), 'url'],
    ['an address of the metadata', () => ({ url: 'https://169.254.169.254/latest' }), 'url'],
    ['a private address', () => ({ url: 'https://[::1]/' }), 'url'],
  ])('are refused with %s', async (_, wanted, field) => {
    const answer = await desk.send('POST', '/statement-exports', terms(wanted()));
    expect([answer.status, answer.body.field]).toEqual([400, field]);
  });

  test('are at most five, also when they are added at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        desk.send<Shown>('POST', '/statement-exports', terms({ user_ids: [finance.user_id] })),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(5);
    for (const { body } of made) await drop(body);
  });

  test('send nothing while paused, and go on with the period that runs then', async () => {
    const made = await schedule({ user_ids: [finance.user_id] });
    const put = (paused: boolean) =>
      desk.send<Shown>(
        'PUT',
        `/statement-exports/${made.export_id}`,
        terms({ user_ids: [finance.user_id], paused }),
      );
    expect((await put(true)).body).toMatchObject({ paused: true, next_at: null });
    const before = mailsTo(finance).length;
    await service.advance(3 * day_s);
    await work();
    const resumed = (await put(false)).body;
    await work();
    expect(mailsTo(finance)).toHaveLength(before);
    const { now } = await service.admin<{ now: string }>('GET', '/test-clock');
    expect(resumed.next_period).toBe(now.slice(0, 10));
    await drop(made);
  });

  test('get a key for each address, which is shown once and is in no entry of the audit log', async () => {
    const made = await schedule({ url: receiver.url('/a') });
    const path = `/statement-exports/${made.export_id}`;
    const same = await desk.send<Shown>('PUT', path, terms({ url: receiver.url('/a'), frequency: 'weekly' }));
    expect(same.body).not.toHaveProperty('secret');
    const moved = await desk.send<Shown>('PUT', path, terms({ url: receiver.url('/b') }));
    expect(moved.body.secret).toMatch(/^ns_/);
    expect(moved.body.secret).not.toBe(made.secret);
    await sendNow(made);
    await drop(made);
    const { items } = await service.admin<{ items: Json[] }>('GET', '/audit-log?limit=100');
    const own = items.filter(({ target }) => target === `statement_export:${made.export_id}`);
    expect(own.map(({ action }) => action).toReversed()).toEqual([
      ...['statement_export.create', 'secret.show', 'statement_export.change', 'statement_export.change'],
      ...['secret.show', 'statement_export.send', 'statement_export.delete'],
    ]);
    expect(JSON.stringify(own)).not.toContain(made.secret);
    expect(JSON.stringify(own)).not.toContain(moved.body.secret);
  });

  /** Sends what is due with a mailer of the test's own. */
  const sender = async () => {
    const sent: { text: string; attachments?: unknown }[] = [];
    const clock = new OffsetClock();
    const { now } = await service.admin<{ now: string }>('GET', '/test-clock');
    clock.setOffset(Date.parse(now) - Date.now());
    const deps = {
      ...{ db, clock, ids: systemIds(), box: {} as never, log: {} as never, allow_cidrs: [], ca: null },
      branding: { current: () => ({ name: 'Paydesk' }) as never },
      public_url: 'https://pay.example',
      mailer: {
        send: (one: { text: string; attachments?: unknown }) => {
          sent.push(one);
          return Promise.resolve();
        },
        stop: () => undefined,
      },
    };
    const send = (more: Partial<SendExportDeps>) => sendDueExports({ ...deps, ...more });
    return { sent, send };
  };

  test('begin in no process that stops', async () => {
    const made = [
      await schedule({ user_ids: [finance.user_id] }),
      await schedule({ user_ids: [finance.user_id] }),
    ];
    for (const one of made) await sendNow(one);
    const { sent, send } = await sender();
    await send({ isEnding: () => true });
    expect(sent).toEqual([]);
    await send({});
    expect(sent).toHaveLength(2);
    for (const one of made) await drop(one);
  });

  test('too large for a mail are a link', async () => {
    const made = await schedule({ user_ids: [finance.user_id], with_pdf: true });
    await sendNow(made);
    const { sent, send } = await sender();
    await send({ most_mailed: 10 });
    expect(sent).toHaveLength(1);
    expect(sent[0]).not.toHaveProperty('attachments');
    expect(sent[0]?.text).toContain('too large for a mail');
    expect(sent[0]?.text).toContain(
      `https://pay.example/console/merchants/${platform.merchant_no}/exports\n`,
    );
    await drop(made);
  });

  test('leave no record of what was sent 90 days ago, and never a file', async () => {
    const made = await schedule({ user_ids: [finance.user_id] });
    await sendNow(made);
    await work();
    const at = (days: number) => {
      const now = new Date(Date.now() + days * day_s * 1_000);
      return { now: () => now, real: () => now } as never;
    };
    const { now } = await service.admin<{ now: string }>('GET', '/test-clock');
    const ahead = (Date.parse(now) - Date.now()) / (day_s * 1_000);
    await purgeOldExports({ db, clock: at(ahead + 89) });
    expect((await read(made)).deliveries).toHaveLength(1);
    await purgeOldExports({ db, clock: at(ahead + 91) });
    expect((await read(made)).deliveries).toEqual([]);
    await drop(made);
  });
});

test('D-555 the mail of a later period begins with what the one before ended with', async () => {
  const made = await schedule({ user_ids: [finance.user_id] });
  await untilShortlyBefore(made);
  await service.advance(120);
  await work();
  expect(words(mailsTo(finance).at(-1) ?? '')).toMatch(
    /Opening balance: PTK 33\.30\r?\nNet: \+?PTK 0\.00\r?\nClosing balance: PTK 33\.30/,
  );
  await drop(made);
});
