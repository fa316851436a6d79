/** SQL of quotes. They are stored with their order, and never changed or added to later (R-125, D-056). */
import { join, sql, type Queryable, type Row, type Tx, type Write } from '../../base/pg/index.ts';
import { rulesFrom, rulesToStore } from '../../channels/index.ts';
import type { Quote } from './quote.ts';

export type QuoteRow = Omit<Quote, 'fee_rules'> & { fee_rules: Parameters<typeof rulesFrom>[0] } & Row;

export function insertQuotes(merchant_id: string, order_no: string, quotes: readonly Quote[]): Write {
  const rows = quotes.map(
    (q) =>
      sql`(${merchant_id}::uuid, ${order_no}, ${q.method_id}, ${q.payment_no}, ${q.provider}, ${q.owner},
        ${q.test_mode}::boolean, ${q.currency}, ${q.currency_decimals}::smallint, ${q.subtotal}::numeric,
        ${q.buyer_fee}::numeric, ${q.merchant_fee}::numeric, ${q.merchant_fee_ptk}::numeric,
        ${JSON.stringify(rulesToStore(q.fee_rules))}::jsonb)`,
  );
  return {
    statement: sql`INSERT INTO payment_quotes (merchant_id, order_no, method_id, payment_no, provider, owner,
      test_mode, currency, currency_decimals, subtotal, buyer_fee, merchant_fee, merchant_fee_ptk, fee_rules)
      VALUES ${join(rows)}`,
    rows: 'all',
  };
}

export async function selectQuotes(db: Queryable, merchant_id: string, order_no: string): Promise<Quote[]> {
  const rows = await db.query<QuoteRow>(
    sql`SELECT method_id, payment_no, provider, owner, test_mode, currency, currency_decimals, subtotal, buyer_fee,
      merchant_fee, merchant_fee_ptk, fee_rules
      FROM payment_quotes WHERE merchant_id = ${merchant_id} AND order_no = ${order_no} ORDER BY method_id`,
  );
  return rows.map((row) => ({ ...row, fee_rules: rulesFrom(row.fee_rules) }));
}

/** Deletes single quotes, whose rows are in the archive; returns how many there were. */
export async function deleteQuotes(
  tx: Tx,
  merchant_id: string,
  quotes: readonly { order_no: string; method_id: string }[],
): Promise<number> {
  const gone = await tx.query(
    sql`DELETE FROM payment_quotes WHERE merchant_id = ${merchant_id} AND (order_no, method_id) IN (
      SELECT * FROM unnest(${quotes.map(({ order_no }) => order_no)}::text[],
        ${quotes.map(({ method_id }) => method_id)}::text[])) RETURNING 1 AS gone`,
  );
  return gone.length;
}
