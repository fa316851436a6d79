/** Statements on the sink of the audit trail: who sends to it, how far it is, and what waits (table `seal_sinks`). */
import { type Queryable, type Row, sql } from '../base/pg/index.ts';
import { platformBook } from '../base/ids.ts';

/** Takes the sink for one sender; returns up to which seal it is. Null while another one has it. */
export async function claimSink(
  db: Queryable,
  sink: string,
  { holder, now, until }: { holder: string; now: Date; until: Date },
): Promise<bigint | null> {
  const [row] = await db.query<{ seal_no: bigint }>(
    sql`INSERT INTO seal_sinks AS known (sink, seal_no, leased_by, leased_until)
      VALUES (${sink}, 0, ${holder}::uuid, ${until})
      ON CONFLICT (sink) DO UPDATE SET leased_by = excluded.leased_by, leased_until = excluded.leased_until
      WHERE known.leased_until IS NULL OR known.leased_until < ${now} OR known.leased_by = excluded.leased_by
      RETURNING seal_no`,
  );
  return row?.seal_no ?? null;
}

/** Keeps the sink longer; false if another sender has taken it. */
export async function renewSink(
  db: Queryable,
  sink: string,
  { holder, until }: { holder: string; until: Date },
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE seal_sinks SET leased_until = ${until} WHERE sink = ${sink} AND leased_by = ${holder}::uuid
      RETURNING 1 AS kept`,
  );
  return rows.length === 1;
}

/** Notes that the sink has everything up to a seal. */
export async function saveLeasedSent(
  db: Queryable,
  sink: string,
  { holder, seal_no }: { holder: string; seal_no: bigint },
): Promise<void> {
  await db.query(
    sql`UPDATE seal_sinks SET seal_no = greatest(seal_no, ${seal_no})
      WHERE sink = ${sink} AND leased_by = ${holder}::uuid`,
  );
}

export async function freeSink(db: Queryable, sink: string, holder: string): Promise<void> {
  await db.query(
    sql`UPDATE seal_sinks SET leased_until = NULL WHERE sink = ${sink} AND leased_by = ${holder}::uuid`,
  );
}

/** What the sink of the audit trail does not have yet. */
export interface AuditBacklog extends Row {
  /** Number of entries, counted up to 10,000. */
  waiting: bigint;
  /** When the oldest of them was made; null if there is none. */
  oldest_at: Date | null;
}

/** Entries of seals that were not sent, and entries that have no seal yet. */
export async function selectAuditBacklog(db: Queryable, sink: string): Promise<AuditBacklog> {
  const [row] = await db.query<AuditBacklog>(
    sql`WITH unsent AS (
        SELECT substr(line, 52)::json ->> 0 AS audit_id FROM seals s
          CROSS JOIN LATERAL string_to_table(s.entries, E'\\n') AS line
        WHERE s.merchant_id = ${platformBook} AND starts_with(substr(line, 46), 'audit ')
          AND s.seal_no > coalesce((SELECT seal_no FROM seal_sinks WHERE sink = ${sink}), 0)
        ORDER BY s.seal_no LIMIT 10000
      ), waiting AS (
        SELECT a.at FROM unsent JOIN audit_log a USING (audit_id)
        UNION ALL
        SELECT at FROM audit_log WHERE sealed_xact >= (SELECT sealed_below FROM seal_marks)
      )
      SELECT count(*) AS waiting, min(at) AS oldest_at FROM waiting`,
  );
  return row ?? { waiting: 0n, oldest_at: null };
}

/** Whether the newest entry of the audit log has no seal yet, and the last pass is that long ago. */
export async function isAuditUnsealed(db: Queryable, passed_before: Date): Promise<boolean> {
  const [row] = await db.query<{ fresh: boolean }>(
    sql`SELECT coalesce((SELECT sealed_xact FROM audit_log ORDER BY audit_id DESC LIMIT 1) >= sealed_below, false)
        AND (passed_at IS NULL OR passed_at <= ${passed_before}) AS fresh
      FROM seal_marks WHERE singleton`,
  );
  return row?.fresh ?? false;
}
