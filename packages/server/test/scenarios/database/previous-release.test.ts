import { randomBytes } from 'node:crypto';
import { startCardsim, type Cardsim } from '@paydesk/cardsim';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, migrationsDir } from '../../../src/base/pg/index.ts';
import { readMigrations } from '../../../src/base/pg/schema/migration-files.ts';
import { serviceRole } from '../../../src/embedded/access.ts';
import { emptyDatabase } from '../../support/servers/database.ts';
import { envelopeOf, type LocalReceiver, localReceiver } from '../../support/notifications/notify.ts';
import { addProduct, shopper, userToken } from '../../support/desks/catalog.ts';
import { consoleOf } from '../../support/people/console.ts';
import {
  addCardChannel,
  addClient,
  catalogScopes,
  checkoutOf,
  type Merchant,
  merchantOf,
  type Order,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
  validOrder,
} from '../../support/desks/platform.ts';
import { freePort } from '../../support/servers/ports.ts';
import { type PreviousRelease, previousRelease } from '../../support/run/previous-release.ts';
import { eventually, request, startTestService, type TestService } from '../../support/desks/service.ts';
import { type SourceProcess, startProgram } from '../../support/run/source-process.ts';

/**
 * A rolling upgrade: processes of the previous release go on beside those of this one, on the schema of this one. Both
 * create, take payments, deliver notifications and expire orders (H-24).
 */

/** A process of the previous release. The calls of a test go to it as to one of this release. */
interface OldProcess {
  process: SourceProcess;
  service: TestService;
}

let previous: PreviousRelease;
let service: TestService;
let cardsim: Cardsim;
let receiver: LocalReceiver;
let platform: Platform;
let old: { all: OldProcess; web: OldProcess };
let schemas: { before: SchemaNames; after: SchemaNames };

beforeAll(async () => {
  previous = await previousRelease();
  receiver = await localReceiver();
  cardsim = await startCardsim();
  const database = await emptyDatabase();
  await migrate(database.url, { dir: previous.migrations });
  const granting = startProgram(previous.program, ['grant-role', serviceRole], {
    env: { DATABASE_URL: database.url },
  });
  expect(await granting.exited, granting.errors()).toBe(0);

  const secret_key = randomBytes(32);
  const env = { ...receiver.env, PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' };
  const start = (role: 'all' | 'web'): Promise<[SourceProcess, string]> =>
    startOld(role, {
      ...env,
      DATABASE_URL: database.service_url,
      PAYDESK_SECRET_KEY: secret_key.toString('base64'),
    });
  const [all, web] = await Promise.all([start('all'), start('web')]);
  const before = await namesIn(database.url);
  await migrate(database.url);
  schemas = { before, after: await namesIn(database.url) };
  service = await startTestService({ role: 'web', database, secret_key, env });
  old = { all: asService(...all), web: asService(...web) };
  platform = await setUpPlatform(service);
  const { webhook_url } = await addCardChannel(service, cardsim.url);
  // Webhooks of the provider reach whichever process the balancer chooses.
  for (const { url } of [service, old.web.service]) {
    await cardsim.registerWebhook({ url: url + new URL(webhook_url).pathname, secret: 'whsec_simulated' });
  }
});

afterAll(async () => {
  await Promise.all(Object.values(old).map((one) => one.process.kill('SIGTERM')));
  await service.stop();
  await cardsim.close();
  await receiver.remove();
});

/** What statements name in a schema. */
interface SchemaNames {
  /** Columns with their types, and functions with their parameters. */
  used: string[];
  /** Columns that every insert must fill. */
  demanded: { table: string; column: string }[];
}

async function namesIn(url: string): Promise<SchemaNames> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const used = await client.query<{ name: string }>(`
    SELECT format('%s.%s %s', table_name, column_name, data_type) AS name
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace`);
  const demanded = await client.query<{ table: string; column: string }>(`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
    WHERE table_schema = 'public' AND is_nullable = 'NO' AND column_default IS NULL`);
  await client.end();
  return { used: used.rows.map(({ name }) => name), demanded: demanded.rows };
}

async function startOld(role: string, env: Record<string, string>): Promise<[SourceProcess, string]> {
  const port = await freePort();
  const process = startProgram(previous.program, ['serve', '--role', role, '--no-migrate'], {
    env: {
      ...env,
      PORT: String(port),
      PAYDESK_ADMIN_KEY: 'test-administration-key',
      PAYDESK_TEST_CLOCK: '1',
      PAYDESK_LOG_LEVEL: 'error',
    },
  });
  process.child.stdout?.resume();
  const url = `http://127.0.0.1:${port}`;
  const isReady = (): Promise<boolean> =>
    request(`${url}/readyz`, 'GET').then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually(isReady, (ready) => ready);
  return [process, url];
}

const asService = (process: SourceProcess, url: string): OldProcess => ({
  process,
  service: { ...service, url, send: (method, path, asked) => request(url + path, method, asked) },
});

/** One side of the upgrade: its merchant's and its buyer's sessions. */
interface Side {
  service: TestService;
  merchant: Merchant;
  cookie: string;
}

const sideOf = async (of: TestService): Promise<Side> => ({
  service: of,
  merchant: await merchantOf(of, platform.client),
  cookie: await signIn(of, platform.buyer),
});

const notified = { notify_url: '', notify_secret: 'a-secret-of-the-orders-of-this-test' };

/** Pays at the provider, as the buyer does after the redirect. */
async function payByCard(of: TestService, order: Order): Promise<void> {
  const checkout = checkoutOf(of, order);
  const { body, text } = await checkout.start(await checkout.methodOf('cardprov'));
  const session = /[^/]+$/.exec(new URL(String(body.redirect_url)).pathname)?.[0];
  expect(session, text).toBeDefined();
  expect(
    (await request(`${cardsim.url}/_sim/sessions/${session ?? ''}/pay`, 'POST', { body: {} })).status,
  ).toBe(200);
}

/** Orders of one side, paid through the other or left to expire; each is seen alike by both, and told once. */
async function serveEachOther(sides: readonly [Side, Side]): Promise<void> {
  const paid: Order[] = [];
  const left: Order[] = [];
  for (const [maker, payer] of [sides, [sides[1], sides[0]]] as const) {
    const order = (): Promise<Order> =>
      maker.merchant.order({ ...validOrder(), ...notified, notify_url: receiver.url('/orders') });
    const [byWallet, byCard, unpaid] = [await order(), await order(), await order()];
    await payWithPtk(payer.service, byWallet, payer.cookie);
    await payByCard(payer.service, byCard);
    paid.push(byWallet, byCard);
    left.push(unpaid);
  }
  await becomes(sides, paid, 'paid');
  await sellCodes(sides);
  await service.advance(3 * 3_600);
  await becomes(sides, left, 'expired');
}

/** Longer than the test clock moves. */
const day_ms = 86_400_000;

/** Codes that one side has taken in go to a buyer who orders there and pays at the other. */
async function sellCodes(sides: readonly [Side, Side]): Promise<void> {
  const { merchant_no, owner, buyer, ptk_channel: payment_no } = platform;
  const gd_no = await addProduct(service, merchant_no);
  const program = await addClient(service, merchant_no, { name: 'Reader App', scopes: catalogScopes });
  const token = await userToken(service, program, buyer.user_id, catalogScopes, day_ms);
  for (const [maker, payer] of [sides, [sides[1], sides[0]]] as const) {
    const at = await consoleOf(maker.service, owner, merchant_no);
    const uploaded = await at.send('POST', `/products/${gd_no}/codes`, {
      codes: [`${gd_no} ${maker.service.url}`],
    });
    expect(uploaded.status, uploaded.text).toBe(201);
    const order_no = await shopper(maker.service, token).order({ gd_no, quantity: 1, payment_no });
    const paid = await shopper(payer.service, token).pay(order_no, payment_no);
    expect(paid.status, paid.text).toBe(200);
    await eventually(
      () => shopper(maker.service, token).read(order_no),
      ({ body }) => body.status_label === 'Completed',
    );
  }
}

async function becomes(sides: readonly Side[], orders: readonly Order[], status: string): Promise<void> {
  const read = () =>
    Promise.all(
      sides.flatMap(({ merchant }) =>
        orders.map(async (order) => (await merchant.read(order.order_no)).body.status),
      ),
    );
  await eventually(read, (all) => all.every((one) => one === status));
  const told = () =>
    orders.map((order) =>
      receiver
        .of(order)
        .map((one) => envelopeOf(one).data.status)
        .sort(),
    );
  const both = orders.map(() => ['pending', status].sort());
  await eventually(
    () => Promise.resolve(told()),
    (all) => all.flat().length >= both.flat().length,
  );
  expect(told()).toEqual(both);
}

test('H-24 both releases pay, deliver and expire on the new schema, and either can do the background work', async () => {
  await serveEachOther([await sideOf(service), await sideOf(old.web.service)]);
  expect(await old.all.process.kill('SIGTERM')).toBe(0);
  await service.another('worker');
  // The clock has moved on: tokens are over.
  await serveEachOther([await sideOf(service), await sideOf(old.web.service)]);
});

test('H-24 the new schema keeps every name that the previous release may use, and demands no more of its rows', async () => {
  const { before, after } = schemas;
  const contracted = (await readMigrations(migrationsDir))
    .filter(({ text }) => /^-- contract: /m.test(text))
    .map(({ text }) => text)
    .join('\n');
  const gone = before.used.filter((name) => !after.used.includes(name));
  const isContracted = (name: string): boolean => contracted.includes(/\w+(?=[ (])/.exec(name)?.[0] ?? name);
  expect(gone.filter((name) => !isContracted(name))).toEqual([]);
  const tables = new Set(before.used.map((name) => name.split('.', 1)[0]));
  const known = new Set(before.demanded.map(({ table, column }) => `${table}.${column}`));
  expect(
    after.demanded.filter(({ table, column }) => tables.has(table) && !known.has(`${table}.${column}`)),
  ).toEqual([]);
});

test('H-24 a process of the previous release stays ready on the new schema', async () => {
  const { status } = await old.web.service.send('GET', '/readyz');
  // Builds before 0.2.0 demand exactly their own schema.
  expect(status).toBe(previous.bears_newer_schema ? 200 : 503);
});
