/** The SQL of `paydesk person`. The list of all tables says which columns name a person (base/retention). */
import { join, type Queryable, raw, type Row, type Sql, sql, type Tx } from '../../base/pg/index.ts';
import type { Naming } from '../../base/retention/index.ts';
import { emailKey, type Person } from '../../identity/people/index.ts';

type Columns = Readonly<Record<string, Naming>>;

/** What tables name a person by. */
export type Named = Pick<Person, 'user_id' | 'email'>;

/** What a column of this kind has for the person. */
function isPerson(column: string, naming: Naming, { user_id, email }: Named): Sql {
  const name = raw(column);
  switch (naming) {
    case 'id':
      return sql`${name} = ${user_id}::uuid`;
    case 'ids':
      return sql`${user_id}::uuid = ANY (${name})`;
    case 'actor':
      return sql`${name} IN (${user_id}, ${`user:${user_id}`})`;
    case 'account':
      return sql`${name} = ${`user:${user_id}:available`}`;
    case 'email':
      return sql`lower(normalize(${name}, NFKC)) = ${emailKey(email)}`;
  }
}

const anyOf = (columns: readonly (readonly [string, Naming])[], person: Named): Sql =>
  join(
    columns.map(([column, naming]) => isPerson(column, naming, person)),
    ' OR ',
  );

/**
 * Sealed values, digests and keys tell nothing to the person, or give access, as do the address of a channel's webhooks
 * (D-1368) and that of a merchant's program for statements (D-1422).
 */
const secret = /_(box|hash|digest)$|^(payload|public_key|webhook_key|url)$/;

/** The rows of a table that name the person, without secrets. Amounts are bigint. */
export async function selectNaming(
  db: Queryable,
  table: string,
  columns: Columns,
  person: Named,
): Promise<Row[]> {
  const rows = await db.query(
    sql`SELECT t.* FROM ${raw(table)} t WHERE ${anyOf(Object.entries(columns), person)}`,
  );
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !secret.test(name))));
}

/** Deletes the rows that are the person's own, and takes the id out of lists; returns how many. */
export async function deleteNaming(tx: Tx, table: string, columns: Columns, person: Person): Promise<number> {
  let changed = 0;
  const own = Object.entries(columns).filter(([, naming]) => naming === 'id' || naming === 'email');
  if (own.length > 0 && table !== 'ledger_checkpoints') {
    const rows = await tx.query(
      sql`DELETE FROM ${raw(table)} WHERE ${anyOf(own, person)} RETURNING 1 AS one`,
    );
    changed += rows.length;
  }
  for (const [column, naming] of Object.entries(columns)) {
    if (naming !== 'ids') continue;
    const name = raw(column);
    const rows = await tx.query(
      sql`UPDATE ${raw(table)} SET ${name} = array_remove(${name}, ${person.user_id}::uuid)
        WHERE ${isPerson(column, naming, person)} RETURNING 1 AS one`,
    );
    changed += rows.length;
  }
  return changed;
}

export async function lockPersonToErase(tx: Tx, user_id: string): Promise<void> {
  await tx.query(sql`SELECT 1 AS locked FROM users WHERE user_id = ${user_id} FOR UPDATE`);
}

/** What keeps a person from being erased. */
export interface Open {
  ptk: bigint;
  orders: number;
  holds: number;
  refunds: number;
  complaints: number;
  merchants: number;
}

/** The orders that the person pays or tops up with, of both kinds. */
const ordersOf = (user_id: string): Sql => sql`(
  SELECT merchant_id, order_no FROM payment_attempts WHERE buyer_user_id = ${user_id}
  UNION SELECT merchant_id, order_no FROM catalog_orders WHERE user_id = ${user_id}
  UNION SELECT merchant_id, order_no FROM collection_orders WHERE wallet_user_id = ${user_id})`;

export async function selectOpen(tx: Tx, user_id: string): Promise<Open> {
  const [row] = await tx.query<Open & Row>(
    sql`WITH own AS MATERIALIZED ${ordersOf(user_id)}
      SELECT coalesce((SELECT available_ptk FROM user_wallets WHERE user_id = ${user_id}), 0) AS ptk,
        (SELECT count(DISTINCT o.order_no)::int FROM own o
          LEFT JOIN payment_attempts a ON a.merchant_id = o.merchant_id AND a.order_no = o.order_no
            AND a.state IN ('creating', 'open', 'unknown', 'processing', 'mismatch')
          LEFT JOIN collection_orders p ON p.merchant_id = o.merchant_id AND p.order_no = o.order_no
            AND p.status IN ('pending', 'review')
          LEFT JOIN catalog_orders c ON c.merchant_id = o.merchant_id AND c.order_no = o.order_no
            AND c.state IN ('pending', 'review', 'paid')
          WHERE coalesce(a.order_no, p.order_no, c.order_no) IS NOT NULL) AS orders,
        (SELECT count(*)::int FROM payment_holds JOIN own USING (merchant_id, order_no)
          WHERE released_at IS NULL) AS holds,
        (SELECT count(*)::int FROM payment_refunds JOIN own USING (merchant_id, order_no)
          WHERE ended_at IS NULL) AS refunds,
        (SELECT count(*)::int FROM payment_complaints JOIN own USING (merchant_id, order_no)
          WHERE status = 'open') AS complaints,
        (SELECT count(*)::int FROM merchants WHERE owner_user_id = ${user_id}) AS merchants`,
  );
  return row ?? { ptk: 0n, orders: 0, holds: 0, refunds: 0, complaints: 0, merchants: 0 };
}
