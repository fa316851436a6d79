import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/base/pg/index.ts';
import { retention } from '../../../src/base/retention/index.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { columnsOf, tablesOf } from '../../support/books/tamper.ts';

const page = fileURLToPath(new URL('../../../../../docs/retention.md', import.meta.url));

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('D-434 every table says how long its rows stay', async () => {
  expect(Object.keys(retention)).toEqual(await tablesOf(db));
});

/** What a column about people is called. */
const isAboutPeople =
  /(^|_)(user_ids?|email|email_key|actor|author|agent|locale|address)$|_by$|_users$|^address_box$/;
/** Columns that are called so, and name no person. */
const others = [
  'account_sum_marks.counted_by',
  'order_sum_marks.counted_by',
  'owed_sum_marks.counted_by',
  'progress_sum_marks.counted_by',
  'seal_sinks.leased_by',
  'seal_keys.endorsed_by',
  'card_disputes.due_by',
];

test('D-434 every column that is called like one about people is named', async () => {
  const unnamed: string[] = [];
  for (const [table, { people = {}, personal = [] }] of Object.entries(retention)) {
    const columns = (await columnsOf(db, table)).map(({ name }) => name);
    const named = [...Object.keys(people), ...personal];
    expect(named.filter((name) => !columns.includes(name))).toEqual([]);
    for (const name of columns) {
      if (isAboutPeople.test(name) && !named.includes(name)) unnamed.push(`${table}.${name}`);
    }
  }
  expect(unnamed.sort()).toEqual(others.sort());
});

test('D-434 docs/retention.md shows what the code says', async () => {
  const rows = Object.entries(retention).map(([table, { stays, why, people = {}, personal = [] }]) => {
    const about = [...Object.keys(people), ...personal].map((name) => `\`${name}\``).join(', ');
    return `| \`${table}\` | ${stays === 'forever' ? 'never deleted' : stays} | ${why} | ${about} |`;
  });
  const [head = ''] = readFileSync(page, 'utf8').split('\n| table |');
  const table = ['| table | rows stay | until when, or why | about people |', '|---|---|---|---|', ...rows];
  await expect(`${head.trimEnd()}\n\n${table.join('\n')}\n`).toMatchFileSnapshot(page);
});
