import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { askDatabase, uncheckedDatabase } from '../../support/servers/database.ts';
import { type Merchant, merchantOf, setUpPlatform } from '../../support/desks/platform.ts';
import { eventually, startTestService, type TestService } from '../../support/desks/service.ts';

/** What the service sends to the database while there are no requests, on plain PostgreSQL. */

interface Sent {
  text: string;
  at_ms: number;
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;

const connection = pg.Client.prototype as unknown as { query: Query };
const original = connection.query;
const sent: Sent[] = [];

const textOf = (asked: unknown): string =>
  typeof asked === 'object' && asked !== null && 'text' in asked ? String(asked.text) : String(asked);

let service: TestService;
let merchant: Merchant;

beforeAll(async () => {
  connection.query = function (...args) {
    sent.push({ text: textOf(args[0]).replace(/\s+/g, ' ').trim(), at_ms: performance.now() });
    return original.apply(this, args);
  };
  // The check that is due after an hour is then one of what is new, with few statements.
  const database = await uncheckedDatabase();
  service = await startTestService({ database, timings: { awake_ms: 1_000 } });
  merchant = await merchantOf(service, (await setUpPlatform(service)).client);
});

afterAll(async () => {
  connection.query = original;
  // A test moves a deadline by hand.
  await service.stop(['order_differs']);
});

/** Waits for the next look for the next due work of all merchants. Work rests between two of them. */
async function nextLook(): Promise<Sent> {
  const from = sent.length;
  const [look] = await eventually(
    () =>
      Promise.resolve(
        sent.slice(from).filter(({ text }) => text.startsWith('SELECT min(due.at) AS at FROM')),
      ),
    (found) => found.length > 0,
  );
  return look as Sent;
}

test('D-420 an idle service sends at most 5 statements a second', async () => {
  await merchant.order();
  // An hour passes on the service’s clock, which ends the pause of each loop.
  await service.advance(3_600);
  await nextLook();
  let { at_ms: from_ms } = await nextLook();
  // Until every loop rests takes longer on a busy machine.
  const { between } = await eventually(
    async () => {
      const { at_ms: to_ms } = await nextLook();
      const texts = sent.filter(({ at_ms }) => at_ms >= from_ms && at_ms < to_ms).map(({ text }) => text);
      const a_second = texts.length / ((to_ms - from_ms) / 1_000);
      from_ms = to_ms;
      return { a_second, between: texts };
    },
    ({ a_second }) => a_second <= 5,
  );
  // What asks all merchants was asked by a loop that had not rested yet, or not at all.
  const ofAll = between.filter((text) =>
    /FROM merchants m CROSS JOIN LATERAL|DISTINCT merchant_id/.test(text),
  );
  expect(ofAll.filter((text, i) => ofAll.indexOf(text) !== i)).toEqual([]);
});

test('D-421 work that is due without a notice ends the rest', async () => {
  const { order_no } = await merchant.order();
  await nextLook();
  // By hand, past the trigger that keeps the times of an order: no process knows of it.
  await service.db.transaction(async (tx) => {
    await tx.query(sql`SET LOCAL session_replication_role = replica`);
    await tx.query(sql`UPDATE collection_orders SET expires_at = created_at WHERE order_no = ${order_no}`);
  });
  const from = sent.length;
  const isAwake = (): boolean =>
    sent.slice(from).filter(({ text }) => /^SELECT m\.merchant_id .* FROM notifications n/.test(text))
      .length > 3;
  await eventually(() => Promise.resolve(isAwake()), Boolean);
  // Orders expire once a minute.
  await service.advance(60);
  const statuses = (): Promise<Record<string, unknown>[]> =>
    askDatabase(service.database.url, 'SELECT status FROM collection_orders WHERE order_no = $1', [order_no]);
  expect(await eventually(statuses, ([row]) => row?.status !== 'pending')).toEqual([{ status: 'expired' }]);
});

test('D-421 a look knows each table in which work is due', async () => {
  await nextLook();
  const rows = await askDatabase<{ table: string }>(
    service.database.url,
    `SELECT DISTINCT tablename AS table FROM pg_indexes
      WHERE schemaname = 'public' AND indexname ~ '_(due|due_at|to_fulfil)$'`,
  );
  const known = sent
    .filter(({ text }) => /^SELECT min\((due\.)?at\)/.test(text))
    .map(({ text }) => text)
    .join('\n');
  // This service sends no mail, so it looks for none.
  const mails =
    /^(sign_up_requests|password_reset_requests|account_notices|buyer_mails|merchant_invitations)$/;
  expect(rows.length).toBeGreaterThan(10);
  expect(
    rows.map(({ table }) => table).filter((table) => !mails.test(table) && !known.includes(table)),
  ).toEqual([]);
});
