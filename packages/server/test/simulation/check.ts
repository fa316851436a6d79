import { type Database, sql } from '../../src/base/db.ts';
import { verifyBooks } from '../../src/payments/verify-books.ts';
import type { World } from './world.ts';

/** Something that does not hold, in words. */
type Problem = string;

/** Every promise that must hold whatever happened, once nothing is under way any more. */
export async function problemsOf(world: World): Promise<Problem[]> {
  const { db } = world;
  const found = await Promise.all([
    booksOf(db),
    casesOf(db),
    ordersOf(db),
    settlementsOf(db),
    eventsOf(db),
    holdsOf(db),
    clearingOf(world),
  ]);
  return found.flat();
}

async function booksOf(db: Database): Promise<Problem[]> {
  const { findings } = await verifyBooks(db);
  return findings.map((finding) => `books: ${inWords(finding)}`);
}

/** Every case was decided, and none left money in suspense that belongs to somebody. */
async function casesOf(db: Database): Promise<Problem[]> {
  const rows = await db.query(
    sql`SELECT case_id, kind, state, refund_status, detail FROM payment_cases WHERE state <> 'resolved'`,
  );
  return rows.map((row) => `case: ${inWords(row)}`);
}

/** Nothing stays undecided, and what is paid says by what. */
async function ordersOf(db: Database): Promise<Problem[]> {
  const rows = await db.query(
    sql`SELECT order_no, status FROM collection_orders o WHERE status IN ('pending', 'review')
      OR (status IN ('paid', 'refunded', 'chargeback')) <> EXISTS (
        SELECT 1 FROM payment_attempts a WHERE a.merchant_id = o.merchant_id AND a.order_no = o.order_no
          AND a.state IN ('paid', 'paid_late') AND a.payment_no = o.payment_no)`,
  );
  return rows.map((row) => `order: ${inWords(row)}`);
}

/** A paid order has one settlement, of exactly what it says; nothing else has any. */
async function settlementsOf(db: Database): Promise<Problem[]> {
  const rows = await db.query(
    sql`SELECT o.order_no, o.status, o.settlement_ptk, o.merchant_fee_ptk, s.postings, s.net, s.fee
      FROM collection_orders o LEFT JOIN LATERAL (
        SELECT string_agg(DISTINCT posting, ' ') AS postings,
          coalesce(sum(amount) FILTER (WHERE credit_account LIKE 'm:%'), 0) AS net,
          coalesce(sum(amount) FILTER (WHERE credit_account = 'inc:merchant_fee'), 0) AS fee
        FROM ledger_transfers t WHERE t.merchant_id = o.merchant_id AND t.subject = o.order_no
          AND posting IN ('P1', 'P2', 'P4b', 'P4d')) s ON true
      WHERE CASE WHEN o.status IN ('paid', 'refunded', 'chargeback')
        THEN s.fee <> o.merchant_fee_ptk OR s.net <> coalesce(o.settlement_ptk, 0)
          OR (o.settlement_ptk IS NOT NULL AND s.postings NOT IN ('P1', 'P2'))
        ELSE s.postings IS NOT NULL END`,
  );
  return rows.map((row) => `settlement: ${inWords(row)}`);
}

/** One event for each change of status, none left out, the newest saying what the order says. */
async function eventsOf(db: Database): Promise<Problem[]> {
  const rows = await db.query(
    sql`SELECT o.order_no, o.status, o.status_version, array_agg(n.status_version ORDER BY n.status_version) AS versions
      FROM collection_orders o LEFT JOIN notifications n ON n.merchant_id = o.merchant_id AND n.order_no = o.order_no
      GROUP BY o.merchant_id, o.order_no
      HAVING array_agg(n.status_version ORDER BY n.status_version)
          <> ARRAY(SELECT generate_series(1, o.status_version))
        OR bool_or(n.status_version = o.status_version
          AND n.body::jsonb #>> '{data,status}' IS DISTINCT FROM o.status)`,
  );
  return rows.map((row) => `events: ${inWords(row)}`);
}

/** What is held belongs to an order whose hold has not ended; fees are reserved only for what is under way. */
async function holdsOf(db: Database): Promise<Problem[]> {
  const held = await db.query(
    sql`SELECT b.ref, b.account, b.balance FROM ledger_balances b
      WHERE b.balance > 0 AND b.account IN ('m:held', 'm:frozen', 'm:fee_reserved') AND NOT EXISTS (
        SELECT 1 FROM payment_holds h JOIN collection_orders o USING (merchant_id, order_no)
        WHERE h.merchant_id = b.merchant_id AND h.order_no = b.ref AND h.released_at IS NULL
          AND o.status = 'paid' AND b.balance <= o.settlement_ptk AND b.account <> 'm:fee_reserved')`,
  );
  return held.map((row) => `held: ${inWords(row)}`);
}

/** A list of the provider's, with the members that any of its records have. */
interface Item {
  id: string;
  currency: string;
  payment_status?: string;
  amount_total?: number;
  status?: string;
  amount?: number;
}

/**
 * What the books say a card provider owes is what it took, channel by channel: no payment is overlooked and none is
 * counted twice. The one check that takes the other side's word.
 */
async function clearingOf({ db, cardsim, channels }: World): Promise<Problem[]> {
  const expected = new Map<string, bigint>();
  const add = (account: string, amount: bigint): void => {
    expected.set(account, (expected.get(account) ?? 0n) + amount);
  };
  for (const { payment_no, merchant_id, provider } of channels) {
    if (provider !== 'cardprov' || merchant_id !== null) continue;
    const list = (what: string): Promise<Item[]> => listOf(cardsim.url, payment_no, what);
    const move = ({ currency }: Item, amount: number | undefined, sign: bigint): void => {
      add(`prov:${payment_no}:${currency.toUpperCase()}`, sign * BigInt(amount ?? 0));
    };
    for (const item of await list('checkout/sessions')) {
      if (item.payment_status === 'paid') move(item, item.amount_total, 1n);
    }
    for (const item of await list('refunds')) if (item.status === 'succeeded') move(item, item.amount, -1n);
    for (const item of await list('disputes')) if (item.status === 'lost') move(item, item.amount, -1n);
  }
  // What the platform itself decided to bear for a buyer was paid out past the provider's records.
  const borne = await db.query<{ account: string; loss: bigint }>(
    sql`SELECT 'prov:' || a.payment_no || ':' || c.currency AS account, sum(c.loss_amount) AS loss
      FROM payment_complaints c JOIN payment_attempts a ON a.merchant_id = c.merchant_id
        AND a.order_no = c.order_no AND a.state IN ('paid', 'paid_late') AND a.payment_no = 'ch_card'
      WHERE c.status = 'confirmed' AND c.dispute_id IS NULL GROUP BY 1`,
  );
  for (const { account, loss } of borne) add(account, -loss);
  const rows = await db.query<{ account: string; balance: bigint }>(
    sql`SELECT account, sum(amount) AS balance FROM (
        SELECT debit_account AS account, amount FROM ledger_transfers WHERE debit_account LIKE 'prov:%'
        UNION ALL
        SELECT credit_account, -amount FROM ledger_transfers WHERE credit_account LIKE 'prov:%') moved
      GROUP BY account HAVING sum(amount) <> 0`,
  );
  const booked = new Map(rows.map(({ account, balance }) => [account, balance]));
  return [...new Set([...expected.keys(), ...booked.keys()])]
    .filter((account) => (expected.get(account) ?? 0n) !== (booked.get(account) ?? 0n))
    .map(
      (account) =>
        `clearing: ${account} is ${booked.get(account) ?? 0n} in the books, ${expected.get(account) ?? 0n} there`,
    );
}

/** Every record of a kind in one channel's account, as the provider's own API lists them. */
async function listOf(url: string, payment_no: string, what: string): Promise<Item[]> {
  const items: Item[] = [];
  let after = '';
  for (;;) {
    const answer = await fetch(`${url}/v1/${what}?limit=100${after}`, {
      headers: { authorization: `Bearer sk_live_${payment_no}` },
    });
    const page = (await answer.json()) as { data: Item[]; has_more: boolean };
    items.push(...page.data);
    const last = page.data.at(-1);
    if (!page.has_more || last === undefined) return items;
    after = `&starting_after=${last.id}`;
  }
}

const inWords = (row: object): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
