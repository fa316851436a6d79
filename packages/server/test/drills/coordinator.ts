import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startCardsim } from '@paydesk/cardsim';
import { until } from '../chaos/database-pair.ts';
import { type Answer, ask } from '../crash/ask.ts';
import { type Paydesk, paydeskOf } from '../crash/paydesk.ts';
import {
  type Buyer,
  funds_ptk,
  getTokens,
  type Platform,
  setUpPlatform,
  signAllIn,
} from '../crash/platform.ts';
import { merchantCall } from '../crash/shop.ts';
import {
  askNode,
  citusTemplate,
  createOnCluster,
  dropCitusTemplate,
  inDatabase,
  workersOf,
} from '../support/servers/citus.ts';
import { fromAnywhere } from '../support/desks/platform.ts';
import { freePort } from '../support/servers/ports.ts';
import { randomOf } from '../support/run/random.ts';
import type { Drill, DrillOptions, DrillResult } from './drill.ts';

const payments = 200;
/** Payments that are under way at once. */
const tabs = 8;
/** How often the coordinator is killed: once on each day. The holds of a day's orders end on the next. */
const kills = 10;
const day_s = 86_400;
/** A kill takes some time: within the first of it the release of the holds begins. */
const longestDelay_ms = 100;
/** The coordinator is away for so long. */
const away_ms = 500;

/** Commands for a shell: only the operator of a cluster knows how all processes of its coordinator end and start. */
const { CITUS_URL, PAYDESK_CITUS_KILL, PAYDESK_CITUS_START } = process.env;

const shell = (command: string): Promise<unknown> => promisify(execFile)('sh', ['-c', command]);

/**
 * Without commands one process of the coordinator is killed, by a command that the server itself runs: PostgreSQL then ends
 * all others at once, loses what they share, and recovers from its log as after the death of the whole.
 */
const killItself = (coordinator: string): Promise<unknown> =>
  askNode(coordinator, `COPY (SELECT 1) TO PROGRAM 'kill -9 $PPID'`).catch(() => undefined);

/**
 * The coordinator of a Citus cluster is killed again and again in the middle of 200 payments from wallets, and of releases of
 * their holds. Most payments write on two servers, in two phases. Afterwards each order is paid and its wallet debited, and
 * its proceeds are released, once (R-143, D-667).
 */
export const drill: Drill = {
  name: 'coordinator',
  bars: {},
  async run(options) {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      return await payAndKill(options, undo, CITUS_URL ?? '');
    } finally {
      for (const step of undo.reverse()) {
        await step().catch((error: unknown) => {
          options.log(String(error));
        });
      }
    }
  },
};

/** What the drill cannot do without; null if all of it is there. */
export const missing = (): string | null =>
  CITUS_URL === undefined
    ? 'CITUS_URL names no Citus cluster whose coordinator may be killed (docs/scaling.md)'
    : null;

interface Scene {
  paydesk: Paydesk;
  platform: Platform;
  /** The database, at the coordinator and at each worker. */
  coordinator: string;
  workers: readonly string[];
  random: ReturnType<typeof randomOf>;
  log: (line: string) => void;
}

/** An order, and the answers to the payments of it. */
interface Payment {
  order_no: string;
  token: string;
  buyer: Buyer;
  confirmed: number;
  lost: number;
}

async function openScene(
  { seed, logs, log }: DrillOptions,
  undo: (() => Promise<unknown>)[],
  url: string,
): Promise<Scene> {
  const template = await citusTemplate(url);
  undo.push(() => dropCitusTemplate(url, template));
  const name = `drill_${randomBytes(6).toString('hex')}`;
  undo.push(await createOnCluster(url, name, template));
  const port = await freePort();
  const admin_key = randomBytes(16).toString('hex');
  const coordinator = inDatabase(url, name);
  const environment = {
    PORT: String(port),
    DATABASE_URL: coordinator,
    PAYDESK_SECRET_KEY: randomBytes(32).toString('base64'),
    PAYDESK_ADMIN_KEY: admin_key,
    PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32',
    PAYDESK_TEST_CLOCK: '1',
  };
  const paydesk = paydeskOf(`http://127.0.0.1:${port}`, admin_key, environment, join(logs, 'paydesk.log'));
  undo.push(() => paydesk.stop());
  await paydesk.start();
  const cardsim = await startCardsim();
  undo.push(() => cardsim.close());
  const platform = await setUpPlatform(paydesk, cardsim);
  await signAllIn(paydesk, platform);
  await paydesk.admin('PATCH', `/merchants/${platform.merchant_no}`, { hold_days: 1 });
  const workers = (await workersOf(url)).map((worker) => inDatabase(worker, name));
  return { paydesk, platform, coordinator, workers, random: randomOf(seed), log };
}

async function payAndKill(
  options: DrillOptions,
  undo: (() => Promise<unknown>)[],
  url: string,
): Promise<DrillResult> {
  const scene = await openScene(options, undo, url);
  const { paydesk, platform, random, log } = scene;
  log(`${payments} orders are to be paid from ${platform.buyers.length} wallets`);
  const orders: Payment[] = [];
  const gaps: number[] = [];
  const counts: Prepared[] = [];
  let morning = performance.now();
  for (let kill = 1; kill <= kills; kill++) {
    // At the same time of the next day: the holds end while the next orders are paid.
    await moveClock(scene, day_s - Math.round((performance.now() - morning) / 1_000));
    morning = performance.now();
    await getTokens(paydesk, platform);
    const earlier = [...orders];
    const some = await inTurns(Array.from({ length: payments / kills }), () => create(scene));
    orders.push(...some);
    const confirmed: number[] = [];
    const paid = inTurns(some, async (order) => {
      await pay(scene, order);
      confirmed.push(performance.now());
    });
    // It is awaited at the end, and may fail before.
    paid.catch(() => undefined);
    const after = random.between(1, some.length - 1);
    await until(() => Promise.resolve(confirmed.length >= after), 600_000);
    const release = pause(random.between(0, longestDelay_ms)).then(() =>
      releaseHolds(scene).catch(() => {
        log('a release of holds was cut off');
      }),
    );
    const [killed] = await Promise.all([killCoordinator(scene, confirmed.length, earlier), release, paid]);
    counts.push(killed);
    gaps.push(...confirmed.map((at, i) => at - (confirmed[i - 1] ?? at)));
  }
  await moveClock(scene, day_s);
  await until(async () => {
    await releaseHolds(scene);
    return (await merchantWallet(scene)).held_ptk === '0';
  }, 120_000);
  return { ...(await resultOf(scene, orders, counts)), longest_outage_ms: Math.max(...gaps) };
}

const moveClock = ({ paydesk }: Scene, advance_seconds: number): Promise<unknown> =>
  paydesk.admin('PUT', '/test-clock', { advance_seconds });

const releaseHolds = ({ paydesk }: Scene): Promise<unknown> =>
  paydesk.admin('POST', '/jobs/release-holds/run');

const merchantWallet = ({ paydesk, platform }: Scene): Promise<{ available_ptk: string; held_ptk: string }> =>
  paydesk.admin('GET', `/merchants/${platform.merchant_no}/wallet`);

/** Runs `work` for all, some at once. */
async function inTurns<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  const left = [...all];
  const take = async (): Promise<void> => {
    while (left.length > 0) done.push(await work(left.shift() as T));
  };
  await Promise.all(Array.from({ length: tabs }, take));
  return done;
}

async function create({ paydesk, platform, random }: Scene): Promise<Payment> {
  const external_reference = `order-${randomUUID()}`;
  const answer = await merchantCall<{ order_no: string; checkout_url: string }>(
    { paydesk, platform },
    'POST',
    '/merchant-payments',
    {
      external_reference,
      idempotency_key: external_reference,
      amount: `${random.between(1, 99)}.${random.between(10, 99)}`,
      currency: 'USD',
    },
  );
  if (answer?.status !== 201) throw new Error(`creation: ${answer?.text ?? 'no answer'}`);
  const { order_no, checkout_url } = answer.body;
  const token = new URL(checkout_url).searchParams.get('token') ?? '';
  return { order_no, token, buyer: random.pick(platform.buyers), confirmed: 0, lost: 0 };
}

interface Methods {
  methods: { method_id: string; provider: string }[];
}

/** The answers after which a buyer tries again: the outcome is not known (202), or the limit of requests is reached. */
const unsettled = new Set([202, 429]);

/** Pays until the service confirms it, or says that the order is paid. */
async function pay({ paydesk: { url } }: Scene, payment: Payment): Promise<void> {
  const { order_no, token, buyer } = payment;
  const path = `${url}/checkout/api/${order_no}`;
  const asked = () => ({
    headers: { 'x-checkout-token': token, origin: url, cookie: buyer.cookie, ...fromAnywhere() },
  });
  const untilAnswered = async <T>(call: () => Promise<Answer<T> | null>): Promise<Answer<T>> => {
    for (;;) {
      const answer = await call();
      if (answer !== null && answer.status < 500 && !unsettled.has(answer.status)) return answer;
      payment.lost++;
      await pause(100);
    }
  };
  const { body } = await untilAnswered(() => ask<Methods>(path, 'GET', asked()));
  const method_id = body.methods.find(({ provider }) => provider === 'ptk')?.method_id;
  const { status, text } = await untilAnswered(() =>
    ask(`${path}/payments`, 'POST', { ...asked(), body: { method_id } }),
  );
  if (status === 200) payment.confirmed++;
  else if (status !== 409) throw new Error(`payment of ${order_no}: ${status} ${text}`);
}

/** What the workers had when the coordinator was dead. */
interface Prepared {
  on_workers: number;
  /** Transactions that the coordinator knew to commit. */
  to_commit: number;
  /** Orders of earlier days whose holds were not released yet. */
  held: number;
}

interface Count {
  count: number;
}

async function killCoordinator(
  scene: Scene,
  confirmed: number,
  earlier: readonly Payment[],
): Promise<Prepared> {
  const { coordinator, workers, log } = scene;
  await (PAYDESK_CITUS_KILL === undefined ? killItself(coordinator) : shell(PAYDESK_CITUS_KILL));
  const on_workers = await countPrepared(workers);
  const held = await countHeld(workers, earlier);
  await pause(away_ms);
  if (PAYDESK_CITUS_START !== undefined) await shell(PAYDESK_CITUS_START);
  await until(
    () =>
      askNode(coordinator, 'SELECT 1').then(
        () => true,
        () => false,
      ),
    120_000,
  );
  const [known] = await askNode<Count>(coordinator, 'SELECT count(*)::int AS count FROM pg_dist_transaction');
  await askNode(coordinator, 'SELECT recover_prepared_transactions()');
  const to_commit = known?.count ?? 0;
  log(
    `killed after ${confirmed} payments of a day: ${on_workers} prepared on workers, ${to_commit} records of commits, ${held} orders of earlier days still held`,
  );
  return { on_workers, to_commit, held };
}

/** How many of some orders have a hold that is not released. Any worker can tell it while the coordinator is away. */
async function countHeld([worker = '']: readonly string[], orders: readonly Payment[]): Promise<number> {
  const numbers = orders.map(({ order_no }) => `'${order_no}'`).join(',');
  const [row] = await askNode<Count>(
    worker,
    `SELECT count(*)::int AS count FROM payment_holds WHERE released_at IS NULL AND order_no = ANY (ARRAY[${numbers}]::text[])`,
  );
  return row?.count ?? 0;
}

async function countPrepared(workers: readonly string[]): Promise<number> {
  let sum = 0;
  for (const worker of workers) {
    const [row] = await askNode<Count>(
      worker,
      `SELECT count(*)::int AS count FROM pg_prepared_xacts WHERE database = current_database()`,
    );
    sum += row?.count ?? 0;
  }
  return sum;
}

async function resultOf(
  scene: Scene,
  orders: readonly Payment[],
  counts: readonly Prepared[],
): Promise<Omit<DrillResult, 'longest_outage_ms'>> {
  const { paydesk, platform, coordinator, workers } = scene;
  const problems: string[] = [...(await problemsOfMoney(scene, orders))];
  await askNode(coordinator, 'SELECT recover_prepared_transactions()');
  const left = await countPrepared(workers);
  if (left > 0) problems.push(`${left} transactions are still prepared`);
  const told: string[] = [];
  for (const args of [['verify-ledger'], ['verify-ledger', '--since-last']]) {
    const { code, output } = await paydesk.run(...args);
    const last = output.trim().split('\n').at(-1) ?? '';
    told.push(last);
    if (code !== 0) problems.push(`${args.join(' ')} ended with ${String(code)}: ${output.trim()}`);
  }
  const lines = await linesOf(coordinator);
  const unpaid = orders.filter(({ order_no }) => !lines.has(order_no)).length;
  const twice = [...lines.values()].filter((count) => count > 1).length;
  const sum = (of: (one: Prepared) => number): number => counts.reduce((all, one) => all + of(one), 0);
  return {
    acknowledged: orders.length,
    lost: unpaid,
    doubled: twice,
    failed: orders.reduce((all, one) => all + one.lost, 0),
    told: [
      `${kills} kills; prepared on workers at a kill: ${sum((one) => one.on_workers)}, each committed or rolled back as a whole afterwards`,
      `at ${counts.filter(({ held }) => held > 0).length} kills holds of earlier days were not released yet, ${sum((one) => one.held)} in all; each was later, once`,
      `${orders.filter(({ confirmed }) => confirmed > 0).length} of ${orders.length} payments were confirmed, the others were found paid`,
      `${platform.buyers.length} wallets, one merchant: what the wallets lost is what the orders say`,
      ...told,
    ],
    problems,
  };
}

/** How many debits of wallets each order has. */
async function linesOf(coordinator: string): Promise<Map<string, number>> {
  const rows = await askNode<{ subject: string; lines: number }>(
    coordinator,
    `SELECT subject, count(*)::int AS lines FROM user_wallet_lines WHERE amount_ptk < 0 GROUP BY subject`,
  );
  return new Map(rows.map(({ subject, lines }) => [subject, lines]));
}

/** Compares orders, wallets and the merchant's balance, in words. */
async function problemsOfMoney(scene: Scene, orders: readonly Payment[]): Promise<string[]> {
  const { platform, coordinator } = scene;
  const { admin } = scene.paydesk;
  const problems: string[] = [];
  const lines = await linesOf(coordinator);
  const rows = await askNode<{ order_no: string; status: string; settled: string; taken: string | null }>(
    coordinator,
    `SELECT o.order_no, o.status, coalesce(o.settlement_ptk, 0)::text AS settled, t.taken::text FROM collection_orders o
      LEFT JOIN (SELECT merchant_id, subject, sum(amount)::text AS taken FROM ledger_transfers
        WHERE debit_account LIKE 'user:%' GROUP BY merchant_id, subject) t
      ON t.merchant_id = o.merchant_id AND t.subject = o.order_no`,
  );
  let taken = 0n;
  for (const { order_no, status, taken: own } of rows) {
    const debits = lines.get(order_no) ?? 0;
    taken += BigInt(own ?? 0);
    if ((status === 'paid') !== (debits === 1)) {
      problems.push(`${order_no} is ${status}, and wallets were debited ${debits} times for it`);
    }
  }
  if (rows.length !== orders.length) problems.push(`there are ${rows.length} orders, not ${orders.length}`);
  let left = 0n;
  for (const { user_id } of platform.buyers) {
    const wallet = await admin<{ available_ptk: string }>('GET', `/users/${user_id}/wallet`);
    left += BigInt(wallet.available_ptk);
  }
  const lost = funds_ptk * BigInt(platform.buyers.length) - left;
  if (lost !== taken) problems.push(`the wallets lost ${lost}, and the entries took ${taken}`);
  const has = BigInt((await merchantWallet(scene)).available_ptk);
  const settled = rows
    .filter(({ status }) => status === 'paid')
    .reduce((sum, row) => sum + BigInt(row.settled), 0n);
  if (has !== settled) problems.push(`${has} is available to the merchant, and the orders say ${settled}`);
  return problems;
}
