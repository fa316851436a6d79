import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyDistributed, type Database, type Sql, sql } from '../../../src/base/pg/index.ts';
import { postings as catalogue } from '../../../src/ledger/books/index.ts';
import { verifyLedger } from '../../../src/ledger/verification/index.ts';
import { facts } from '../../../src/payments/facts/every-check.ts';
import { checkBooks, verifyBooks } from '../../../src/payments/facts/verify-books.ts';
import { selectOrderFaults } from '../../../src/payments/facts/orders-and-cases.sql.ts';
import { openBooksWorld } from '../../support/books/books-world.ts';
import type { LossDesk } from '../../support/desks/losses.ts';
import {
  columnsOf,
  type Finder,
  type Found,
  isFound,
  openForTampering,
  tablesOf,
  tamperingsWith,
} from '../../support/books/tamper.ts';
import { moneyTables, otherTables } from '../../support/rules/walk-tables.ts';

let desk: LossDesk;
let db: Database;

beforeAll(async () => {
  desk = await openBooksWorld();
  db = await openForTampering(desk.service.database.url);
}, 900_000);

afterAll(async () => {
  await db.close();
  await desk.stop();
});

/** What docs/ledger.md lists as not checked: `table.column`, `table (removed)` or `table (doubled)`. */
const listed = Array.from(
  readFileSync(new URL('../../../../../docs/ledger.md', import.meta.url), 'utf8').matchAll(
    /^\| `(\w+(?:\.\w+| \((?:removed|doubled)\)))` \| .+ \|$/gm,
  ),
  ([, target = '']) => target,
);

/** Those who look for a tampering, the likeliest first. A seal that finds it may join them. */
function findersFor(table: string): Finder[] {
  const named = new RegExp(`\\b${table}\\b`);
  const checks = facts.map(({ statement }) => statement(null));
  const likeliest = [...checks].sort((a, b) => Number(named.test(b.text)) - Number(named.test(a.text)));
  return [
    ...likeliest.map(
      (statement): Finder =>
        async (tx) =>
          (await tx.query(statement)).length > 0,
    ),
    async (tx) => (await verifyLedger(tx)).findings.length > 0,
    async (tx) => (await selectOrderFaults(tx, null, 1)).length > 0,
    async (tx) => (await checkBooks(tx, null)).findings.length > 0,
  ];
}

test('R-143 in a world where money moved in every way, the books are in order', async () => {
  expect((await verifyBooks(db)).findings).toEqual([]);
  const postings = await db.query<{ posting: string }>(sql`SELECT DISTINCT posting FROM ledger_transfers`);
  expect(postings.map(({ posting }) => posting).sort()).toEqual(Object.keys(catalogue).sort());
});

test('R-143 every table either tells of money or has a reason why it does not', async () => {
  const known = [...Object.keys(moneyTables), ...Object.keys(otherTables)];
  expect((await tablesOf(db)).filter((table) => !known.includes(table) && !table.includes('seal'))).toEqual(
    [],
  );
});

test('R-143 at most a tenth of the columns is listed as not checked', async () => {
  let columns = 0;
  for (const table of Object.keys(moneyTables)) columns += (await columnsOf(db, table)).length;
  const notChecked = listed.filter((target) => target.includes('.'));
  expect(notChecked.length * 10).toBeLessThanOrEqual(columns);
});

// Which rows are sampled depends on random ids, so one run need not miss every listed column.
test('R-143 the list of what is not checked names only columns and rows that exist', async () => {
  for (const target of listed) {
    const [table = '', column] = target.split(/[. ]/);
    expect(Object.keys(moneyTables), target).toContain(table);
    if (!target.includes('.')) continue;
    expect(
      (await columnsOf(db, table)).map(({ name }) => name),
      target,
    ).toContain(column);
  }
});

class Undo extends Error {}

/** The findings after changes that are then undone. */
async function findingsAfter(...changes: Sql[]): Promise<string[]> {
  let found: string[] = [];
  const work = db.transaction(async (tx) => {
    for (const change of changes) await tx.query(change);
    await copyDistributed(tx);
    found = (await checkBooks(tx, null)).findings.map(({ words }) => words);
    throw new Undo();
  });
  await expect(work).rejects.toThrow(Undo);
  return found;
}

test('R-143, D-024 processes whose clocks differ by 90 seconds, or step back, are no finding', async () => {
  const off = sql`interval '90 seconds'`;
  const found = await findingsAfter(
    sql`UPDATE payment_attempts SET created_at = created_at - ${off} WHERE provider <> 'ptk'`,
    sql`UPDATE payment_attempts SET unclear_since = (detail ->> 'at')::timestamptz + ${off}
      WHERE unclear_since IS NOT NULL AND detail ->> 'at' IS NOT NULL`,
    sql`UPDATE catalog_orders SET fulfil_at = created_at - ${off} WHERE fulfil_at IS NOT NULL`,
    // The later change of the merchant was made by a process whose clock is behind.
    sql`UPDATE audit_log l SET at = at - ${off}, audit_id = overlay(audit_id PLACING '0' FROM 4)
      WHERE action = 'merchant.change' AND audit_id = (SELECT max(audit_id) FROM audit_log WHERE target = l.target
        AND action = 'merchant.change')`,
  );
  expect(found).toEqual([]);
});

describe('R-143 a superuser changes, removes or doubles one row, and the verification finds it', () => {
  test.each(Object.keys(moneyTables))(
    '%s',
    async (table) => {
      const finders = findersFor(table);
      const earlier: Found = new Map();
      const missed = new Map<string, string>();
      for (const tampering of await tamperingsWith(db, table, moneyTables[table] ?? { states: '1' })) {
        const isKnown = missed.has(tampering.target) && listed.includes(tampering.target);
        if (isKnown || (await isFound(db, tampering, finders, earlier))) continue;
        missed.set(tampering.target, tampering.words);
      }
      const notListed = [...missed].filter(([target]) => !listed.includes(target));
      expect(notListed).toEqual([]);
    },
    900_000,
  );
});
