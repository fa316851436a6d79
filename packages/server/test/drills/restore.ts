import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { askOnce } from '../chaos/ask-once.ts';
import { type Node, until, urlOf } from '../chaos/database-pair.ts';
import { type Desk, openDesk, start_ms } from '../chaos/desk.ts';
import { emptyHistory, type History } from '../chaos/history.ts';
import type { Json } from '../crash/ask.ts';
import { type Platform, setUpPlatform, signAllIn } from '../crash/platform.ts';
import { asUser, serverUser } from '../../src/embedded/run-as.ts';
import { temporaryDirectory } from '../support/run/temporary.ts';
import { debianPostgresBin } from '../support/run/tools.ts';
import type { Drill, DrillOptions, DrillResult } from './drill.ts';
import { hasFailed, startLoad } from './load.ts';

const run = promisify(execFile);

/** Load before the base backup, from it to the time of the restore, and after that time: the gap. */
const phases_ms = { lead: 3_000, kept: 4_000, gap: 6_000 };
/** Time for the notifications of the last payments. */
const flush_ms = 3_000;

/**
 * A database that is restored to a time some seconds back, as docs/operating/restore.md describes it: a base backup and a
 * WAL archive under load, `paydesk after-restore`, and then every payment that was acknowledged is looked for, and every
 * key of the gap is tried again.
 */
export const drill: Drill = {
  name: 'restore',
  bars: {},
  async run(options) {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      return await restoreUnderLoad(options, undo);
    } finally {
      for (const step of undo.reverse()) {
        await step().catch((error: unknown) => {
          options.log(String(error));
        });
      }
    }
  },
};

/** Where the drill keeps what a restore needs. */
interface Files {
  wal: string;
  base: string;
  archive: string;
  letters: string;
}

async function restoreUnderLoad(
  { seed, logs, log }: DrillOptions,
  undo: (() => Promise<unknown>)[],
): Promise<DrillResult> {
  const home = await temporaryDirectory('drill-restore');
  undo.push(() => home.remove());
  const archive = join(home.path, 'notifications.jsonl');
  const desk = await openDesk(new Set(), undo, {
    ...{ webs: 2, workers: 1, logs },
    environmentOf: () => ({ PAYDESK_NOTIFICATION_ARCHIVE: pathToFileURL(archive).href }),
  });
  const node = desk.database.primary();
  const files: Files = {
    wal: join(node.home, 'wal'),
    base: join(node.home, 'base'),
    archive,
    letters: join(home.path, 'letters'),
  };
  await archiveWal(desk, node, files);
  await startAll(desk);
  const platform = await setUpPlatform(desk, desk.provider_link);
  await signAllIn(desk, platform);
  const history = emptyHistory();
  const load = startLoad({ desk, platform, history }, { seed, clients: 6 });
  await pause(phases_ms.lead);
  await backUp(node, files);
  await pause(phases_ms.kept);
  const at = await timeOf(node);
  log(`a base backup is made; the database will be restored to ${at}`);
  await pause(phases_ms.gap);
  await load.stop();
  await pause(flush_ms);
  const stopped = performance.now();
  await closeWal(node);
  for (const one of desk.processes) await one.stop();
  await restoreTo(desk, node, files, at);
  log(`the database is restored, after ${secondsSince(stopped)}`);
  const { output, problems } = await putInOrder(desk, files, at);
  const outage_ms = performance.now() - stopped;
  await desk.database.rebuildStandby();
  const counted = await count({ desk, platform, history, output, letters: await readLetters(files.letters) });
  const books = await desk.run('verify-ledger');
  const last = books.output.trim().split('\n').at(-1) ?? '';
  if (books.code !== 0) problems.push(`verify-ledger: ${books.output.trim()}`);
  return {
    ...counted,
    failed: history.calls.filter(hasFailed).length,
    longest_outage_ms: outage_ms,
    told: [...counted.told, ...output.trim().split('\n'), last],
    problems: [...problems, ...(counted.problems ?? [])],
  };
}

async function startAll(desk: Desk): Promise<void> {
  for (const one of desk.processes) {
    await one.start();
    await desk.untilReady([one], start_ms);
  }
}

async function ask<T extends pg.QueryResultRow>(node: Node, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: urlOf(node.port) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The time by the database, in a form that PostgreSQL reads. */
async function timeOf(node: Node): Promise<string> {
  const [row] = await ask<{ at: string }>(node, `SELECT clock_timestamp()::text AS at`);
  return row?.at ?? '';
}

async function archiveWal(desk: Desk, node: Node, { wal }: Files): Promise<void> {
  await mkdir(wal);
  await chmod(wal, 0o777);
  await ask(node, `ALTER SYSTEM SET archive_mode = 'on'`);
  await ask(node, `ALTER SYSTEM SET archive_command = 'cp %p ${wal}/%f'`);
  // The setting needs a restart.
  await desk.database.kill(node);
  await desk.database.revive(node);
  await desk.database.untilSynchronous();
}

async function backUp(node: Node, { base }: Files): Promise<void> {
  const from = `host=127.0.0.1 port=${node.port} user=paydesk`;
  const args = ['-D', base, '-d', from, '-X', 'none', '-c', 'fast', '--no-sync'];
  await run(join(debianPostgresBin(), 'pg_basebackup'), args, {
    ...asUser(serverUser(node.home)),
    cwd: node.home,
  });
}

/** Waits until the archive has everything. */
async function closeWal(node: Node): Promise<void> {
  const [row] = await ask<{ file: string }>(node, `SELECT pg_walfile_name(pg_switch_wal()) AS file`);
  await until(async () => {
    const [archiver] = await ask<{ last: string | null }>(
      node,
      `SELECT last_archived_wal AS last FROM pg_stat_archiver`,
    );
    return (archiver?.last ?? '') >= (row?.file ?? '');
  }, 30_000);
}

/** Replaces both servers by the base backup and replays the archive up to a time. */
async function restoreTo(desk: Desk, node: Node, { wal, base }: Files, at: string): Promise<void> {
  const { database } = desk;
  for (const each of database.nodes) await database.kill(each);
  await rm(node.data, { recursive: true, force: true });
  await cp(base, node.data, { recursive: true });
  // The rest is as it was backed up, such as the names of the standbys that every commit waits for.
  await appendFile(
    join(node.data, 'postgresql.auto.conf'),
    `restore_command = 'cp ${wal}/%f %p'\nrecovery_target_time = '${at}'\nrecovery_target_action = 'promote'\nsynchronous_standby_names = ''\n`,
  );
  await appendFile(join(node.data, 'recovery.signal'), '');
  const user = serverUser(node.home);
  if (user !== null) await run('chown', ['-R', `${user.uid}:${user.gid}`, node.data]);
  await chmod(node.data, 0o700);
  await database.revive(node);
  await until(async () => {
    const [row] = await ask<{ recovers: boolean }>(node, `SELECT pg_is_in_recovery() AS recovers`);
    return row?.recovers === false;
  }, 60_000);
}

/** Holds the traffic, starts the processes, and runs the command. */
async function putInOrder(
  desk: Desk,
  { archive, letters }: Files,
  at: string,
): Promise<{ output: string; problems: string[] }> {
  const problems: string[] = [];
  const held = await desk.run('after-restore', '--hold');
  if (held.code !== 0) problems.push(`after-restore --hold: ${held.output}`);
  for (const one of desk.processes) await one.start();
  const [web] = desk.processes;
  const page = `http://127.0.0.1:${web.port}/admin/v1/overview`;
  await until(async () => (await askOnce(page, 'GET', {})).status !== 0, start_ms);
  const { status } = await askOnce(page, 'GET', {});
  if (status !== 503) problems.push(`a held process answers ${status}`);
  const since = new Date(new Date(at).getTime() - 1_000).toISOString();
  const { code, output } = await desk.run(
    ...['after-restore', '--since', since, '--archive', archive, '--letters', letters],
  );
  if (code !== 0) problems.push(`after-restore ended with ${String(code)}: ${output}`);
  await desk.untilReady(desk.processes, start_ms);
  return { output, problems };
}

interface Letter {
  events: { event_id: string; order_no: string }[];
}

async function readLetters(directory: string): Promise<Letter[]> {
  const names = await readdir(directory).catch(() => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => JSON.parse(await readFile(join(directory, name), 'utf8')) as Letter),
  );
}

interface Outcome {
  desk: Desk;
  platform: Platform;
  history: History;
  /** What the command printed. */
  output: string;
  letters: Letter[];
}

interface PaidSession {
  payment_intent: string;
  payment_status: string;
  metadata: { order_no: string };
}

/** Looks for everything that was acknowledged, and tries the keys of orders that are gone. */
async function count({ desk, platform, history, output, letters }: Outcome): Promise<DrillResult> {
  const { items } = (await desk.provider('GET', '/sessions')) as unknown as { items: PaidSession[] };
  const paid = items.filter(({ payment_status }) => payment_status === 'paid');
  const created = history.calls.filter(({ kind, status }) => kind === 'create' && status === 201);
  const keys = new Map(created.map(({ key, order_no }) => [order_no, key]));
  const statuses = new Map<string, string | null>();
  for (const order_no of keys.keys()) statuses.set(order_no, await statusOf(desk, order_no));
  const isPaid = (order_no: string): boolean =>
    ['paid', 'refunded', 'chargeback'].includes(statuses.get(order_no) ?? '');
  const isTold = new Set(letters.flatMap(({ events }) => events.map(({ order_no }) => order_no)));
  const lost = [
    ...paid
      .filter(
        ({ payment_intent, metadata }) => !isPaid(metadata.order_no) && !output.includes(payment_intent),
      )
      .map(({ payment_intent, metadata }) => `payment ${payment_intent} of order ${metadata.order_no}`),
    ...history.receipts
      .filter(({ order, order_no }) => order.status === 'paid' && !isPaid(order_no) && !isTold.has(order_no))
      .map(({ notification_id, order_no }) => `event ${notification_id} of order ${order_no}`),
  ];
  const paidOrders = paid.map(({ metadata }) => metadata.order_no);
  const doubled = paidOrders
    .filter((order_no, i) => paidOrders.indexOf(order_no) !== i)
    .map((order_no) => `${order_no} is paid twice`);
  const gone = [...statuses].filter(([, status]) => status === null).map(([order_no]) => order_no);
  const retried = { refused: 0, free: 0 };
  for (const order_no of gone) {
    const answer = await retry(desk, platform, keys.get(order_no) ?? '');
    if (answer === 409) retried.refused++;
    else if (answer === 201) {
      retried.free++;
      if (paidOrders.includes(order_no)) doubled.push(`${order_no} was paid, and its key is free`);
    } else doubled.push(`the key of ${order_no} is answered with ${answer}`);
  }
  const of = (status: string): number => [...statuses.values()].filter((one) => one === status).length;
  return {
    acknowledged: keys.size,
    lost: lost.length,
    doubled: doubled.length,
    failed: 0,
    longest_outage_ms: 0,
    told: [
      `${paid.length} card payments at the provider; ${of('paid')} orders paid, ${of('refunded')} refunded, ${gone.length} gone`,
      `keys of orders that are gone: ${retried.refused} refused, ${retried.free} free`,
      ...lost.slice(0, 20),
      ...doubled.slice(0, 20),
    ],
    // A restore that loses nothing shows nothing.
    problems: gone.length === 0 ? ['no order was in the gap'] : [],
  };
}

/** The status of an order; null if it is gone. */
async function statusOf({ url, admin_key }: Desk, order_no: string): Promise<string | null> {
  const headers = { authorization: `Bearer ${admin_key}` };
  const { status, body } = await askOnce(`${url}/admin/v1/collection-orders/${order_no}`, 'GET', headers);
  if (status === 404) return null;
  if (status !== 200) throw new Error(`order ${order_no}: ${status}`);
  return String((body.order as Json).status);
}

/** Creates an order with a key again, and returns the status of the answer. */
async function retry({ url }: Desk, platform: Platform, key: string): Promise<number> {
  const client = platform.clients.shift();
  if (client === undefined) throw new Error('a merchant without clients');
  platform.clients.push(client);
  const headers = { authorization: `Bearer ${client.token}` };
  const request = {
    ...{ external_reference: key.replace(/\/1$/, ''), idempotency_key: key },
    ...{ amount: '10.00', currency: 'USD' },
  };
  return (await askOnce(`${url}/openapi/v1/merchant-payments`, 'POST', headers, request)).status;
}

const secondsSince = (began: number): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
