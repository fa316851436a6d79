import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { merchantIdOf } from '../../src/base/ids.ts';
import { checkSchema, migrate, moveMerchant } from '../../src/base/pg/index.ts';
import { asServiceRole } from '../support/servers/database.ts';
import { askNode, createOnCluster, inDatabase } from '../support/servers/citus.ts';
import {
  addMerchant,
  addUser,
  busyMerchant,
  type Merchant,
  onePtk,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
  topUp,
} from '../support/desks/platform.ts';
import { eventually, startTestService, type TestService } from '../support/desks/service.ts';

/** A database with rows in it is distributed over a cluster, by commands as operators run them, and serves on. */

const name = `test_rows_${process.pid}`;
const program = fileURLToPath(new URL('../../bin/paydesk.js', import.meta.url));
let url: string;
let drop: () => Promise<void>;
let service: TestService;
let platform: Platform;
let merchant: Merchant;
let merchant_no: string;
const env = { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' };

/** The first process leaves the database to the next. */
const start = (secret_key?: Buffer): Promise<TestService> =>
  startTestService({
    env,
    database: { url, service_url: asServiceRole(url), drop: () => Promise.resolve() },
    ...(secret_key === undefined ? {} : { secret_key }),
  });

/** Runs a command of the program; kills it after so many lines. */
async function run(args: string[], kill_after = Number.POSITIVE_INFINITY) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (lines.length === kill_after) child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, lines };
}

async function pay(count: number): Promise<void> {
  const buyer = await signIn(service, platform.buyer);
  for (let i = 0; i < count; i++) await payWithPtk(service, await merchant.order(), buyer);
}

beforeAll(async () => {
  const cluster = inject('citusUrl') ?? '';
  drop = await createOnCluster(cluster, name, inject('templateDatabase'), false);
  url = inDatabase(cluster, name);
  service = await start();
  platform = await setUpPlatform(service);
  ({ merchant_no } = await addMerchant(service, await addUser(service, 'Rosa Rows'), { hold_days: 0 }));
  merchant = await busyMerchant(service, merchant_no, 2);
  await topUp(service, platform.buyer, 10_000n * onePtk);
  await pay(20);
});

afterAll(async () => {
  await service.stop();
  await drop();
});

const rowsIn = async (table: string): Promise<unknown> => {
  const [row] = await askNode(url, `SELECT count(*)::int AS rows FROM ${table}`);
  return row?.rows;
};
const tables = ['collection_orders', 'ledger_transfers', 'user_wallet_lines', 'notifications', 'users'];

test('D-336 a database with rows in it is distributed, though the command is killed in the middle', async () => {
  // What has no seal is a finding after two minutes, and nothing seals while the tables are distributed. Last is the entry of this.
  await service.admin('POST', '/jobs/seal/run');
  await eventually(
    () =>
      askNode(
        url,
        'SELECT max(sealed_xact) < (SELECT sealed_below FROM seal_marks) AS sealed FROM audit_log',
      ),
    ([row]) => row?.sealed === true,
  );
  await service.stop();
  const before = await Promise.all(tables.map(rowsIn));
  for (const lines of [3, 30, 20]) {
    const { code } = await run(['distribute', '--shards', '4'], lines);
    expect(code).toBe(null);
    await expect(checkSchema(url)).rejects.toThrow(/lie on the coordinator alone/);
  }
  const rest = await run(['distribute', '--shards', '4']);
  expect(rest.code).toBe(0);
  expect(rest.lines.at(-1)).toMatch(/^Distributed \d+ table\(s\)\.$/);
  expect(await run(['distribute'])).toEqual({ code: 0, lines: ['All tables are distributed.'] });
  expect(await migrate(url)).toEqual([]);
  expect(await Promise.all(tables.map(rowsIn))).toEqual(before);
  const checked = await run(['verify-ledger']);
  expect(checked.lines.at(-1)).toMatch(/^The books balance: \d+ entries checked\.$/);
  service = await start(service.secret_key);
  merchant = await busyMerchant(service, merchant_no, 2);
  await pay(5);
  for (const args of [['verify-ledger', '--since-last'], ['verify-ledger']]) {
    expect((await run(args)).lines.at(-1)).toMatch(/^The books balance/);
  }
});

test('D-1398 a merchant whose shards another command moves stays, and the command says so', async () => {
  const merchant_id = merchantIdOf(merchant_no) ?? '';
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(
      `SELECT isolate_tenant_to_new_shard('merchants', $1::uuid, 'CASCADE', shard_transfer_mode => 'block_writes')`,
      [merchant_id],
    );
    const move = moveMerchant(url, { merchant_id, to: null }, () => undefined);
    await expect(move).rejects.toThrow(/^These shards are being moved/);
  } finally {
    await other.end();
  }
});

test('D-336 a merchant with rows moves to separate shards on another server, and works there', async () => {
  const merchant_id = merchantIdOf(merchant_no) ?? '';
  const moved = await run(['move-merchant', merchant_id]);
  expect(moved.code).toBe(0);
  expect(moved.lines).toHaveLength(2);
  await pay(3);
  const { lines } = await run(['nodes']);
  expect(lines.join('\n')).toContain(merchant_id);
});
