/** Writes when checkouts were first opened (table `checkout_openings`). */
import { type Queryable, sql } from '../../base/pg/index.ts';

export interface Opening {
  merchant_id: string;
  order_no: string;
  opened_at: Date;
  /** Whether sums of the order may be kept already: then they do not count until they are rebuilt. */
  is_late: boolean;
}

/** Inserts openings of any merchants with one statement. Only the first of an order is kept. */
export async function insertOpenings(db: Queryable, openings: readonly Opening[]): Promise<void> {
  const column = <K extends keyof Opening>(name: K) => openings.map((opening) => opening[name]);
  await db.query(sql`
    INSERT INTO checkout_openings (merchant_id, order_no, opened_at, changed_xact)
    SELECT merchant_id, order_no, opened_at, CASE WHEN is_late THEN pg_current_xact_id()::text::bigint END
    FROM unnest(${column('merchant_id')}::uuid[], ${column('order_no')}::text[], ${column('opened_at')}::timestamptz[],
      ${column('is_late')}::boolean[]) AS o (merchant_id, order_no, opened_at, is_late)
    ON CONFLICT (merchant_id, order_no) DO NOTHING`);
}
