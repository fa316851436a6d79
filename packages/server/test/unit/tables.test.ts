import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { roomOf } from '../../../../scripts/lint/rooms.js';
import { owners, readsAcross, tableRefusal, tablesIn } from '../../../../scripts/lint/tables.js';
import { migrationsDir } from '../../src/base/pg/index.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));

describe('a table has one owner', () => {
  test('every table and view of the migrations has one', () => {
    const text = readdirSync(migrationsDir)
      .map((name) => readFileSync(join(migrationsDir, name), 'utf8'))
      .join('\n');
    const made = text.matchAll(/CREATE (?:TABLE|(?:OR REPLACE )?VIEW) (\w+)/g);
    expect(Array.from(made, ([, name = '']) => name).filter((name) => !owners.has(name))).toEqual([]);
  });

  test.each([
    ['SELECT 1 FROM merchants m JOIN users u ON u.user_id = m.owner_user_id', ['merchants', 'users'], false],
    ['UPDATE merchants SET name = $', ['merchants'], true],
    ['INSERT INTO merchants (name) VALUES ($)', ['merchants'], true],
    ['DELETE FROM merchants WHERE merchant_id = $', ['merchants'], true],
    ['SELECT 1 FROM merchants FOR UPDATE', ['merchants'], false],
    ['WITH due AS (SELECT 1) SELECT 1 FROM due', [], false],
  ])('%s', (text, tables, isWrite) => {
    expect(tablesIn(text)).toEqual(tables.map((table) => ({ table, isWrite })));
  });

  test.each([
    ['merchants', 'merchants', true, null],
    ['ledger/books', 'ledger_balances', true, null],
    ['payments/facts', 'ledger_balances', false, null],
    ['payments/facts', 'ledger_balances', true, 'ledger_balances is written by ledger/ alone'],
    ['payments/card', 'merchants', false, expect.stringContaining('merchants belongs to merchants/')],
  ])('%s names %s (write: %s)', (room, table, isWrite, why) => {
    expect(tableRefusal(room, { table, isWrite })).toEqual(why);
  });

  test('every read across that is listed is made', () => {
    const made = new Set(
      readdirSync(src, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.sql.ts'))
        .flatMap((name) =>
          // The whole text: a part of a statement may name a table, too.
          tablesIn(readFileSync(join(src, name), 'utf8')).map(({ table }) => `${roomOf(name)} ${table}`),
        ),
    );
    const listed = readsAcross.flatMap(({ room, tables }) => tables.map((table) => `${room} ${table}`));
    expect(listed.filter((read) => !made.has(read))).toEqual([]);
  });
});
