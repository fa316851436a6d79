import type { LogoProblem } from '@paydesk/contract';
import { type Queryable, type Tx, type Row, sql } from '../base/pg/index.ts';

/** The picture of a merchant as it was fetched. */
export interface Logo {
  content_type: string;
  content: Buffer;
  /** SHA-256 of the content, in hexadecimal. */
  content_hash: string;
}

/** The picture's source; its content is null until it was fetched, and where it could not be. */
export interface LogoSource {
  merchant_id: string;
  source_url: string;
  content_hash: string | null;
}

/**
 * Has a worker fetch the picture of an address that is new, at once; what belonged to another address goes. An empty
 * address takes everything away.
 */
export async function wantLogo(tx: Tx, merchant_id: string, source_url: string): Promise<void> {
  if (source_url === '') {
    await tx.query(sql`DELETE FROM merchant_logos WHERE merchant_id = ${merchant_id}`);
    return;
  }
  await tx.query(
    sql`INSERT INTO merchant_logos (merchant_id, source_url, due_at)
      VALUES (${merchant_id}, ${source_url}, '-infinity')
      ON CONFLICT (merchant_id) DO UPDATE SET source_url = EXCLUDED.source_url, due_at = EXCLUDED.due_at,
        content_hash = NULL, content_type = NULL, content = NULL, problem = NULL
      WHERE merchant_logos.source_url <> EXCLUDED.source_url`,
  );
}

/** The addresses that are due, the longest waiting first; nobody else takes them before `until`. */
export async function claimLogos(
  tx: Tx,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<LogoSource[]> {
  const due = await tx.query<LogoSource & Row>(
    sql`SELECT merchant_id, source_url, content_hash FROM merchant_logos WHERE due_at <= ${now}
      ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
  );
  for (const { merchant_id } of due) {
    await tx.query(sql`UPDATE merchant_logos SET due_at = ${until} WHERE merchant_id = ${merchant_id}`);
  }
  return due;
}

/** Keeps what was fetched, unless the address has changed meanwhile. */
export async function storeLogo(tx: Tx, from: LogoSource, logo: Logo, due_at: Date): Promise<void> {
  await tx.query(
    sql`UPDATE merchant_logos SET content_hash = ${logo.content_hash}, content_type = ${logo.content_type},
        content = ${logo.content}, problem = NULL, due_at = ${due_at}
      WHERE merchant_id = ${from.merchant_id} AND source_url = ${from.source_url}`,
  );
}

/** Drops what there was: its source no longer has a picture that may be shown. */
export async function dropLogo(tx: Tx, from: LogoSource, problem: LogoProblem, due_at: Date): Promise<void> {
  await tx.query(
    sql`UPDATE merchant_logos SET content_hash = NULL, content_type = NULL, content = NULL, problem = ${problem},
        due_at = ${due_at}
      WHERE merchant_id = ${from.merchant_id} AND source_url = ${from.source_url}`,
  );
}

/** Tries again later, and shows what there was meanwhile. */
export async function postponeLogo(
  tx: Tx,
  from: LogoSource,
  problem: LogoProblem,
  due_at: Date,
): Promise<void> {
  await tx.query(
    sql`UPDATE merchant_logos SET problem = ${problem}, due_at = ${due_at}
      WHERE merchant_id = ${from.merchant_id} AND source_url = ${from.source_url}`,
  );
}

export async function selectLogo(db: Queryable, merchant_id: string): Promise<Logo | null> {
  const [row] = await db.query<Logo & Row>(
    sql`SELECT content_type, content, content_hash FROM merchant_logos
      WHERE merchant_id = ${merchant_id} AND content IS NOT NULL`,
  );
  return row ?? null;
}

/** Why the picture could not be had when a worker last asked for it; null where it could, and where nobody did. */
export async function selectLogoProblem(db: Queryable, merchant_id: string): Promise<LogoProblem | null> {
  const [row] = await db.query<{ problem: LogoProblem | null }>(
    sql`SELECT problem FROM merchant_logos WHERE merchant_id = ${merchant_id}`,
  );
  return row?.problem ?? null;
}
