import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { startCardsim, type Cardsim } from '@paydesk/cardsim';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import { openDatabase, sql, type Database } from '../../../src/base/pg/index.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import {
  addCardChannel,
  addClient,
  addMerchant,
  addPayer,
  addUser,
  checkoutOf,
  merchantOf,
  onePtk,
  type Payer,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
  validOrder,
} from '../../support/desks/platform.ts';
import { type Answer, eventually, startTestService, type TestService } from '../../support/desks/service.ts';
import { consoleOf } from '../../support/people/console.ts';
import { authorizerOf } from '../../support/people/user-token.ts';

/** There nothing locks the buyer (D-613). */
const isCluster = inject('citusUrl') !== null;

let service: TestService;
let platform: Platform;
let db: Database;
/** A connection to look while `db` is in a transaction. */
let watch: Database;
let cardsim: Cardsim;

beforeAll(async () => {
  cardsim = await startCardsim();
  service = await startTestService({ role: 'web' });
  platform = await setUpPlatform(service);
  await addCardChannel(service, cardsim.url);
  db = openDatabase({ url: service.database.url, max: 1 });
  watch = openDatabase({ url: service.database.url, max: 1 });
});
afterAll(async () => {
  await Promise.all([db.close(), watch.close()]);
  await service.stop();
  await cardsim.close();
});

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  for (const way of ['log', 'error'] as const) {
    vi.spyOn(console, way).mockImplementation((line: string) => void said.push(line));
  }
});

/** Runs `paydesk person`; its exit code, and what it printed since the last run. */
async function person(...args: string[]): Promise<{ code: number; text: string }> {
  said.length = 0;
  const code = await runCommand(['person', ...args], { DATABASE_URL: service.database.service_url });
  return { code, text: said.join('\n') };
}

/** Seals what is new, which waits for older transactions of other tests, and checks the books with their seals. */
async function verify(): Promise<void> {
  const env = {
    DATABASE_URL: service.database.url,
    PAYDESK_SECRET_KEY: service.secret_key.toString('base64'),
  };
  await eventually(
    async () => {
      while ((await service.admin<{ processed: number }>('POST', '/jobs/seal/run', {})).processed > 0);
      return runCommand(['verify-ledger'], env);
    },
    (code) => code === 0,
  );
}

/** A person who has spent all their PTK on an order of a new merchant. */
async function spender(name: string, hold_days: number): Promise<Payer> {
  const payer = await addPayer(service, name, 10n * onePtk);
  const { merchant_no } = await addMerchant(service, platform.owner, { hold_days });
  const merchant = await merchantOf(service, await addClient(service, merchant_no));
  await payWithPtk(service, await merchant.order({ ...validOrder(), amount: '1.00' }), payer.cookie);
  return payer;
}

test('D-435 a person is exported with every row that names them, and without secrets', async () => {
  const payer = await spender('Ada Export', 0);
  const { code, text } = await person('export', '--email', payer.email.toUpperCase());
  expect(code).toBe(0);
  const tables = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
  expect(Object.keys(tables).sort()).toEqual([
    'audit_log',
    'ledger_transfers',
    'payment_attempts',
    'sessions',
    'user_wallet_lines',
    'user_wallets',
    'users',
  ]);
  expect(tables.users?.[0]).toMatchObject({ user_id: payer.user_id, email: payer.email, name: 'Ada Export' });
  for (const secret of ['password_hash', 'token_hash']) expect(text).not.toContain(`"${secret}"`);
  // A cluster gives rows in any order.
  const linesOf = (said: string): string[] => said.split('\n').toSorted();
  const byId = await person('export', '--id', payer.user_id);
  expect(linesOf(byId.text)).toEqual(linesOf(text));
});

test('D-1368 the export of who may test a channel has no secret address of its webhooks', async () => {
  const { user_id } = await addUser(service, 'Tess Tester');
  const { payment_no, webhook_url } = await addCardChannel(service, cardsim.url, { test_mode: true });
  await service.admin('PUT', `/channels/${payment_no}/debug-grants`, { users: [user_id] });
  const { text } = await person('export', '--id', user_id);
  const { channels } = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
  expect(channels).toMatchObject([{ payment_no, debug_users: [user_id] }]);
  expect(text).not.toContain(webhook_url.slice(webhook_url.lastIndexOf('/') + 1));
});

test('D-1422 the export of a recipient of statements has no address to which a program gets them', async () => {
  const { user_id } = await addUser(service, 'Rex Recipient');
  const owner = await addUser(service, 'Ola Owner');
  const { merchant_no } = await addMerchant(service, owner, { name: 'Statements' });
  const desk = await consoleOf(service, owner, merchant_no);
  const terms = { frequency: 'daily', time_zone: 'UTC', with_pdf: false, paused: false };
  const url = 'https://shop.example/statements/very-secret';
  const made = await desk.send('POST', '/statement-exports', { ...terms, user_ids: [], url });
  expect(made.status).toBe(201);
  // There is no mail server here, so nobody can be named by the API.
  await db.query(
    sql`UPDATE statement_exports SET user_ids = ARRAY[${user_id}::uuid] WHERE export_id = ${made.body.export_id as string}`,
  );
  const { text } = await person('export', '--id', user_id);
  expect(JSON.parse(text)).toMatchObject({ statement_exports: [{ user_ids: [user_id] }] });
  expect(text).not.toContain('very-secret');
});

test('D-1183 the export has each digit of an amount that no number of JSON can hold', async () => {
  const { user_id } = await addPayer(service, 'Max Much', 123_456_789_012_345_678n);
  const { text } = await person('export', '--id', user_id);
  const { user_wallets } = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
  expect(user_wallets).toMatchObject([{ user_id, available_ptk: '123456789012345678' }]);
});

test('D-613 erasing waits for a payment that begins, and is refused by it', async () => {
  const payer = await spender('Bea Begins', 0);
  const { user_id } = payer;
  const erasing = await db.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 FROM users WHERE user_id = ${user_id} FOR SHARE`);
    await tx.query(sql`UPDATE payment_attempts SET state = 'creating' WHERE buyer_user_id = ${user_id}`);
    const running = person('erase', '--id', user_id);
    await untilBlocked(watch, tx);
    return { running };
  });
  const { code, text } = await erasing.running;
  expect([code, text]).toEqual([1, expect.stringContaining('1 orders or payments that are not ended')]);
  await db.query(sql`UPDATE payment_attempts SET state = 'paid' WHERE buyer_user_id = ${user_id}`);
});

test('D-613 a card payment waits while its buyer is erased, and does not begin', async ({ skip }) => {
  skip(isCluster);
  const payer = await addPayer(service, 'Wim Waits', onePtk);
  const { user_id } = payer;
  const merchant = await merchantOf(service, await addClient(service, platform.merchant_no));
  const order = await merchant.order();
  const checkout = checkoutOf(service, order, payer.cookie);
  const card = await checkout.methodOf('cardprov');
  const starting = await db.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 FROM users WHERE user_id = ${user_id} FOR UPDATE`);
    const running = checkout.start(card);
    await untilBlocked(watch, tx);
    await tx.query(sql`UPDATE users SET disabled_at = created_at WHERE user_id = ${user_id}`);
    return { running };
  });
  expect(await starting.running).toMatchObject({ status: 403, body: { error: 'login_required' } });
  expect(await db.query(sql`SELECT 1 FROM payment_attempts WHERE order_no = ${order.order_no}`)).toEqual([]);
});

test('D-1102 a payment in PTK by a session that ends while it waits takes nothing', async () => {
  const payer = await addPayer(service, 'Sue Signed-Out', 10n * onePtk);
  const merchant = await merchantOf(service, await addClient(service, platform.merchant_no));
  const order = await merchant.order({ ...validOrder(), amount: '1.00' });
  const checkout = checkoutOf(service, order, payer.cookie);
  const method = await checkout.methodOf('ptk');
  const starting = await db.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 FROM collection_orders
      WHERE merchant_id = ${merchantIdOf(platform.merchant_no)} AND order_no = ${order.order_no} FOR UPDATE`);
    const running = checkout.start(method);
    await untilBlocked(watch, tx);
    await tx.query(sql`DELETE FROM sessions WHERE user_id = ${payer.user_id}`);
    return { running };
  });
  expect(await starting.running).toMatchObject({ status: 403, body: { error: 'login_required' } });
  expect(await db.query(sql`SELECT 1 FROM payment_attempts WHERE order_no = ${order.order_no}`)).toEqual([]);
});

test('D-435 a person is not erased while an order, hold, refund or complaint of theirs is open, and each is named', async () => {
  const rich = await addPayer(service, 'Rich', 5n * onePtk);
  const held = await spender('Held', 3);
  const waiting = await spender('Waiting', 0);
  const of = sql`FROM payment_attempts WHERE buyer_user_id = ${waiting.user_id}`;
  await db.query(sql`INSERT INTO payment_complaints (merchant_id, complaint_id, order_no, source, reason, status, currency,
      currency_decimals, opened_at) SELECT merchant_id, 'cp_1', order_no, 'platform', '', 'open', 'PTK', 8, created_at ${of}`);
  await db.query(sql`INSERT INTO payment_refunds (merchant_id, refund_id, order_no, attempt_id, amount, currency,
      currency_decimals, status, requested_at, check_at, detail)
    SELECT merchant_id, 'rf_1', order_no, attempt_id, 1, 'PTK', 8, 'requested', created_at, created_at, '' ${of}`);
  const staff = await addUser(service, 'Staff', 'admin');
  const cases: [id: string, words: string[]][] = [
    [rich.user_id, ['5.00000000 PTK in the wallet']],
    [held.user_id, ['1 payments under hold']],
    [waiting.user_id, ['1 refunds that are not ended', '1 complaints that are open']],
    [platform.owner.user_id, ['merchants that the person owns']],
    [staff.user_id, ['the role admin']],
  ];
  for (const [id, words] of cases) {
    const { code, text } = await person('erase', '--id', id);
    expect(code).toBe(1);
    for (const part of ['Nothing was erased', ...words]) expect(text).toContain(part);
  }
  await signIn(service, rich);
  await db.query(sql`DELETE FROM payment_complaints`);
  await db.query(sql`DELETE FROM payment_refunds`);
});

test('D-435 D-1462 an erased person has no name, address or access, and the books verify as before', async () => {
  const payer = await spender('Eve Erased', 0);
  const { user_id } = payer;
  await verify();
  const lines = await db.query(
    sql`SELECT * FROM user_wallet_lines WHERE user_id = ${user_id} ORDER BY at, posting`,
  );
  expect(lines.length).toBeGreaterThan(1);
  // Written in another way, it is the same address.
  const wide = payer.email.replace(/^./, (letter) => String.fromCodePoint(0xfee0 + letter.charCodeAt(0)));
  await db.query(
    sql`INSERT INTO password_reset_requests VALUES (gen_random_uuid(), ${wide}, 'en', now(), now(), 0)`,
  );
  expect(await person('erase', '--email', payer.email)).toEqual({
    code: 0,
    text: `The person ${user_id} was erased.`,
  });

  const [row] = await db.query<Record<string, unknown>>(sql`SELECT * FROM users WHERE user_id = ${user_id}`);
  expect(row).toMatchObject({ user_id, name: '', locale: null, email: `${user_id}@erased.invalid` });
  expect(row?.disabled_at).not.toBeNull();
  expect(await db.query(sql`SELECT 1 AS one FROM sessions WHERE user_id = ${user_id}`)).toEqual([]);
  expect(await db.query(sql`SELECT 1 AS one FROM password_reset_requests WHERE email = ${wide}`)).toEqual([]);
  await expect(signIn(service, payer)).rejects.toThrow('sign-in: 401');
  expect(
    await db.query(sql`SELECT * FROM user_wallet_lines WHERE user_id = ${user_id} ORDER BY at, posting`),
  ).toEqual(lines);
  const acts = await db.query(
    sql`SELECT actor, target, before, after FROM audit_log WHERE action = 'user.erase' AND target = ${`user:${user_id}`}`,
  );
  expect(acts).toEqual([{ actor: 'command', target: `user:${user_id}`, before: null, after: null }]);
  await verify();

  // Again: nothing is left, and nothing is written.
  expect((await person('erase', '--id', user_id)).text).toContain('was erased before');
  expect(await person('erase', '--email', payer.email)).toEqual({
    code: 1,
    text: 'There is no such person. A person who was erased is found only by --id: the address was erased, too.',
  });
  // The address is free again.
  const { email, password } = payer;
  await service.admin('POST', '/users', { email, password, name: 'Another', role: 'user' });
});

test('D-627 no PTK go back to an erased person, by a refund or by a complaint', async () => {
  const payer = await addPayer(service, 'Pia Paid', 20n * onePtk);
  const { user_id } = payer;
  const merchant = await merchantOf(service, await addClient(service, platform.merchant_no));
  const paid = async (): Promise<string> => {
    const order = await merchant.order({ ...validOrder(), amount: '1.00' });
    await payWithPtk(service, order, payer.cookie);
    return `/collection-orders/${order.order_no}`;
  };
  const [refunded, disputed] = [await paid(), await paid()];
  expect((await person('erase', '--id', user_id)).code).toBe(0);
  const ask = (path: string, body: object): Promise<Answer> =>
    service.send('POST', `/admin/v1${path}`, {
      headers: { authorization: 'Bearer test-administration-key' },
      body: { reason: 'asked for by letter', ...body },
    });
  const refused = { status: 409, body: { error: 'payment_conflict' } };
  expect(await ask(`${refunded}/refunds`, {})).toMatchObject(refused);
  const { complaint_id } = (await ask(`${disputed}/complaints`, {})).body;
  const decision = `/complaints/${String(complaint_id)}/decision`;
  expect(await ask(decision, { decision: 'confirm' })).toMatchObject(refused);
  expect((await ask(decision, { decision: 'dismiss' })).status).toBe(200);
  expect(await service.admin('GET', `/users/${user_id}/wallet`)).toEqual({ available_ptk: '0' });
});

test('D-627 a refund waits while its buyer is erased, and is refused then', async ({ skip }) => {
  skip(isCluster);
  const { user_id } = await spender('Rita Refunded', 0);
  const [order] = await db.query<{ order_no: string }>(
    sql`SELECT order_no FROM payment_attempts WHERE buyer_user_id = ${user_id}`,
  );
  const refunding = await db.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 FROM users WHERE user_id = ${user_id} FOR UPDATE`);
    const path = `/admin/v1/collection-orders/${order?.order_no ?? ''}/refunds`;
    const headers = { authorization: 'Bearer test-administration-key' };
    const running = service.send('POST', path, { headers, body: { reason: 'returned' } });
    await untilBlocked(watch, tx);
    await tx.query(
      sql`UPDATE users SET email = ${`${user_id}@erased.invalid`}, name = '' WHERE user_id = ${user_id}`,
    );
    return { running };
  });
  expect(await refunding.running).toMatchObject({ status: 409, body: { error: 'payment_conflict' } });
});

test('D-435 codes and tokens that programs have for a person end with the account', async () => {
  const payer = await spender('Gus Granted', 0);
  const scopes = ['openid', 'email'];
  const redirect_uri = 'https://app.example/back';
  const app = await addClient(service, platform.merchant_no, { scopes, redirect_uris: [redirect_uri] });
  const token = await (await authorizerOf(service, payer, app, redirect_uri)).token('openid email');
  const info = async (): Promise<number> =>
    (await service.send('GET', '/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await info()).toBe(200);
  expect((await person('erase', '--id', payer.user_id)).code).toBe(0);
  // A code that is exchanged in this moment gets no token: that needs the grant.
  expect(
    await db.query(sql`SELECT model FROM oauth_artifacts WHERE payload ->> 'accountId' = ${payer.user_id}
      AND model IN ('Grant', 'AuthorizationCode')`),
  ).toEqual([]);
  await eventually(info, (status) => status === 401);
});

test.each([
  [['export'], 'needs --id or --email'],
  [['export', '--id', 'mp_1'], 'must be the id of a person'],
  [['forget', '--email', 'a@example.com'], 'takes export or erase'],
])('D-435 person %j is wrong usage', async (args, words) => {
  const { code, text } = await person(...args);
  expect([code, text.includes(words)]).toEqual([2, true]);
});
