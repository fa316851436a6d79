import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { platformBook } from '../../../src/base/ids.ts';
import { openDatabase, raw, sql } from '../../../src/base/pg/index.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { minutes } from '../../../src/base/time/clock.ts';
import { sealFacts, sealMetrics } from '../../../src/seals/index.ts';
import { merchant_id } from '../../support/desks/samples.ts';
import { eventually } from '../../support/desks/service.ts';
import { addFacts, named, openSealedBooks, type SealedBooks } from '../../support/books/sealed-books.ts';

let books: SealedBooks;

beforeEach(async () => {
  books = await openSealedBooks();
});

afterEach(async () => {
  await books.close();
});

const chainOf = (chain: string) =>
  books.db.query<{ seal_no: bigint; entry_count: number }>(
    sql`SELECT seal_no, entry_count FROM seals WHERE merchant_id = ${chain} ORDER BY seal_no`,
  );

async function allEntries(): Promise<number> {
  const [row] = await books.db.query<{ entries: number }>(
    sql`SELECT sum(entry_count)::int AS entries FROM seals WHERE merchant_id <> ${platformBook}`,
  );
  return row?.entries ?? 0;
}

const insertLate = `INSERT INTO ledger_transfers (merchant_id, subject, posting, case_key, leg, debit_account,
    credit_account, currency, amount, test_mode, at)
  VALUES ($1, $2, 'P14', '', 1, 'bank:PTK', 'm:available', 'PTK', 5, false, $3)`;

test('D-1109 passes over one, two or three chains prepare inserts of one and of two rows', async () => {
  const single = openDatabase({ url: books.url, max: 1 });
  await books.seal(2, single);
  await addFacts(books, 'mp_2');
  await books.seal(undefined, single);
  const prepared = await single.query<{ statement: string }>(
    sql`SELECT statement FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO seals %'`,
  );
  expect(prepared).toHaveLength(2);
  await single.close();
});

describe('nothing is left out', () => {
  test('R-143 a transaction that commits after younger ones were written is sealed when it has ended', async () => {
    const late = new pg.Client({ connectionString: books.url });
    await late.connect();
    try {
      await late.query('BEGIN');
      await late.query(insertLate, [merchant_id, 'late', books.clock.now()]);
      await addFacts(books, 'mp_2');
      // The open transaction holds the window back: younger rows wait with it, and none is passed over.
      await sealFacts({ ...books, box: books.box() });
      books.clock.advance(minutes(2));
      expect(named(await books.findings())).toContain('fact_unsealed: transfer ["mp_2","P2","","1"]');
      await late.query('COMMIT');
      expect(named(await books.findings())).toContain('fact_unsealed: transfer ["late","P14","","1"]');
    } finally {
      await late.end();
    }
    await books.seal();
    expect(await books.findings()).toEqual([]);
    expect(await allEntries()).toBe(17);
  });

  test('D-1016 the age of the last pass grows while a transaction that does not end holds facts back', async () => {
    /** Its figures are cached, so each look has its own. */
    const age = async () => {
      const registry = new Registry();
      sealMetrics({ ...books, sink: null }).register(registry);
      return (await registry.getSingleMetric('paydesk_seal_pass_age_seconds')?.get())?.values[0]?.value;
    };
    /** A pass, and below which transaction all is sealed then. */
    const pass = async () => {
      await sealFacts({ ...books, box: books.box() });
      const [mark] = await books.db.query<{ below: bigint }>(
        sql`SELECT sealed_below AS below FROM seal_marks`,
      );
      return mark?.below;
    };
    await books.seal();
    const long = new pg.Client({ connectionString: books.url });
    await long.connect();
    try {
      await long.query('BEGIN');
      const { rows } = await long.query<{ xact: string }>('SELECT pg_current_xact_id() AS xact');
      // Transactions of other tests on this server end first.
      await eventually(pass, (below) => below === BigInt(rows[0]?.xact ?? 0));
      books.clock.advance(minutes(6));
      await pass();
      expect(await age()).toBe(0);
      await addFacts(books, 'mp_2');
      books.clock.advance(minutes(6));
      await pass();
      expect(await age()).toBe(360);
    } finally {
      await long.end();
    }
    await books.seal();
    expect(await age()).toBe(0);
    expect(await books.findings()).toEqual([]);
  });

  test('a transaction that is rolled back leaves no trace', async () => {
    const late = new pg.Client({ connectionString: books.url });
    await late.connect();
    await late.query('BEGIN');
    await late.query(insertLate, [merchant_id, 'late', books.clock.now()]);
    await late.query('ROLLBACK');
    await late.end();
    await books.seal();
    expect(await books.findings()).toEqual([]);
    expect(await allEntries()).toBe(8);
  });

  test.each([1, 2, 3, 5])(
    'R-143 a backlog in passes of %i rows: each row once, in chains without gaps',
    async (size) => {
      await addFacts(books, 'mp_2');
      await books.seal(size);
      expect(await allEntries()).toBe(16);
      expect(await books.findings()).toEqual([]);
    },
  );

  test('D-720 each pass over a backlog is planned for its own window, and never for any', async () => {
    await addFacts(books, 'mp_2');
    const db = openDatabase({ url: books.url, max: 1 });
    try {
      await books.seal(1, db);
      const planned = await db.query<{ generic_plans: bigint }>(
        sql`SELECT generic_plans FROM pg_prepared_statements
          WHERE custom_plans + generic_plans > 5 AND statement LIKE '%ledger_transfers%sealed_xact >= %' ORDER BY generic_plans`,
      );
      expect(planned).toEqual([{ generic_plans: 0n }]);
    } finally {
      await db.close();
    }
  });

  test('R-143 two workers at once: no gap, no fork, no row twice', async () => {
    const other = openDatabase({ url: books.url, max: 2 });
    try {
      for (let round = 0; round < 5; round++) {
        await addFacts(books, `mp_r${round}`);
        const worker = (db: typeof other) =>
          sealFacts({ db, clock: books.clock, box: books.box(), batch_size: 3 });
        await Promise.all([worker(books.db), worker(other), worker(books.db), worker(other)]);
      }
    } finally {
      await other.close();
    }
    await books.seal();
    expect(await allEntries()).toBe(6 * 8);
    expect(await books.findings()).toEqual([]);
    const numbers = (await chainOf(platformBook)).map(({ seal_no }) => seal_no);
    expect(numbers).toEqual(numbers.map((_, i) => BigInt(i + 1)));
  });

  test('rows of the time before seals have the transaction of the migration, and are sealed with the first', async () => {
    await books.tamper((tx) => tx.query(sql`UPDATE ledger_transfers SET sealed_xact = 3`));
    await books.seal();
    expect(await books.findings()).toEqual([]);
  });
});

describe('a database that was restored into another cluster', () => {
  const restore = (cluster: string, sealed_below: bigint) =>
    books.tamper((tx) =>
      tx.query(sql`UPDATE seal_marks SET cluster = ${cluster}, sealed_below = ${sealed_below}`),
    );

  test('R-143 transactions that are counted from the beginning again: what has no seal is found by comparison', async () => {
    await books.seal();
    await addFacts(books, 'mp_2');
    // As after a restore into a young cluster: the mark and the old rows are far ahead of its count.
    await books.tamper(async (tx) => {
      for (const table of ['ledger_transfers', 'notifications', 'payment_quotes']) {
        await tx.query(raw(`UPDATE ${table} SET sealed_xact = sealed_xact + 900000000000000`));
      }
    });
    await restore('another', 10n ** 15n);
    await books.seal();
    expect(await books.findings()).toEqual([]);
    expect(await allEntries()).toBe(16);
    await addFacts(books, 'mp_3');
    await books.seal();
    expect(await allEntries()).toBe(24);
  });

  test('D-1231 a comparison that takes longer than a statement may is made without a limit', async ({
    skip,
  }) => {
    // A cluster writes through no view.
    skip(inject('citusUrl') !== null);
    await books.seal();
    await addFacts(books, 'mp_2');
    await restore('another', 1n);
    // Each statement that reads seals takes longer now.
    await books.tamper(async (tx) => {
      await tx.query(sql`ALTER TABLE seals RENAME TO kept_seals`);
      await tx.query(
        sql`CREATE VIEW seals AS SELECT * FROM kept_seals WHERE (SELECT pg_sleep(0.5)) IS NOT NULL`,
      );
    });
    const hurried = openDatabase({ url: books.url, max: 2, statement_timeout_ms: 250 });
    try {
      await books.seal(undefined, hurried);
      expect(await allEntries()).toBe(16);
    } finally {
      await hurried.close();
    }
  });

  test('D-580 no row is sealed again when the cluster comes to its number', async () => {
    await addFacts(books, 'mp_2');
    await books.seal();
    const entries = await allEntries();
    await books.tamper(async (tx) => {
      for (const table of ['ledger_transfers', 'notifications', 'payment_quotes']) {
        await tx.query(raw(`UPDATE ${table} SET sealed_xact = pg_current_xact_id()::text::bigint + 20`));
      }
    });
    await restore('another', 10n ** 15n);
    await books.seal();
    for (let i = 0; i < 40; i++) {
      await books.db.query(sql`SELECT pg_current_xact_id()`);
      await books.seal();
    }
    expect(await allEntries()).toBe(entries);
    expect(await books.db.query(sql`SELECT searches_all FROM seal_marks`)).toEqual([{ searches_all: false }]);
    await addFacts(books, 'mp_3');
    await books.seal();
    expect(await allEntries()).toBe(entries + 8);
    expect(await books.findings()).toEqual([]);
  });

  test('R-143 another cluster that has counted further', async () => {
    await books.seal();
    await addFacts(books, 'mp_2');
    await restore('another', 1n);
    await books.seal();
    expect(await books.findings()).toEqual([]);
    expect(await allEntries()).toBe(16);
  });
});

describe('keys', () => {
  test('a new key vouches for the one before it: its seals hold after it has left the ring', async () => {
    await books.seal();
    const [old] = books.ring;
    books.ring.splice(0, 1, randomBytes(32), old);
    await addFacts(books, 'mp_2');
    await books.seal();
    expect(await books.findings()).toEqual([]);
    books.ring.splice(1, 1);
    expect(await books.findings()).toEqual([]);
    const keys = await books.db.query(sql`SELECT DISTINCT key_id FROM seals`);
    expect(keys).toHaveLength(2);
  });

  test('a key that no trusted key has signed is not trusted', async () => {
    await books.seal();
    books.ring.splice(0, 1, randomBytes(32));
    await addFacts(books, 'mp_2');
    await books.seal();
    const found = await books.findings();
    expect(found).toContainEqual(expect.objectContaining({ kind: 'seal_broken', subject: 'seal 1' }));
    expect(found).not.toContainEqual(expect.objectContaining({ subject: 'seal 2' }));
  });

  test('a forged row of keys is not vouched for at the next change of keys', async () => {
    await books.seal();
    const thief = secretBox([randomBytes(32)]);
    await books.tamper((tx) => tx.query(sql`UPDATE seal_keys SET key_id = ${thief.key_id}`));
    books.ring.splice(0, 1, randomBytes(32));
    await addFacts(books, 'mp_2');
    await books.seal();
    const rows = await books.db.query(sql`SELECT 1 FROM seal_keys WHERE endorsed_by IS NOT NULL`);
    expect(rows).toEqual([]);
  });
});
