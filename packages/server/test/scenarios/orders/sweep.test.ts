import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { localReceiver, type LocalReceiver, setDefaults } from '../../support/notifications/notify.ts';
import {
  addMerchant,
  addUser,
  busyMerchant,
  type Merchant,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import { startTestService, type TestService } from '../../support/desks/service.ts';

/** Two processes sweep one database. They do not deliver, so only the effects of the sweep are counted. */
let service: TestService;
let stopThere: () => Promise<void>;
let there: string;
let receiver: LocalReceiver;
let db: Database;

beforeAll(async () => {
  receiver = await localReceiver();
  service = await startTestService({ role: 'web', env: receiver.env });
  const second = await service.another('web');
  stopThere = () => second.stop();
  there = second.url;
  await setUpPlatform(service);
  // One connection, which keeps its temporary table from statement to statement.
  db = openDatabase({ url: service.database.url, max: 1 });
});

afterAll(async () => {
  await db.close();
  await stopThere();
  // A thousand orders were inserted by SQL.
  await service.stop(['order_differs', 'notification_differs']);
  await receiver.close();
});

interface Shop {
  merchant: Merchant;
  merchant_id: string;
}

async function openShop(name: string): Promise<Shop> {
  const { merchant_no } = await addMerchant(service, await addUser(service, name), { name });
  await setDefaults(service, merchant_no, { url: receiver.url(), enabled: true, secret: 's'.repeat(32) });
  return {
    merchant: await busyMerchant(service, merchant_no, 1),
    merchant_id: merchantIdOf(merchant_no) ?? '',
  };
}

const sweep = async (): Promise<number> =>
  (await service.admin<{ processed: number }>('POST', '/jobs/sweep/run')).processed;

/** Makes `count` more orders like this one, due a moment apart, without asking the service for each. */
async function multiply(order_no: string, count: number): Promise<void> {
  await db.query(sql`CREATE TEMP TABLE copies AS
    SELECT o.*, k FROM collection_orders o, generate_series(1, ${count}::int) k WHERE o.order_no = ${order_no}`);
  await db.query(sql`UPDATE copies SET order_no = 'mp_' || lpad(k::text, 26, '0'), idempotency_key = k::text,
    expires_at = expires_at + make_interval(secs => k / 1000.0)`);
  await db.query(sql`ALTER TABLE copies DROP COLUMN k`);
  await db.query(sql`INSERT INTO collection_orders SELECT * FROM copies`);
  await db.query(sql`DROP TABLE copies`);
}

/** How many of a merchant's orders and events there are, by status. */
function countOf(merchant_id: string): Promise<unknown[]> {
  return db.query(
    sql`SELECT o.status, o.status_version, count(*)::int AS orders, count(n.event_id)::int AS events
      FROM collection_orders o LEFT JOIN notifications n ON n.merchant_id = o.merchant_id
        AND n.order_no = o.order_no AND n.status_version = o.status_version AND n.body LIKE '%"expired"%'
      WHERE o.merchant_id = ${merchant_id} GROUP BY 1, 2 ORDER BY 1`,
  );
}

test('D-113, R-193, R-195 any number of overdue orders expire in sets, each once with its event, with any number of sweeps at once', async () => {
  const { merchant, merchant_id } = await openShop('Many');
  const order = await merchant.order({ expires_in: 60 });
  await multiply(order.order_no, 1_200);
  await service.advance(120);
  const swept = await Promise.all([
    sweep(),
    fetch(`${there}/admin/v1/jobs/sweep/run`, {
      method: 'POST',
      headers: { authorization: 'Bearer test-administration-key' },
    })
      .then((answer) => answer.json() as Promise<{ processed: number }>)
      .then(({ processed }) => processed),
  ]);
  const rest = await sweep();
  expect(swept[0] + swept[1] + rest).toBe(1_201);
  expect(await countOf(merchant_id)).toEqual([
    { status: 'expired', status_version: 2, orders: 1_201, events: 1_201 },
  ]);
});

test('R-193, D-113 an order that cannot move holds back no other, of its merchant or of others', async () => {
  const { merchant, merchant_id } = await openShop('Poisoned');
  const other = await openShop('Other');
  const poison = await merchant.order({ expires_in: 60 });
  await merchant.order({ expires_in: 61 });
  await merchant.order({ expires_in: 62 });
  await other.merchant.order({ expires_in: 62 });
  await db.query(
    sql`UPDATE collection_orders SET notify_url = 'nonsense' WHERE order_no = ${poison.order_no}`,
  );
  await service.advance(120);
  expect(await sweep()).toBe(3);
  expect(await countOf(merchant_id)).toEqual([
    { status: 'expired', status_version: 2, orders: 2, events: 2 },
    { status: 'pending', status_version: 1, orders: 1, events: 0 },
  ]);
  expect(await countOf(other.merchant_id)).toMatchObject([{ status: 'expired', orders: 1 }]);
  await db.query(
    sql`UPDATE collection_orders SET notify_url = ${receiver.url()} WHERE order_no = ${poison.order_no}`,
  );
  expect(await sweep()).toBe(1);
});
