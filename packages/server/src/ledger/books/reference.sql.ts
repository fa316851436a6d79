import { sql, type Tx } from '../../base/pg/index.ts';

/** Takes a reference for this transaction: waits for whoever else is taking it, and keeps it once taken. */
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
