import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Database, raw, type Sql, sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { sealFacts } from '../../../src/seals/index.ts';
import { readBooksState, verifyAndKeep, verifyWhenDue } from '../../../src/verification/index.ts';
import {
  busyMerchant,
  type Merchant,
  merchantOf,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { uncheckedDatabase } from '../../support/servers/database.ts';
import { eventually, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let merchant_id: string;
let buyer: string;
let db: Database;

// No worker checks but where a test asks.
beforeAll(async () => {
  service = await startTestService({ role: 'web', database: await uncheckedDatabase() });
  platform = await setUpPlatform(service);
  merchant_id = merchantIdOf(platform.merchant_no) ?? '';
  merchant = await busyMerchant(service, platform.merchant_no, 1);
  buyer = await signIn(service, platform.buyer);
  db = service.db;
});

afterAll(async () => {
  await service.stop();
});

const clock = new OffsetClock();
const deps = () => ({ db, clock, box: secretBox([service.secret_key]), sink: null });
/** Seals all that is committed. That waits for older transactions on the whole server, such as those of other tests. */
async function sealAll(): Promise<void> {
  const [own] = await db.query<{ xid: string }>(sql`SELECT pg_current_xact_id()::text AS xid`);
  await eventually(
    () =>
      db.query<{ past: boolean }>(
        sql`SELECT pg_snapshot_xmin(pg_current_snapshot()) > ${own?.xid ?? ''}::xid8 AS past`,
      ),
    ([now]) => now?.past === true,
  );
  while ((await sealFacts(deps())) > 0);
}
const silent = { info: () => undefined, error: () => undefined };
const check = (kind: 'full' | 'incremental') => verifyAndKeep(deps(), { kind, verified_by: 'test' });
const found = async (kind: 'full' | 'incremental'): Promise<string[]> =>
  (await check(kind)).findings.map(({ kind: of, subject }) => `${of} ${subject}`);
const standing = async (): Promise<string[]> =>
  (await readBooksState(db)).findings.map(({ kind, subject }) => `${kind} ${subject}`);

/** The exit code and the lines of `paydesk verify-ledger`. */
async function command(...args: string[]): Promise<unknown[]> {
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  try {
    const code = await runCommand(['verify-ledger', ...args], {
      DATABASE_URL: service.database.url,
      PAYDESK_SECRET_KEY: service.secret_key.toString('base64'),
    });
    return [code, ...printed];
  } finally {
    log.mockRestore();
  }
}

async function paid(): Promise<string> {
  const order = await merchant.order();
  await payWithPtk(service, order, buyer);
  return order.order_no;
}

/** What a superuser does past every guard. */
const tamper = (statement: Sql): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.query(sql`SET LOCAL session_replication_role = replica`);
    await tx.query(statement);
  });

const alarms = async (): Promise<string[]> => {
  const { alarms: all } = await service.admin<{ alarms: { alarm: string }[] }>('GET', '/overview');
  return all.map(({ alarm }) => alarm).filter((alarm) => alarm === 'books_differ');
};

const transferOf = (subject: string): Sql => sql`
  INSERT INTO ledger_transfers (merchant_id, subject, posting, case_key, leg, debit_account, credit_account, currency,
    amount, test_mode, at)
  VALUES (${merchant_id}, ${subject}, 'P20i', '', 1, 'issue:PTK', 'm:available', 'PTK', 7, false, '2026-01-01')`;

describe('R-143 verify-ledger --since-last', () => {
  test('checks everything at first, then only what is new', async () => {
    await paid();
    const first = await check('incremental');
    expect(first).toMatchObject({ kind: 'full', ok: true });
    expect(await check('incremental')).toMatchObject({ kind: 'incremental', ok: true, entries: 0n });
    await paid();
    expect(await check('incremental')).toMatchObject({ kind: 'incremental', ok: true, entries: 1n });
    const { checks } = await service.admin<{ checks: Json[] }>('GET', '/ledger/verifications');
    expect(checks.map(({ kind }) => kind)).toEqual(['incremental', 'incremental', 'full']);
  });

  test('a transaction that commits after the check is new to the next one, although its number is smaller', async () => {
    let commit: () => void = () => undefined;
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let written: () => void = () => undefined;
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const late = db.transaction(async (tx) => {
      await tx.query(transferOf('topup:late'));
      written();
      await mayCommit;
    });
    await isWritten;
    await paid();
    expect(await found('incremental')).toEqual([]);
    commit();
    await late;
    expect(await found('incremental')).toEqual(
      expect.arrayContaining(['entry_differs topup:late', 'balance_drift m:available']),
    );
    await tamper(sql`DELETE FROM ledger_transfers WHERE subject = 'topup:late'`);
    expect(await found('incremental')).toEqual([]);
    expect(await standing()).toEqual([]);
  });

  test('R-145 R-146 balances that orders share are compared with what the new transfers add', async () => {
    await paid();
    await tamper(sql`UPDATE user_wallets SET available_ptk = available_ptk + 1`);
    await tamper(sql`UPDATE ledger_balances SET balance = balance + 1
      WHERE merchant_id = ${merchant_id} AND account = 'm:available' AND ref = ''`);
    expect((await found('incremental')).map((one) => one.replace(/user:[^:]+/, 'user'))).toEqual([
      'balance_drift m:available',
      'wallet_drift user:available',
    ]);
    // Nothing is new, but a finding stands: its subject is looked at again.
    expect(await found('incremental')).toHaveLength(2);
    await tamper(sql`UPDATE user_wallets SET available_ptk = available_ptk - 1`);
    await tamper(sql`UPDATE ledger_balances SET balance = balance - 1
      WHERE merchant_id = ${merchant_id} AND account = 'm:available' AND ref = ''`);
    expect(await found('incremental')).toEqual([]);
    expect(await standing()).toEqual([]);
  });
});

describe('R-143 the alarm books_differ', () => {
  test('a finding stands until a check looks at its subject and does not find it', async () => {
    const order_no = await paid();
    await sealAll();
    expect(await check('full')).toMatchObject({ ok: true });
    expect(await alarms()).toEqual([]);
    const flip = sql`UPDATE ledger_transfers SET test_mode = NOT test_mode WHERE subject = ${order_no} AND leg = 1`;
    await tamper(flip);
    // Nothing is new about the order.
    expect(await found('incremental')).toEqual([]);
    expect(await found('full')).toEqual([
      `entry_differs ${order_no}`,
      expect.stringContaining('sealed_row_changed transfer'),
    ]);
    expect(await alarms()).toEqual(['books_differ']);
    await paid();
    expect(await found('incremental')).toEqual([`entry_differs ${order_no}`]);
    await tamper(flip);
    expect(await found('incremental')).toEqual([]);
    // An incremental check does not look at old seals again, and the command says so.
    expect(await command('--since-last')).toEqual([
      1,
      'The books balance: 0 new entries checked.',
      '1 finding of earlier checks stands: only a full check looks at it again.',
    ]);
    expect(await standing()).toEqual([expect.stringContaining('sealed_row_changed')]);
    expect(await alarms()).toEqual(['books_differ']);
    expect(await found('full')).toEqual([]);
    expect(await alarms()).toEqual([]);
  });

  test('D-1370 an account of an order that a finding names, too, is told once', async () => {
    await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { hold_days: 1 });
    const order_no = await paid();
    await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { hold_days: 0 });
    await sealAll();
    const add = (by: number) => sql`UPDATE ledger_transfers SET amount = amount + ${by}::numeric
      WHERE subject = ${order_no}`;
    await tamper(add(1));
    const lines = await found('full');
    expect(lines.filter((line) => line.startsWith('balance_drift'))).toEqual([
      `balance_drift m:held:${order_no}`,
    ]);
    expect(lines.length).toBeGreaterThan(2);
    await tamper(add(-1));
    expect(await found('full')).toEqual([]);
  });

  test('R-143 one entry is no plural', async () => {
    await sealAll();
    await check('full');
    const body = { amount_ptk: '1', reference: 'one-entry', reason: 'as agreed' };
    await service.admin('POST', `/merchants/${platform.merchant_no}/ptk-top-ups`, body);
    expect(await command('--since-last')).toEqual([0, 'The books balance: 1 new entry checked.']);
  });

  test('new seals are checked from the last one that a check verified', async () => {
    await paid();
    await sealAll();
    expect(await found('incremental')).toEqual([]);
    const order_no = await paid();
    await sealAll();
    await tamper(sql`UPDATE payment_quotes SET merchant_fee = merchant_fee + 1 WHERE order_no = ${order_no}`);
    expect(await found('incremental')).toContainEqual(expect.stringContaining('sealed_row_changed quote'));
    await tamper(sql`UPDATE payment_quotes SET merchant_fee = merchant_fee - 1 WHERE order_no = ${order_no}`);
    expect(await found('full')).toEqual([]);
  });

  test('seals that were cut off are missed, because the last check knew them', async () => {
    expect(await found('full')).toEqual([]);
    const kept = await db.query(sql`SELECT to_jsonb(s)::text AS seal FROM seals s
      WHERE merchant_id = '00000000-0000-0000-0000-000000000000' ORDER BY seal_no DESC LIMIT 1`);
    await tamper(sql`DELETE FROM seals WHERE merchant_id = '00000000-0000-0000-0000-000000000000'
      AND seal_no = (SELECT max(seal_no) FROM seals WHERE merchant_id = '00000000-0000-0000-0000-000000000000')`);
    expect(await found('incremental')).toContainEqual(expect.stringContaining('seal_lost seal'));
    await tamper(
      sql`INSERT INTO seals SELECT * FROM jsonb_populate_record(NULL::seals, ${kept[0]?.seal}::jsonb)`,
    );
    expect(await found('full')).toEqual([]);
  });
});

describe('R-143 the worker', () => {
  test('of several processes, one makes a check that is due', async () => {
    await db.query(
      sql`UPDATE ledger_verification_marks SET checked_at = '2026-01-01', full_at = '2026-01-01'`,
    );
    const pass = () => verifyWhenDue({ ...deps(), log: silent });
    await Promise.all([pass(), pass(), pass()]);
    await pass();
    const { checks } = await readBooksState(db);
    expect(checks.filter(({ verified_by }) => verified_by === 'worker')).toMatchObject([
      { kind: 'full', ok: true },
    ]);
  });

  test('D-393 checks what is new every hour and everything every night, by the service’s clock', async () => {
    const running = await startTestService({ database: await uncheckedDatabase() });
    const kinds = async (): Promise<unknown[]> => {
      const { checks } = await running.admin<{ checks: Json[] }>('GET', '/ledger/verifications');
      return checks.map(({ kind, verified_by }) => `${String(kind)} ${String(verified_by)}`);
    };
    try {
      await eventually(kinds, (all) => all.length === 1);
      // Something is new, and sealed.
      const there = await setUpPlatform(running);
      const order = await (await merchantOf(running, there.client)).order();
      await payWithPtk(running, order, await signIn(running, there.buyer));
      await running.admin('POST', '/jobs/seal/run');
      await running.advance(3_600);
      await eventually(kinds, (all) => all.length === 2);
      await running.advance(24 * 3_600);
      expect(await eventually(kinds, (all) => all.length === 3)).toContain('full worker');
      // A check right after the clock has moved may come before the seal of what moved it.
      await eventually(
        () => running.admin('GET', '/ledger/verification'),
        ({ ok }) => ok === true,
      );
      await eventually(
        async () => (await running.send('GET', '/metrics')).text,
        (text) => /^paydesk_books_differ 0$/m.test(text) && /^paydesk_books_findings 0$/m.test(text),
      );
    } finally {
      await running.stop();
    }
  });
});

test('D-572 in a cluster that has counted fewer transactions than the one of a restored dump, all is checked each time', async ({
  skip,
}) => {
  // Each server of a Citus cluster has numbers of its own (docs/scaling.md).
  skip(inject('citusUrl') !== null);
  await merchant.order();
  await sealAll();
  for (const table of ['ledger_transfers', 'notifications', 'payment_quotes', 'audit_log']) {
    await tamper(sql`UPDATE ${raw(table)} SET sealed_xact = sealed_xact + 900000000000000`);
  }
  await tamper(sql`UPDATE seal_marks SET cluster = 'another'`);
  await tamper(sql`UPDATE ledger_verification_marks SET cluster = 'another'`);
  await sealAll();
  const drift = (by: number) => sql`UPDATE ledger_balances SET balance = balance + ${by}
    WHERE merchant_id = ${merchant_id} AND account = 'm:available' AND ref = ''`;
  for (let i = 0; i < 2; i++) {
    expect(await check('incremental')).toMatchObject({ kind: 'full', ok: true });
    await merchant.order();
  }
  await tamper(drift(1));
  expect(await found('incremental')).toEqual(['balance_drift m:available']);
  await tamper(drift(-1));
  expect(await found('incremental')).toEqual([]);
});
