/** A database with a few facts of every kind, and what seals and checks them: for the tests of seals. */
import { randomBytes } from 'node:crypto';
import { type Database, openDatabase, sql, type Tx } from '../../../src/base/pg/index.ts';
import { type SecretBox, secretBox } from '../../../src/base/secret-box.ts';
import { later } from '../../../src/base/time/clock.ts';
import type { Finding } from '../../../src/ledger/verification/index.ts';
import { findSealFaults, publishHeads, sealFacts, type SealSink } from '../../../src/seals/index.ts';
import { freshDatabase } from '../servers/database.ts';
import { eventually } from '../desks/service.ts';
import { merchant_id, order_no, other_merchant_id, t0 } from '../desks/samples.ts';

/** A sink in memory. */
export interface MemorySink extends SealSink {
  lines: string[];
}

function memorySink(): MemorySink {
  const lines: string[] = [];
  return {
    name: 'memory',
    lines,
    append: (more) => {
      lines.push(...more);
      return Promise.resolve();
    },
    async *read() {
      yield* await Promise.resolve(lines);
    },
  };
}

/** A clock that tests move. */
export function movedClock(at: Date) {
  let now = at;
  return {
    now: () => now,
    real: () => now,
    advance(ms: number): void {
      now = later(now, ms);
    },
  };
}

export type SealedBooks = Awaited<ReturnType<typeof openSealedBooks>>;

/** Opens a database of its own with facts of two merchants and of the platform, none of them sealed. */
export async function openSealedBooks() {
  const database = await freshDatabase();
  const db = openDatabase({ url: database.url, max: 4 });
  const clock = movedClock(t0);
  const ring: [Buffer, ...Buffer[]] = [randomBytes(32)];
  const sink = memorySink();
  const books = {
    url: database.url,
    db,
    clock,
    ring,
    sink,
    box: (): SecretBox => secretBox(ring),
    /** Seals all rows through `by`, also while open transactions of other tests on this server hold a window back. */
    seal: async (batch_size?: number, by = db): Promise<void> => {
      const [row] = await db.query<{ xact: bigint }>(sql`SELECT pg_current_xact_id()::text::bigint AS xact`);
      const pass = () =>
        sealFacts({ db: by, clock, box: books.box(), ...(batch_size === undefined ? {} : { batch_size }) });
      await eventually(
        async () => {
          while ((await pass()) > 0);
          const [mark] = await db.query<{ sealed_below: bigint }>(sql`SELECT sealed_below FROM seal_marks`);
          return mark?.sealed_below ?? 0n;
        },
        (sealed_below) => sealed_below > (row?.xact ?? 0n),
      );
    },
    publish: (to: SealSink = sink): Promise<void> =>
      publishHeads({ db, log: { info: () => undefined }, sink: to }),
    findings: (box: SecretBox | null = books.box()): Promise<Finding[]> =>
      findSealFaults(db, { clock, box, sink: sink.lines.length === 0 ? null : sink }),
    /** What a superuser does past every guard. */
    tamper: (work: (tx: Tx) => Promise<unknown>): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.query(sql`SET LOCAL session_replication_role = replica`);
        await work(tx);
      }),
    close: async (): Promise<void> => {
      await db.close();
      await database.drop();
    },
  };
  await addFacts(books);
  return books;
}

/** Adds a payment's facts for two merchants, and an entry of the audit log. */
export async function addFacts(
  { db, clock }: { db: Database; clock: { now(): Date } },
  subject = order_no,
): Promise<void> {
  const at = clock.now();
  await db.transaction(async (tx) => {
    for (const owner of [merchant_id, other_merchant_id]) await addPayment(tx, owner, subject, at);
    await tx.query(sql`INSERT INTO audit_log (audit_id, at, actor, action, target, reason, before, after)
      VALUES (${`al_${subject}`}, ${at}, 'key', 'merchant.update', ${`“${subject}”\n`}, NULL, NULL,
        '{"b": 1.50, "a": "é"}'::jsonb)`);
  });
}

async function addPayment(tx: Tx, owner: string, subject: string, at: Date): Promise<void> {
  for (const leg of [1, 2]) {
    await tx.query(sql`INSERT INTO ledger_transfers (merchant_id, subject, posting, case_key, leg, debit_account,
        credit_account, currency, amount, test_mode, at)
      VALUES (${owner}, ${subject}, 'P2', '', ${leg}, 'user:x:available', 'm:available', 'PTK', ${1_000n * BigInt(leg)},
        false, ${at})`);
  }
  await tx.query(sql`INSERT INTO notifications (merchant_id, event_id, order_no, status_version, body, url, destination,
      secret_box, delivery_status, attempts, manual, next_attempt_at, created_at)
    VALUES (${owner}, ${`ev_${subject}`}, ${subject}, 2, '{"status":"paid\\t\\u0001"}', 'https://shop.example/hook',
      'shop.example:443', '\\x01', 'delivered', 1, false, NULL, ${at})`);
  await tx.query(sql`INSERT INTO payment_quotes (merchant_id, order_no, method_id, payment_no, provider, owner,
      test_mode, currency, currency_decimals, subtotal, buyer_fee, merchant_fee, merchant_fee_ptk, fee_rules)
    VALUES (${owner}, ${subject}, 'ptk', 'ch_ptk', 'ptk', 'platform', false, 'PTK', 8, 1000, 0, 0, 0, '{}'::jsonb)`);
  await tx.query(sql`INSERT INTO withdrawals (merchant_id, withdrawal_id, reference, amount_ptk, payout_currency,
      payout_decimals, payout_amount, status, requested_at, decided_at)
    VALUES (${owner}, ${`wd_${subject}`}, ${subject}, 5, 'USD', 2, 1, 'pending', ${at}, NULL)`);
}

/** A readable name of each finding. */
export const named = (findings: readonly Finding[]): string[] =>
  findings.map(({ kind, subject }) => `${kind}: ${subject}`);
