import { beforeAll, expect, test } from 'vitest';
import { type Database, sql, type Sql, type Queryable, type Tx } from '../../../src/base/pg/index.ts';
import {
  listDeliveries,
  listMerchantDeliveries,
} from '../../../src/notifications/delivery-records/records.ts';
import { replay, replayFailed } from '../../../src/notifications/delivery-records/replay.ts';
import { deliverDue, openOutbox } from '../../support/notifications/outbox.ts';
import { openReceiver } from '../../support/servers/receiver.ts';
import { type Authority, testAuthority } from '../../support/servers/tls.ts';

let authority: Authority;

beforeAll(async () => {
  authority = await testAuthority();
});

/** Remembers every statement that is run. */
function recording(db: Database, seen: Sql[]): Database {
  const note =
    <Q extends Queryable>(on: Q): Q['query'] =>
    (statement) => {
      seen.push(statement);
      return on.query(statement);
    };
  return {
    ...db,
    query: note(db),
    transaction: (work) =>
      db.transaction((tx) => {
        const write: Tx['write'] = async (writes) => {
          seen.push(...writes.map(({ statement }) => statement));
          await tx.write(writes);
        };
        return work({ query: note(tx), write } as Tx);
      }),
  };
}

test('delivering, listing and replaying touch one partition per table and merchant', async () => {
  const outbox = await openOutbox(authority.cert);
  const receiver = await openReceiver(authority);
  receiver.answerWith({ status: 500 });
  const seen: Sql[] = [];
  const db = recording(outbox.db, seen);
  const merchant_id = await outbox.merchant();
  const event = await outbox.store({ merchant_id, url: receiver.url() });

  expect(await deliverDue({ ...outbox.deps, db }, { limit: 10 })).toBe(1);
  await outbox.db.query(sql`
    UPDATE notifications SET delivery_status = 'failed', next_attempt_at = NULL WHERE merchant_id = ${merchant_id}`);
  expect(await db.transaction((tx) => replay(tx, event, outbox.clock.now()))).toBe('requeued');
  receiver.answerWith({ status: 200 });
  expect(await deliverDue({ ...outbox.deps, db }, { limit: 10 })).toBe(1);
  expect(await listDeliveries(db, merchant_id, event.order_no, 20)).toMatchObject([
    { delivery_status: 'delivered', attempts: 2 },
  ]);
  const page = { before: null, limit: 20 };
  for (const delivery_status of [null, 'pending', 'delivered', 'failed'] as const) {
    await listMerchantDeliveries(db, merchant_id, { order_no: null, delivery_status }, page);
  }
  await listMerchantDeliveries(db, merchant_id, { order_no: event.order_no, delivery_status: null }, page);
  const span = { merchant_id, since: new Date(0), after: null };
  await db.transaction((tx) => replayFailed(tx, span, outbox.clock.now()));

  // Plans of inserts name no partition; finding merchants with due work is about all of them.
  const hot = seen.filter(({ text }) => !/^\s*INSERT|FROM merchants m/.test(text));
  expect(hot.length).toBeGreaterThan(7);
  for (const statement of hot) {
    const plan = await outbox.db.query(sql`EXPLAIN ${statement}`);
    const partitions = new Set(JSON.stringify(plan).match(/\b[a-z_]+_p\d\b/g));
    const tables = new Set([...partitions].map((name) => name.replace(/_p\d$/, '')));
    expect({ text: statement.text, partitions: partitions.size }).toEqual({
      text: statement.text,
      partitions: tables.size,
    });
    expect(partitions.size).toBeGreaterThan(0);
  }
  await receiver.close();
  await outbox.close();
});
