import { type Database, raw, sql } from '../../../src/base/pg/index.ts';

/** Tables that change without a change of state: sessions, questions, checks, seals and sums of earlier changes. */
const restless = new Set([
  ...['sessions', 'api_requests', 'notification_attempts', 'ledger_findings', 'ledger_checkpoints'],
  ...['ledger_verifications', 'ledger_verification_marks', 'ledger_verification_leases'],
  ...[
    'account_sums',
    'account_sum_marks',
    'owed_sums',
    'owed_sum_marks',
    'order_sums',
    'order_sum_marks',
    'platform_sums',
  ],
  ...['progress_sums', 'ending_sums', 'progress_sum_marks'],
  'seals',
  'seal_marks',
  'seal_sinks',
  'clock_alarms',
]);

/**
 * Everything that is stored, table by table, as a checksum each: equal where nothing has changed.
 *
 * @param but the number of an order that workers still see to: rows that name it do not count
 */
export async function fingerprintOf(db: Database, but: string): Promise<Record<string, string>> {
  const tables = await db.query<{ name: string }>(
    sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`,
  );
  const sums = tables
    .filter(({ name }) => !restless.has(name))
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS sum FROM ${name} t
        WHERE t::text NOT LIKE '%${but}%'`,
    );
  const rows = await db.query<{ name: string; sum: string }>(sql`${raw(sums.join(' UNION ALL '))}`);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}
