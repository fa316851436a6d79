/** The SQL of payment links (table `payment_links`). */
import { type Queryable, type Row, sql, type Tx, type Write } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import { isTaken, keysOf, type PaymentLink } from './payment-link.ts';

const columns = sql`merchant_id, link, external_reference, description, currency, amount, min_amount, max_amount,
  return_url, order_expires_in, expires_at, max_uses, uses, created_by, created_at, closed_at`;

export async function insertLink(tx: Tx, l: PaymentLink): Promise<void> {
  await tx.query(
    sql`INSERT INTO payment_links (${columns}) VALUES (${l.merchant_id}, ${l.link}, ${l.external_reference},
      ${l.description}, ${l.currency}, ${l.amount}, ${l.min_amount}, ${l.max_amount}, ${l.return_url},
      ${l.order_expires_in}, ${l.expires_at}, ${l.max_uses}, ${l.uses}, ${l.created_by}, ${l.created_at},
      ${l.closed_at})`,
  );
}

export async function selectLink(
  db: Queryable,
  merchant_id: string,
  link: string,
): Promise<PaymentLink | null> {
  const [row] = await db.query<PaymentLink & Row>(
    sql`SELECT ${columns} FROM payment_links WHERE merchant_id = ${merchant_id} AND link = ${link}`,
  );
  return row === undefined ? null : withUses(db, row);
}

/** The last link of a page. The next page starts after it. */
export type LinkMark = Pick<PaymentLink, 'created_at' | 'link'>;

/** Selects a page of a merchant's links, newest first. */
export async function selectLinkPage(
  db: Queryable,
  merchant_id: string,
  behind: LinkMark | null,
  limit: number,
): Promise<PaymentLink[]> {
  const older =
    behind === null ? sql`` : sql`AND (created_at, link) < (${behind.created_at}, ${behind.link})`;
  const links = await db.query<PaymentLink & Row>(
    sql`SELECT ${columns} FROM payment_links WHERE merchant_id = ${merchant_id} ${older}
      ORDER BY created_at DESC, link DESC LIMIT ${limit}`,
  );
  return Promise.all(links.map((link) => withUses(db, link)));
}

/**
 * A link with the uses that count now: an order that expired unpaid gives its use back (D-392). Only a link at its limit is
 * counted again, and not beyond the limit (D-1111). Its orders are found by their reference.
 */
async function withUses(db: Queryable, link: PaymentLink): Promise<PaymentLink> {
  if (!isTaken(link)) return link;
  const [row] = await db.query<{ uses: number }>(
    sql`SELECT count(*)::int AS uses FROM (
        SELECT 1 FROM collection_orders
        WHERE merchant_id = ${link.merchant_id} AND external_reference = ${link.external_reference}
          AND starts_with(idempotency_key, ${keysOf(link)}) AND status <> 'expired' LIMIT ${link.max_uses}) taken`,
  );
  return { ...link, uses: row?.uses ?? link.uses };
}

/**
 * Gives back the uses of orders that expired unpaid. The link is locked first: the count begins then, so it has every order
 * whose use was counted.
 */
export async function giveUsesBack(tx: Tx, { merchant_id, link }: PaymentLink): Promise<void> {
  const [locked] = await tx.query<PaymentLink & Row>(
    sql`SELECT ${columns} FROM payment_links WHERE merchant_id = ${merchant_id} AND link = ${link} FOR UPDATE`,
  );
  if (locked === undefined) return;
  const { uses } = await withUses(tx, locked);
  await tx.query(
    sql`UPDATE payment_links SET uses = ${uses} WHERE merchant_id = ${merchant_id} AND link = ${link}`,
  );
}

/** Closes a link that is open. */
export async function closeLinkRow(tx: Tx, { merchant_id, link }: PaymentLink, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE payment_links SET closed_at = ${now}
      WHERE merchant_id = ${merchant_id} AND link = ${link} AND closed_at IS NULL`,
  );
}

/**
 * Counts a use, unless the link is closed, over or used up. Its row is locked until the order of the use is stored, so
 * that there are never more orders than uses (D-222).
 */
export const countUse = ({ merchant_id, link }: PaymentLink, now: Date): Write => ({
  statement: sql`UPDATE payment_links SET uses = uses + 1
    WHERE merchant_id = ${merchant_id} AND link = ${link} AND closed_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now}) AND (max_uses IS NULL OR uses < max_uses)`,
  rows: 1,
  otherwise: () => new AppError('payment_link_ended'),
});
