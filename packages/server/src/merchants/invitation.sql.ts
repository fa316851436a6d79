/** Reads and writes invitations to work for a merchant (table `merchant_invitations`). */
import { claimInTurn, type Database, type Queryable, type Row, sql, type Tx } from '../base/pg/index.ts';
import type { MemberRole } from './members.ts';

/** An invitation that waits. Its token is in the mail; only its hash is stored. */
export interface Invitation {
  invitation_id: string;
  merchant_id: string;
  /** In the form in which accounts are compared. */
  email: string;
  role: MemberRole;
  /** The actor, as the audit log names it. */
  invited_by: string;
  /** The language of the mail. */
  locale: string;
  /** Real times. */
  invited_at: Date;
  expires_at: Date;
  /** When its mail is due; null when it was sent, or will not be sent. */
  due_at: Date | null;
  tries: number;
}

const columns = sql`invitation_id, merchant_id, email, role, invited_by, locale, invited_at, expires_at, due_at, tries`;

/** Stores an invitation. One that waits for the same address is replaced, and its link ends. */
export async function upsertInvitation(tx: Tx, i: Invitation): Promise<void> {
  await tx.query(
    sql`INSERT INTO merchant_invitations AS known (${columns})
      VALUES (${i.invitation_id}, ${i.merchant_id}, ${i.email}, ${i.role}, ${i.invited_by}, ${i.locale},
        ${i.invited_at}, ${i.expires_at}, ${i.due_at}, ${i.tries})
      ON CONFLICT (merchant_id, email) DO UPDATE SET invitation_id = excluded.invitation_id, role = excluded.role,
        invited_by = excluded.invited_by, locale = excluded.locale, invited_at = excluded.invited_at,
        expires_at = excluded.expires_at, due_at = excluded.due_at, tries = 0, token_hash = NULL`,
  );
}

/** The invitations of a merchant that have not expired, oldest first; at most 100. */
export function selectInvitations(db: Queryable, merchant_id: string, now: Date): Promise<Invitation[]> {
  return db.query<Invitation & Row>(
    sql`SELECT ${columns} FROM merchant_invitations WHERE merchant_id = ${merchant_id} AND expires_at > ${now}
      ORDER BY invited_at, invitation_id LIMIT 100`,
  );
}

/** The invitation of a link; null where it is unknown or expired. */
export async function selectInvitationByToken(
  db: Queryable,
  token_hash: Buffer,
  now: Date,
): Promise<Invitation | null> {
  const [row] = await db.query<Invitation & Row>(
    sql`SELECT ${columns} FROM merchant_invitations WHERE token_hash = ${token_hash} AND expires_at > ${now}`,
  );
  return row ?? null;
}

/** Removes an invitation of a merchant; returns what it was. If several callers ask at once, only one gets it. */
export async function deleteInvitation(
  tx: Tx,
  merchant_id: string,
  invitation_id: string,
): Promise<Invitation | null> {
  const [row] = await tx.query<Invitation & Row>(
    sql`DELETE FROM merchant_invitations WHERE merchant_id = ${merchant_id} AND invitation_id = ${invitation_id}
      RETURNING ${columns}`,
  );
  return row ?? null;
}

/**
 * Removes the invitations that a person has sent; returns what they were.
 *
 * @param merchant_id the only merchant; null for all
 */
export function deleteInvitationsBy(
  tx: Tx,
  invited_by: string,
  merchant_id: string | null,
): Promise<Invitation[]> {
  const ofMerchant = merchant_id === null ? sql`` : sql`AND merchant_id = ${merchant_id}`;
  return tx.query<Invitation & Row>(
    sql`DELETE FROM merchant_invitations WHERE invited_by = ${invited_by} ${ofMerchant} RETURNING ${columns}`,
  );
}

/**
 * Takes one invitation whose mail is due, and moves that to `next`; null where none is due. Its order has no ties
 * (D-622).
 */
export async function claimInvitation(db: Database, now: Date, next: Date): Promise<Invitation | null> {
  const [row] = await claimInTurn<Invitation & Row>(
    db,
    sql`merchant_invitations`,
    sql`UPDATE merchant_invitations SET due_at = ${next}, tries = tries + 1 WHERE invitation_id = (
        SELECT invitation_id FROM merchant_invitations WHERE due_at <= ${now} AND expires_at > ${now}
        ORDER BY due_at, invitation_id LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING ${columns}`,
  );
  return row ?? null;
}

/** Gives an invitation the token of its link; false if it is gone. An earlier link ends. */
export async function updateInvitationToken(
  db: Queryable,
  invitation_id: string,
  token_hash: Buffer,
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE merchant_invitations SET token_hash = ${token_hash} WHERE invitation_id = ${invitation_id}
      RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

/** Records that no mail is due. */
export async function endInvitationMail(db: Queryable, invitation_id: string): Promise<void> {
  await db.query(sql`UPDATE merchant_invitations SET due_at = NULL WHERE invitation_id = ${invitation_id}`);
}

/** Deletes a batch of invitations that expired before `at`; returns how many. */
export async function deleteExpiredInvitations(db: Queryable, at: Date, limit: number): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM merchant_invitations WHERE invitation_id IN (
      SELECT invitation_id FROM merchant_invitations WHERE expires_at < ${at} LIMIT ${limit}
    ) RETURNING 1 AS gone`,
  );
  return gone.length;
}
