import { migrate } from '../../../src/base/pg/index.ts';
import { emptyDatabase, type TestDatabase } from './database.ts';

/** Two show whether a statement stays in one of them. Each more makes every plan and every copy dearer. */
export const partitions = 2;

/** A table of the migrations that belongs to merchants, from its name to its mark. */
const merchantTable = /CREATE TABLE (\w+) \(((?:(?!CREATE TABLE)[^])*?)\n\) \/\* by merchant_id \*\/;/g;

/** The tables that lie with a person: their marks are in a later migration than they are. */
export const personTables = ['user_wallets', 'user_wallet_lines'];
const personTable = new RegExp(`CREATE TABLE (${personTables.join('|')}) \\(([^]*?)\\n\\);`, 'g');

/**
 * The text of a migration with every table that is marked as the merchants' own hash-partitioned by merchant_id, and those of people by user_id:
 * PostgreSQL then refuses any primary or unique key that lacks the column, as a distributed database would.
 */
export function partitionedByMerchant(text: string): string {
  // A partitioned table cannot build an index beside the traffic, and an empty database has none.
  return text
    .replaceAll('INDEX CONCURRENTLY', 'INDEX')
    .replaceAll(merchantTable, (_, table: string, body: string) => inParts(table, body, 'merchant_id'))
    .replaceAll(personTable, (_, table: string, body: string) => inParts(table, body, 'user_id'));
}

function inParts(table: string, body: string, owner: string): string {
  const parts = Array.from(
    { length: partitions },
    (_, i) =>
      `CREATE TABLE ${table}_p${i} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${i});`,
  );
  return [`CREATE TABLE ${table} (${body}\n) PARTITION BY HASH (${owner});`, ...parts].join('\n');
}

/** A database of a test's own with every migration applied, laid out as a distributed one would be. */
export async function partitionedDatabase(): Promise<TestDatabase> {
  const database = await emptyDatabase();
  try {
    await migrate(database.url, { transform: partitionedByMerchant });
  } catch (error) {
    await database.drop();
    throw error;
  }
  return database;
}
