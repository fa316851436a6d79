/** SQL of reconciliations with the providers. */
import { type Queryable, type Row, type Sql, sql, type Write } from '../../base/pg/index.ts';
import { timeOfUlid } from '../../base/ids.ts';
import { hours, later } from '../../base/time/clock.ts';
import type { Attempt } from '../attempts/index.ts';
import type { Difference } from './difference.ts';

export type RunBy = 'worker' | 'command' | 'after-restore';

/** One comparison of a channel's records with ours. */
export interface Reconciliation {
  reconciliation_id: string;
  payment_no: string;
  run_by: RunBy;
  since: Date;
  until: Date;
  ran_at: Date;
  /** What the provider has of that time. */
  sessions: number;
  payments: number;
  events: number;
  differences: Difference[];
  /** Why the provider could not be read; null if it could. */
  failure: string | null;
}

const columns = sql`reconciliation_id, payment_no, run_by, since, until, ran_at, sessions, payments, events, differences,
  failure`;

export const insertReconciliation = (r: Reconciliation): Write => ({
  statement: sql`INSERT INTO provider_reconciliations (${columns}) VALUES (${r.reconciliation_id}, ${r.payment_no},
    ${r.run_by}, ${r.since}::timestamptz, ${r.until}::timestamptz, ${r.ran_at}::timestamptz, ${r.sessions}::integer,
    ${r.payments}::integer, ${r.events}::integer, ${JSON.stringify(r.differences)}::jsonb, ${r.failure})`,
  rows: 1,
});

/**
 * The reconciliation of each channel that tells how it stands: the latest, or the latest that covers the time of the latest night,
 * such as this night itself, where that is worse (D-1125).
 */
export async function selectStandingReconciliations(db: Queryable): Promise<Reconciliation[]> {
  const latest = (which: Sql): Sql => sql`(SELECT ${columns} FROM provider_reconciliations
    WHERE payment_no = c.payment_no ${which} ORDER BY reconciliation_id DESC LIMIT 1)`;
  const runs = await db.query<Reconciliation & Row>(
    sql`SELECT r.* FROM (SELECT DISTINCT payment_no FROM provider_reconciliations) c
      LEFT JOIN LATERAL ${latest(sql`AND run_by = 'worker'`)} n ON true CROSS JOIN LATERAL (
        ${latest(sql``)} UNION ALL ${latest(sql`AND reconciliation_id = n.reconciliation_id`)} UNION ALL
        ${latest(sql`AND failure IS NULL AND since <= n.since AND until >= n.until`)}) r ORDER BY r.reconciliation_id`,
  );
  const standing = new Map<string, Reconciliation>();
  for (const run of runs) {
    const night = standing.get(run.payment_no);
    if (night === undefined || covers(run, night) || weightOf(run) > weightOf(night))
      standing.set(run.payment_no, run);
  }
  return [...standing.values()];
}

/** Whether a later reconciliation looks at all that an earlier one did. */
const covers = (run: Reconciliation, earlier: Reconciliation): boolean =>
  run.failure === null && run.since <= earlier.since && run.until >= earlier.until;

const weightOf = ({ differences, failure }: Reconciliation): number =>
  differences.length > 0 ? 2 : failure === null ? 0 : 1;

/** The latest reconciliation of a channel, of all or of this kind; null if there is none. */
export async function selectLatestReconciliation(
  db: Queryable,
  payment_no: string,
  run_by?: RunBy,
): Promise<Reconciliation | null> {
  const ofKind = run_by === undefined ? sql`` : sql`AND run_by = ${run_by}`;
  const [run] = await db.query<Reconciliation & Row>(
    sql`SELECT ${columns} FROM provider_reconciliations WHERE payment_no = ${payment_no} ${ofKind}
      ORDER BY reconciliation_id DESC LIMIT 1`,
  );
  return run ?? null;
}

/** The time of the number of the next reconciliation: after the latest one, also where that was made by a clock that was ahead (D-1113). */
export async function nextTime(db: Queryable, payment_no: string, now: Date): Promise<Date> {
  const latest = await selectLatestReconciliation(db, payment_no);
  const before = timeOfUlid(latest?.reconciliation_id.slice('rc_'.length) ?? '');
  return before === null || before < now ? now : later(before, 1);
}

/** Reconciliations, newest first. `before` is a cursor. */
export function selectReconciliations(
  db: Queryable,
  { before, limit }: { before: string | null; limit: number },
): Promise<Reconciliation[]> {
  const older = before === null ? sql`` : sql`AND reconciliation_id < ${before}`;
  return db.query<Reconciliation & Row>(
    sql`SELECT ${columns} FROM provider_reconciliations WHERE true ${older}
      ORDER BY reconciliation_id DESC LIMIT ${limit}`,
  );
}

/**
 * Takes the run of a night: of a new night, or one whose holder died. A night more than an hour ahead is of a clock that has been
 * set back since (D-1113). Returns whether it was taken.
 */
export async function takeNight(
  db: Queryable,
  night: { payment_no: string; at: Date; now: Date; until: Date },
): Promise<boolean> {
  const { payment_no, at, now, until } = night;
  const rows = await db.query(
    sql`INSERT INTO provider_reconciliation_nights AS n (payment_no, night, lease_until, done)
      VALUES (${payment_no}, ${at}, ${until}, false)
      ON CONFLICT (payment_no) DO UPDATE SET night = excluded.night, lease_until = excluded.lease_until, done = false
        WHERE n.night < excluded.night OR n.night > ${later(now, hours(1))}
          OR (n.night = excluded.night AND NOT n.done AND n.lease_until < ${now})
      RETURNING 1 AS taken`,
  );
  return rows.length === 1;
}

/** Sets the lease of a night that is not done. */
export async function extendNight(
  db: Queryable,
  { payment_no, at, until }: { payment_no: string; at: Date; until: Date },
): Promise<void> {
  await db.query(
    sql`UPDATE provider_reconciliation_nights SET lease_until = ${until}
      WHERE payment_no = ${payment_no} AND night = ${at} AND NOT done`,
  );
}

export async function endNight(db: Queryable, payment_no: string, night: Date): Promise<void> {
  await db.query(
    sql`UPDATE provider_reconciliation_nights SET done = true WHERE payment_no = ${payment_no} AND night = ${night}`,
  );
}

/** The nights that are done or taken, by channel. */
export async function selectNights(db: Queryable): Promise<Map<string, { night: Date; done: boolean }>> {
  const rows = await db.query<{ payment_no: string; night: Date; done: boolean }>(
    sql`SELECT payment_no, night, done FROM provider_reconciliation_nights`,
  );
  return new Map(rows.map(({ payment_no, ...rest }) => [payment_no, rest]));
}

/** An attempt that is paid here. */
export type PaidAttempt = Pick<
  Attempt,
  'merchant_id' | 'attempt_id' | 'order_no' | 'session_id' | 'provider_trade_no' | 'amount' | 'currency'
>;

/**
 * Attempts of a channel that were paid in a time. Their numbers are in the order of their creation, so each merchant's
 * begin at `from_attempt_id`.
 */
export function selectPaidAttempts(
  db: Queryable,
  of: { payment_no: string; from_attempt_id: string; since: Date; until: Date },
): Promise<PaidAttempt[]> {
  return db.query<PaidAttempt & Row>(
    sql`SELECT a.* FROM merchants m CROSS JOIN LATERAL (
        SELECT p.merchant_id, p.attempt_id, p.order_no, p.session_id, p.provider_trade_no, p.amount, p.currency
        FROM payment_attempts p
        WHERE p.merchant_id = m.merchant_id AND p.attempt_id >= ${of.from_attempt_id}
          AND p.payment_no = ${of.payment_no} AND p.state IN ('paid', 'paid_late')
          AND p.paid_at >= ${of.since} AND p.paid_at <= ${of.until}) a`,
  );
}
