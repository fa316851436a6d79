/** Writes pgbench scripts that store or read copies of rows that the service stored. */
import type { Database } from './database.ts';

/** A stored row with the types of its columns; values as text. */
export interface StoredRow {
  table: string;
  columns: { name: string; type: string; value: string | null }[];
}

/** The tables that the creation of an order writes, in that order. */
const orderTables = ['collection_orders', 'payment_quotes', 'notifications'] as const;

/** All rows that the creation of an order stored. */
export async function rowsOfOrder(db: Database, order_no: string): Promise<StoredRow[]> {
  const tables = await Promise.all(orderTables.map((table) => rowsOf(db, table, order_no)));
  return tables.flat();
}

async function rowsOf(db: Database, table: string, order_no: string): Promise<StoredRow[]> {
  const columns = await db.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  const asText = columns.map(({ name }) => `${name}::text AS ${name}`).join(', ');
  const rows = await db.query<Record<string, string | null>>(
    `SELECT ${asText} FROM ${table} WHERE order_no = $1`,
    [order_no],
  );
  return rows.map((row) => ({
    table,
    columns: columns.map(({ name, type }) => ({ name, type, value: row[name] ?? null })),
  }));
}

/** SQL expressions for the number of a copy and the number of its merchant. */
interface Copy {
  number: string;
  merchant: string;
}

/**
 * `n` counts the transactions of a connection. The numbers increase over all connections, like order numbers.
 */
const numbering = ['\\set n :n + 1', '\\set k :n * 64 + :client_id'];
/** More transactions than one connection makes in a run. */
const most_per_run = 10_000_000;

/**
 * A pgbench script that stores copies of these rows for different merchants, each order in one statement and
 * one round trip. The keys of the copies differ; all other values are those of the service.
 */
export function insertScript(rows: readonly StoredRow[], merchants: number, run: number) {
  const copy: Copy = { number: ':k::text', merchant: ':m::text' };
  const inserts = orderTables
    .map((table) => rows.filter((row) => row.table === table))
    .filter((group) => group.length > 0)
    .map((group) => insertOf(group, copy));
  const last = inserts.pop() ?? '';
  const before = inserts.map((insert, i) => `${i === 0 ? 'WITH' : ','} w${i} AS (${insert})`).join('\n');
  const lines = [...numbering, `\\set m random(0, ${merchants - 1})`, `${before}\n${last};`];
  return { script: `${lines.join('\n')}\n`, variables: { n: run * most_per_run } };
}

function insertOf(rows: readonly StoredRow[], copy: Copy): string {
  const [first] = rows;
  const values = rows.map((row, i) => `(${expressionsOf(row, copy, i).join(', ')})`);
  return `INSERT INTO ${first?.table ?? ''} (${namesOf(first)}) VALUES ${values.join(', ')}`;
}

/** A statement that stores `$1` copies of a row, numbered from 1. */
export function fillStatement(row: StoredRow, merchants: number): string {
  const copy: Copy = { number: 'k::text', merchant: `(k % ${merchants})::text` };
  return `INSERT INTO ${row.table} (${namesOf(row)}) SELECT ${expressionsOf(row, copy, 0).join(', ')}
    FROM generate_series(1, $1::integer) AS k`;
}

/**
 * A pgbench script that reads one of `count` copies by primary key, with all columns that the service reads.
 */
export function selectScript(row: StoredRow, merchants: number, count: number) {
  const copy: Copy = { number: ':k::text', merchant: ':m::text' };
  const key = row.columns
    .filter(({ name }) => name === 'merchant_id' || name === 'order_no')
    .map(({ name }) => `${name} = ${identityOf(name, copy, 0) ?? ''}`);
  return {
    script: `\\set k random(1, ${count})\n\\set m :k % ${merchants}
SELECT ${namesOf(row)} FROM ${row.table} WHERE ${key.join(' AND ')};\n`,
  };
}

const namesOf = (row: StoredRow | undefined): string =>
  (row?.columns ?? []).map(({ name }) => name).join(', ');

function expressionsOf({ columns }: StoredRow, copy: Copy, index: number): string[] {
  return columns.map(({ name, type, value }) => {
    if (value === null) return `NULL::${type}`;
    return identityOf(name, copy, index) ?? literal(value, type);
  });
}

/**
 * The expression for a column whose value differs between copies, with the same length as the service’s; null
 * for other columns.
 */
function identityOf(column: string, { number, merchant }: Copy, index: number): string | null {
  switch (column) {
    case 'merchant_id':
      return `('00000000-0000-4000-8000-' || lpad(${merchant}, 12, '0'))::uuid`;
    case 'order_no':
      return `('mp_' || lpad(${number}, 26, '0'))`;
    case 'idempotency_key':
      return `md5(${number})`;
    case 'external_reference':
      return `lpad(${number}, 32, '0')`;
    case 'method_id':
      return `('pm_' || substr(md5('${index}' || ${number}), 1, 16))`;
    case 'event_id':
      return `('ne_' || lpad(${number}, 26, '0'))`;
    default:
      return null;
  }
}

/** The value as an SQL literal without colons, because pgbench replaces variables even inside strings. */
function literal(value: string, type: string): string {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a');
  return `E'${escaped}'::${type}`;
}
