/**
 * `sweep`: overdue orders without a payment attempt, each with its notification, that one sweep of an idle
 * process moves; against a bare UPDATE of the same rows, in batches of the same size, that copies a stored
 * event for each.
 */
import { type Bench, createMigratedDatabase } from '../bench.ts';
import { BenchError } from '../bench-error.ts';
import { createCallers } from '../setup/callers.ts';
import type { Database } from '../database/database.ts';
import { notifyingCreation, notifyingRow } from '../setup/events.ts';
import type { Figure } from '../figures.ts';
import { watchMemory } from '../processes/memory-watch.ts';
import { setUpPlatform } from '../setup/platform.ts';
import { type Service, startService } from '../processes/service.ts';

const overdue = 100_000;
/** Number of orders in each half of the reference. */
const half = 50_000;
const batch = 500;

export async function benchSweep(bench: Bench): Promise<Figure[]> {
  const database = await createMigratedDatabase(bench, 'sweep');
  const { cert_file } = await bench.certificate();
  const { dir, cpu_prof, signal } = bench;
  // Without workers, so that the process delivers nothing.
  const service = await bench.startOnce('the sweeping service', () =>
    startService({
      database_url: database.url,
      dir,
      cpu_prof,
      signal,
      receivers_ca: cert_file,
      role: 'web',
    }),
  );
  bench.say('sweep: creating one order as a pattern');
  const order_no = await createPatternOrder(bench, database, service);
  bench.say(`sweep: ${overdue.toLocaleString('en')} overdue orders, between two halves of a bare UPDATE`);
  await storeOverdue(database, order_no, half);
  const before = await measureBareSweep(database, order_no);
  await storeOverdue(database, order_no, overdue);
  const start = performance.now();
  const { result, halves_mb } = await watchMemory(service, () => runSweep(service));
  const rate = result / ((performance.now() - start) / 1_000);
  if (result !== overdue) throw new BenchError(`The sweep moved ${result} orders of ${overdue}.`);
  await storeOverdue(database, order_no, half);
  const after = await measureBareSweep(database, order_no);
  // Its connections are freed for the benchmarks that follow.
  await service.stop();
  return [
    {
      name: 'sweep.rate',
      what: `orders that one sweep expires, out of ${overdue.toLocaleString('en')} overdue`,
      value: rate,
      unit: 'per second',
      reference: { what: `bare UPDATE with the same events, by ${batch}`, value: (before + after) / 2 },
    },
    {
      name: 'sweep.memory',
      what: 'peak memory of the sweeping process in the second half',
      value: halves_mb[1],
      unit: 'MB',
      reference: { what: 'in the first half', value: halves_mb[0] },
    },
  ];
}

const runSweep = async (service: Service): Promise<number> =>
  (await service.admin<{ processed: number }>('POST', '/jobs/sweep/run', {})).processed;

/**
 * Creates the pattern of all other orders: an order with notifications, stored and expired by the service.
 */
async function createPatternOrder(bench: Bench, db: Database, service: Service): Promise<string> {
  const { merchants } = await setUpPlatform(service);
  const callers = createCallers({ service, db, load: bench.load, merchants });
  const [caller] = await callers.forCreations(1);
  if (caller === undefined) throw new BenchError('There is no caller.');
  const { kept } = await bench.load(service, {
    connections: 1,
    pace: { kind: 'all' },
    template: notifyingCreation,
    rows: [notifyingRow(caller, 'https://127.0.0.1:9/')],
    repeat: false,
    expect: 201,
    keep: ['order_no'],
  });
  const order_no = kept[0]?.[0] ?? '';
  // A trial sweep warms up the code and stores the second event that the reference copies.
  await storeOverdue(db, order_no, 2_000);
  await runSweep(service);
  return order_no;
}

let series = 0;

/** Stores overdue copies of an order, evenly for all merchants, with different keys. */
async function storeOverdue(db: Database, order_no: string, count: number): Promise<void> {
  series++;
  const columns = await db.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = 'collection_orders'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  const own: Record<string, string> = {
    merchant_id: 'ids[1 + i % cardinality(ids)]',
    order_no: `'mp_' || lpad($3::text, 6, '0') || lpad(i::text, 20, '0')`,
    idempotency_key: `$3::text || '-' || i`,
    expires_at: `o.created_at + interval '1 second' + i * interval '1 microsecond'`,
  };
  const values = columns.map(({ name }) => own[name] ?? `o.${name}`).join(', ');
  await db.query(
    `INSERT INTO collection_orders SELECT ${values} FROM collection_orders o,
       (SELECT array_agg(merchant_id ORDER BY merchant_id) AS ids FROM merchants) m, generate_series(1, $2::int) AS i
     WHERE o.order_no = $1`,
    [order_no, count, String(series)],
  );
  await db.query('VACUUM (ANALYZE) collection_orders');
  await db.query('CHECKPOINT');
}

/** Moves all overdue orders by SQL only, and returns the number per second. */
async function measureBareSweep(db: Database, order_no: string): Promise<number> {
  const merchants = await db.query<{ merchant_id: string }>('SELECT merchant_id FROM merchants');
  const columns = await db.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = 'notifications'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  const own: Record<string, string> = {
    merchant_id: 'moved.merchant_id',
    order_no: 'moved.order_no',
    event_id: `'ne_' || substr(moved.order_no, 4)`,
  };
  const values = columns.map(({ name }) => own[name] ?? `pattern.${name}`).join(', ');
  const statement = `WITH due AS (
      SELECT order_no FROM collection_orders
      WHERE merchant_id = $1 AND status = 'pending' AND expires_at <= now() AND order_no <> $2
      ORDER BY expires_at LIMIT ${batch} FOR UPDATE SKIP LOCKED),
    moved AS (
      UPDATE collection_orders o SET status = 'expired', status_version = 2 FROM due
      WHERE o.merchant_id = $1 AND o.order_no = due.order_no RETURNING o.merchant_id, o.order_no),
    told AS (
      INSERT INTO notifications SELECT ${values} FROM moved,
        (SELECT * FROM notifications WHERE status_version = 2 LIMIT 1) AS pattern)
    SELECT count(*)::int AS count FROM moved`;
  let count = 0;
  const start = performance.now();
  for (const { merchant_id } of merchants) {
    for (;;) {
      const [row] = await db.query<{ count: number }>(statement, [merchant_id, order_no]);
      count += row?.count ?? 0;
      if ((row?.count ?? 0) < batch) break;
    }
  }
  return count / ((performance.now() - start) / 1_000);
}
