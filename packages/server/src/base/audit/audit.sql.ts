/** The SQL of the audit log, whose entries are only added (D-194). */
import { type Queryable, type Row, sql, type Write } from '../pg/index.ts';
import { writeJson } from '../input/json.ts';
import type { AuditEntry } from './audit.ts';

const columns = sql`audit_id, at, actor, action, target, reason, before, after, address, session_id`;

const stored = (value: unknown): string | null => (value === null ? null : writeJson(value));

export const insertAuditEntry = (e: AuditEntry): Write => ({
  statement: sql`INSERT INTO audit_log (${columns}) VALUES (${e.audit_id}, ${e.at}, ${e.actor}, ${e.action}, ${e.target},
      ${e.reason}, ${stored(e.before)}::jsonb, ${stored(e.after)}::jsonb, ${e.address}, ${e.session_id})`,
  rows: 'all',
});

/** Notes that a merchant's people caused an entry. */
export const insertMerchantAct = (merchant_id: string, audit_id: string): Write => ({
  statement: sql`INSERT INTO merchant_acts (merchant_id, audit_id) VALUES (${merchant_id}, ${audit_id})`,
  rows: 'all',
});

/** The ids of the entries that a merchant's people caused, before a cursor, newest first. */
export async function selectMerchantActs(
  db: Queryable,
  merchant_id: string,
  before: string | null,
  limit: number,
): Promise<string[]> {
  const older = before === null ? sql`` : sql`AND audit_id < ${before}`;
  const rows = await db.query<{ audit_id: string }>(
    sql`SELECT audit_id FROM merchant_acts WHERE merchant_id = ${merchant_id} ${older}
      ORDER BY audit_id DESC LIMIT ${limit}`,
  );
  return rows.map(({ audit_id }) => audit_id);
}

/** When something was last done to a target; null if it never was. */
export async function selectLastAct(db: Queryable, target: string, action: string): Promise<Date | null> {
  const [row] = await db.query<{ at: Date }>(
    sql`SELECT at FROM audit_log WHERE target = ${target} AND action = ${action}
      ORDER BY audit_id DESC LIMIT 1`,
  );
  return row?.at ?? null;
}

/** Filters of a list of entries; null means no filter. */
export interface AuditFilter {
  target: string | null;
  /** Entries of any of them. */
  actors: readonly string[] | null;
}

/** Reads entries before a cursor, newest first. The ids of entries sort by time. */
export function selectAuditEntries(
  db: Queryable,
  before: string | null,
  limit: number,
  { target, actors }: AuditFilter = { target: null, actors: null },
): Promise<AuditEntry[]> {
  const older = before === null ? sql`` : sql`AND audit_id < ${before}`;
  const ofTarget = target === null ? sql`` : sql`AND target = ${target}`;
  const ofActor = actors === null ? sql`` : sql`AND actor = ANY (${actors})`;
  return db.query<AuditEntry & Row>(
    sql`SELECT ${columns} FROM audit_log WHERE true ${older} ${ofTarget} ${ofActor}
      ORDER BY audit_id DESC LIMIT ${limit}`,
  );
}

/** The latest acts of one kind on a target, newest first. */
export function selectActs(
  db: Queryable,
  { target, action }: Pick<AuditEntry, 'target' | 'action'>,
  limit: number,
): Promise<AuditEntry[]> {
  return db.query<AuditEntry & Row>(
    sql`SELECT ${columns} FROM audit_log WHERE target = ${target} AND action = ${action}
      ORDER BY audit_id DESC LIMIT ${limit}`,
  );
}

/** Reads the entries with these ids, in no order. Ids without an entry are missing. */
export function selectAuditEntriesById(db: Queryable, ids: readonly string[]): Promise<AuditEntry[]> {
  return db.query<AuditEntry & Row>(
    sql`SELECT ${columns} FROM audit_log WHERE audit_id = ANY(${[...ids]}::text[])`,
  );
}

export async function countAuditEntries(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ count: bigint }>(sql`SELECT count(*) AS count FROM audit_log`);
  return row?.count ?? 0n;
}
