import {
  type Database,
  openDatabase,
  raw,
  sql,
  type Sql,
  sqlState,
  type Tx,
} from '../../../src/base/pg/index.ts';
import { askDatabase } from '../servers/database.ts';

/** Changes that a superuser could make to one row, each undone after someone has looked for it. */
export interface Tampering {
  /** `table.column`, `table (removed)` or `table (doubled)`. */
  target: string;
  /** What is done to which row, in words. */
  words: string;
  statement: Sql;
}

export interface Column {
  name: string;
  type: string;
  nullable: boolean;
}

interface Place {
  table: string;
  columns: Column[];
  key: string[];
  /** Columns of each unique index. */
  unique: string[][];
}

/**
 * Opens a service's database as a superuser whose changes fire no trigger. The same few statements run thousands of times
 * over a few rows, so their plans are kept. These are settings of the connection, because PostgreSQL discards all plans
 * whenever the first of them is changed.
 */
export async function openForTampering(url: string): Promise<Database> {
  for (const setting of ['session_replication_role = replica', 'plan_cache_mode = force_generic_plan']) {
    await askDatabase(
      url,
      `DO $$ BEGIN EXECUTE format('ALTER ROLE %I IN DATABASE %I SET ${setting}', current_user, current_database()); END $$`,
    );
  }
  return openDatabase({ url, max: 2 });
}

/** Tables of the schema, partitions left out, with the columns of each. */
export async function tablesOf(db: Database): Promise<string[]> {
  const rows = await db.query<{
    name: string;
  }>(sql`SELECT table_name::text AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND NOT EXISTS (SELECT 1 FROM pg_inherits WHERE inhrelid = format('public.%I', table_name)::regclass)
    ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** The columns of a table, without those that only the seals read (docs/seals.md). */
export function columnsOf(db: Database, table: string): Promise<Column[]> {
  return db.query<Column & Record<string, unknown>>(sql`
    SELECT column_name::text AS name, udt_name::text AS type, is_nullable = 'YES' AS nullable
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ${table} AND is_generated = 'NEVER'
      AND column_name NOT LIKE 'seal%' AND column_name <> 'changed_xact'
    ORDER BY ordinal_position`);
}

async function placeOf(db: Database, table: string): Promise<Place> {
  const indexes = await db.query<{ is_key: boolean; columns: string[] }>(sql`
    SELECT i.indisprimary AS is_key, array_agg(a.attname::text ORDER BY k.n) AS columns
    FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, n)
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    WHERE i.indrelid = ${table}::regclass AND i.indisunique GROUP BY i.indexrelid, i.indisprimary`);
  return {
    table,
    columns: await columnsOf(db, table),
    key: indexes.find(({ is_key }) => is_key)?.columns ?? [],
    unique: indexes.map(({ columns }) => columns),
  };
}

const lastLetter = (value: string): string =>
  `CASE WHEN ${value} = '' THEN 'x' ELSE left(${value}, -1) || CASE right(${value}, 1) WHEN 'A' THEN 'B' ELSE 'A' END END`;

/** Other values for a column, by its type: expressions over a row `t`. */
function otherValues({ name, type }: Column): string[] {
  const value = `t.${name}`;
  switch (type) {
    case 'text':
      return [lastLetter(value)];
    case 'int2':
    case 'int4':
    case 'int8':
    case 'numeric':
      return [`${value} + 1`];
    case 'bool':
      return [`NOT ${value}`];
    case 'timestamptz':
      return [`${value} + interval '1 hour'`];
    case 'uuid':
      return [`'11111111-2222-4333-8444-555555555555'::uuid`];
    case 'bytea':
      return [`set_byte(${value}, length(${value}) - 1, get_byte(${value}, length(${value}) - 1) # 1)`];
    case '_text':
      return [`array_append(${value}, 'x')`];
    case '_uuid':
      return [`array_append(${value}, '11111111-2222-4333-8444-555555555555')`];
    default:
      return [];
  }
}

const someValue: Record<string, string> = {
  text: `'x'`,
  int2: '1',
  int4: '1',
  int8: '1',
  numeric: '1',
  bool: 'true',
  timestamptz: `timestamptz '2026-11-01'`,
  uuid: `'11111111-2222-4333-8444-555555555555'::uuid`,
  bytea: `'\\x01'`,
};

/** A value of a JSON document changed: the first that is a text, a number or a truth. */
function bumped(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') {
    const other = value.endsWith('A') ? 'B' : 'A';
    return /^\d+$/.test(value) ? (BigInt(value) + 1n).toString() : `${value.slice(0, -1)}${other}`;
  }
  if (value === null) return 1;
  const [first, ...rest] = Object.entries(value as Record<string, unknown>);
  if (first === undefined) return { x: 1 };
  return Array.isArray(value)
    ? [bumped(first[1]), ...(value as unknown[]).slice(1)]
    : Object.fromEntries([[first[0], bumped(first[1])], ...rest]);
}

/**
 * Every tampering with some rows of a table: the first row of each value of `states`, an expression over the columns. The
 * first is the one that was written first: by their keys, chance would choose.
 */
export async function tamperingsWith(
  db: Database,
  table: string,
  { states, where: chosen = 'true' }: { states: string; where?: string },
): Promise<Tampering[]> {
  const place = await placeOf(db, table);
  const rows = await db.query<{ ctid: string; state: string; json: string }>(
    raw(`SELECT DISTINCT ON ((${states})::text) ctid::text, (${states})::text AS state, to_jsonb(t)::text AS json
      FROM ${table} t WHERE ${chosen} ORDER BY (${states})::text, t.tableoid, t.ctid`),
  );
  const all: Tampering[] = [];
  for (const { ctid, state, json } of rows) {
    const row = JSON.parse(json) as Record<string, unknown>;
    const where = `WHERE t.ctid = '${ctid}'`;
    for (const column of place.columns) {
      const { name } = column;
      for (const [what, value] of await changesOf(db, table, column, row[name])) {
        all.push({
          target: `${table}.${name}`,
          words: `${what} in the row of ${state}`,
          statement:
            typeof value === 'string'
              ? raw(`UPDATE ${table} t SET ${name} = ${value} ${where}`)
              : sql`${raw(`UPDATE ${table} t SET ${name} =`)} ${value.json}::jsonb ${raw(where)}`,
        });
      }
    }
    all.push({
      target: `${table} (removed)`,
      words: `the row of ${state}`,
      statement: raw(`DELETE FROM ${table} t ${where}`),
    });
    all.push({
      target: `${table} (doubled)`,
      words: `the row of ${state}`,
      statement: doubled(place, where),
    });
  }
  return all;
}

type Change = [what: string, value: string | { json: string }];

async function changesOf(db: Database, table: string, column: Column, value: unknown): Promise<Change[]> {
  const { name, type, nullable } = column;
  if (value === null && type !== 'jsonb') {
    const [known] = await db.query<{ value: string }>(
      raw(`SELECT quote_literal(${name}::text) AS value FROM ${table} WHERE ${name} IS NOT NULL LIMIT 1`),
    );
    const filled = known === undefined ? (someValue[type] ?? 'NULL') : `${known.value}::${typeName(type)}`;
    return [['null becomes a value', filled]];
  }
  const others = type === 'text' || type === 'uuid' ? await knownValues(db, table, name, String(value)) : [];
  return [
    ...otherValues(column).map((other): Change => ['another value', other]),
    ...others.map((other): Change => [`the value ${other}`, `${other}::${type}`]),
    ...(type === 'jsonb' ? [['another value', { json: JSON.stringify(bumped(value)) }] as Change] : []),
    ...(nullable ? [['null', 'NULL'] as Change] : []),
  ];
}

const typeName = (type: string): string => (type.startsWith('_') ? `${type.slice(1)}[]` : type);

/** Values that other rows have: another status, another order. */
async function knownValues(db: Database, table: string, name: string, value: string): Promise<string[]> {
  const rows = await db.query<{ value: string }>(
    sql`SELECT DISTINCT quote_literal(${raw(name)}::text) AS value FROM ${raw(table)}
      WHERE ${raw(name)}::text <> ${value} ORDER BY 1 LIMIT 9`,
  );
  // Few values are states or kinds, of which each is tried; many are names.
  return rows.map((row) => row.value).slice(0, rows.length > 8 ? 1 : 8);
}

/** Copies a row under a new key; each unique key gets another value as well. */
function doubled({ table, columns, key, unique }: Place, where: string): Sql {
  const changed = new Set<string>();
  for (const names of [key, ...unique]) {
    const last = names.at(-1);
    if (last !== undefined && !names.some((name) => changed.has(name))) changed.add(last);
  }
  const values = columns.map((column) =>
    changed.has(column.name) ? (otherValues(column)[0] ?? `t.${column.name}`) : `t.${column.name}`,
  );
  const names = columns.map(({ name }) => name).join(', ');
  return raw(`INSERT INTO ${table} (${names}) SELECT ${values.join(', ')} FROM ${table} t ${where}`);
}

class Undo extends Error {}

/** Looks at the books after some tampering: whether it finds anything. */
export type Finder = (tx: Tx) => Promise<boolean>;

/** The finders that found the earlier tamperings of a table's columns: they are asked first. */
export type Found = Map<Tampering['target'], Finder>;

/**
 * Whether a tampering is found, or refused by a constraint that no session can switch off. Undoes it. What found the
 * last tampering with a column mostly finds the next one, so it looks first, and notes itself in `earlier`.
 */
export async function isFound(
  db: Database,
  { statement, target }: Tampering,
  finders: readonly Finder[],
  earlier: Found,
): Promise<boolean> {
  const likeliest = earlier.get(target);
  const inOrder = likeliest === undefined ? finders : [likeliest, ...finders.filter((f) => f !== likeliest)];
  let found = false;
  const work = db.transaction(async (tx) => {
    await tx.query(statement);
    for (const find of inOrder) {
      found = await find(tx);
      if (!found) continue;
      earlier.set(target, find);
      break;
    }
    throw new Undo();
  });
  try {
    await work;
  } catch (error) {
    if (error instanceof Undo) return found;
    // Class 23: a constraint, which holds even where triggers are off.
    if (sqlState(error)?.startsWith('23') === true) return true;
    throw error;
  }
  return found;
}
