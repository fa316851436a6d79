/** Reads the lines of a person's wallet, for the person (D-422). */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

export interface WalletLineRow {
  at: Date;
  subject: string;
  posting: string;
  case_key: string;
  /** Positive where the wallet grows. */
  amount_ptk: bigint;
}

/** Sorts lines of the same instant. */
export type WalletLineKey = Pick<WalletLineRow, 'at' | 'subject' | 'posting' | 'case_key'>;

/** Newest first. `after` is the last line of the page before; null for the first page. */
export function selectWalletLines(
  db: Queryable,
  user_id: string,
  after: WalletLineKey | null,
  limit: number,
): Promise<WalletLineRow[]> {
  const behind =
    after === null
      ? sql``
      : sql`AND at <= ${after.at} AND (at, subject, posting, case_key)
          < (${after.at}, ${after.subject}, ${after.posting}, ${after.case_key})`;
  return db.query<WalletLineRow & Row>(
    sql`SELECT at, subject, posting, case_key, amount_ptk FROM user_wallet_lines
      WHERE user_id = ${user_id} ${behind}
      ORDER BY at DESC, subject DESC, posting DESC, case_key DESC LIMIT ${limit}`,
  );
}
