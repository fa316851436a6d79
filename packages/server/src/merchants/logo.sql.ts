/** Reads and writes the logos of merchants (table `merchant_logos`), and claims those that are due. */
import type { LogoProblem } from '@paydesk/contract';
import { type Queryable, type Tx, type Row, sql } from '../base/pg/index.ts';

/** A logo as it was downloaded. */
export interface Logo {
  content_type: string;
  content: Buffer;
  /** SHA-256 of the content, in hexadecimal. */
  content_hash: string;
}

/** The source of a logo. The hash is null while there is no logo to show. */
export interface LogoSource {
  merchant_id: string;
  source_url: string;
  content_hash: string | null;
}

/**
 * Sets the source of a logo. A new address makes it due now and deletes the logo of the old address. An empty address
 * deletes the row.
 */
export async function setLogoSource(tx: Tx, merchant_id: string, source_url: string): Promise<void> {
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

/**
 * Claims due sources, the longest overdue first. No other worker takes them before `until`: of several that found one, the
 * first to change its row has it.
 */
export async function claimLogos(
  db: Queryable,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<LogoSource[]> {
  const due = await db.query<{ merchant_id: string }>(
    sql`SELECT merchant_id FROM merchant_logos WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit}`,
  );
  const claimed: LogoSource[] = [];
  for (const { merchant_id } of due) {
    const rows = await db.query<LogoSource & Row>(
      sql`UPDATE merchant_logos SET due_at = ${until} WHERE merchant_id = ${merchant_id} AND due_at <= ${now}
        RETURNING merchant_id, source_url, content_hash`,
    );
    claimed.push(...rows);
  }
  return claimed;
}

/** Stores a downloaded logo, unless the address has changed since the claim. */
export async function storeLogo(tx: Tx, from: LogoSource, logo: Logo, due_at: Date): Promise<void> {
  await tx.query(
    sql`UPDATE merchant_logos SET content_hash = ${logo.content_hash}, content_type = ${logo.content_type},
        content = ${logo.content}, problem = NULL, due_at = ${due_at}
      WHERE merchant_id = ${from.merchant_id} AND source_url = ${from.source_url}`,
  );
}

/** Deletes the stored logo, because its source no longer has one that may be shown. */
export async function deleteLogo(
  tx: Tx,
  from: LogoSource,
  problem: LogoProblem,
  due_at: Date,
): Promise<void> {
  await tx.query(
    sql`UPDATE merchant_logos SET content_hash = NULL, content_type = NULL, content = NULL, problem = ${problem},
        due_at = ${due_at}
      WHERE merchant_id = ${from.merchant_id} AND source_url = ${from.source_url}`,
  );
}

/** Sets the time of the next try. The stored logo stays. */
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

/** Why the last download failed; null where it succeeded, and where there was none yet. */
export async function selectLogoProblem(db: Queryable, merchant_id: string): Promise<LogoProblem | null> {
  const [row] = await db.query<{ problem: LogoProblem | null }>(
    sql`SELECT problem FROM merchant_logos WHERE merchant_id = ${merchant_id}`,
  );
  return row?.problem ?? null;
}
