import { sql, type Tx } from '../../base/pg/index.ts';

/**
 * Claims a reference for this transaction; waits for any other transaction that claims it now. A committed
 * claim stays.
 */
export async function claimReference(
  tx: Tx,
  merchant_id: string,
  kind: string,
  reference: string,
): Promise<void> {
  await tx.query(
    sql`INSERT INTO posted_references (merchant_id, kind, reference) VALUES (${merchant_id}, ${kind}, ${reference})
      ON CONFLICT DO NOTHING`,
  );
}
