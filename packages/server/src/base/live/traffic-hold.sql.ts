/** SQL of the hold on all traffic. */
import { type Queryable, sql, type Tx } from '../pg/index.ts';

/** Why and since when this service answers no requests. */
export interface Hold {
  held_at: Date;
  reason: string;
}

export async function selectHold(db: Queryable): Promise<Hold | null> {
  const [row] = await db.query<{ held_at: Date; reason: string }>(
    sql`SELECT held_at, reason FROM traffic_holds WHERE singleton`,
  );
  return row ?? null;
}

/** Stores the hold. One that stands keeps its beginning. */
export async function insertHold(tx: Tx, { held_at, reason }: Hold): Promise<void> {
  await tx.query(
    sql`INSERT INTO traffic_holds (singleton, held_at, reason) VALUES (true, ${held_at}, ${reason})
      ON CONFLICT (singleton) DO UPDATE SET reason = excluded.reason`,
  );
}

export async function deleteHold(tx: Tx): Promise<void> {
  await tx.query(sql`DELETE FROM traffic_holds WHERE singleton`);
}
