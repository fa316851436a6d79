/**
 * Claims due events for this worker. Events of one order have no fixed order, so an undelivered one does not block a
 * later one (R-280, D-151).
 */
import { type Clock, later } from '../../base/time/clock.ts';
import type { Database, Tx } from '../../base/pg/index.ts';
import {
  nextDeliveryAttempt,
  giveUpInterrupted,
  insertDeliveryAttempts,
  leaseNotifications,
  markInterrupted,
  type ClaimedDelivery,
} from '../delivery-attempts/index.ts';
import { type DueRow, lockDue, type Portion } from './due.sql.ts';

export interface ClaimOptions {
  merchant_id: string;
  portions: Portion[];
  /** Claims only events that were due by this time. */
  due_by: Date;
  lease_ms: number;
}

/**
 * Begins attempts for due events of one merchant. Invariant: counter, attempt row and lease are committed before
 * anything is sent, so at most one worker sends an attempt, and an attempt that a crash interrupts is counted (R-278,
 * R-279, D-143). An event with an interrupted attempt gets its next attempt, or is given up where that was its last.
 */
export function claimDueDeliveries(
  db: Database,
  clock: Clock,
  { merchant_id, portions, due_by, lease_ms }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  return db.transaction(async (tx) => {
    const due = await lockDue(tx, { merchant_id, at: { now: due_by, real: clock.real() }, portions });
    if (due.length === 0) return [];
    // Read after the lock: a lease that began before the lock would be too short.
    const now = clock.now();
    const lease_until = later(clock.real(), lease_ms);
    const interrupted = due.filter((row) => row.lease_until !== null);
    const spent = new Set(interrupted.filter((row) => isSpent(row, now)));
    const begun = due
      .filter((row) => !spent.has(row))
      .map(({ attempts, lease_until: _, ...row }) => ({
        ...row,
        merchant_id,
        attempt: attempts + 1,
        lease_until,
      }));
    await storeClaims(tx, { merchant_id, interrupted, spent: [...spent], begun, now, lease_until });
    return begun;
  });
}

/** Whether an interrupted event has no attempt left. */
function isSpent({ attempts, manual }: DueRow, now: Date): boolean {
  return (
    nextDeliveryAttempt({ end: 'interrupted', attempt: attempts, manual, at: now }).delivery_status ===
    'failed'
  );
}

interface LockedEvents {
  merchant_id: string;
  interrupted: DueRow[];
  spent: DueRow[];
  begun: ClaimedDelivery[];
  now: Date;
  lease_until: Date;
}

async function storeClaims(
  tx: Tx,
  { merchant_id, interrupted, spent, begun, now, lease_until }: LockedEvents,
): Promise<void> {
  const writes = [];
  if (begun.length > 0) {
    const event_ids = begun.map(({ event_id }) => event_id);
    writes.push(
      { statement: leaseNotifications({ merchant_id, event_ids, lease_until }), rows: begun.length },
      { statement: insertDeliveryAttempts(merchant_id, begun, now), rows: begun.length },
    );
  }
  if (spent.length > 0) {
    const event_ids = spent.map(({ event_id }) => event_id);
    writes.push({ statement: giveUpInterrupted(merchant_id, event_ids), rows: spent.length });
  }
  await tx.write(writes);
  if (interrupted.length > 0) {
    // A separate statement, because it changes the table that the one above inserts into.
    const attempts = interrupted.map((row) => ({ event_id: row.event_id, attempt: row.attempts }));
    await tx.query(markInterrupted(merchant_id, attempts));
  }
}
