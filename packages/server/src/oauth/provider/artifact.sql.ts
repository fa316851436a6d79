/** Reads and writes what the authorization server keeps besides tokens (table `oauth_artifacts`). */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** A session, interaction, code or grant of the library; `model` says which. */
export interface ArtifactRow {
  model: string;
  id_hash: Buffer;
  grant_hash: Buffer | null;
  uid_hash: Buffer | null;
  payload: Record<string, unknown>;
  consumed_at: Date | null;
  expires_at: Date | null;
}

const artifactColumns = sql`model, id_hash, grant_hash, uid_hash, payload, consumed_at, expires_at`;

export async function upsertArtifact(db: Queryable, a: ArtifactRow): Promise<void> {
  await db.query(
    sql`INSERT INTO oauth_artifacts (${artifactColumns}) VALUES (${a.model}, ${a.id_hash}, ${a.grant_hash},
      ${a.uid_hash}, ${JSON.stringify(a.payload)}, ${a.consumed_at}, ${a.expires_at})
      ON CONFLICT (model, id_hash) DO UPDATE SET grant_hash = excluded.grant_hash, uid_hash = excluded.uid_hash,
        payload = excluded.payload, expires_at = excluded.expires_at`,
  );
}

/** Stores an artifact whose id was not used before, or only by one that has expired; false otherwise. */
export async function insertOnce(db: Queryable, a: ArtifactRow, now: Date): Promise<boolean> {
  const rows = await db.query(
    sql`INSERT INTO oauth_artifacts (${artifactColumns}) VALUES (${a.model}, ${a.id_hash}, ${a.grant_hash},
      ${a.uid_hash}, ${JSON.stringify(a.payload)}, ${a.consumed_at}, ${a.expires_at})
      ON CONFLICT (model, id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at
        WHERE oauth_artifacts.expires_at <= ${now}
      RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

export async function selectArtifact(
  db: Queryable,
  model: string,
  id_hash: Buffer,
): Promise<ArtifactRow | null> {
  const [row] = await db.query<ArtifactRow & Row>(
    sql`SELECT ${artifactColumns} FROM oauth_artifacts WHERE model = ${model} AND id_hash = ${id_hash}`,
  );
  return row ?? null;
}

export async function selectArtifactByUid(
  db: Queryable,
  model: string,
  uid_hash: Buffer,
): Promise<ArtifactRow | null> {
  const [row] = await db.query<ArtifactRow & Row>(
    sql`SELECT ${artifactColumns} FROM oauth_artifacts WHERE model = ${model} AND uid_hash = ${uid_hash}`,
  );
  return row ?? null;
}

/** Marks an artifact as used; false where it was used before or does not exist. */
export async function consumeArtifact(
  db: Queryable,
  model: string,
  id_hash: Buffer,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE oauth_artifacts SET consumed_at = ${at}
      WHERE model = ${model} AND id_hash = ${id_hash} AND consumed_at IS NULL RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

export async function deleteArtifact(db: Queryable, model: string, id_hash: Buffer): Promise<void> {
  await db.query(sql`DELETE FROM oauth_artifacts WHERE model = ${model} AND id_hash = ${id_hash}`);
}
