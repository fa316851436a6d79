/** Statements that find what is new since the last check, and which orders, cases and settings that touches. */
import { join, type Queryable, type Row, type Sql, sql } from '../base/pg/index.ts';
import {
  isForeign,
  isNew,
  pairsOf,
  type Scope,
  type Since,
  subjectOfTarget,
} from '../ledger/verification/index.ts';

type Pairs = NonNullable<Scope>;

/** Number of subjects that are checked together. */
const pageSize = 5_000;

/**
 * The subjects of new rows, page by page, and the subjects of `more`. Every change that moves money or that people decided
 * adds rows to these tables: new orders have quotes, changes of status have notifications, money moves by transfers.
 *
 * The cursor reads in the caller's snapshot, so the caller must run it in a transaction.
 */
export async function* readNewSubjects(tx: Queryable, since: Since, more: Pairs): AsyncGenerator<Pairs> {
  const changed = await selectChangedSettings(tx, since);
  const named: Pairs = {
    merchant_ids: [...more.merchant_ids, ...changed.map(({ merchant_id }) => merchant_id)],
    subjects: [...more.subjects, ...changed.map(({ subject }) => subject)],
  };
  await tx.query(sql`DECLARE new_subjects NO SCROLL CURSOR FOR ${newSubjects(since, named)}`);
  for (;;) {
    const page = await tx.query<{ merchant_id: string; subject: string }>(sql`FETCH 5000 FROM new_subjects`);
    if (page.length > 0) {
      yield {
        merchant_ids: page.map(({ merchant_id }) => merchant_id),
        subjects: page.map(({ subject }) => subject),
      };
    }
    if (page.length < pageSize) break;
  }
  await tx.query(sql`CLOSE new_subjects`);
}

/**
 * Whether there are rows of a server that has counted further than this one, so that a check cannot begin from this
 * one and is a full one (D-572). The servers of a distributed database count each by itself.
 */
export async function hasForeignRows(db: Queryable): Promise<boolean> {
  if (db.isDistributed === true) return false;
  const where = sql`WHERE ${isForeign(sql`sealed_xact`)}`;
  const [row] = await db.query<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM ledger_transfers ${where}) OR EXISTS (SELECT 1 FROM payment_quotes ${where})
      OR EXISTS (SELECT 1 FROM notifications ${where}) OR EXISTS (SELECT 1 FROM audit_log ${where}) AS found`,
  );
  return row?.found === true;
}

function newSubjects(since: Since, named: Pairs): Sql {
  const rows = sql`f WHERE ${isNew(since, sql`f.sealed_xact`)}`;
  const audited = (kind: Sql): Sql => sql`
    SELECT substr(f.target, strpos(f.target, ':') + 1) FROM audit_log f
    WHERE split_part(f.target, ':', 1) = ${kind} AND ${isNew(since, sql`f.sealed_xact`)}`;
  const parts = [
    sql`SELECT * FROM ${pairsOf(named)} AS p (merchant_id, subject)`,
    sql`SELECT merchant_id, subject FROM ledger_transfers ${rows}`,
    sql`SELECT merchant_id, order_no FROM payment_quotes ${rows}`,
    sql`SELECT merchant_id, order_no FROM notifications ${rows}`,
    sql`SELECT merchant_id, withdrawal_id FROM withdrawals ${rows}`,
    sql`SELECT merchant_id, coalesce(order_no, case_id) FROM payment_cases ${rows}`,
    sql`SELECT merchant_id, order_no FROM collection_orders WHERE order_no IN (${audited(sql`'order'`)})`,
    sql`SELECT merchant_id, order_no FROM catalog_orders WHERE order_no IN (${audited(sql`'order'`)})`,
    sql`SELECT merchant_id, coalesce(order_no, case_id) FROM payment_cases WHERE case_id IN (${audited(sql`'case'`)})`,
    sql`SELECT (f.after ->> 'merchant_id')::uuid, 'archive batch ' || (f.after ->> 'batch_no') FROM audit_log f
      WHERE f.action = 'archive.orders' AND ${isNew(since, sql`f.sealed_xact`)}`,
    sql`SELECT r.merchant_id, r.order_no FROM audit_log f
        JOIN archive_batches b ON b.merchant_id = (f.after ->> 'merchant_id')::uuid
          AND b.batch_no = (f.after ->> 'batch_no')::bigint
        JOIN archived_orders r ON r.merchant_id = b.merchant_id AND r.batch_no = b.batch_no
          AND r.order_no BETWEEN b.first_order AND b.last_order
      WHERE f.action = 'archive.orders' AND ${isNew(since, sql`f.sealed_xact`)}`,
    sql`SELECT merchant_id, order_no FROM payment_complaints WHERE complaint_id IN (${audited(sql`'complaint'`)})`,
  ];
  return join(parts, ' UNION ');
}

/** The merchants, products and currencies that the new entries of the audit log are about. */
async function selectChangedSettings(
  db: Queryable,
  since: Since,
): Promise<{ merchant_id: string; subject: string }[]> {
  const rows = await db.query<{ target: string } & Row>(
    sql`SELECT DISTINCT f.target FROM audit_log f
      WHERE split_part(f.target, ':', 1) IN ('merchant', 'product', 'currency') AND ${isNew(since, sql`f.sealed_xact`)}`,
  );
  return rows.flatMap(({ target }) => {
    const found = subjectOfTarget(target);
    return found === null || found.merchant_id === null
      ? []
      : [{ merchant_id: found.merchant_id, subject: found.subject }];
  });
}
