/** SQL of the hold on all traffic. */
import { type Queryable, sql, type Tx } from '../pg/index.ts';

/** Why and since when this service answers no requests. */
export interface Hold {
  held_at: Date;
  reason: string;
  /** The run of a command that works while traffic is held, and how long it is its turn; null if none works. */
  run_id: string | null;
  run_until: Date | null;
}

const columns = sql`held_at, reason, run_id, run_until`;

export async function selectHold(db: Queryable): Promise<Hold | null> {
  const [row] = await db.query<{ [K in keyof Hold]: Hold[K] }>(
    sql`SELECT ${columns} FROM traffic_holds WHERE singleton`,
  );
  return row ?? null;
}

/**
 * Stores the hold and locks it until the transaction ends. One that stands stays as it is: of two commands at once, the
 * second one waits here and then sees what the first has stored.
 *
 * @returns the hold as it is stored
 */
export async function insertHold(
  tx: Tx,
  { held_at, reason }: Pick<Hold, 'held_at' | 'reason'>,
): Promise<Hold> {
  const [row] = await tx.query<{ [K in keyof Hold]: Hold[K] }>(
    sql`INSERT INTO traffic_holds AS h (singleton, held_at, reason) VALUES (true, ${held_at}, ${reason})
      ON CONFLICT (singleton) DO UPDATE SET held_at = h.held_at
      RETURNING ${columns}`,
  );
  return row as Hold;
}

export async function selectHoldForUpdate(tx: Tx): Promise<Hold | null> {
  const [row] = await tx.query<{ [K in keyof Hold]: Hold[K] }>(
    sql`SELECT ${columns} FROM traffic_holds WHERE singleton FOR UPDATE`,
  );
  return row ?? null;
}

/** Gives a hold another reason and another run. Call it while it is locked. */
export async function updateHold(tx: Tx, { reason, run_id, run_until }: Hold): Promise<void> {
  await tx.query(
    sql`UPDATE traffic_holds SET reason = ${reason}, run_id = ${run_id}, run_until = ${run_until} WHERE singleton`,
  );
}

/** Renews the turn of a run. @returns whether it still is the run's turn */
export async function renewHold(db: Queryable, run_id: string, run_until: Date): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE traffic_holds SET run_until = ${run_until} WHERE singleton AND run_id = ${run_id} RETURNING run_id`,
  );
  return rows.length === 1;
}

export async function deleteHold(tx: Tx): Promise<void> {
  await tx.query(sql`DELETE FROM traffic_holds WHERE singleton`);
}
