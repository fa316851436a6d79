import { type Database, sql } from '../../src/base/pg/index.ts';
import { checkBooks } from '../../src/payments/facts/verify-books.ts';
import { clearingOf, sessionsOf } from './check-provider.ts';
import { firstStock } from './products.ts';
import type { World } from './world.ts';

/** Something that does not hold, in words. */
export type Problem = string;

/** All promises that must hold after every run, when no work is under way. */
export async function problemsOf(world: World): Promise<Problem[]> {
  const { db } = world;
  const found: Problem[] = [];
  // One after the other, so that only one connection reads anew what it forgot when the tables were emptied.
  for (const check of [
    ...[booksOf, casesOf, ordersOf, settlementsOf, lossesOf],
    ...[eventsOf, holdsOf, attemptsOf, topUpsOf],
  ]) {
    found.push(...(await check(db)));
  }
  for (const check of [stockOf, sessionsOf, clearingOf]) found.push(...(await check(world)));
  return [...world.complaints.map((complaint) => `logged: ${complaint}`), ...found];
}

async function booksOf(db: Database): Promise<Problem[]> {
  const { findings } = await db.transaction((tx) => checkBooks(tx, null));
  // An actor may stand still for hours between reading the time and making an id, while others of its process make ids.
  const ofPauses = / that its number names should be there/;
  return findings.filter(({ words }) => !ofPauses.test(words)).map((finding) => `books: ${inWords(finding)}`);
}

/** Every case is decided, and none leaves another party's money in suspense. */
async function casesOf(db: Database): Promise<Problem[]> {
  const rows = await db.query(
    sql`SELECT case_id, kind, state, refund_status, detail FROM payment_cases WHERE state <> 'resolved'`,
  );
  return rows.map((row) => `case: ${inWords(row)}`);
}

/** No order stays undecided, and a paid order names its payment. */
async function ordersOf(db: Database): Promise<Problem[]> {
  const rows = await db.query(
    sql`SELECT order_no, status FROM payable_orders o WHERE status IN ('pending', 'review')
      OR confirmed <> EXISTS (
        SELECT 1 FROM payment_attempts a WHERE a.merchant_id = o.merchant_id AND a.order_no = o.order_no
          AND a.state IN ('paid', 'paid_late') AND NOT EXISTS (
            SELECT 1 FROM payment_cases c WHERE c.merchant_id = a.merchant_id AND c.attempt_id = a.attempt_id
              AND c.kind = 'unfulfillable'))
      UNION ALL SELECT order_no, status FROM collection_orders o WHERE provider_trade_no IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM payment_attempts a WHERE a.merchant_id = o.merchant_id AND a.order_no = o.order_no
          AND a.state IN ('paid', 'paid_late') AND a.payment_no = o.payment_no)`,
  );
  return rows.map((row) => `order: ${inWords(row)}`);
}

/** A paid order has one settlement, of exactly its amounts; other orders have none. */
async function settlementsOf(db: Database): Promise<Problem[]> {
  const rows = await db.query(
    sql`SELECT o.order_no, o.status, o.settlement_ptk, o.merchant_fee_ptk, s.postings, s.net, s.fee
      FROM payable_orders o LEFT JOIN LATERAL (
        SELECT string_agg(DISTINCT posting, ' ') AS postings,
          coalesce(sum(amount) FILTER (WHERE credit_account LIKE 'm:%'), 0) AS net,
          coalesce(sum(amount) FILTER (WHERE credit_account = 'inc:merchant_fee'), 0) AS fee
        FROM ledger_transfers t WHERE t.merchant_id = o.merchant_id AND t.subject = o.order_no
          AND posting IN ('P1', 'P2', 'P4b', 'P4d')) s ON true
      WHERE CASE WHEN o.confirmed
        THEN s.fee <> o.merchant_fee_ptk OR s.net <> coalesce(o.settlement_ptk, 0)
          OR (o.settlement_ptk IS NOT NULL AND s.postings NOT IN ('P1', 'P2'))
        ELSE s.postings IS NOT NULL END`,
  );
  return rows.map((row) => `settlement: ${inWords(row)}`);
}

/**
 * The money of a payment is returned at most once: all of it if the order was refunded or charged back, otherwise the
 * costs of complaints (R-136, D-078).
 */
async function lossesOf(db: Database): Promise<Problem[]> {
  const rows = await db.query(
    sql`SELECT o.order_no, o.status, o.payment_amount, b.returned, c.lost FROM payable_orders o,
      LATERAL (SELECT coalesce(sum(amount), 0) AS returned FROM ledger_transfers t
        WHERE t.merchant_id = o.merchant_id AND t.subject = o.order_no AND posting IN ('P7', 'P7p', 'P8')
          AND (credit_account LIKE 'prov:%' OR credit_account LIKE 'user:%')) b,
      LATERAL (SELECT coalesce(sum(loss_amount), 0) AS lost FROM payment_complaints p
        WHERE p.merchant_id = o.merchant_id AND p.order_no = o.order_no) c
      WHERE b.returned <> CASE WHEN NOT o.confirmed OR o.settlement_ptk IS NULL THEN 0
        WHEN o.standing THEN c.lost ELSE o.payment_amount END`,
  );
  // No refund stays under way.
  const refunds = await db.query(
    sql`SELECT order_no, status, amount FROM payment_refunds WHERE status IN ('requested', 'pending')`,
  );
  // No complaint about a returned payment stays open.
  const complaints = await db.query(
    sql`SELECT order_no, complaint_id FROM payment_complaints c JOIN payable_orders o USING (merchant_id, order_no)
      WHERE c.status = 'open' AND NOT o.standing`,
  );
  return [...rows, ...refunds, ...complaints].map((row) => `losses: ${inWords(row)}`);
}

/** One event for each change of status, without gaps; the newest has the order's status. */
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

/**
 * Held money belongs to an order with an unfinished hold, frozen money to one with a complaint, and no finished attempt
 * has a reserved fee. No hold ends early (D-073).
 */
async function holdsOf(db: Database): Promise<Problem[]> {
  const held = await db.query(
    sql`SELECT b.ref, b.account, b.balance FROM ledger_balances b
      WHERE b.balance > 0 AND b.account IN ('m:held', 'm:frozen', 'm:fee_reserved') AND NOT EXISTS (
        SELECT 1 FROM payment_holds h JOIN payable_orders o USING (merchant_id, order_no)
        WHERE h.merchant_id = b.merchant_id AND h.order_no = b.ref AND h.released_at IS NULL
          AND o.standing AND b.balance <= o.settlement_ptk AND b.account <> 'm:fee_reserved'
          AND (b.account = 'm:frozen') = EXISTS (SELECT 1 FROM payment_complaints c
            WHERE c.merchant_id = o.merchant_id AND c.order_no = o.order_no AND c.status = 'open'))`,
  );
  const early = await db.query(
    sql`SELECT t.subject, t.at, h.release_at FROM ledger_transfers t
      JOIN payment_holds h ON h.merchant_id = t.merchant_id AND h.order_no = t.subject
      WHERE t.posting = 'P3' AND t.at < h.release_at`,
  );
  return [...held, ...early].map((row) => `held: ${inWords(row)}`);
}

/** No payment begins once its order is over. */
async function attemptsOf(db: Database): Promise<Problem[]> {
  const rows = await db.query(
    sql`SELECT a.order_no, a.created_at FROM payment_attempts a LEFT JOIN collection_orders o USING (merchant_id, order_no)
        LEFT JOIN catalog_orders c USING (merchant_id, order_no)
      WHERE a.created_at >= coalesce(o.expires_at, c.expires_at)`,
  );
  return rows.map((row) => `late: ${inWords(row)}`);
}

/**
 * The wallet of a top-up's person got the invoice at the locked price for each confirmed one, once, and gave back at most
 * that (D-356, D-361). What each wallet has is this beside all that other postings moved.
 */
async function topUpsOf(db: Database): Promise<Problem[]> {
  const rows = await db.query(
    sql`WITH top_ups AS (
        SELECT o.order_no, 'user:' || o.wallet_user_id || ':available' AS wallet,
          CASE WHEN p.confirmed AND o.wallet_user_id IS NOT NULL THEN o.gross_settlement_ptk ELSE 0 END AS bought, t.given, t.taken, t.strange
        FROM collection_orders o JOIN payable_orders p USING (merchant_id, order_no), LATERAL (
          SELECT coalesce(sum(amount) FILTER (WHERE posting = 'P21'), 0) AS given,
            coalesce(sum(amount) FILTER (WHERE posting = 'P22'), 0) AS taken,
            count(*) FILTER (WHERE CASE posting WHEN 'P21' THEN credit_account ELSE debit_account END
              IS DISTINCT FROM 'user:' || o.wallet_user_id || ':available')::int AS strange
          FROM ledger_transfers t WHERE t.merchant_id = o.merchant_id AND t.subject = o.order_no
            AND t.posting IN ('P21', 'P22')) t),
      wallets AS (
        SELECT 'user:' || user_id || ':available' AS wallet, available_ptk FROM user_wallets)
      SELECT order_no AS what, bought, given, taken FROM top_ups WHERE given <> bought OR taken > given OR strange > 0
      UNION ALL
      SELECT w.wallet, b.bought, w.available_ptk, o.others FROM wallets w,
        LATERAL (SELECT coalesce(sum(bought - taken), 0) AS bought FROM top_ups u WHERE u.wallet = w.wallet) b,
        LATERAL (SELECT coalesce(sum(CASE w.wallet WHEN credit_account THEN amount ELSE -amount END), 0) AS others
          FROM ledger_transfers WHERE w.wallet IN (credit_account, debit_account) AND posting NOT IN ('P21', 'P22')) o
      WHERE w.available_ptk <> b.bought + o.others`,
  );
  return rows.map((row) => `top-up: ${inWords(row)}`);
}

/**
 * The missing stock of each product equals the quantity in orders that were not cancelled, and is at most the original
 * stock (D-178). Of codes, fewer may be left than that (D-1376), and those of an order that a person delivered are free
 * (D-1461). Each code goes out once, and as many as were bought, to delivered orders; a paid order waits only for codes that
 * there are not (D-177), or while a complaint is open (D-1377).
 */
async function stockOf({ db, products }: World): Promise<Problem[]> {
  // A person who delivers leaves a note.
  const noteless = sql`o.delivery_note_box IS NULL`;
  const byHand = products.filter(({ delivery }) => delivery === 'by hand').map(({ gd_no }) => gd_no);
  const rows = await db.query(
    sql`SELECT p.gd_no, p.in_stock, p.codes_missing, c.codes, c.given, o.sold, o.by_code, o.delivered, o.waiting FROM products p,
      LATERAL (SELECT count(*)::int AS codes, count(order_no)::int AS given FROM catalog_codes c
        WHERE c.merchant_id = p.merchant_id AND c.gd_no = p.gd_no) c,
      LATERAL (SELECT coalesce(sum(quantity) FILTER (WHERE state <> 'cancelled'), 0)::int AS sold,
          coalesce(sum(quantity) FILTER (WHERE state <> 'cancelled' AND ${noteless}), 0)::int AS by_code,
          coalesce(sum(quantity) FILTER (WHERE state = 'completed' AND ${noteless}), 0)::int AS delivered,
          min(quantity) FILTER (WHERE state = 'paid' AND NOT EXISTS (
            SELECT 1 FROM payment_complaints d WHERE d.merchant_id = o.merchant_id AND d.order_no = o.order_no
              AND d.status = 'open')) AS waiting FROM catalog_orders o
        WHERE o.merchant_id = p.merchant_id AND o.gd_no = p.gd_no) o
      WHERE CASE WHEN p.gd_no = ANY (${byHand}::text[]) THEN p.in_stock < 0 OR p.in_stock <> ${firstStock} - o.sold
        ELSE p.in_stock <> greatest(c.codes - o.by_code, 0) OR p.codes_missing <> greatest(o.by_code - c.codes, 0)
          OR c.given <> o.delivered OR o.waiting <= c.codes - c.given END`,
  );
  const wrong = await db.query(
    sql`SELECT order_no, o.state, o.quantity, c.given FROM catalog_orders o,
      LATERAL (SELECT count(*)::int AS given FROM catalog_codes c
        WHERE c.merchant_id = o.merchant_id AND c.order_no = o.order_no) c
      WHERE c.given <> CASE WHEN o.state = 'completed' AND ${noteless} AND o.gd_no <> ALL (${byHand}::text[])
        THEN o.quantity ELSE 0 END`,
  );
  return [...rows.map((row) => `stock: ${inWords(row)}`), ...wrong.map((row) => `codes: ${inWords(row)}`)];
}

const inWords = (row: object): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
