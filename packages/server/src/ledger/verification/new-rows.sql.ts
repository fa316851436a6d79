/**
 * Which rows are new since a snapshot, by the number of the transaction that wrote them. In a restored dump such a number
 * can be of another server (D-572).
 */
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';

/** Which transfers are new: those that a snapshot did not show. */
export interface Since {
  /** The snapshot of the last kept check, as PostgreSQL writes it. */
  snapshot: string;
}

/** A condition on `sealed_xact` for rows that a snapshot did not show, however late their transaction committed. */
export const isNew = ({ snapshot }: Since, xact: Sql): Sql =>
  sql`${xact} >= pg_snapshot_xmin(${snapshot}::pg_snapshot)::text::bigint
    AND NOT pg_visible_in_snapshot(${xact}::text::xid8, ${snapshot}::pg_snapshot)`;

/**
 * The same for rows that may have the number of another server, which counted further before its dump was restored here: no
 * transaction of this one has that number yet.
 */
export const isNewHere = (snapshot: Sql, xact: Sql): Sql =>
  sql`${xact} >= pg_snapshot_xmin(${snapshot})::text::bigint
    AND ${xact} < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    AND NOT pg_visible_in_snapshot(${xact}::text::xid8, ${snapshot})`;

/**
 * Whether a row has a number of another server that this one has not reached yet, as after the restore of its dump. Then a
 * number does not tell whether a row is new (D-572).
 */
export const isForeign = (xact: Sql): Sql =>
  sql`${xact} >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;

/** What a transaction sees. */
export interface Snapshot extends Row {
  snapshot: string;
  cluster: string;
  /** The number of the next transaction. */
  ahead: bigint;
}

/** The snapshot of the transaction, and the cluster that counts transactions. */
export async function selectSnapshot(db: Queryable): Promise<Snapshot> {
  const [row] = await db.query<Snapshot>(
    sql`SELECT pg_current_snapshot()::text AS snapshot,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS ahead,
      (SELECT system_identifier::text FROM pg_control_system()) AS cluster`,
  );
  return row ?? { snapshot: '', cluster: '', ahead: 0n };
}
