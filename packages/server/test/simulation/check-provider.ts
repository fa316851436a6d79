import { type Database, sql } from '../../src/base/pg/index.ts';
import type { Problem } from './check.ts';
import { listAll, listOf, type Recorded } from './provider-records.ts';
import type { World } from './world.ts';

/**
 * An attempt has one session at the provider, for any number of requests (D-092). An attempt that was found to have no
 * session, by a refusal or a look-up, had none at that moment (D-091, D-093), unless a person decided it. Only the look-up
 * after a refused retry can miss one, while the provider's lists are late (D-196, D-861). Twins are the provider's own
 * mistake.
 */
export async function sessionsOf(world: World): Promise<Problem[]> {
  const all = await listAll(world, 'checkout/sessions');
  const sessions = all.filter(({ metadata }) => metadata?.twin === undefined);
  const absent = await world.db.query<{ attempt_id: string; closed_at: Date; is_rejected: boolean }>(
    sql`SELECT attempt_id, closed_at, is_rejected FROM (
        SELECT attempt_id, closed_at, true AS is_rejected FROM payment_attempts WHERE state = 'rejected'
        UNION ALL SELECT attempt_id, closed_at, false FROM watched_absences) a
      WHERE NOT EXISTS (SELECT 1 FROM payment_cases c
        WHERE c.attempt_id = a.attempt_id AND c.resolution = 'absent')`,
  );
  const problems = [...(await twinsOf(world, all)), ...(await uncoveredOf(world, all))];
  const seen = new Set<string>();
  for (const { client_reference_id, created } of sessions) {
    if (typeof client_reference_id !== 'string') continue;
    if (seen.has(client_reference_id)) problems.push(`sessions: ${client_reference_id} has two`);
    seen.add(client_reference_id);
    const gone = absent.find(({ attempt_id }) => attempt_id === client_reference_id);
    const wasMissed = gone?.is_rejected === true && world.lists.missed.has(client_reference_id);
    if (gone !== undefined && (created ?? 0) * 1_000 < gone.closed_at.getTime() && !wasMissed) {
      problems.push(`sessions: ${client_reference_id} is over and has one`);
    }
  }
  return problems;
}

/** A payment through another session than the attempt's own needs a person's decision (D-082, D-083). */
async function twinsOf({ db }: World, sessions: readonly Recorded[]): Promise<Problem[]> {
  const rows = await db.query<{ attempt_id: string; session_id: string; held: string[] }>(
    sql`SELECT a.attempt_id, a.session_id, ARRAY(SELECT c.session_id FROM payment_cases c
        WHERE c.merchant_id = a.merchant_id AND c.order_no = a.order_no AND c.session_id IS NOT NULL) AS held
      FROM payment_attempts a WHERE a.session_id IS NOT NULL`,
  );
  const attempts = new Map(rows.map((row) => [row.attempt_id, row]));
  return sessions
    .filter(({ id, payment_status, client_reference_id }) => {
      const of = attempts.get(client_reference_id ?? '');
      return payment_status === 'paid' && of !== undefined && of.session_id !== id && !of.held.includes(id);
    })
    .map(({ id }) => `twins: nobody was asked about the payment of ${id}`);
}

/** The payment of an attempt equals the requested amount, in its currency, on any account (D-082, D-083). */
async function uncoveredOf({ db }: World, sessions: readonly Recorded[]): Promise<Problem[]> {
  const rows = await db.query<{ order_no: string; trade_no: string; amount: bigint; currency: string }>(
    sql`SELECT order_no, provider_trade_no AS trade_no, amount, currency FROM payment_attempts
      WHERE provider = 'cardprov' AND state IN ('paid', 'paid_late')`,
  );
  const paid = new Map(sessions.map((session) => [session.payment_intent, session]));
  return rows
    .filter(({ trade_no, amount, currency }) => {
      const received = paid.get(trade_no);
      const covers = BigInt(received?.amount_total ?? 0) >= amount;
      return received?.payment_status !== 'paid' || received.currency.toUpperCase() !== currency || !covers;
    })
    .map(({ order_no, trade_no }) => `uncovered: ${trade_no} is not what ${order_no} was to be paid with`);
}

/**
 * The debt of a card provider in the books equals its receipts, channel by channel: no payment is missing and none is
 * counted twice. Only this check uses the provider's records.
 */
export async function clearingOf(world: World): Promise<Problem[]> {
  const { db, channels } = world;
  const expected = new Map<string, bigint>();
  const add = (account: string, amount: bigint): void => {
    expected.set(account, (expected.get(account) ?? 0n) + amount);
  };
  const contested = await contestedDisputes(db);
  const beside = await contestedRefunds(db);
  const refundedBeside = new Set<string>();
  const inParts = await paidInParts(db);
  const failed = await failedOfCases(db);
  for (const { payment_no, merchant_id, provider } of channels) {
    if (provider !== 'cardprov' || merchant_id !== null) continue;
    const accountOf = ({ currency }: Recorded): string => `prov:${payment_no}:${currency.toUpperCase()}`;
    const amountOf = ({ amount }: Recorded): bigint => BigInt(amount ?? 0);
    for (const item of await listOf(world, payment_no, 'checkout/sessions')) {
      if (item.payment_status === 'paid') add(accountOf(item), BigInt(item.amount_total ?? 0));
    }
    for (const item of await listOf(world, payment_no, 'refunds')) {
      const isOfCase = item.metadata?.case_id !== undefined;
      if (beside.has(item.id)) refundedBeside.add(item.payment_intent ?? '');
      if (!isOfCase && inParts.has(item.payment_intent ?? '')) continue;
      if (failed.has(item.id)) add(accountOf(item), -amountOf(item));
      else if (item.status === 'succeeded') add(accountOf(item), -(beside.get(item.id) ?? amountOf(item)));
    }
    for (const { account, taken } of inParts.values())
      if (account.startsWith(`prov:${payment_no}:`)) add(account, -taken);
    for (const item of await listOf(world, payment_no, 'disputes')) {
      add(accountOf(item), -(contested(item) ?? (item.status === 'lost' ? amountOf(item) : 0n)));
    }
  }
  // Refunds that the platform itself paid are not in the provider's records, unless all of the payment was refunded there
  // and the books took all of that.
  const borne = await db.query<{ account: string; loss: bigint; payment_id: string; refunded: boolean }>(
    sql`SELECT 'prov:' || a.payment_no || ':' || a.currency AS account, c.loss_amount AS loss,
        a.provider_trade_no AS payment_id, coalesce(o.status, g.reversed, '') = 'refunded' AS refunded
      FROM payment_complaints c LEFT JOIN collection_orders o USING (merchant_id, order_no)
        LEFT JOIN catalog_orders g USING (merchant_id, order_no)
        JOIN payment_attempts a ON a.merchant_id = c.merchant_id AND a.order_no = c.order_no
          AND a.provider_trade_no = coalesce(o.provider_trade_no, g.provider_trade_no)
          AND a.state IN ('paid', 'paid_late') AND a.payment_no = 'ch_card'
      WHERE c.status = 'confirmed' AND c.dispute_id IS NULL`,
  );
  for (const { account, loss, payment_id, refunded } of borne)
    if (!refunded || inParts.has(payment_id) || refundedBeside.has(payment_id)) add(account, -loss);
  for (const { account, returned } of await clearedBeside(db)) add(account, -returned);
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

/**
 * The amount that the books took for a dispute that contradicts them; a person handles the rest in a case. Undefined if
 * there is no such case.
 */
async function contestedDisputes(db: Database): Promise<(dispute: Recorded) => bigint | undefined> {
  const losses = await db.query<{ dispute_id: string; loss: bigint }>(
    sql`SELECT k.dispute_id, coalesce(sum(c.loss_amount), 0) AS loss
      FROM (SELECT DISTINCT merchant_id, detail #>> '{seen,name}' AS dispute_id FROM payment_cases
        WHERE kind = 'mismatch' AND NOT booked AND dedupe_key LIKE 'du%'
        -- The order bore what was the rest's, as a person had booked too little of another dispute (D-1255).
        UNION SELECT t.merchant_id, t.case_key FROM ledger_transfers t
          JOIN payment_cases b ON b.merchant_id = t.merchant_id AND b.order_no = t.subject
        WHERE t.posting = 'P10r' AND t.case_key LIKE 'du%' AND b.detail ->> 'why' = 'lost for more than was booked') k
        LEFT JOIN payment_complaints c USING (merchant_id, dispute_id) GROUP BY 1`,
  );
  // A case's receipt for the same payment is returned with it, but for what the case's own refund had returned before.
  const cleared = await db.query<{ dispute_id: string; returned: bigint }>(
    sql`SELECT k.detail #>> '{charged_back,dispute_id}' AS dispute_id,
        least(sum(t.amount), max((k.detail #>> '{charged_back,amount}')::numeric)) AS returned FROM payment_cases k
      JOIN ledger_transfers t ON t.merchant_id = k.merchant_id AND t.case_key = k.case_id AND t.posting = 'P10r'
      WHERE k.resolution = 'cleared' GROUP BY 1`,
  );
  // So is the part of a rest that a lost dispute has taken.
  const parts = await db.query<{ dispute_id: string; returned: bigint }>(
    sql`SELECT case_key AS dispute_id, sum(amount) AS returned FROM ledger_transfers
      WHERE posting = 'P10r' AND case_key LIKE 'du%' GROUP BY 1`,
  );
  return ({ id }) => {
    const loss = losses.find(({ dispute_id }) => dispute_id === id)?.loss;
    if (loss === undefined) return undefined;
    const returned = cleared.find(({ dispute_id }) => dispute_id === id)?.returned ?? 0n;
    return loss + returned + (parts.find(({ dispute_id }) => dispute_id === id)?.returned ?? 0n);
  };
}

/**
 * The rests of receipts that left suspense because all of their payment has gone back, in part by a refund or a dispute of
 * which a person was told.
 */
const clearedBeside = (db: Database): Promise<{ account: string; returned: bigint }[]> =>
  db.query(
    sql`SELECT t.credit_account AS account, sum(t.amount) AS returned FROM payment_cases k
      JOIN ledger_transfers t ON t.merchant_id = k.merchant_id AND t.case_key = k.case_id AND t.posting = 'P10r'
      WHERE k.resolution = 'cleared' AND NOT k.detail ? 'charged_back' AND EXISTS (
        SELECT 1 FROM payment_cases b WHERE b.merchant_id = k.merchant_id AND b.order_no = k.order_no
          AND b.kind IN ('mismatch', 'partial_refund') AND NOT b.booked AND b.dedupe_key ~ '^(du|re)')
      GROUP BY 1`,
  );

/**
 * The payments of which parts were refunded, or whose refund has failed later, with what the books took for their refunds. A
 * person is told, as the comparison shows, and books what is missing as the loss of a complaint.
 */
async function paidInParts(db: Database): Promise<Map<string, { account: string; taken: bigint }>> {
  const rows = await db.query<{ payment_id: string; account: string; taken: bigint }>(
    sql`SELECT a.provider_trade_no AS payment_id, 'prov:' || a.payment_no || ':' || a.currency AS account, (
          SELECT coalesce(sum(t.amount), 0) FROM ledger_transfers t WHERE t.merchant_id = a.merchant_id
            AND t.subject = a.order_no AND t.credit_account LIKE 'prov:%'
            -- Of the rest of its receipt, too.
            AND (t.posting = 'P7' OR (t.posting = 'P10r' AND t.case_key LIKE 're%'))) AS taken
      FROM payment_attempts a WHERE a.provider = 'cardprov' AND a.state IN ('paid', 'paid_late') AND (
        EXISTS (SELECT 1 FROM payment_refunds r WHERE r.merchant_id = a.merchant_id AND r.order_no = a.order_no
          AND r.attempt_id = a.attempt_id AND r.status = 'partial')
        OR EXISTS (SELECT 1 FROM payment_cases c WHERE c.merchant_id = a.merchant_id AND c.order_no = a.order_no
          AND c.detail ->> 'why' = 'the refund failed after it was booked'))`,
  );
  return new Map(rows.map((row) => [row.payment_id, row]));
}

/** The refunds that have ended a case and have failed later: a person is told, and the books keep what they took. */
async function failedOfCases(db: Database): Promise<Set<string>> {
  const rows = await db.query<{ refund_id: string }>(
    sql`SELECT b.dedupe_key AS refund_id FROM payment_cases b JOIN payment_cases k ON k.case_id = b.detail #>> '{seen,case}'
      WHERE b.detail ->> 'why' = 'the refund failed after it was booked' AND k.resolution = 'refund'`,
  );
  return new Set(rows.map(({ refund_id }) => refund_id));
}

/**
 * The amounts that the books took for refunds that contradicted them: nothing where the money had gone back already, and
 * what was left of the payment if a dispute was won later. A person handles the rest in a case.
 */
async function contestedRefunds(db: Database): Promise<Map<string, bigint>> {
  const cases = await db.query<{ refund_id: string; taken: bigint }>(
    sql`SELECT k.dedupe_key AS refund_id, coalesce(sum(t.amount), 0) + (
          SELECT coalesce(sum(p.amount), 0) FROM ledger_transfers p WHERE p.merchant_id = k.merchant_id
            AND p.posting = 'P10r' AND p.case_key = k.dedupe_key) AS taken FROM payment_cases k
        LEFT JOIN payment_refunds r ON r.merchant_id = k.merchant_id AND r.provider_refund_id = k.dedupe_key
        LEFT JOIN ledger_transfers t ON t.merchant_id = r.merchant_id AND t.subject = r.order_no
          AND t.posting = 'P7' AND t.credit_account LIKE 'prov:%'
      WHERE k.kind = 'mismatch' AND NOT k.booked AND k.dedupe_key LIKE 're%' GROUP BY k.merchant_id, 1`,
  );
  return new Map(cases.map(({ refund_id, taken }) => [refund_id, taken]));
}
