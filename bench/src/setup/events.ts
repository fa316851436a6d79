/** Creates and copies notifications, and measures the bare posting of their bodies. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench } from '../bench.ts';
import { BenchError } from '../bench-error.ts';
import type { Caller } from './callers.ts';
import { creation, creationRow } from './orders.ts';
import type { RequestTemplate } from '../load/plan.ts';

/** Creates an order with a notification address, the fourth member of the row. */
export const notifyingCreation: RequestTemplate = {
  ...creation,
  body: JSON.stringify({
    ...(JSON.parse(creation.body ?? '{}') as object),
    notify_url: '{3}',
    notify_secret: 's'.repeat(40),
  }),
};

export const notifyingRow = (caller: Caller, url: string): string[] => [...creationRow(caller), url];

/** Creates the pattern of all other notifications: one that the service stored and delivered. */
export async function createPatternEvent(bench: Bench): Promise<string> {
  const [caller] = await (await bench.callers()).forCreations(1);
  const receivers = await bench.receivers();
  if (caller === undefined) throw new BenchError('There is no caller.');
  const { kept } = await bench.load(await bench.service(), {
    connections: 1,
    pace: { kind: 'all' },
    template: notifyingCreation,
    rows: [notifyingRow(caller, receivers.healthy[0] ?? '')],
    repeat: false,
    expect: 201,
    keep: ['order_no'],
  });
  await receivers.waitFor(1);
  return kept[0]?.[0] ?? '';
}

let series = 0;

/**
 * Stores copies of a notification in one transaction, already due, evenly for all merchants and addresses,
 * with different keys.
 */
export async function storeCopies(
  bench: Bench,
  order_no: string,
  count: number,
  urls: readonly string[],
): Promise<void> {
  const db = await bench.database();
  series++;
  await db.query(
    `INSERT INTO notifications
     SELECT m.merchant_id, c.event_id, 'mp_' || c.tail, n.status_version, replace(n.body, n.event_id, c.event_id), c.url,
       split_part(substr(c.url, 9), '/', 1), n.secret_box, 'pending', 0, false,
       clock_timestamp() - interval '1 minute', NULL, NULL, NULL, clock_timestamp()
     FROM (SELECT * FROM notifications WHERE order_no = $1 ORDER BY status_version LIMIT 1) n,
       (SELECT array_agg(merchant_id ORDER BY merchant_id) AS ids FROM merchants) all_merchants,
       LATERAL (
         SELECT i, tail, 'ne_' || tail AS event_id, ($3::text[])[1 + i % cardinality($3::text[])] AS url
         FROM (SELECT i, lpad($4::text, 6, '0') || lpad(i::text, 20, '0') AS tail FROM generate_series(1, $2::int) i) t
       ) c,
       LATERAL (SELECT all_merchants.ids[1 + (c.i / 7) % cardinality(all_merchants.ids)] AS merchant_id) m`,
    [order_no, count, [...urls], series],
  );
}

const poster = fileURLToPath(new URL('../processes/bare-posting.js', import.meta.url));

/** Measures how many bodies per second a process signs and posts if it does nothing else. */
export async function measureBarePosting(bench: Bench, seconds: number, at_once: number): Promise<number> {
  const { cert_file } = await bench.certificate();
  const { healthy } = await bench.receivers();
  const body = JSON.stringify({
    id: 'ne_bare',
    created_at: '2026-01-01T00:00:00.000Z',
    data: 'x'.repeat(420),
  });
  const args = [poster, String(seconds), String(at_once), cert_file, body, ...healthy];
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal: bench.signal });
  return (JSON.parse(stdout) as { rate: number }).rate;
}
