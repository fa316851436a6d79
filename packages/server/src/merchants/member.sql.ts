/** Reads and writes the people who work for a merchant (table `merchant_members`). */
import { type Queryable, type Tx, type Row, type Write, sql } from '../base/pg/index.ts';
import type { Member, MemberRole } from './members.ts';

const columns = sql`merchant_id, user_id, role, added_by, added_at`;

/** The role of a person who works for a merchant; null without one. Ignores the holder. */
export async function selectRole(
  db: Queryable,
  merchant_id: string,
  user_id: string,
): Promise<MemberRole | null> {
  const [row] = await db.query<{ role: MemberRole }>(
    sql`SELECT role FROM merchant_members WHERE merchant_id = ${merchant_id} AND user_id = ${user_id}`,
  );
  return row?.role ?? null;
}

export async function selectMemberForUpdate(
  tx: Tx,
  merchant_id: string,
  user_id: string,
): Promise<Member | null> {
  const [row] = await tx.query<Member & Row>(
    sql`SELECT ${columns} FROM merchant_members WHERE merchant_id = ${merchant_id} AND user_id = ${user_id}
      FOR UPDATE`,
  );
  return row ?? null;
}

/** The people of a merchant, in the order in which they were added. */
export function selectMembers(db: Queryable, merchant_id: string, limit: number): Promise<Member[]> {
  return db.query<Member & Row>(
    sql`SELECT ${columns} FROM merchant_members WHERE merchant_id = ${merchant_id}
      ORDER BY added_at, user_id LIMIT ${limit}`,
  );
}

/** The merchants that a person holds (as `owner`) or works for, with the role. */
export async function selectMerchantsOf(
  db: Queryable,
  user_id: string,
  limit: number,
): Promise<{ merchant_id: string; role: MemberRole }[]> {
  return db.query<{ merchant_id: string; role: MemberRole }>(
    sql`SELECT merchant_id, 'owner' AS role FROM merchants WHERE owner_user_id = ${user_id}
      UNION ALL SELECT merchant_id, role FROM merchant_members WHERE user_id = ${user_id} LIMIT ${limit}`,
  );
}

export function insertMember(m: Member): Write {
  return {
    statement: sql`INSERT INTO merchant_members (${columns}) VALUES (${m.merchant_id}::uuid, ${m.user_id}::uuid,
      ${m.role}, ${m.added_by}, ${m.added_at}::timestamptz)`,
    rows: 'all',
  };
}

export function updateMemberRole({ merchant_id, user_id, role }: Member): Write {
  return {
    statement: sql`UPDATE merchant_members SET role = ${role}
      WHERE merchant_id = ${merchant_id}::uuid AND user_id = ${user_id}::uuid`,
    rows: 1,
  };
}

export function deleteMember({ merchant_id, user_id }: Member): Write {
  return {
    statement: sql`DELETE FROM merchant_members
      WHERE merchant_id = ${merchant_id}::uuid AND user_id = ${user_id}::uuid`,
    rows: 1,
  };
}
