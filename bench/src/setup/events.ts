/** Creates and copies notifications, and measures the bare posting of their bodies. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench } from '../bench.ts';
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

/** Creations that one client makes in a minute: each of these callers is another client, of the next merchant. */
const creations_of_client = 60;

/**
 * Creates the patterns of all other notifications, one of each merchant, which the service stored and delivered. The secret
 * that signs a notification can be opened only beside its merchant and its order, so copies keep both.
 *
 * @returns the order numbers
 */
export async function createPatternEvents(bench: Bench): Promise<string[]> {
  const merchants = (await bench.platform()).merchants.length;
  const callers = await (await bench.callers()).forCreations(creations_of_client * merchants);
  const receivers = await bench.receivers();
  const { kept } = await bench.load(await bench.service(), {
    connections: 1,
    pace: { kind: 'all' },
    template: notifyingCreation,
    rows: callers.slice(0, merchants).map((caller) => notifyingRow(caller, receivers.healthy[0] ?? '')),
    repeat: false,
    expect: 201,
    keep: ['order_no'],
  });
  await receivers.waitFor(merchants);
  return kept.flatMap((members) => members?.[0] ?? []);
}

let series = 0;

/**
 * Stores copies of notifications in one transaction, already due, evenly for all merchants and addresses, with different
 * keys.
 */
export async function storeCopies(
  bench: Bench,
  order_nos: readonly string[],
  count: number,
  urls: readonly string[],
): Promise<void> {
  const db = await bench.database();
  series++;
  await db.query(
    `INSERT INTO notifications
     SELECT n.merchant_id, c.event_id, n.order_no, $4::int * 1000000 + c.i, replace(n.body, n.event_id, c.event_id), c.url,
       split_part(substr(c.url, 9), '/', 1), n.secret_box, 'pending', 0, false,
       clock_timestamp() - interval '1 minute', NULL, NULL, NULL, clock_timestamp()
     FROM (SELECT *, row_number() OVER (ORDER BY merchant_id, order_no) - 1 AS k, count(*) OVER () AS patterns
         FROM notifications WHERE order_no = ANY($1::text[]) AND status_version = 1) n
       JOIN (SELECT i, 'ne_' || lpad($4::text, 6, '0') || lpad(i::text, 20, '0') AS event_id,
           ($3::text[])[1 + i % cardinality($3::text[])] AS url FROM generate_series(1, $2::int) i) c
         ON (c.i / 7) % n.patterns = n.k`,
    [[...order_nos], count, [...urls], series],
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
