/** Fills a database with the books of many paid orders, for the benchmarks `verify` and `growth`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, createMigratedDatabase } from '../bench.ts';
import { BenchError } from '../bench-error.ts';
import { copyOrder } from '../database/copy-orders.ts';
import type { Database, Databases } from '../database/database.ts';
import { newSecretKey, type Service, startService } from '../processes/service.ts';
import { type Caller, createCallers } from './callers.ts';
import { notifyingCreation, notifyingRow } from './events.ts';
import { orderOf } from './orders.ts';
import { addUser, type Platform, setUpPlatform, signIn } from './platform.ts';

/** The PTK of the buyer, with 8 decimals: more than all copies cost. */
const buyer_ptk = '100000000000000000';
const pastTheHold_s = 25 * 3_600;
/** The address of all notifications. The process that would deliver them does not run. */
const receiver = 'https://127.0.0.1:9/paydesk';

export interface Books {
  database: Database;
  platform: Platform;
  secret_key: string;
}

/** The record about one database in a directory of kept databases. */
type Kept = Omit<Books, 'database'> & {
  /** The orders whose copies are still missing; absent: the database is full. */
  made?: readonly string[];
};

/**
 * Fills a database as `makeBooks` does, or takes it as an earlier run left it in the directory for kept databases. If that
 * run was interrupted, its copies stay, and the others are added.
 */
export async function makeOrKeepBooks(bench: Bench, orders: number, days: number): Promise<Books> {
  if (bench.keep === null) return makeBooks(bench, orders, days);
  const name = nameOf(orders, days);
  const file = join(bench.keep, `${name}.json`);
  const note = (kept: Kept): Promise<void> => writeFile(file, JSON.stringify(kept));
  const databases = await bench.keptDatabases();
  const known = await readFile(file, 'utf8').catch(() => null);
  const { made, ...rest } = known === null ? { made: undefined } : (JSON.parse(known) as Kept);
  if ('platform' in rest && made === undefined) {
    bench.say(`growth: ${orders} orders of an earlier run`);
    return { ...rest, database: databases.reopen(name) };
  }
  let begun: Begun;
  if ('platform' in rest && made !== undefined) {
    bench.say('growth: going on with the orders of an earlier run');
    begun = { ...rest, made, database: databases.reopen(name) };
  } else {
    begun = await beginBooks(bench, name, databases);
    const { platform, secret_key, made: pattern } = begun;
    await note({ platform, secret_key, made: pattern });
  }
  const books = await fillBooks(bench, begun, orders, days);
  const { platform, secret_key } = books;
  await note({ platform, secret_key });
  return books;
}

const nameOf = (orders: number, days: number): string => `books_${orders}_${days}`;

/**
 * The service makes one order of each merchant, has it paid in PTK, and ends its hold: two entries and two notifications.
 * SQL then copies each order. At the end everything is sealed, as a worker would have done.
 *
 * @param orders number of orders of all merchants together
 * @param days over how many days the orders are spread; 0: all are of one moment
 */
export const makeBooks = async (bench: Bench, orders: number, days = 0): Promise<Books> =>
  fillBooks(bench, await beginBooks(bench, nameOf(orders, days)), orders, days);

/** The same on the server of the kept databases, so that both have its settings and its disk. Each run creates it again. */
export const makeBooksBesideKept = async (bench: Bench, orders: number, days: number): Promise<Books> =>
  fillBooks(bench, await beginBooks(bench, 'reference', await bench.keptDatabases()), orders, days);

/** Books before the copies, with the numbers of the orders to copy. */
type Begun = Books & { made: readonly string[] };

/** Runs the service on books, without workers: the notifications of the copies stay where they are. */
export async function serveBooks<T>(
  bench: Bench,
  { database, secret_key }: Pick<Books, 'database' | 'secret_key'>,
  use: (service: Service) => Promise<T>,
): Promise<T> {
  const { cert_file } = await bench.certificate();
  const service = await startService({
    ...{ secret_key, database_url: database.url, dir: bench.dir, cpu_prof: null, signal: bench.signal },
    ...{ receivers_ca: cert_file, role: 'web', test_clock: true },
  });
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}

async function beginBooks(bench: Bench, name: string, databases?: Databases): Promise<Begun> {
  const database = await createMigratedDatabase(bench, name, databases);
  const secret_key = newSecretKey();
  return serveBooks(bench, { database, secret_key }, async (service) => {
    bench.say('verify: the service makes and settles orders');
    const platform = await setUpPlatform(service);
    const made = await makeOrders(bench, service, database, platform);
    await service.admin('PUT', '/test-clock', { advance_seconds: pastTheHold_s });
    await runUntilDone(service, 'release-holds');
    return { database, platform, secret_key, made };
  });
}

async function fillBooks(
  bench: Bench,
  { made, ...books }: Begun,
  orders: number,
  days: number,
): Promise<Books> {
  const { database } = books;
  bench.say(`verify: copying them to ${orders} orders`);
  // Orders of many days have been told of.
  if (days > 0) {
    await database.query(
      `UPDATE notifications SET delivery_status = 'delivered', attempts = 1, next_attempt_at = NULL, last_http_status = 200
       WHERE order_no = ANY($1)`,
      [made],
    );
  }
  // If the orders are spread, the first merchant has half of them.
  const half = days === 0 ? 0 : Math.round(orders / 2);
  for (const [i, order_no] of made.entries()) {
    const copies = Math.round((orders - half) / made.length) - 1 + (i === 0 ? half : 0);
    await copyOrder(database, order_no, copies, {
      apart_ms: Math.floor((days * 86_400_000) / copies),
      signal: bench.signal,
    });
  }
  await database.query('VACUUM (ANALYZE)');
  bench.say('verify: sealing the books');
  await serveBooks(bench, books, (service) => runUntilDone(service, 'seal'));
  await database.query('VACUUM (ANALYZE)');
  return books;
}

/** Runs a job until nothing is left for it. */
export async function runUntilDone({ admin }: Service, job: string): Promise<void> {
  while ((await admin<{ processed: number }>('POST', `/jobs/${job}/run`, {})).processed > 0);
}

/** One paid order of each merchant. */
async function makeOrders(
  bench: Bench,
  service: Service,
  database: Database,
  { merchants }: Platform,
): Promise<string[]> {
  const buyer = await addUser(service.admin, 'buyer');
  const topUp = { amount_ptk: buyer_ptk, reference: 'bench', reason: 'to pay with' };
  await service.admin('POST', `/users/${buyer.user_id}/ptk-top-ups`, topUp);
  const cookie = await signIn(service, buyer);
  const callers = createCallers({ service, db: database, load: bench.load, merchants });
  // One caller makes the orders of a minute; each merchant needs one of its own.
  const own = (await callers.forCreations(merchants.length * 60)).slice(0, merchants.length);
  const made: string[] = [];
  for (const [i, caller] of own.entries()) made.push(await makeOrder(service, database, caller, cookie, i));
  return made;
}

async function makeOrder(
  service: Service,
  database: Database,
  caller: Caller,
  cookie: string,
  i: number,
): Promise<string> {
  const [token = '', reference = '', key = '', url = ''] = notifyingRow(caller, receiver);
  const body = String(notifyingCreation.body)
    .replaceAll('{1}', reference)
    .replaceAll('{2}', key)
    .replaceAll('{3}', url);
  const authorization = `Bearer ${token}`;
  const created = await call(service, notifyingCreation.path, { authorization }, body);
  const order = orderOf([String(created.order_no), String(created.checkout_url)], caller);
  const [method] = await database.query<{ method_id: string }>(
    `SELECT method_id FROM payment_quotes WHERE provider = 'ptk' AND order_no = '${order.order_no}'`,
  );
  const headers = {
    'x-checkout-token': order.checkout_token,
    'x-forwarded-for': `10.0.0.${i + 1}`,
    cookie,
    origin: service.url,
  };
  const payment = JSON.stringify({ method_id: method?.method_id });
  await call(service, `/checkout/api/${order.order_no}/payments`, headers, payment);
  return order.order_no;
}

async function call(
  { url }: Service,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<Record<string, unknown>> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new BenchError(`POST ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
